// SPDX-License-Identifier: MIT
#include "engine/device/execute/memory/component_format.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "engine/base/half.h"

namespace rpl::emu {
namespace {

constexpr std::uint32_t ones(unsigned bits) { return bits >= 32 ? ~0U : (1U << bits) - 1; }

std::int32_t signed_of(std::uint32_t raw, unsigned bits) {
  return static_cast<std::int32_t>(raw << (32 - bits)) >> (32 - bits);
}

// Floats of 10 and 11 bits have five exponent bits and no sign, as halves without their low mantissa bits.
float real_of(std::uint32_t raw, unsigned bits) {
  if (bits == 32) return std::bit_cast<float>(raw);
  if (bits == 16) return to_float({static_cast<std::uint16_t>(raw)});
  return to_float({static_cast<std::uint16_t>(raw << (15 - bits))});
}

std::uint32_t component_of(const ElementFormat& format, std::uint32_t raw, unsigned bits) {
  double value = 0;
  switch (format.number) {
    case NumberFormat::uint:
      return raw;
    case NumberFormat::sint:
      return static_cast<std::uint32_t>(signed_of(raw, bits));
    case NumberFormat::unorm:
      value = static_cast<double>(raw) / ones(bits);
      break;
    case NumberFormat::snorm:
      value = std::max(-1.0, static_cast<double>(signed_of(raw, bits)) / ones(bits - 1));
      break;
    case NumberFormat::uscaled:
      value = raw;
      break;
    case NumberFormat::sscaled:
      value = signed_of(raw, bits);
      break;
    default:
      return std::bit_cast<std::uint32_t>(real_of(raw, bits));
  }
  return std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

std::uint32_t rounded(double value, double low, double high) {
  if (std::isnan(value)) return 0;
  const auto whole = static_cast<std::int64_t>(std::nearbyint(std::clamp(value, low, high)));
  return static_cast<std::uint32_t>(whole);
}

// The sign is dropped, so negative numbers become zero.
std::uint32_t short_real(float value, unsigned bits) {
  if (bits == 32) return std::bit_cast<std::uint32_t>(value);
  if (bits == 16) return to_half(value).bits;
  const std::uint32_t half = to_half(value).bits;
  if ((half & 0x8000U) != 0) return 0;
  const unsigned drop = 15 - bits;
  const bool finite = half < 0x7c00U;
  return (half + (finite ? ones(drop - 1) + (half >> drop & 1U) : 0U)) >> drop;
}

std::uint32_t raw_of(const ElementFormat& format, std::uint32_t component, unsigned bits) {
  const double value = std::bit_cast<float>(component);
  const double most = ones(bits), most_signed = ones(bits - 1);
  switch (format.number) {
    case NumberFormat::uint:
      return std::min(component, ones(bits));
    case NumberFormat::sint:
      return static_cast<std::uint32_t>(std::clamp<std::int64_t>(
          static_cast<std::int32_t>(component), -std::int64_t{ones(bits - 1)} - 1, ones(bits - 1)));
    case NumberFormat::unorm:
      return rounded(std::clamp(value, 0.0, 1.0) * most, 0, most);
    case NumberFormat::snorm:
      return rounded(std::clamp(value, -1.0, 1.0) * most_signed, -most_signed, most_signed);
    case NumberFormat::uscaled:
      return rounded(value, 0, most);
    case NumberFormat::sscaled:
      return rounded(value, -most_signed - 1, most_signed);
    default:
      return short_real(std::bit_cast<float>(component), bits);
  }
}

}  // namespace

std::optional<ElementFormat> element_format(unsigned data_format, unsigned number_format) {
  using Bits = std::array<std::uint8_t, 4>;
  constexpr Bits kBits[] = {{},
                            {8},
                            {16},
                            {8, 8},
                            {32},
                            {16, 16},
                            {11, 11, 10},
                            {10, 11, 11},
                            {2, 10, 10, 10},
                            {10, 10, 10, 2},
                            {8, 8, 8, 8},
                            {32, 32},
                            {16, 16, 16, 16},
                            {32, 32, 32},
                            {32, 32, 32, 32}};
  if (data_format == 0 || data_format >= std::size(kBits) || number_format == 6)
    return std::nullopt;
  ElementFormat format;
  format.bits = kBits[data_format];
  format.number = static_cast<NumberFormat>(number_format);
  unsigned total = 0;
  for (const unsigned bits : format.bits) {
    total += bits;
    format.components += bits != 0 ? 1 : 0;
  }
  format.bytes = total / 8;
  const bool real = format.number == NumberFormat::real;
  const unsigned narrowest = format.bits[format.components - 1];
  if (real && (narrowest == 8 || narrowest == 2 || format.bits[0] == 2)) return std::nullopt;
  return format;
}

std::array<std::uint32_t, 4> unpacked(const ElementFormat& format, const std::byte* element) {
  const std::uint32_t one = format.is_integer() ? 1 : std::bit_cast<std::uint32_t>(1.0F);
  std::array<std::uint32_t, 4> result{0, 0, 0, one};
  unsigned first = 0;
  for (unsigned i = 0; i < format.components; ++i) {
    const unsigned bits = format.bits[i];
    // A component lies in one dword, which starts at a whole one or is the whole element.
    std::uint32_t dword = 0;
    const unsigned start = first / 32 * 4;
    std::memcpy(&dword, element + start, std::min(4U, format.bytes - start));
    result[i] = component_of(format, dword >> first % 32 & ones(bits), bits);
    first += bits;
  }
  return result;
}

std::array<std::byte, 16> packed(const ElementFormat& format,
                                 std::span<const std::uint32_t> components) {
  std::array<std::uint32_t, 4> dwords{};
  unsigned first = 0;
  for (unsigned i = 0; i < format.components; ++i) {
    const unsigned bits = format.bits[i];
    if (i < components.size())
      dwords[first / 32] |= (raw_of(format, components[i], bits) & ones(bits)) << first % 32;
    first += bits;
  }
  return std::bit_cast<std::array<std::byte, 16>>(dwords);
}

}  // namespace rpl::emu
