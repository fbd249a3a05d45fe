// SPDX-License-Identifier: MIT
#include "tests/differential/writer.h"

#include <algorithm>
#include <array>

namespace rpl::differential {
namespace {

constexpr std::array kScalars{kI8,  kI16, kI32, kI32, kI32, kI64,
                              kI64, kF16, kF32, kF32, kF64, kF64};
constexpr std::array<Type, 14> kVectors{{{false, 8, 4},
                                         {false, 16, 2},
                                         {false, 16, 2},
                                         {false, 16, 4},
                                         {false, 32, 2},
                                         {false, 32, 3},
                                         {false, 32, 4},
                                         {false, 64, 2},
                                         {true, 16, 2},
                                         {true, 16, 2},
                                         {true, 16, 4},
                                         {true, 32, 2},
                                         {true, 32, 4},
                                         {true, 64, 2}}};

}  // namespace

void Writer::define(const Value& value) {
  if (statement_ >= 0)
    function_.statements[static_cast<std::size_t>(statement_)].defines.push_back(value);
  pool_.push_back(value);
}

void Writer::set_join(const std::string& label) {
  function_.statements[static_cast<std::size_t>(statement_)].join = label;
}

Type Writer::any_type() {
  const Type type = random_.percent(22) ? random_.pick(kVectors) : random_.pick(kScalars);
  return type;
}

Type Writer::any_integer() {
  for (;;)
    if (const Type type = any_type(); !type.is_float) return type;
}

Type Writer::any_float() {
  for (;;)
    if (const Type type = any_type();
        type.is_float && (features_.half_arithmetic || type.bits > 16))
      return type;
}

Value Writer::constant(Type type) {
  if (type.bits == 1) return {type, literal(type, random_.below(2))};
  // LLVM 19 takes -0 for 0 where it selects an instruction for a pair of halves whose high one is constant.
  constexpr std::uint64_t kMinusZero = 0x8000, kMinusOne = 0xbc00;
  const std::uint64_t bits = corner_bits(random_, type.element());
  const bool half = type.is_float && type.bits == 16;
  return {type, literal(type, half && bits == kMinusZero ? kMinusOne : bits)};
}

Value Writer::variable(Type type) {
  std::vector<const Value*> fitting;
  for (const Value& value : pool_)
    if (value.type == type) fitting.push_back(&value);
  if (!fitting.empty()) {
    // Half of the time one of the latest, so that chains get long.
    const std::size_t recent = std::min<std::size_t>(fitting.size(), 3);
    if (random_.percent(50)) return *fitting[fitting.size() - 1 - random_.below(recent)];
    return *fitting[random_.below(fitting.size())];
  }
  if (pool_.empty()) return constant(type);
  return convert(pool_[random_.below(pool_.size())], type);
}

Value Writer::unknown(Type type) { return convert(random_.pick(parameters_), type); }

Value Writer::any(Type type) { return random_.percent(18) ? constant(type) : variable(type); }

Value Writer::index_below(unsigned count) {
  const Value from = variable(kI32);
  return step(kI32, "and i32 {}, {}", from.name, count - 1);
}

Value Writer::without_nan(const Value& value, std::uint64_t instead) {
  const std::string type = value.type.name();
  const Value nan =
      step(value.type.condition(), "fcmp uno {} {}, {}", type, value.name, value.name);
  return step(value.type, "select {} {}, {} {}, {} {}", nan.type.name(), nan.name, type,
              literal(value.type, instead), type, value.name);
}

Value Writer::bits_of(const Value& value) {
  Value number = without_nan(value, 0);
  const Type type = value.type.as_integer();
  // Without the freeze LLVM 19 moves a negation of halves into an integer instruction on both, which ignores it
  // (llvm/llvm-project pull request 219728).
  if (value.type.bits == 16 && value.type.lanes > 1)
    number = step(value.type, "freeze {} {}", value.type.name(), number.name);
  return step(type, "bitcast {} {} to {}", value.type.name(), number.name, type.name());
}

Value Writer::float_of(const Value& bits, Type type) {
  const Type integer = type.as_integer();
  const Value finite = step(integer, "and {} {}, {}", integer.name(), bits.name,
                            literal(integer, ~low_exponent_bit(type.bits)));
  return step(type, "bitcast {} {} to {}", integer.name(), finite.name, type.name());
}

// A product of f32 that is rounded to f16 becomes v_fma_mixlo_f16 with an addend of +0, which makes +0 of -0.
Value Writer::narrowed(const Value& value, Type type) {
  const std::string name = type.name();
  const Value half = step(type, "fptrunc {} {} to {}", value.type.name(), value.name, name);
  if (type.bits != 16) return half;
  const Value zero =
      step(type.condition(), "fcmp oeq {} {}, {}", name, half.name, literal(type, 0));
  return step(type, "select {} {}, {} {}, {} {}", zero.type.name(), zero.name, name,
              literal(type, 0), name, half.name);
}

// To one element from any of several, to several by copies.
Value Writer::resize(const Value& from, Type type) {
  if (from.type.lanes > 1 && type.lanes == 1) {
    return step(from.type.element(), "extractelement {} {}, i32 {}", from.type.name(), from.name,
                random_.below(from.type.lanes));
  }
  const Type target = from.type.element().with_lanes(type.lanes);
  Value vector{target, literal(target, 0)};
  const Value first = from.type.lanes > 1 ? resize(from, kI1) : from;
  for (unsigned i = 0; i < type.lanes; ++i) {
    vector = step(target, "insertelement {} {}, {} {}, i32 {}", target.name(), vector.name,
                  first.type.name(), first.name, i);
  }
  return vector;
}

// Always defined: integers are cut or extended, floats go through their bits unless a plain conversion is exact.
Value Writer::convert(const Value& from, Type type) {
  if (from.type == type) return from;
  if (from.type.lanes != type.lanes) return convert(resize(from, type), type);
  const std::string source = from.type.name(), target = type.name();
  if (from.type.is_float) {
    if (type.is_float) {
      if (type.bits < from.type.bits) return narrowed(from, type);
      return step(type, "fpext {} {} to {}", source, from.name, target);
    }
    return convert(bits_of(from), type);
  }
  if (type.is_float) return float_of(convert(from, type.as_integer()), type);
  if (type.bits < from.type.bits) return step(type, "trunc {} {} to {}", source, from.name, target);
  return step(type, "{} {} {} to {}", random_.percent(50) ? "zext" : "sext", source, from.name,
              target);
}

}  // namespace rpl::differential
