// SPDX-License-Identifier: MIT
#include <array>

#include "tests/differential/statements.h"

namespace rpl::differential {
namespace {

constexpr std::array kIntegers{kI8, kI16, kI32, kI64};
constexpr std::array kFloats{kF16, kF32, kF64};

void width_conversion(Writer& w) {
  const Type type = w.any_integer();
  const Value from = w.variable(type);
  Type to = w.random().pick(kIntegers).with_lanes(type.lanes);
  if (to.bits == type.bits) to.bits = type.bits == 32 ? 16 : 32;
  const char* how = to.bits < type.bits ? "trunc" : w.random().percent(50) ? "zext" : "sext";
  w.define(w.step(to, "{} {} {} to {}", how, type.name(), from.name, to.name()));
}

// Wider integers to f16 are excluded: compilers go through f32 and round twice.
void integer_to_float(Writer& w) {
  const Type to = w.random().pick(kFloats);
  const Type from = kIntegers[w.random().below(to.bits == 16 ? 2 : kIntegers.size())];
  const Value value = w.variable(from);
  w.define(w.step(to, "{} {} {} to {}", w.random().percent(50) ? "sitofp" : "uitofp", from.name(),
                  value.name, to.name()));
}

void float_to_integer(Writer& w) {
  const Type from = w.random().pick(kFloats), to = w.random().pick(kIntegers);
  const Value value = w.variable(from);
  const bool is_signed = w.random().percent(50);
  w.define(w.step(to, "call {0} @llvm.{1}.sat.{0}.{2}({3} {4})", to.name(),
                  is_signed ? "fptosi" : "fptoui", from.suffix(), from.name(), value.name));
}

// The plain conversion, of numbers that fit: between 0 and 127 for all, of bits for the wide ones.
void small_float_to_integer(Writer& w) {
  const Type from = w.random().pick(kFloats), to = w.random().pick(kIntegers);
  const Value number = w.without_nan(w.variable(from), 0);
  const std::string name = from.name();
  const std::uint64_t limit = from.bits == 16   ? 0x57f0
                              : from.bits == 32 ? 0x42fe0000
                                                : 0x405fc00000000000;
  const Value size =
      w.step(from, "call {0} @llvm.fabs.{1}({0} {2})", name, from.suffix(), number.name);
  const Value fits = w.step(kI1, "fcmp olt {} {}, {}", name, size.name, literal(from, limit));
  const Value small = w.step(from, "select i1 {}, {} {}, {} {}", fits.name, name, size.name, name,
                             literal(from, 0));
  w.define(w.step(to, "{} {} {} to {}", w.random().percent(50) ? "fptosi" : "fptoui", name,
                  small.name, to.name()));
}

void float_width(Writer& w) {
  const Type from = w.random().pick(kFloats);
  Type to = w.random().pick(kFloats);
  if (to == from) to = from == kF32 ? kF16 : kF32;
  const unsigned lanes = w.random().percent(25) ? 2 : 1;
  const Type many = to.with_lanes(lanes), source = from.with_lanes(lanes);
  const Value value = w.variable(source);
  if (to.bits < from.bits) return w.define(w.narrowed(value, many));
  w.define(w.step(many, "fpext {} {} to {}", source.name(), value.name, many.name()));
}

void same_bits(Writer& w) {
  struct Pair {
    Type from, to;
  };
  constexpr std::array<Pair, 7> kPairs{{{kI32, {false, 16, 2}},
                                        {kI32, {false, 8, 4}},
                                        {kI64, {false, 32, 2}},
                                        {kI64, {false, 16, 4}},
                                        {{false, 16, 4}, {false, 32, 2}},
                                        {{false, 32, 4}, {false, 64, 2}},
                                        {{false, 8, 4}, {false, 16, 2}}}};
  Pair pair = w.random().pick(kPairs);
  if (w.random().percent(50)) std::swap(pair.from, pair.to);
  const Value from = w.variable(pair.from);
  w.define(w.step(pair.to, "bitcast {} {} to {}", pair.from.name(), from.name, pair.to.name()));
}

void float_bits(Writer& w) {
  const Type type = w.random().pick(kFloats);
  if (w.random().percent(50)) return w.define(w.bits_of(w.variable(type)));
  w.define(w.float_of(w.variable(type.as_integer()), type));
}

}  // namespace

void write_conversion_statement(Writer& w) {
  const Writer::Scope scope(w);
  const std::size_t kind = w.random().below(100);
  if (kind < 25) return width_conversion(w);
  if (kind < 42) return integer_to_float(w);
  if (kind < 52) return float_to_integer(w);
  if (kind < 62) return small_float_to_integer(w);
  if (kind < 78) return float_width(w);
  if (kind < 90) return same_bits(w);
  float_bits(w);
}

}  // namespace rpl::differential
