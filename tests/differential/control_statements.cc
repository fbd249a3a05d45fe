// SPDX-License-Identifier: MIT
#include <array>

#include "tests/differential/statements.h"

namespace rpl::differential {
namespace {

constexpr int kDeepest = 3;

void statements_inside(Writer& w, std::size_t most) {
  ++w.block_depth;
  const std::size_t count = 1 + w.random().below(most);
  for (std::size_t i = 0; i < count; ++i) write_statement(w);
  --w.block_depth;
}

/// A block that computes one value for each of `types` and leaves for `join` by the label that it returns.
std::string arm(Writer& w, const std::string& label, const std::string& join,
                const std::vector<Type>& types, std::vector<Value>& out) {
  const std::size_t before = w.visible();
  w.line("{}:", label);
  statements_inside(w, 3);
  for (const Type& type : types) out.push_back(w.any(type));
  w.forget(before);
  w.line("  br label %{0}x\n{0}x:\n  br label %{1}", label, join);
  return label + 'x';
}

std::vector<Type> carried_types(Writer& w) {
  std::vector<Type> types(1 + w.random().below(3));
  for (Type& type : types) type = w.any_type();
  return types;
}

void if_statement(Writer& w) {
  const std::string join = w.fresh("join");
  w.set_join(join);
  const auto types = carried_types(w);
  const Value condition = comparison(w, w.any_type().element());
  const bool has_else = w.random().percent(60);
  std::vector<Value> untouched;
  for (const Type& type : types) untouched.push_back(w.any(type));
  w.line("  br label %{0}p\n{0}p:\n  br i1 {1}, label %{0}t, label %{0}{2}", join, condition.name,
         has_else ? "e" : "n");
  std::vector<Value> then, otherwise;
  const std::string from_then = arm(w, join + 't', join, types, then);
  std::string from_else = join + 'n';
  if (has_else) {
    from_else = arm(w, join + 'e', join, types, otherwise);
  } else {
    w.line("{0}n:\n  br label %{0}", join);
    otherwise = untouched;
  }
  w.line("{}:", join);
  for (std::size_t i = 0; i < types.size(); ++i) {
    w.define(w.step(types[i], "phi {} [ {}, %{} ], [ {}, %{} ]", types[i].name(), then[i].name,
                    from_then, otherwise[i].name, from_else));
  }
}

void switch_statement(Writer& w) {
  const std::string join = w.fresh("join");
  w.set_join(join);
  const auto types = carried_types(w);
  const Value of = w.variable(kI32);
  const std::size_t cases = 2 + w.random().below(4);
  const Value chosen = w.step(kI32, "and i32 {}, 7", of.name);
  std::string targets;
  for (std::size_t i = 1; i < cases; ++i)
    targets += fmt::format(" i32 {}, label %{}c{}", i - 1, join, i);
  w.line("  switch i32 {}, label %{}c0 [{} ]", chosen.name, join, targets);
  std::vector<std::vector<Value>> values(cases);
  std::vector<std::string> from(cases);
  for (std::size_t i = 0; i < cases; ++i)
    from[i] = arm(w, fmt::format("{}c{}", join, i), join, types, values[i]);
  w.line("{}:", join);
  for (std::size_t i = 0; i < types.size(); ++i) {
    std::string incoming;
    for (std::size_t c = 0; c < cases; ++c)
      incoming += fmt::format("{}[ {}, %{} ]", c == 0 ? "" : ", ", values[c][i].name, from[c]);
    w.define(w.step(types[i], "phi {} {}", types[i].name(), incoming));
  }
}

/// How often a loop runs: a constant, or up to eight times by a value.
std::string trip_count(Writer& w) {
  if (w.random().percent(35)) return fmt::format("{}", 1 + w.random().below(6));
  return w.index_below(8).name;
}

struct LoopVariable {
  Value in_loop;
  std::size_t line;  ///< of its phi, finished when the next value is known
};

std::string phi_text(const Value& variable, const std::string& join, const std::string& first,
                     const std::string& next) {
  return fmt::format("  {0} = phi {1} [ {2}, %{3}p ], [ {4}, %{3}x ]", variable.name,
                     variable.type.name(), first, join, next);
}

void loop_statement(Writer& w) {
  const std::string join = w.fresh("join");
  w.set_join(join);
  const auto types = carried_types(w);
  const std::string trips = trip_count(w);
  std::vector<Value> first;
  for (const Type& type : types) first.push_back(w.any(type));
  w.line("  br label %{0}p\n{0}p:\n  br label %{0}l\n{0}l:", join);
  const std::size_t before = w.visible();
  const Value index{kI32, w.fresh("%i")};
  const std::string next_index = w.fresh("%i");
  w.line("{}", phi_text(index, join, "0", next_index));
  std::vector<LoopVariable> variables;
  for (const Type& type : types) {
    variables.push_back({{type, w.fresh("%c")}, w.function().lines.size()});
    w.line("{}", "");
    w.offer(variables.back().in_loop);
  }
  w.offer(index);
  statements_inside(w, 4);
  std::string broken;
  const bool breaks = w.random().percent(30);
  if (breaks) {
    const Value stop = comparison(w, w.any_type().element());
    w.line("  br label %{0}b\n{0}b:\n  br i1 {1}, label %{0}, label %{0}c\n{0}c:", join, stop.name);
    statements_inside(w, 2);
  }
  std::vector<Value> next;
  for (const Type& type : types) next.push_back(w.variable(type));
  w.forget(before);
  w.line("  br label %{0}x\n{0}x:", join);
  w.line("  {} = add i32 {}, 1", next_index, index.name);
  const Value more = w.step(kI1, "icmp ult i32 {}, {}", next_index, trips);
  w.line("  br i1 {}, label %{}l, label %{}", more.name, join, join);
  w.line("{}:", join);
  for (std::size_t i = 0; i < types.size(); ++i) {
    w.function().lines[variables[i].line].text =
        phi_text(variables[i].in_loop, join, first[i].name, next[i].name);
    broken = breaks ? fmt::format(", [ {}, %{}b ]", variables[i].in_loop.name, join) : "";
    w.define(
        w.step(types[i], "phi {} [ {}, %{}x ]{}", types[i].name(), next[i].name, join, broken));
  }
}

}  // namespace

void write_control_statement(Writer& w) {
  const Writer::Scope scope(w);
  const std::size_t kind = w.random().below(100);
  if (kind < 45) return if_statement(w);
  if (kind < 80) return loop_statement(w);
  switch_statement(w);
}

void write_statement(Writer& w) {
  const std::size_t kind = w.random().below(100);
  if (kind < 34) return write_integer_statement(w);
  if (kind < 58) return write_float_statement(w);
  if (kind < 70) return write_conversion_statement(w);
  if (kind < 80) return write_choice_statement(w);
  if (kind < 85) return write_vector_statement(w);
  if (kind < 92) return write_memory_statement(w);
  if (kind < 94) return write_call_statement(w);
  if (w.block_depth < kDeepest) return write_control_statement(w);
  write_integer_statement(w);
}

}  // namespace rpl::differential
