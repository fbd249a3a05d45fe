// SPDX-License-Identifier: MIT
#include "engine/trace/import/rocpd/dispatch_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace rpl {
namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kForever = std::numeric_limits<std::int64_t>::max();

struct Life {
  std::int64_t from = kNever, to = kForever;
};

/// How often a fault was met, and first where.
struct Met {
  std::size_t count = 0, first = 0;

  void at(std::size_t row) {
    if (count++ == 0) first = row;
  }
};

/// Durations of one launch configuration.
struct Lengths {
  std::uint64_t count = 0, sum = 0;
  std::uint32_t longest = 0;
  std::size_t row = 0;  ///< of the longest
};

std::string name(const RawTrace& raw, std::size_t row) {
  return fmt::format("dispatch {} ({})", raw.columns.dispatch_id.get(row),
                     raw.kernels()[raw.launches()[raw.columns.launch[row]].kernel].name);
}

std::vector<Life> lives(const RawTrace& raw) {
  std::vector<Life> out;
  for (const Lane& lane : raw.lanes()) {
    const Process& process = raw.processes()[lane.process];
    const bool known = process.start_ns > 0 && process.end_ns > process.start_ns;
    out.push_back(known ? Life{process.start_ns, process.end_ns} : Life{});
  }
  return out;
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

/// Durations above four seconds are kept apart; so few that each is looked at.
constexpr std::uint64_t kTimesLonger = 1000, kFewest = 4;
constexpr std::size_t kMostLookedAt = 16;

void check_lengths(const RawTrace& raw, std::size_t first_row, std::vector<Lengths>& lengths,
                   Damage& damage) {
  const TraceColumns& columns = raw.columns;
  std::vector<std::size_t> odd;
  for (const auto& [row, duration] : columns.duration_ns.escaped()) {
    if (row < first_row || duration < 0 || odd.size() == kMostLookedAt) continue;
    const Lengths& own = lengths[columns.launch[row]];
    if (own.count >= kFewest && static_cast<std::uint64_t>(duration) / kTimesLonger > own.sum / own.count)
      odd.push_back(row);
  }
  for (const Lengths& own : lengths) {
    if (own.count < kFewest || odd.size() == kMostLookedAt) continue;
    const std::uint64_t others = (own.sum - own.longest) / (own.count - 1);
    if (own.longest / kTimesLonger > others) odd.push_back(own.row);
  }
  std::ranges::sort(odd);
  for (const std::size_t row : odd) {
    if (!others_ran_within(columns, first_row, row)) continue;
    damage.add(fmt::format(
        "{} lasts {} ns, over {} times the others of its kernel, while others of its stream began and "
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

}  // namespace

void check_dispatches(const RawTrace& raw, std::size_t first_row,
                      std::optional<std::int64_t> last_event, Damage& damage) {
  const TraceColumns& columns = raw.columns;
  const std::vector<Life> life = lives(raw);
  const std::int64_t most_event = last_event.value_or(kForever);
  std::vector<Lengths> lengths(raw.launches().size());
  Met early, late, eventless;
  const auto durations = columns.duration_ns.raw();
  const auto events = columns.event_id.raw();
  for (std::size_t row = first_row; row < columns.start_ns.size(); ++row) {
    const Life& own = life[columns.lane[row]];
    const std::int64_t start = columns.start_ns[row];
    const std::uint32_t length = durations[row];
    if (start < own.from) [[unlikely]]
      early.at(row);
    if (length == CompactColumn::kEscaped) [[unlikely]] {
      // Backwards ones are said where the trace is finished.
      const std::int64_t whole = columns.duration_ns.get(row);
      if (whole >= 0 && (start > own.to || whole > own.to - start)) late.at(row);
    } else {
      if (start > own.to - length) [[unlikely]]
        late.at(row);
      Lengths& of = lengths[columns.launch[row]];
      ++of.count;
      of.sum += length;
      if (length > of.longest) {
        of.longest = length;
        of.row = row;
      }
    }
    if (events[row] > most_event) [[unlikely]] {
      if (columns.event_id.get(row) > most_event) eventless.at(row);
    }
  }
  say(raw, early, "began before its process did", damage);
  say(raw, late, "ended after its process did", damage);
  say(raw, eventless, "names an event that is not in the file", damage);
  check_lengths(raw, first_row, lengths, damage);
}

}  // namespace rpl
