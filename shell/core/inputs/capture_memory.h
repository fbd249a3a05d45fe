// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/document/value.h"
#include "shell/core/inputs/opened.h"

/// Memory of a capture by address, for `x` and for scripts.
namespace rpl {

/// `bytes` at a device address, before the dispatch or after it. Fails with not_found outside of what was captured, naming the nearest region, or when
/// memory after it was not captured.
Result<std::span<const std::byte>> read_captured(const Capture& capture, std::uint64_t address,
                                                 std::uint64_t bytes, bool after);

/// "argument 1+16"; "" for an address in no region.
std::string captured_symbol(const Capture& capture, std::uint64_t address);

/// $arg1, $arg2, …: the pointer of a buffer, the value of another argument; nothing for other names.
std::optional<Value> captured_value(const Capture& capture, std::string_view name);

}  // namespace rpl
