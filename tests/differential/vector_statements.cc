// SPDX-License-Identifier: MIT
#include <array>

#include "tests/differential/statements.h"

namespace rpl::differential {
namespace {

Type vector_type(Writer& w) {
  for (;;)
    if (const Type type = w.any_type(); type.lanes > 1) return type;
}

// A position that the compiler does not know, or one that it does.
std::string position(Writer& w, unsigned lanes) {
  if (w.random().percent(60)) return fmt::format("{}", w.random().below(lanes));
  return w.index_below(lanes == 3 ? 2 : lanes).name;
}

void shuffle_statement(Writer& w, Type type) {
  const Value a = w.variable(type), b = w.any(type);
  std::string mask;
  for (unsigned i = 0; i < type.lanes; ++i)
    mask += fmt::format("{}i32 {}", i == 0 ? "" : ", ", w.random().below(2U * type.lanes));
  w.define(w.step(type, "shufflevector {0} {1}, {0} {2}, <{3} x i32> <{4}>", type.name(), a.name,
                  b.name, type.lanes, mask));
}

void reduction_statement(Writer& w, Type type) {
  constexpr std::array kNames{"add", "mul", "and", "or", "xor", "smin", "smax", "umin", "umax"};
  const Type element = type.element();
  const Value a = w.variable(type);
  if (!type.is_float) {
    return w.define(w.step(element, "call {} @llvm.vector.reduce.{}.{}({} {})", element.name(),
                           w.random().pick(kNames), type.suffix(), type.name(), a.name));
  }
  const Value start = w.any(element);
  w.define(w.step(element, "call {0} @llvm.vector.reduce.fadd.{1}({0} {2}, {3} {4})",
                  element.name(), type.suffix(), start.name, type.name(), a.name));
}

}  // namespace

void write_vector_statement(Writer& w) {
  const Writer::Scope scope(w);
  const Type type = vector_type(w);
  const bool may_compute = !type.is_float || type.bits > 16 || w.features().half_arithmetic;
  switch (w.random().below(may_compute ? 4 : 3)) {
    case 0: {
      // Without the freeze LLVM 19 may load the element alone, with a scalar load although the index differs between lanes
      // (llvm/llvm-project pull request 168785).
      const Value loaded = w.variable(type);
      const Value from = w.step(type, "freeze {} {}", type.name(), loaded.name);
      return w.define(w.step(type.element(), "extractelement {} {}, i32 {}", type.name(), from.name,
                             position(w, type.lanes)));
    }
    case 1: {
      const Value from = w.variable(type), element = w.any(type.element());
      return w.define(w.step(type, "insertelement {} {}, {} {}, i32 {}", type.name(), from.name,
                             type.element().name(), element.name, position(w, type.lanes)));
    }
    case 2:
      return shuffle_statement(w, type);
    default:
      return reduction_statement(w, type);
  }
}

}  // namespace rpl::differential
