// SPDX-License-Identifier: MIT
#include <array>

#include "tests/differential/statements.h"

namespace rpl::differential {
namespace {

constexpr std::array kIntegerRelations{"eq",  "ne",  "ult", "ule", "ugt",
                                       "uge", "slt", "sle", "sgt", "sge"};
constexpr std::array kFloatRelations{"oeq", "one", "olt", "ole", "ogt", "oge", "ord",
                                     "ueq", "une", "ult", "ule", "ugt", "uge", "uno"};
/// Bits of llvm.is.fpclass in which signalling and quiet NaNs go together.
constexpr unsigned kNanClasses = 3, kClasses = 1024;

Value class_test(Writer& w, Type type) {
  const Value a = w.variable(type);
  const std::size_t others = w.random().below(kClasses) & ~std::size_t{kNanClasses};
  const std::size_t classes = others | (w.random().percent(50) ? kNanClasses : 0U);
  return w.step(type.condition(), "call {} @llvm.is.fpclass.{}({} {}, i32 {})",
                type.condition().name(), type.suffix(), type.name(), a.name, classes);
}

Value joined(Writer& w, const Value& a, const Value& b) {
  constexpr std::array kNames{"and", "or", "xor"};
  return w.step(a.type, "{} {} {}, {}", w.random().pick(kNames), a.type.name(), a.name, b.name);
}

}  // namespace

Value comparison(Writer& w, Type type) {
  if (type.is_float && w.random().percent(12)) return class_test(w, type);
  const Value a = w.variable(type), b = w.any(type);
  if (type.is_float) {
    return w.step(type.condition(), "fcmp {} {} {}, {}", w.random().pick(kFloatRelations),
                  type.name(), a.name, b.name);
  }
  return w.step(type.condition(), "icmp {} {} {}, {}", w.random().pick(kIntegerRelations),
                type.name(), a.name, b.name);
}

void write_choice_statement(Writer& w) {
  const Writer::Scope scope(w);
  const Type type = w.any_type();
  Value condition = comparison(w, w.random().percent(40) ? w.any_type().element() : type);
  if (w.random().percent(25))
    condition = joined(w, condition, comparison(w, w.any_type().with_lanes(condition.type.lanes)));
  if (condition.type.lanes == 1 && w.random().percent(20)) {
    return w.define(
        w.step(kI32, "{} i1 {} to i32", w.random().percent(50) ? "zext" : "sext", condition.name));
  }
  if (condition.type.lanes != 1 && condition.type.lanes != type.lanes)
    condition = comparison(w, type.element());
  const Value a = w.any(type), b = w.any(type);
  w.define(w.step(type, "select {} {}, {} {}, {} {}", condition.type.name(), condition.name,
                  type.name(), a.name, type.name(), b.name));
}

}  // namespace rpl::differential
