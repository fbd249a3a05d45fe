// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "engine/base/files.h"

namespace rpl {

/// Closes files whose names are gone without waiting until the kernel has given back their room: of a large file that takes tenths of a second, when the
/// last who has it open closes it, and nothing can interrupt it. A process of its own is the last, which holds nothing but these files, does nothing but
/// close them, and is no child that anybody has to wait for. Small ones, and all where no process can be made, are closed here.
void close_behind(std::vector<UniqueFd> files);

}  // namespace rpl
