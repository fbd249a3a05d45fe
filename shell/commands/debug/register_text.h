// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "engine/base/result.h"
#include "engine/document/value.h"

namespace rpl {

/// A dword as a 32-bit float. JSON has no NaN, and here it is what people look for: NaN and inf are text.
Value float_value(std::uint32_t bits);

/// Writes what stands in hexadecimal, 8 or 16 digits, in a format of GDB; "" leaves it. Fails with usage for another format.
Status format_value(std::string& value, const std::string& format);

}  // namespace rpl
