// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "engine/base/half.h"
#include "engine/base/numbers.h"
#include "engine/device/execute/launch/kernel_run.h"
#include "engine/device/execute/launch/pointer_fill.h"

namespace rpl::emu {
namespace {

std::uint16_t bfloat_bits(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (value != value) return static_cast<std::uint16_t>(bits >> 16 | 0x40);
  return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

// The low bytes of the result are the element.
std::uint64_t float_bits(Element element, double value) {
  switch (element) {
    case Element::f16:
      return to_half(static_cast<float>(value)).bits;
    case Element::bf16:
      return bfloat_bits(static_cast<float>(value));
    case Element::f32:
      return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    default:
      return std::bit_cast<std::uint64_t>(value);
  }
}

std::uint64_t element_bits(const BufferArgument& buffer, std::uint64_t index,
                           std::uint64_t& state) {
  const bool real = is_float(buffer.element);
  const auto number = [&](std::uint64_t value) {
    return real ? float_bits(buffer.element, static_cast<double>(value)) : value;
  };
  switch (buffer.fill.kind) {
    case Fill::Kind::one:
      return number(1);
    case Fill::Kind::iota:
      return number(index);
    case Fill::Kind::nan:
      return float_bits(buffer.element, std::numeric_limits<double>::quiet_NaN());
    case Fill::Kind::random:
      break;
    default:
      return 0;
  }
  const std::uint64_t random = next_random(state);
  if (!real) return random;
  return float_bits(buffer.element,
                    static_cast<double>(static_cast<std::int64_t>(random)) * 0x1p-63);
}

template <class T>
Result<ValueArgument> parsed(std::string_view text) {
  const auto value = whole_number<T>(text);
  if (!value) return fail(Errc::usage, fmt::format("'{}' is not a number that fits", text));
  ValueArgument argument;
  argument.bytes.resize(sizeof(T));
  std::memcpy(argument.bytes.data(), &*value, sizeof(T));
  return argument;
}

Result<ValueArgument> parsed_small_float(Element element, std::string_view text) {
  const auto wide = TRY(parsed<double>(text));
  double value = 0;
  std::memcpy(&value, wide.bytes.data(), sizeof(value));
  const std::uint64_t bits = float_bits(element, value);
  ValueArgument argument;
  argument.bytes.resize(size_of(element));
  std::memcpy(argument.bytes.data(), &bits, argument.bytes.size());
  return argument;
}

Result<ValueArgument> parsed_as(Element element, std::string_view text) {
  switch (element) {
    case Element::i8:
      return parsed<std::int8_t>(text);
    case Element::u8:
      return parsed<std::uint8_t>(text);
    case Element::i16:
      return parsed<std::int16_t>(text);
    case Element::u16:
      return parsed<std::uint16_t>(text);
    case Element::i32:
      return parsed<std::int32_t>(text);
    case Element::u32:
      return parsed<std::uint32_t>(text);
    case Element::i64:
      return parsed<std::int64_t>(text);
    case Element::u64:
      return parsed<std::uint64_t>(text);
    case Element::f32:
      return parsed<float>(text);
    case Element::f64:
      return parsed<double>(text);
    default:
      return parsed_small_float(element, text);
  }
}

}  // namespace

Result<ValueArgument> parse_value(Element element, std::string_view text) {
  ValueArgument value = TRY(parsed_as(element, text));
  value.element = element;
  return value;
}

Result<std::vector<std::byte>> initial_bytes(const BufferArgument& buffer,
                                             const BufferAddresses& addresses) {
  const std::size_t width = size_of(buffer.element);
  constexpr std::uint64_t kLargest = std::uint64_t{1} << 36;
  if (buffer.count > kLargest / width) return fail(Errc::limit, "a buffer of more than 64 GiB");
  if (buffer.fill.kind == Fill::Kind::bytes) {
    if (buffer.fill.bytes.size() != buffer.count * width) {
      return fail(Errc::usage,
                  fmt::format("{} bytes do not make {} elements of {}", buffer.fill.bytes.size(),
                              buffer.count, to_string(buffer.element)));
    }
    return buffer.fill.bytes;
  }
  if (buffer.fill.kind == Fill::Kind::nan && !is_float(buffer.element)) {
    return fail(Errc::usage, fmt::format("{} has no NaN", to_string(buffer.element)));
  }
  if (buffer.fill.kind == Fill::Kind::chain || buffer.fill.kind == Fill::Kind::addresses)
    return pointer_bytes(buffer, addresses);
  std::vector<std::byte> bytes(static_cast<std::size_t>(buffer.count) * width);
  if (buffer.fill.kind == Fill::Kind::zero) return bytes;
  std::uint64_t state = buffer.fill.seed;
  for (std::uint64_t i = 0; i < buffer.count; ++i) {
    const std::uint64_t bits = element_bits(buffer, i, state);
    std::memcpy(bytes.data() + i * width, &bits, width);
  }
  return bytes;
}

}  // namespace rpl::emu
