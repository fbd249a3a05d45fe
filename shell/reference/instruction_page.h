// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace rpl {

/// docs/emulator-instructions.md: which instructions the emulated devices execute, and how many of all.
std::string instruction_page();

}  // namespace rpl
