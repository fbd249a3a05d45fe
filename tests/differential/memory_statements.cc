// SPDX-License-Identifier: MIT
#include <array>

#include "tests/differential/statements.h"

namespace rpl::differential {
namespace {

constexpr std::array kStored{kI8, kI16, kI32, kI64, kI32};

/// A byte offset at which `type` lies within `bytes`; one time in eight unaligned. Returns the alignment.
unsigned offset_in(Writer& w, unsigned bytes, unsigned size, Value& offset) {
  const bool unaligned = size > 1 && w.random().percent(12);
  const Value from = w.random().percent(25) ? w.constant(kI32) : w.variable(kI32);
  const unsigned room = unaligned ? bytes / 2 : bytes;
  offset = w.step(kI32, "and i32 {}, {}", from.name, (room - 1U) & ~(unaligned ? 0U : size - 1U));
  return unaligned ? 1 : size;
}

void table_load(Writer& w) {
  Type type = w.random().pick(kStored);
  if (w.random().percent(25)) type = type.with_lanes(type.bits == 8 ? 4 : 2);
  Value offset;
  const unsigned align = offset_in(w, kTableBytes, type.bytes(), offset);
  const std::string at = w.fresh("%p");
  w.line("  {} = getelementptr i8, $G %table, i32 {}", at, offset.name);
  w.define(w.step(type, "load {}, $G {}, align {}", type.name(), at, align));
}

void constant_table_load(Writer& w) {
  const std::string name = fmt::format("@{}_table{}", w.function().name, w.fresh(""));
  constexpr unsigned kEntries = 16;
  std::string entries;
  for (unsigned i = 0; i < kEntries; ++i)
    entries += fmt::format("{}i32 {}", i == 0 ? "" : ", ", w.random().next() & mask_of(32));
  w.function().globals.push_back(
      fmt::format("{} = internal $k constant [{} x i32] [{}]", name, kEntries, entries));
  const Value index = w.index_below(kEntries);
  const std::string at = w.fresh("%p");
  w.line("  {} = getelementptr [{} x i32], $K {}, i32 0, i32 {}", at, kEntries, name, index.name);
  w.define(w.step(kI32, "load i32, $K {}, align 4", at));
}

void local_store_and_load(Writer& w) {
  const Type stored = w.random().pick(kStored), loaded = w.random().pick(kStored);
  const Value value = w.any(stored);
  Value offset;
  unsigned align = offset_in(w, kLocalBytes, stored.bytes(), offset);
  const std::string to = w.fresh("%p");
  w.line("  {} = getelementptr i8, $P {}, i32 {}", to, w.local_array, offset.name);
  w.line("  store {} {}, $P {}, align {}", stored.name(), value.name, to, align);
  align = offset_in(w, kLocalBytes, loaded.bytes(), offset);
  const std::string from = w.fresh("%p");
  w.line("  {} = getelementptr i8, $P {}, i32 {}", from, w.local_array, offset.name);
  w.define(w.step(loaded, "load {}, $P {}, align {}", loaded.name(), from, align));
}

// Through a generic pointer: flat instructions on scratch.
void generic_access(Writer& w) {
  const Type type = w.random().pick(kStored);
  Value offset;
  const unsigned align = offset_in(w, kLocalBytes, type.bytes(), offset);
  const std::string local = w.fresh("%p"), generic = w.fresh("%p");
  w.line("  {} = getelementptr i8, $P {}, i32 {}", local, w.local_array, offset.name);
  w.line("  {} = $c {} to ptr", generic, local);
  const Value old = w.step(type, "load {}, ptr {}, align {}", type.name(), generic, align);
  const Value changed = w.step(type, "add {} {}, {}", type.name(), old.name, w.any(type).name);
  w.line("  store {} {}, ptr {}, align {}", type.name(), changed.name, generic, align);
  w.define(old);
}

// On the item's own memory, so that the order of items does not matter.
void atomic_statement(Writer& w) {
  constexpr std::array kNames{"add",  "sub",  "and", "or",  "xor",
                              "umin", "umax", "min", "max", "xchg"};
  const Type type = w.random().percent(65) ? kI32 : kI64;
  const std::string name = type.name(), at = w.fresh("%p");
  const std::size_t slot = kSlotBytes * (kMostResults + w.random().below(kMostResults));
  w.line("  {} = getelementptr i8, $G %out, i64 {}", at, slot);
  const Value operand = w.any(type);
  if (w.random().percent(80)) {
    return w.define(w.step(type, "atomicrmw {} $G {}, {} {} $s monotonic", w.random().pick(kNames),
                           at, name, operand.name));
  }
  const Value expected{type, w.random().percent(50) ? "0" : w.any(type).name};
  const std::string pair = fmt::format("{{ {}, i1 }}", name);
  const Value both = w.step(type, "cmpxchg $G {0}, {1} {2}, {1} {3} $s monotonic monotonic", at,
                            name, expected.name, operand.name);
  w.define(w.step(type, "extractvalue {} {}, 0", pair, both.name));
}

}  // namespace

void write_memory_statement(Writer& w) {
  const Writer::Scope scope(w);
  const std::size_t kind = w.random().below(100);
  if (!w.local_array.empty() && kind < 40) return local_store_and_load(w);
  if (!w.local_array.empty() && kind < 55) return generic_access(w);
  if (w.is_helper || kind > 85) return constant_table_load(w);
  if (kind > 70) return atomic_statement(w);
  table_load(w);
}

void write_call_statement(Writer& w) {
  if (w.helpers.empty()) return write_integer_statement(w);
  const Writer::Scope scope(w);
  // Each is called by name once: LLVM 19 fails on a function that it finds out to be called only while it writes code.
  const bool all_called = w.direct_calls == w.helpers.size();
  std::string callee = all_called ? w.random().pick(w.helpers) : w.helpers[w.direct_calls++];
  if (all_called && w.random().percent(30)) {
    const Value condition = comparison(w, kI32);
    const std::string chosen = w.fresh("%f");
    w.line("  {} = select i1 {}, ptr {}, ptr {}", chosen, condition.name, w.helpers[0],
           w.helpers[1]);
    callee = chosen;
  }
  const Value a = w.any(kI32), b = w.any(kI64), c = w.any(kF32), d = w.any(kF64);
  w.define(w.step(kI32, "call i32 {}(i32 {}, i64 {}, float {}, double {})", callee, a.name, b.name,
                  c.name, d.name));
}

}  // namespace rpl::differential
