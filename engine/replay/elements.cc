// SPDX-License-Identifier: MIT
#include "engine/replay/elements.h"

#include <fmt/format.h>

#include <cstring>

#include "engine/base/half.h"

namespace rpl {
namespace {

template <class T>
T element_as(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

float bfloat_at(const std::byte* at) {
  return std::bit_cast<float>(std::uint32_t{element_as<std::uint16_t>(at)} << 16);
}

float half_at(const std::byte* at) { return emu::to_float({element_as<std::uint16_t>(at)}); }

/// Calls `use` with the element in the type that holds it exactly.
template <class Use>
auto with_element(Element element, const std::byte* at, Use&& use) {
  switch (element) {
    case Element::i8:
      return use(std::int32_t{element_as<std::int8_t>(at)});
    case Element::u8:
      return use(std::uint32_t{element_as<std::uint8_t>(at)});
    case Element::i16:
      return use(std::int32_t{element_as<std::int16_t>(at)});
    case Element::u16:
      return use(std::uint32_t{element_as<std::uint16_t>(at)});
    case Element::i32:
      return use(element_as<std::int32_t>(at));
    case Element::u32:
      return use(element_as<std::uint32_t>(at));
    case Element::i64:
      return use(element_as<std::int64_t>(at));
    case Element::u64:
      return use(element_as<std::uint64_t>(at));
    case Element::f16:
      return use(half_at(at));
    case Element::bf16:
      return use(bfloat_at(at));
    case Element::f32:
      return use(element_as<float>(at));
    case Element::f64:
      break;
  }
  return use(element_as<double>(at));
}

}  // namespace

double element_number(Element element, const std::byte* at) {
  return with_element(element, at, [](auto value) { return static_cast<double>(value); });
}

std::string element_text(Element element, const std::byte* at) {
  return with_element(element, at, [](auto value) { return fmt::format("{}", value); });
}

void store_number(Element element, double value, std::byte* at) {
  const auto single = static_cast<float>(value);
  const auto put = [at](const auto& bits) { std::memcpy(at, &bits, sizeof bits); };
  switch (element) {
    case Element::f32:
      return put(single);
    case Element::f64:
      return put(value);
    case Element::f16:
      return put(emu::to_half(single).bits);
    case Element::bf16:
      return put(static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(single) >> 16));
    default:
      break;
  }
  const std::uint64_t bits = value < 0
                                 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value))
                                 : static_cast<std::uint64_t>(value);
  std::memcpy(at, &bits, size_of(element));
}

}  // namespace rpl
