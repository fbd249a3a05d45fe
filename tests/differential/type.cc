// SPDX-License-Identifier: MIT
#include "tests/differential/type.h"

#include <fmt/format.h>

#include <cstring>

namespace rpl::differential {
namespace {

unsigned mantissa_bits(unsigned bits) { return bits == 16 ? 10 : bits == 32 ? 23 : 52; }

std::string element_name(Type type) {
  if (!type.is_float) return fmt::format("i{}", type.bits);
  return type.bits == 16 ? "half" : type.bits == 32 ? "float" : "double";
}

// A float is written as the double of the same value.
std::uint64_t widened(std::uint64_t bits) {
  const auto word = static_cast<std::uint32_t>(bits);
  if (is_nan(word, 32)) return quiet_nan(64);
  float value = 0;
  std::memcpy(&value, &word, sizeof(value));
  const double wide = value;
  std::uint64_t result = 0;
  std::memcpy(&result, &wide, sizeof(result));
  return result;
}

std::string element_literal(Type type, std::uint64_t bits) {
  if (!type.is_float) {
    if (type.bits == 1) return (bits & 1U) != 0 ? "true" : "false";
    return fmt::format("{}", bits & mask_of(type.bits));
  }
  if (type.bits == 16) return fmt::format("0xH{:04X}", bits & 0xffffU);
  return fmt::format("0x{:016X}", type.bits == 32 ? widened(bits) : bits);
}

}  // namespace

std::string Type::name() const {
  return lanes == 1 ? element_name(*this) : fmt::format("<{} x {}>", lanes, element_name(*this));
}

std::string Type::suffix() const {
  const std::string element = fmt::format("{}{}", is_float ? 'f' : 'i', bits);
  return lanes == 1 ? element : fmt::format("v{}{}", lanes, element);
}

std::uint64_t low_exponent_bit(unsigned bits) { return std::uint64_t{1} << mantissa_bits(bits); }

std::uint64_t quiet_nan(unsigned bits) {
  const std::uint64_t quiet = std::uint64_t{1} << (mantissa_bits(bits) - 1);
  return (mask_of(bits - 1) ^ (low_exponent_bit(bits) - 1)) | quiet;
}

bool is_nan(std::uint64_t value, unsigned bits) {
  const std::uint64_t infinity = mask_of(bits - 1) ^ (low_exponent_bit(bits) - 1);
  return (value & mask_of(bits - 1)) > infinity;
}

std::string literal(Type type, std::uint64_t bits) {
  const std::string element = element_literal(type.element(), bits);
  if (type.lanes == 1) return element;
  std::string text;
  for (unsigned i = 0; i < type.lanes; ++i)
    text += fmt::format("{}{} {}", i == 0 ? "<" : ", ", type.element().name(), element);
  return text + '>';
}

}  // namespace rpl::differential
