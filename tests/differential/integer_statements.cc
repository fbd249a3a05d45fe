// SPDX-License-Identifier: MIT
#include <array>

#include "tests/differential/statements.h"

namespace rpl::differential {
namespace {

void plain_integer(Writer& w, Type type) {
  constexpr std::array kNames{"add", "sub", "mul", "and", "or", "xor", "add", "sub", "mul"};
  const Value a = w.variable(type), b = w.any(type);
  w.define(w.step(type, "{} {} {}, {}", w.random().pick(kNames), type.name(), a.name, b.name));
}

void shift_statement(Writer& w, Type type) {
  constexpr std::array kNames{"shl", "lshr", "ashr"};
  const Value a = w.any(type), by = w.any(type);
  const Value amount =
      w.step(type, "and {} {}, {}", type.name(), by.name, literal(type, type.bits - 1U));
  w.define(w.step(type, "{} {} {}, {}", w.random().pick(kNames), type.name(), a.name, amount.name));
}

// Undefined are only a zero divisor and, of signed numbers, a divisor of -1.
void division_statement(Writer& w, Type type) {
  constexpr std::array kNames{"udiv", "urem", "sdiv", "srem"};
  const std::size_t which = w.random().below(kNames.size());
  Value a = w.any(type);
  Value b = w.any(type);
  // LLVM 19 narrows unsigned divisions of numbers with equal high bits as though they were signed
  // (AMDGPUCodeGenPrepare), so that their first bits must be zeros. Of 16 bits it takes a byte that was extended by its sign as
  // 32 bits where a product stands for the division (SIPeepholeSDWA makes sext(BYTE_1) of v_ashrrev_i16).
  // A shift would be joined with a division by a constant.
  if (which < 2 && type.bits >= 16) {
    for (Value* value : {&a, &b})
      *value = w.step(type, "and {} {}, {}", type.name(), value->name,
                      literal(type, mask_of(type.bits - 1U)));
  }
  const std::string name = type.name(), mask = type.condition().name();
  // b + 1 is 0 or 1 just for those.
  const Value next = w.step(type, "add {} {}, {}", name, b.name, literal(type, which < 2 ? 0 : 1));
  const Value bad = w.step(type.condition(), "icmp ult {} {}, {}", name, next.name,
                           literal(type, which < 2 ? 1 : 2));
  const Value divisor = w.step(type, "select {} {}, {} {}, {} {}", mask, bad.name, name,
                               literal(type, 3), name, b.name);
  w.define(w.step(type, "{} {} {}, {}", kNames[which], name, a.name, divisor.name));
}

void integer_intrinsic(Writer& w, Type type) {
  constexpr std::array kTwo{"umin",     "umax",     "smin",     "smax",
                            "uadd.sat", "usub.sat", "sadd.sat", "ssub.sat"};
  constexpr std::array kOne{"ctpop", "bitreverse", "bswap", "ctlz", "cttz", "abs"};
  const std::string name = type.name();
  if (w.random().percent(55)) {
    const Value a = w.any(type), b = w.any(type);
    w.define(w.step(type, "call {0} @llvm.{1}.{2}({0} {3}, {0} {4})", name, w.random().pick(kTwo),
                    type.suffix(), a.name, b.name));
    return;
  }
  const std::size_t which = w.random().below(type.bits == 8 ? 2 : kOne.size());
  const Value a = w.variable(type);
  w.define(w.step(type, "call {0} @llvm.{1}.{2}({0} {3}{4})", name, kOne[which], type.suffix(),
                  a.name, which < 3 ? "" : ", i1 false"));
}

// Of numbers alone: LLVM 19 makes x86 code that gives -1 for vectors whose amounts it finds out to be zero, and the devices shift no vectors.
void funnel_shift(Writer& w, Type any) {
  const Type type = any.element();
  const Value a = w.any(type), b = w.any(type), by = w.any(type);
  w.define(w.step(type, "call {0} @llvm.{1}.{2}({0} {3}, {0} {4}, {0} {5})", type.name(),
                  w.random().percent(50) ? "fshl" : "fshr", type.suffix(), a.name, b.name,
                  by.name));
}

// The result and whether it overflowed, joined in one number.
void overflow_statement(Writer& w) {
  constexpr std::array kNames{"uadd", "usub", "umul", "sadd", "ssub", "smul"};
  constexpr std::array kTypes{kI8, kI16, kI32, kI64};
  const Type type = w.random().pick(kTypes);
  const Value a = w.any(type), b = w.any(type);
  const std::string name = type.name();
  const std::string pair = fmt::format("{{ {}, i1 }}", name);
  const Value both = w.step(type, "call {} @llvm.{}.with.overflow.{}({} {}, {} {})", pair,
                            w.random().pick(kNames), name, name, a.name, name, b.name);
  const Value sum = w.step(type, "extractvalue {} {}, 0", pair, both.name);
  const Value over = w.step(kI1, "extractvalue {} {}, 1", pair, both.name);
  w.define(w.step(type, "select i1 {}, {} {}, {} {}", over.name, name, literal(type, 77), name,
                  sum.name));
}

// What instruction selection joins: multiply-add, three operands, bit fields, high halves of products.
void combined_statement(Writer& w) {
  const Type type = w.random().percent(70) ? kI32 : kI64;
  const std::string name = type.name();
  const Value a = w.variable(type), b = w.any(type), c = w.any(type);
  switch (w.random().below(5)) {
    case 0: {
      const Value product = w.step(type, "mul {} {}, {}", name, a.name, b.name);
      return w.define(w.step(type, "add {} {}, {}", name, product.name, c.name));
    }
    case 1: {
      const Value shifted =
          w.step(type, "shl {} {}, {}", name, a.name, w.random().below(type.bits));
      return w.define(w.step(type, "{} {} {}, {}", w.random().percent(50) ? "add" : "or", name,
                             shifted.name, c.name));
    }
    case 2: {
      const Value field = w.step(type, "{} {} {}, {}", w.random().percent(50) ? "lshr" : "ashr",
                                 name, a.name, w.random().below(type.bits));
      return w.define(
          w.step(type, "and {} {}, {}", name, field.name,
                 literal(type, mask_of(static_cast<unsigned>(1 + w.random().below(20))))));
    }
    case 3: {
      const Value sum = w.step(type, "{} {} {}, {}", w.random().percent(50) ? "xor" : "and", name,
                               a.name, b.name);
      return w.define(w.step(type, "{} {} {}, {}", w.random().percent(50) ? "or" : "add", name,
                             sum.name, c.name));
    }
    default: {
      const char* extend = w.random().percent(50) ? "zext" : "sext";
      const Value x = w.variable(kI32), y = w.any(kI32);
      const Value wide_x = w.step(kI64, "{} i32 {} to i64", extend, x.name);
      const Value wide_y = w.step(kI64, "{} i32 {} to i64", extend, y.name);
      const Value product = w.step(kI64, "mul i64 {}, {}", wide_x.name, wide_y.name);
      if (w.random().percent(50)) return w.define(product);
      const Value high = w.step(kI64, "lshr i64 {}, 32", product.name);
      return w.define(w.step(kI32, "trunc i64 {} to i32", high.name));
    }
  }
}

}  // namespace

void write_integer_statement(Writer& w) {
  const Writer::Scope scope(w);
  const std::size_t kind = w.random().below(100);
  if (kind < 20) return combined_statement(w);
  if (kind < 26) return overflow_statement(w);
  const Type type = w.any_integer();
  if (kind < 52) return plain_integer(w, type);
  if (kind < 68) return shift_statement(w, type);
  if (kind < 90) return integer_intrinsic(w, type);
  if (kind < 96) return funnel_shift(w, type);
  // Divisions of 64 bits become hundreds of instructions.
  division_statement(w, type.bits == 64 && w.random().percent(70) ? kI32 : type);
}

}  // namespace rpl::differential
