// SPDX-License-Identifier: MIT
#include <array>

#include "tests/differential/statements.h"

namespace rpl::differential {
namespace {

// LLVM 19 makes -x of +0 - x where it may negate a sum, which turns a zero's sign: the minuend must not become a constant.
Value minuend(Writer& w, Type type) { return w.unknown(type); }

void plain_float(Writer& w, Type type) {
  constexpr std::array kNames{"fadd", "fsub", "fmul", "fadd", "fmul"};
  const char* name = w.random().pick(kNames);
  const Value a = std::string_view(name) == "fsub" ? minuend(w, type) : w.variable(type),
              b = w.any(type);
  w.define(w.step(type, "{} {} {}, {}", name, type.name(), a.name, b.name));
}

// Quotients and roots of f16 are excluded: the code that LLVM 19 makes of them rounds twice.
void division_or_root(Writer& w, Type type) {
  const Type wide = type.bits == 16 ? kF32 : type.element();
  const Value a = w.variable(wide), b = w.any(wide);
  if (w.random().percent(60))
    return w.define(w.step(wide, "fdiv {} {}, {}", wide.name(), a.name, b.name));
  const Value positive =
      w.step(wide, "call {0} @llvm.fabs.{1}({0} {2})", wide.name(), wide.suffix(), a.name);
  w.define(
      w.step(wide, "call {0} @llvm.sqrt.{1}({0} {2})", wide.name(), wide.suffix(), positive.name));
}

// The host's library has no fused multiply-add of f16 that rounds once; the runner brings one.
void fused_multiply_add(Writer& w, Type type) {
  const Type one = type.bits == 16 ? type.element() : type;
  const Value a = w.variable(one), b = w.any(one), c = w.any(one);
  const std::string function = one.bits == 16 ? "$F" : "llvm.fma." + one.suffix();
  w.define(w.step(one, "call {0} @{1}({0} {2}, {0} {3}, {0} {4})", one.name(), function, a.name,
                  b.name, c.name));
}

void sign_statement(Writer& w, Type type) {
  const Value a = w.variable(type);
  const std::string name = type.name();
  switch (w.random().below(3)) {
    case 0:
      return w.define(w.step(type, "fneg {} {}", name, a.name));
    case 1:
      return w.define(
          w.step(type, "call {0} @llvm.fabs.{1}({0} {2})", name, type.suffix(), a.name));
    default: {
      const Value sign = w.without_nan(w.any(type), 0);
      return w.define(w.step(type, "call {0} @llvm.copysign.{1}({0} {2}, {0} {3})", name,
                             type.suffix(), a.name, sign.name));
    }
  }
}

// Which zero is smaller is left open: both become +0.
void extreme_statement(Writer& w, Type type) {
  const Value a = w.variable(type), b = w.any(type);
  const std::string name = type.name(), mask = type.condition().name();
  const Value extreme =
      w.step(type, "call {0} @llvm.{1}.{2}({0} {3}, {0} {4})", name,
             w.random().percent(50) ? "minnum" : "maxnum", type.suffix(), a.name, b.name);
  const Value zero =
      w.step(type.condition(), "fcmp oeq {} {}, {}", name, extreme.name, literal(type, 0));
  w.define(w.step(type, "select {} {}, {} {}, {} {}", mask, zero.name, name, literal(type, 0), name,
                  extreme.name));
}

void rounding_statement(Writer& w, Type type) {
  constexpr std::array kNames{"floor", "ceil", "trunc", "rint", "roundeven", "round"};
  const Value a = w.variable(type);
  w.define(w.step(type, "call {0} @llvm.{1}.{2}({0} {3})", type.name(), w.random().pick(kNames),
                  type.suffix(), a.name));
}

// Chains that are selected as v_mad_mix, v_med3, multiply-add pairs without contraction, output modifiers.
void float_chain(Writer& w, Type type) {
  const std::string name = type.name();
  const Value a = minuend(w, type), b = w.variable(type), c = w.any(type);
  const Value product = w.step(type, "fmul {} {}, {}", name, a.name, b.name);
  if (w.random().percent(30)) {
    constexpr std::array<std::uint64_t, 3> kHalfTwoFour{0x3fe0000000000000, 0x4000000000000000,
                                                        0x4010000000000000};
    const std::uint64_t factor = w.random().pick(kHalfTwoFour);
    const Type element = type.element();
    const std::uint64_t bits = element.bits == 64   ? factor
                               : element.bits == 32 ? (factor == kHalfTwoFour[0]   ? 0x3f000000U
                                                       : factor == kHalfTwoFour[1] ? 0x40000000U
                                                                                   : 0x40800000U)
                                                    : (factor == kHalfTwoFour[0]   ? 0x3800U
                                                       : factor == kHalfTwoFour[1] ? 0x4000U
                                                                                   : 0x4400U);
    return w.define(w.step(type, "fmul {} {}, {}", name, product.name, literal(type, bits)));
  }
  const Value sign = w.random().percent(40) ? w.step(type, "fneg {} {}", name, c.name) : c;
  w.define(w.step(type, "{} {} {}, {}", w.random().percent(50) ? "fadd" : "fsub", name,
                  product.name, sign.name));
}

void exponent_statement(Writer& w) {
  const Type type = w.random().percent(60) ? kF32 : kF64;
  const std::string name = type.name(), suffix = type.suffix();
  const Value a = w.variable(type);
  if (w.random().percent(50)) {
    const Value by = w.any(kI32);
    // Beyond these bounds nothing changes any more, but for what a library makes of the extremes of int.
    const Value low = w.step(kI32, "call i32 @llvm.smax.i32(i32 {}, i32 -3000)", by.name);
    const Value bounded = w.step(kI32, "call i32 @llvm.smin.i32(i32 {}, i32 3000)", low.name);
    return w.define(w.step(type, "call {0} @llvm.ldexp.{1}.i32({0} {2}, i32 {3})", name, suffix,
                           a.name, bounded.name));
  }
  // The exponent of NaN and infinity is unspecified.
  const Value number = w.without_nan(a, 0);
  const Value size = w.step(type, "call {0} @llvm.fabs.{1}({0} {2})", name, suffix, number.name);
  const std::uint64_t infinity = mask_of(type.bits - 1U) ^ (low_exponent_bit(type.bits) - 1);
  const Value endless = w.step(kI1, "fcmp oeq {} {}, {}", name, size.name, literal(type, infinity));
  const Value finite = w.step(type, "select i1 {}, {} {}, {} {}", endless.name, name,
                              literal(type, 0), name, number.name);
  const std::string pair = fmt::format("{{ {}, i32 }}", name);
  const Value both =
      w.step(type, "call {} @llvm.frexp.{}.i32({} {})", pair, suffix, name, finite.name);
  if (w.random().percent(50)) {
    const Value part = w.step(type, "extractvalue {} {}, 0", pair, both.name);
    // LLVM 19 takes the exponent of a mantissa for that of the number that it is of: what is kept must not be one.
    const std::uint64_t three_quarters = type.bits == 16   ? 0x3a00
                                         : type.bits == 32 ? 0x3f400000
                                                           : 0x3fe8000000000000;
    return w.define(w.step(type, "fmul {} {}, {}", name, part.name, literal(type, three_quarters)));
  }
  w.define(w.step(kI32, "extractvalue {} {}, 1", pair, both.name));
}

}  // namespace

void write_float_statement(Writer& w) {
  const Writer::Scope scope(w);
  const std::size_t kind = w.random().below(100);
  const Type type = w.any_float();
  if (kind < 34) return plain_float(w, type);
  if (kind < 40) return division_or_root(w, type);
  if (kind < 54) return fused_multiply_add(w, type);
  if (kind < 64) return sign_statement(w, type);
  if (kind < 75) return extreme_statement(w, type);
  if (kind < 84) return rounding_statement(w, type);
  if (kind < 94) return float_chain(w, type);
  exponent_statement(w);
}

}  // namespace rpl::differential
