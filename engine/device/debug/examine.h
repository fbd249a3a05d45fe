// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/device/debug/session.h"

/// Memory as GDB's `x` shows it.
namespace rpl::debug {

/// "8xw", "4f", "16xb", "2gx", "i", "s": count, letter and size in any order.
struct ExamineFormat {
  std::uint32_t count = 1;
  char letter = 'x';    ///< x d u o t f a c s i
  char size = 'w';      ///< b 1, h 2, w 4, g 8 bytes
  bool before = false;  ///< what stands in front of the address: "-4f"
  [[nodiscard]] std::uint32_t bytes() const {
    return size == 'b' ? 1 : size == 'h' ? 2 : size == 'w' ? 4 : 8;
  }
};
/// `before` gives what the text leaves out, as GDB does. Fails with usage.
Result<ExamineFormat> parse_examine_format(std::string_view text, const ExamineFormat& before = {});

/// Where something is to be looked at.
struct Address {
  enum class Space : std::uint8_t { global, lds, scratch } space = Space::global;
  std::uint64_t offset = 0;  ///< a device address; in LDS and scratch from their beginning
};
std::string to_string(const Address& address);

/// The bytes there: of the selected wave's workgroup for LDS, of the selected lane for scratch. Fails with not_found outside of what is
/// allocated, and names the nearest allocation.
Result<std::span<const std::byte>> read(const Session& session, const Address& address,
                                        std::uint64_t bytes);

/// One unit as text; `bytes` has format.bytes() of them.
std::string examined(const ExamineFormat& format, std::span<const std::byte> bytes);

/// "argument 1+16" for a device address in a named allocation; "" for others.
std::string symbol_of(const Session& session, const Address& address);

}  // namespace rpl::debug
