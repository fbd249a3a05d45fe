// SPDX-License-Identifier: MIT
#include "engine/device/debug/examine.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "engine/base/numbers.h"

namespace rpl::debug {
namespace {

constexpr std::uint32_t kMostUnits = 65536;

std::uint64_t integer_of(std::span<const std::byte> bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof(value)));
  return value;
}

std::int64_t signed_of(std::span<const std::byte> bytes) {
  const unsigned shift = 64 - 8 * static_cast<unsigned>(bytes.size());
  return static_cast<std::int64_t>(integer_of(bytes) << shift) >> shift;
}

float half_value(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const auto fraction = static_cast<float>(bits & 1023);
  const float sign = (bits & 0x8000) != 0 ? -1.0F : 1.0F;
  if (exponent == 31)
    return fraction == 0 ? sign * std::numeric_limits<float>::infinity()
                         : std::numeric_limits<float>::quiet_NaN();
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1.0F + fraction / 1024, exponent - 15);
}

std::string float_text(std::span<const std::byte> bytes) {
  if (bytes.size() == sizeof(double)) {
    double value = 0;
    std::memcpy(&value, bytes.data(), sizeof(value));
    return fmt::format("{}", value);
  }
  if (bytes.size() == sizeof(float)) {
    float value = 0;
    std::memcpy(&value, bytes.data(), sizeof(value));
    return fmt::format("{}", value);
  }
  if (bytes.size() == sizeof(std::uint16_t))
    return fmt::format("{}", half_value(static_cast<std::uint16_t>(integer_of(bytes))));
  return fmt::format("{}", signed_of(bytes));
}

std::string character_text(std::uint64_t value) {
  const auto c = static_cast<char>(value);
  return value >= 32 && value < 127 ? fmt::format("{} '{}'", value, c) : fmt::format("{}", value);
}

}  // namespace

Result<ExamineFormat> parse_examine_format(std::string_view text, const ExamineFormat& before) {
  ExamineFormat format = before;
  format.count = 1;
  const std::string_view whole = text;
  if (text.starts_with('/')) text.remove_prefix(1);
  format.before = text.starts_with('-');
  if (format.before) text.remove_prefix(1);
  if (const auto count = take_number<decltype(format.count)>(text)) format.count = *count;
  bool sized = false;
  for (const char c : text) {
    if (std::string_view("bhwg").find(c) != std::string_view::npos) {
      format.size = c;
      sized = true;
    } else if (std::string_view("xduotfacsi").find(c) != std::string_view::npos) {
      format.letter = c;
    } else {
      return fail(
          Errc::usage, fmt::format("'{}' is not a format of x", whole),
          "a count, a letter (x d u o t f a c s i) and a size (b h w g): x/8xw, x/4f, x/2gx, x/3i");
    }
  }
  if (format.count == 0 || format.count > kMostUnits)
    return fail(Errc::usage, fmt::format("'{}' asks for {} units", whole, format.count),
                "1 to 65536");
  if (!sized && format.letter == 'a') format.size = 'g';
  if (!sized && format.letter == 'c') format.size = 'b';
  if (!sized && format.letter == 'f' && format.size == 'b') format.size = 'w';
  if (format.letter == 's') format.size = 'b';
  return format;
}

std::string to_string(const Address& address) {
  switch (address.space) {
    case Address::Space::lds:
      return fmt::format("local#0x{:x}", address.offset);
    case Address::Space::scratch:
      return fmt::format("private_lane#0x{:x}", address.offset);
    case Address::Space::global:
      break;
  }
  return fmt::format("0x{:x}", address.offset);
}

Result<std::span<const std::byte>> read(const Session& session, const Address& address,
                                        std::uint64_t bytes) {
  if (address.space == Address::Space::global) {
    const emu::Region* region = session.memory().find(address.offset);
    if (region == nullptr || !region->contains(address.offset, bytes)) {
      return fail(Errc::not_found,
                  fmt::format("cannot read {} bytes at 0x{:x}", bytes, address.offset),
                  session.memory().describe(address.offset));
    }
    return std::span<const std::byte>(region->host + (address.offset - region->base), bytes);
  }
  std::span<const std::byte> all;
  const emu::Wave* wave = session.selected();
  if (wave == nullptr) return fail(Errc::not_found, "no wave is selected", "info waves");
  if (address.space == Address::Space::scratch) {
    const std::uint64_t of_lane = session.prepared().scratch_bytes;
    all = std::span(wave->scratch).subspan(session.selected_lane * of_lane, of_lane);
  }
  for (const emu::Workgroup& group : session.schedule().active()) {
    if (address.space == Address::Space::lds && group.number == wave->workgroup) all = group.lds;
  }
  if (address.offset <= all.size() && bytes <= all.size() - address.offset)
    return all.subspan(address.offset, bytes);
  return fail(Errc::not_found, fmt::format("cannot read {} bytes at {}", bytes, to_string(address)),
              fmt::format("it has {} bytes", all.size()));
}

std::string examined(const ExamineFormat& format, std::span<const std::byte> bytes) {
  const std::uint64_t value = integer_of(bytes);
  const std::size_t digits = 2 * bytes.size();
  switch (format.letter) {
    case 'd':
      return fmt::format("{}", signed_of(bytes));
    case 'u':
      return fmt::format("{}", value);
    case 'o':
      return fmt::format("0{:o}", value);
    case 't':
      return fmt::format("{:0{}b}", value, 4 * digits);
    case 'f':
      return float_text(bytes);
    case 'a':
      return fmt::format("0x{:x}", value);
    case 'c':
      return character_text(value);
    default:
      return fmt::format("0x{:0{}x}", value, digits);
  }
}

std::string symbol_of(const Session& session, const Address& address) {
  if (address.space != Address::Space::global) return {};
  const emu::Region* region = session.memory().find(address.offset);
  if (region == nullptr) return {};
  const std::uint64_t offset = address.offset - region->base;
  return offset == 0 ? region->name : fmt::format("{}+{}", region->name, offset);
}

}  // namespace rpl::debug
