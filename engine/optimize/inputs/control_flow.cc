// SPDX-License-Identifier: MIT
#include "engine/optimize/inputs/control_flow.h"

#include <algorithm>

namespace rpl {
namespace {

constexpr std::size_t kUnknown = ~std::size_t{0};

/// The end of all ways counts as an operation behind the last one.
struct Backwards {
  std::vector<std::vector<std::size_t>> before;  ///< by operation and end: those that it follows
  std::vector<std::size_t> order;                ///< from the end, each behind one that follows it
  std::vector<std::size_t> place;                ///< in `order`
};

Backwards backwards(const emu::Program& program) {
  const auto& ops = program.ops;
  const std::size_t end = ops.size();
  const std::vector<bool> can_run = reached_from_entry(program);
  Backwards out{.before = std::vector<std::vector<std::size_t>>(end + 1),
                .order = {},
                .place = std::vector<std::size_t>(end + 1, kUnknown)};
  for (std::size_t at = 0; at < end; ++at) {
    if (!can_run[at]) continue;
    bool goes_on = false;
    for_each_next(ops, at, [&](std::size_t next) {
      goes_on = true;
      out.before[next].push_back(at);
    });
    if (!goes_on) out.before[end].push_back(at);
  }
  // Postorder of a walk from the end, turned around.
  std::vector<std::pair<std::size_t, std::size_t>> open = {{end, 0}};
  std::vector<bool> seen(end + 1);
  seen[end] = true;
  while (!open.empty()) {
    auto& [at, next] = open.back();
    if (next == out.before[at].size()) {
      out.order.push_back(at);
      open.pop_back();
      continue;
    }
    const std::size_t to = out.before[at][next++];
    if (seen[to]) continue;
    seen[to] = true;
    open.emplace_back(to, 0);
  }
  std::ranges::reverse(out.order);
  for (std::size_t i = 0; i < out.order.size(); ++i) out.place[out.order[i]] = i;
  return out;
}

}  // namespace

std::string_view name_of(const emu::Op& op) {
  return op.instruction == nullptr ? std::string_view() : op.instruction->opcode->mnemonic;
}

bool is_branch(std::string_view mnemonic) {
  return mnemonic == "s_branch" || mnemonic.starts_with("s_cbranch");
}

bool is_end(std::string_view mnemonic) {
  return mnemonic.starts_with("s_endpgm") || mnemonic == "s_setpc_b64";
}

std::vector<bool> reached_from_entry(const emu::Program& program) {
  std::vector<bool> out(program.ops.size());
  std::vector<std::size_t> open = {program.entry};
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    if (at >= out.size() || out[at]) continue;
    out[at] = true;
    for_each_next(program.ops, at, [&](std::size_t next) { open.push_back(next); });
  }
  return out;
}

std::vector<std::size_t> joins(const emu::Program& program) {
  const auto& ops = program.ops;
  const std::size_t end = ops.size();
  const Backwards walk = backwards(program);
  std::vector<std::size_t> join(end + 1, kUnknown);
  join[end] = end;
  const auto common = [&](std::size_t a, std::size_t b) {
    while (a != b) {
      while (walk.place[a] > walk.place[b]) a = join[a];
      while (walk.place[b] > walk.place[a]) b = join[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::size_t at : walk.order) {
      if (at == end) continue;
      std::size_t now = kUnknown;
      bool goes_on = false;
      for_each_next(ops, at, [&](std::size_t next) {
        goes_on = true;
        if (join[next] != kUnknown) now = now == kUnknown ? next : common(now, next);
      });
      if (!goes_on) now = end;
      changed = changed || join[at] != now;
      join[at] = now;
    }
  }
  join.pop_back();
  std::ranges::replace(join, kUnknown, end);
  return join;
}

}  // namespace rpl
