// SPDX-License-Identifier: MIT
#include "engine/replay/elements.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "engine/emu/half.h"

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

/// Whether two floating-point elements agree; `distance` becomes how far they are apart.
bool agree(double expected, double found, const Tolerance& tolerance, double& distance) {
  if (std::isnan(expected) && std::isnan(found)) return true;
  // Equal infinities have no difference that is a number.
  if (expected == found) return true;
  distance = std::abs(found - expected);
  if (std::isinf(expected)) return false;
  return distance <= tolerance.relative * std::abs(expected) + tolerance.absolute;
}

}  // namespace

double element_number(Element element, const std::byte* at) {
  return with_element(element, at, [](auto value) { return static_cast<double>(value); });
}

std::string element_text(Element element, const std::byte* at) {
  return with_element(element, at, [](auto value) { return fmt::format("{}", value); });
}

Tolerance default_tolerance(Element element) {
  constexpr double kAbsoluteShare = 1e-3;
  const auto of = [](double relative) {
    return Tolerance{.relative = relative, .absolute = relative * kAbsoluteShare};
  };
  switch (element) {
    case Element::f64:
      return of(1e-12);
    case Element::f32:
      return of(1e-5);
    case Element::f16:
      return of(1e-3);
    case Element::bf16:
      return of(1e-2);
    default:
      return {};
  }
}

std::optional<ElementMismatch> mismatch_of(Element element, std::span<const std::byte> expected,
                                           std::span<const std::byte> found,
                                           const Tolerance& tolerance) {
  const std::size_t width = size_of(element);
  ElementMismatch mismatch;
  for (std::size_t at = 0; at + width <= std::min(expected.size(), found.size()); at += width) {
    if (std::memcmp(expected.data() + at, found.data() + at, width) == 0) continue;
    double distance = 0;
    const double wanted = element_number(element, expected.data() + at);
    const double got = element_number(element, found.data() + at);
    if (agree(wanted, got, tolerance, distance) && is_float(element)) continue;
    if (mismatch.count++ == 0) mismatch.first = at / width;
    if (std::isnan(distance) || distance > mismatch.largest) mismatch.largest = distance;
  }
  if (mismatch.count == 0) return std::nullopt;
  return mismatch;
}

}  // namespace rpl
