// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/capture/capture.h"
#include "engine/capture/marks.h"

namespace rpl {

/// Whether a kernel that does nothing, and one that copies an input to each result, leave other memory than this capture holds from after the dispatch. Nothing
/// runs. Weak: one of them would pass. Unchecked, with the reason: the capture holds no memory from after the dispatch, so only `capture verify` can tell.
CheckMark self_check(const Capture& capture);

/// The same, kept in the folder of a capture that was just made or received, if that is this program's. Fails with io.
Result<CheckMark> mark_capture(const std::string& folder, const Capture& capture);

/// "weak: argument 2 becomes what argument 1 is: a kernel that copies it would pass"; "" for one that is strong.
std::string warning_of(const CheckMark& mark);

}  // namespace rpl
