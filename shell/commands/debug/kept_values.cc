// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "shell/commands/debug/expressions.h"
#include "shell/core/session/values.h"

namespace rpl {

using debug::Datum, debug::Session;
using Base = debug::Type::Base;

Value plain_value(const Datum& datum) {
  if (datum.missing) return Value("<optimized out>");
  if (datum.type.count > 0) {
    List list;
    for (const auto& [name, part] : datum.parts) list.push_back(plain_value(part));
    return Value(std::move(list));
  }
  if (datum.type.is_structure()) {
    Record record;
    for (const auto& [name, part] : datum.parts) record.emplace_back(name, plain_value(part));
    return Value(std::move(record));
  }
  if (datum.type.is_pointer()) return Value(datum.integer);
  if (datum.type.base == Base::text) return Value(datum.text);
  if (datum.type.base == Base::boolean) return Value(datum.integer != 0);
  // JSON has no NaN.
  if (datum.type.is_float())
    return std::isfinite(datum.real) ? Value(datum.real) : Value(fmt::format("{}", datum.real));
  return Value(datum.integer);
}

/// Types of the source live as long as the session whose variables they are of.
static KeptValues& kept_of(const Debugger& debugger) {
  KeptValues& kept = debugging(debugger).kept;
  const Session* session = debugged(debugger.state);
  if (kept.of != session) kept = {.of = session};
  return kept;
}

/// Without its place, which may be another one's by then.
static Datum copied(const Datum& datum) {
  Datum out = datum;
  out.where.reset();
  if (out.type.base != Base::text) out.text.clear();
  return out;
}

void keep_printed(const Debugger& debugger, const Datum& datum) {
  constexpr std::size_t kMost = 1000;
  KeptValues& kept = kept_of(debugger);
  kept.last = copied(datum);
  kept.printed[debugger.values.last() + 1] = *kept.last;
  while (kept.printed.size() > kMost) kept.printed.erase(kept.printed.begin());
}

void keep_type(const Debugger& debugger, const std::string& name, const Datum& datum) {
  kept_of(debugger).variables[name] = copied(datum);
}

void keep_type(const Debugger& debugger, const std::string& name) {
  KeptValues& kept = kept_of(debugger);
  if (kept.last) kept.variables[name] = *kept.last;
}

std::optional<Datum> kept_value(const Debugger& debugger, std::string_view text) {
  const KeptValues& kept = kept_of(debugger);
  const Datum* found = nullptr;
  if (const auto variable = kept.variables.find(std::string(text.substr(1)));
      variable != kept.variables.end())
    found = &variable->second;
  if (const auto number = debugger.values.number_of(text)) {
    const auto printed = kept.printed.find(*number);
    found = printed == kept.printed.end() ? nullptr : &printed->second;
  }
  if (found == nullptr || found->missing) return std::nullopt;
  auto now = debugger.values.lookup(text);
  if (!now) return std::nullopt;
  const Value* value = now->find("value");
  return (value != nullptr ? *value : *now) == plain_value(*found) ? std::optional(*found)
                                                                   : std::nullopt;
}

void set_examined(const Debugger& debugger, const Datum& address) {
  debugger.values.set("_", plain_value(address));
  keep_type(debugger, "_", address);
  const debug::Type element = address.type.element();
  if (element.bytes() == 0) return;
  const auto there = debug::read_datum(scope_of(debugger), element,
                                       {.space = debug::Watched::Space::memory,
                                        .address = static_cast<std::uint64_t>(address.integer)});
  if (!there) return;
  debugger.values.set("__", plain_value(*there));
  keep_type(debugger, "__", *there);
}

bool is_cpu_register(std::string_view name) {
  constexpr std::string_view kNames[] = {"sp",  "fp",  "ps",  "rip", "eip", "rsp", "esp",   "rbp",
                                         "ebp", "rax", "eax", "rdi", "rsi", "lr",  "eflags"};
  return std::ranges::find(kNames, name) != std::end(kNames);
}

Result<Datum> function_datum(const Session& session, std::string_view name) {
  auto place = debug::parse_place(name);
  if (!place || place->kind != debug::Place::Kind::kernel)
    return fail(Errc::not_found, fmt::format("no function '{}'", name), "'info functions'");
  // Its address is where it begins, and not where its body does.
  place->at_entry = true;
  const auto ops = TRY(session.find(*place));
  return code_datum(session, session.program().ops[ops.front()].address);
}

}  // namespace rpl
