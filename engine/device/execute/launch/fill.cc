// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "engine/base/half.h"
#include "engine/base/numbers.h"
#include "engine/base/splitmix.h"
#include "engine/base/stretches.h"
#include "engine/device/execute/launch/kernel_run.h"

namespace rpl::emu {

/// What a buffer of kind chain or addresses starts out with. Fails as initial_bytes() does.
Result<std::vector<std::byte>> pointer_bytes(const BufferArgument& buffer,
                                             const BufferAddresses& addresses);

namespace {

constexpr std::uint64_t kPointerSize = 8;

constexpr std::size_t kElementsBetweenChecks = std::size_t{1} << 20;

Result<std::vector<std::uint64_t>> ascending(std::uint64_t count) {
  std::vector<std::uint64_t> out;
  out.reserve(static_cast<std::size_t>(count));
  TRY(interrupt::in_stretches(static_cast<std::size_t>(count), kElementsBetweenChecks,
                              [&](std::size_t begin, std::size_t end) {
                                for (std::size_t i = begin; i < end; ++i) out.push_back(i);
                                return Status();
                              }));
  return out;
}

/// The nodes in random order (Fisher and Yates).
Result<std::vector<std::uint64_t>> shuffled(std::uint64_t nodes, std::uint64_t seed) {
  std::vector<std::uint64_t> order = TRY(ascending(nodes));
  SplitMix random(seed);
  for (std::size_t left = order.size(); left > 1; --left) {
    if (left % interrupt::kRowsBetweenChecks == 0) TRY(interrupt::check());
    std::swap(order[left - 1], order[random.next() % left]);
  }
  return order;
}

Result<std::vector<std::uint64_t>> chain(const BufferArgument& buffer, std::uint64_t base) {
  const std::uint64_t stride = buffer.fill.stride;
  if (stride == 0 || buffer.count % stride != 0) {
    return fail(
        Errc::usage,
        fmt::format("{} elements are not a whole number of nodes of {}", buffer.count, stride),
        "give a multiple");
  }
  std::vector<std::uint64_t> elements = TRY(ascending(buffer.count));
  const auto order = TRY(shuffled(buffer.count / stride, buffer.fill.seed));
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i % interrupt::kRowsBetweenChecks == 0) TRY(interrupt::check());
    elements[order[i] * stride] = base + order[(i + 1) % order.size()] * stride * kPointerSize;
  }
  return elements;
}

Result<std::vector<std::uint64_t>> addresses_of(const BufferArgument& buffer,
                                                std::span<const std::uint64_t> arguments) {
  std::vector<std::uint64_t> bases;
  for (const std::size_t number : buffer.fill.arguments) {
    if (number == 0 || number > arguments.size() || arguments[number - 1] == 0)
      return fail(Errc::usage,
                  fmt::format("argument {} is not a buffer that could be pointed to", number),
                  "arguments count from 1");
    bases.push_back(arguments[number - 1]);
  }
  if (bases.empty())
    return fail(Errc::usage, "addresses() names no argument", "write addresses(1,2)");
  std::vector<std::uint64_t> elements = TRY(ascending(buffer.count));
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (i % interrupt::kRowsBetweenChecks == 0) TRY(interrupt::check());
    elements[i] = bases[i % bases.size()];
  }
  return elements;
}

}  // namespace

Result<std::vector<std::byte>> pointer_bytes(const BufferArgument& buffer,
                                             const BufferAddresses& addresses) {
  if (buffer.element != Element::u64)
    return fail(Errc::usage, fmt::format("{} holds no pointers", to_string(buffer.element)),
                "pointers are u64");
  const auto elements =
      TRY(buffer.fill.kind == Fill::Kind::chain ? chain(buffer, addresses.own)
                                                : addresses_of(buffer, addresses.arguments));
  std::vector<std::byte> bytes(elements.size() * kPointerSize);
  if (!bytes.empty()) std::memcpy(bytes.data(), elements.data(), bytes.size());
  return bytes;
}

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

std::uint64_t element_bits(const BufferArgument& buffer, std::uint64_t index, SplitMix& random) {
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
  const std::uint64_t drawn = random.next();
  if (!real) return drawn;
  return float_bits(buffer.element,
                    static_cast<double>(static_cast<std::int64_t>(drawn)) * 0x1p-63);
}

template <class T>
Result<ValueArgument> parsed(std::string_view text) {
  const auto value = whole_number<T>(text);
  if (!value)
    return fail(Errc::usage, fmt::format("'{}' is not a number that fits", text),
                "TYPE:VALUE, as i32:7 or f32:1.5");
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
                              buffer.count, to_string(buffer.element)),
                  "give as many bytes as COUNT elements take, or another COUNT");
    }
    return buffer.fill.bytes;
  }
  if (buffer.fill.kind == Fill::Kind::nan && !is_float(buffer.element)) {
    return fail(Errc::usage, fmt::format("{} has no NaN", to_string(buffer.element)),
                "fill a buffer of f16, bf16, f32 or f64 with nan");
  }
  if (buffer.fill.kind == Fill::Kind::chain || buffer.fill.kind == Fill::Kind::addresses)
    return pointer_bytes(buffer, addresses);
  std::vector<std::byte> bytes =
      interrupt::room_for(static_cast<std::size_t>(buffer.count) * width);
  SplitMix random(buffer.fill.seed);
  TRY(interrupt::in_stretches(static_cast<std::size_t>(buffer.count), kElementsBetweenChecks,
                              [&](std::size_t begin, std::size_t end) {
                                bytes.resize(end * width);
                                for (std::size_t i = begin;
                                     i < end && buffer.fill.kind != Fill::Kind::zero; ++i) {
                                  const std::uint64_t bits = element_bits(buffer, i, random);
                                  std::memcpy(bytes.data() + i * width, &bits, width);
                                }
                                return Status();
                              }));
  return bytes;
}

}  // namespace rpl::emu
