// SPDX-License-Identifier: MIT
#include "engine/trace/import/rocpd/rocpd_dispatches.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <vector>

namespace rpl {
namespace {

/// How often a fault was met, and first where.
struct Met {
  std::size_t count = 0, first = 0;

  void at(std::size_t row) {
    if (count++ == 0) first = row;
  }
};

std::string name(const RawTrace& raw, std::size_t row) {
  return fmt::format("dispatch {} ({})", raw.columns.dispatch_id.get(row),
                     raw.kernels()[raw.launches()[raw.columns.launch[row]].kernel].name);
}

/// A kernel of a stream runs when those before it are done: one within which others of its stream began and ended did not take so long.
bool others_ran_within(const TraceColumns& columns, std::size_t first_row, std::size_t row) {
  const std::int64_t from = columns.start_ns[row], to = from + columns.duration_ns.get(row);
  for (std::size_t i = first_row; i < columns.start_ns.size(); ++i) {
    if (i == row || columns.lane[i] != columns.lane[row]) continue;
    const std::int64_t start = columns.start_ns[i], length = columns.duration_ns.get(i);
    if (start > from && length >= 0 && start + length < to) return true;
  }
  return false;
}

/// Rows that last over kTimesLonger times what the others of their launch configuration do, as far as they are looked at.
constexpr std::int64_t kTimesLonger = 1000;
constexpr std::size_t kMostLookedAt = 16;

struct Lengths {
  std::uint64_t count = 0;
  double sum = 0;
};

std::vector<std::size_t> much_longer(const RawTrace& raw, std::size_t first_row,
                                     const std::vector<std::uint8_t>& suspected) {
  const TraceColumns& columns = raw.columns;
  const std::span<const std::uint32_t> launches = columns.launch;
  std::vector<Lengths> all(suspected.size());
  std::vector<std::size_t> rows;
  for (std::size_t row = first_row; row < launches.size(); ++row) {
    if (suspected[launches[row]] == 0) continue;
    Lengths& own = all[launches[row]];
    ++own.count;
    own.sum += static_cast<double>(columns.duration_ns.get(row));
    rows.push_back(row);
  }
  std::vector<std::size_t> out;
  for (const std::size_t row : rows) {
    const Lengths& own = all[launches[row]];
    const auto length = static_cast<double>(columns.duration_ns.get(row));
    constexpr std::uint64_t kFewest = 4;
    if (own.count >= kFewest &&
        length > kTimesLonger * (own.sum - length) / static_cast<double>(own.count - 1))
      out.push_back(row);
    if (out.size() == kMostLookedAt) break;
  }
  return out;
}

void check_lengths(const RawTrace& raw, std::size_t first_row,
                   std::span<const LengthsOfLaunch> lengths, Damage& damage) {
  const TraceColumns& columns = raw.columns;
  std::vector<std::uint8_t> suspected(raw.launches().size());
  bool any = false;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    suspected[i] = lengths[i].longest / kTimesLonger > lengths[i].shortest ? 1 : 0;
    any = any || suspected[i] != 0;
  }
  if (!any) return;
  for (const std::size_t row : much_longer(raw, first_row, suspected)) {
    if (!others_ran_within(columns, first_row, row)) continue;
    damage.add(
        fmt::format("{} lasts {} ns, over {} times the others of its kernel, while others of its "
                    "stream began and "
                    "ended: its times were changed",
                    name(raw, row), columns.duration_ns.get(row), kTimesLonger));
  }
}

void say(const RawTrace& raw, const Met& met, std::string_view what, Damage& damage) {
  if (met.count == 0) return;
  damage.add(met.count == 1
                 ? fmt::format("{} {}", name(raw, met.first), what)
                 : fmt::format("{} and {} more {}", name(raw, met.first), met.count - 1, what));
}

/// A kernel runs on a GPU. Where a recording calls no agent a GPU, nothing is known.
void check_agents(const RawTrace& raw, std::size_t first_row, Damage& damage) {
  const auto& agents = raw.agents();
  if (std::ranges::none_of(agents, &Agent::gpu)) return;
  const auto elsewhere = [&](const Lane& lane) {
    return lane.agent != kNone && !agents[lane.agent].gpu;
  };
  if (std::ranges::none_of(raw.lanes(), elsewhere)) return;
  Met met;
  for (std::size_t row = first_row; row < raw.columns.lane.size(); ++row)
    if (elsewhere(raw.lanes()[raw.columns.lane[row]])) met.at(row);
  say(raw, met, "ran on an agent that is no GPU", damage);
}

}  // namespace

DispatchFacts DispatchFacts::of(const RawTrace& raw, std::size_t first_row) {
  DispatchFacts facts;
  facts.lengths.resize(raw.launches().size());
  const std::span durations = raw.columns.duration_ns.raw(), events = raw.columns.event_id.raw();
  for (std::size_t row = first_row; row < durations.size(); ++row) {
    facts.lengths[raw.columns.launch[row]].add(durations[row]);
    facts.highest_event = std::max(facts.highest_event, events[row]);
  }
  return facts;
}

void check_dispatches(const RawTrace& raw, std::size_t first_row, const DispatchFacts& facts,
                      std::optional<std::int64_t> last_event, Damage& damage) {
  const TraceColumns& columns = raw.columns;
  if (last_event && facts.highest_event > *last_event) {
    Met eventless;
    for (std::size_t row = first_row; row < columns.event_id.size(); ++row) {
      if (columns.event_id.get(row) > *last_event) eventless.at(row);
    }
    say(raw, eventless, "names an event that is not in the file", damage);
  }
  check_lengths(raw, first_row, facts.lengths, damage);
  check_agents(raw, first_row, damage);
}

}  // namespace rpl
