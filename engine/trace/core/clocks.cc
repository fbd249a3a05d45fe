// SPDX-License-Identifier: MIT
#include "engine/trace/core/clocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <span>

#include "engine/base/median.h"
#include "engine/base/numbers.h"
#include "engine/trace/core/collectives.h"

namespace rpl {
namespace {

/// Fewer show nothing.
constexpr std::size_t kEnough = 5;
/// What may be left of the distances, as a share of the time from one collective to the next: beyond it the n-th of one host could
/// be another of the others.
constexpr double kMostLeft = 0.1;

/// What was recorded on one host.
struct Host {
  std::span<const RankEnds> ranks;
  std::vector<std::int64_t> ends_ns;  ///< of each collective, the median over its ranks
  std::int64_t shift_ns = 0;
  std::vector<std::int64_t> left_ns;  ///< of each collective after the shift, without sign
};

std::int64_t difference(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

void add_ranks(const RawTrace& file, std::vector<RankEnds>& ranks) {
  std::vector<bool> is;
  for (const Kernel& kernel : file.kernels()) is.push_back(is_collective(kernel.name));
  std::map<std::pair<std::uint32_t, std::uint32_t>, RankEnds> found;
  const TraceColumns& rows = file.columns;
  for (std::size_t row = 0; row < rows.start_ns.size(); ++row) {
    const std::uint32_t kernel = file.launches()[rows.launch[row]].kernel;
    if (kernel >= is.size() || !is[kernel]) continue;
    const Lane& lane = file.lanes()[rows.lane[row]];
    RankEnds& rank = found[{lane.process, lane.agent}];
    rank.names.push_back(file.kernels()[kernel].name);
    rank.ends_ns.push_back(rows.start_ns[row] + rows.duration_ns.get(row));
  }
  for (auto& [key, rank] : found) ranks.push_back(std::move(rank));
}

/// Why collectives say nothing; "" where they do.
std::string why_not(const std::map<std::string, Host>& hosts) {
  std::vector<std::span<const std::string_view>> ranks;
  for (const auto& [name, host] : hosts) {
    if (host.ranks.empty()) return "no collective was recorded on " + name;
    for (const RankEnds& rank : host.ranks) ranks.emplace_back(rank.names);
  }
  if (std::string why = how_collectives_differ(ranks); !why.empty()) return why;
  if (ranks.front().size() < kEnough)
    return fmt::format("{} collectives are too few", ranks.front().size());
  return "";
}

void find_shifts(std::map<std::string, Host>& hosts) {
  for (auto& [name, host] : hosts) {
    for (std::size_t i = 0; i < host.ranks[0].ends_ns.size(); ++i) {
      std::vector<std::int64_t> ends_ns;
      for (const RankEnds& rank : host.ranks) ends_ns.push_back(rank.ends_ns[i]);
      host.ends_ns.push_back(upper_median(std::move(ends_ns)));
    }
  }
  const Host& first = hosts.begin()->second;
  for (auto& [name, host] : hosts) {
    std::vector<std::int64_t> apart_ns;
    for (std::size_t i = 0; i < host.ends_ns.size(); ++i)
      apart_ns.push_back(difference(first.ends_ns[i], host.ends_ns[i]));
    host.shift_ns = upper_median(apart_ns);
    for (const std::int64_t ns : apart_ns)
      host.left_ns.push_back(std::abs(difference(ns, host.shift_ns)));
  }
}

/// The median time from the end of one collective to that of the next.
std::int64_t between_ns(const Host& host) {
  std::vector<std::int64_t> steps_ns;
  for (std::size_t i = 1; i < host.ends_ns.size(); ++i)
    steps_ns.push_back(difference(host.ends_ns[i], host.ends_ns[i - 1]));
  return upper_median(std::move(steps_ns));
}

void shift(RawTrace& file, std::int64_t ns) {
  file.file.clock_shift_ns = ns;
  for (std::int64_t& start_ns : file.columns.start_ns) start_ns += ns;
}

std::string cannot_compare(std::size_t hosts) {
  return fmt::format("the recordings come from {} hosts, whose clocks differ", hosts);
}

std::string shifts_text(const std::map<std::string, Host>& hosts) {
  constexpr std::size_t kNamed = 8;
  std::string text;
  std::size_t named = 0;
  for (const auto& [name, host] : hosts) {
    if (named++ == 0) continue;
    if (named > kNamed + 1) break;
    text += fmt::format("{}{} by {}", text.empty() ? "" : ", ", name, format_ns(host.shift_ns));
  }
  return named > kNamed + 1 ? text + ", …" : text;
}

}  // namespace

bool is_collective(std::string_view kernel) {
  for (const std::string_view part :
       {"ncclDevKernel", "ncclKernel", "rcclGenericKernel", "ncclGenericKernel"}) {
    if (kernel.find(part) != std::string_view::npos) return true;
  }
  return false;
}

std::string how_collectives_differ(const std::vector<std::span<const std::string_view>>& ranks) {
  for (const auto& rank : ranks) {
    if (rank.size() != ranks.front().size())
      return fmt::format("ranks have different numbers of collectives ({} and {})",
                         ranks.front().size(), rank.size());
    if (!std::ranges::equal(rank, ranks.front()))
      return "ranks have their collectives in different orders";
  }
  return "";
}

std::optional<std::string> one_host(std::span<const Process> processes) {
  std::optional<std::string> host;
  for (const Process& process : processes) {
    if (process.hostname.empty() || (host && *host != process.hostname)) return std::nullopt;
    host = process.hostname;
  }
  return host;
}

ClockShifts clocks_of_unnamed_hosts(std::size_t hosts) {
  return {.by_host = {},
          .note = cannot_compare(hosts) +
                  ": times of different hosts cannot be compared, as some files name no host or "
                  "several"};
}

ClockShifts find_clock_shifts(const std::map<std::string, std::vector<RankEnds>>& ranks) {
  ClockShifts out;
  std::map<std::string, Host> hosts;
  for (const auto& [name, of_host] : ranks) hosts[name].ranks = of_host;
  const std::string cannot = cannot_compare(hosts.size());
  if (const std::string why = why_not(hosts); !why.empty()) {
    out.note = fmt::format("{}: times of different hosts cannot be compared; {}", cannot, why);
    return out;
  }
  find_shifts(hosts);
  std::vector<std::int64_t> left_ns;
  for (const auto& [name, host] : hosts) {
    if (&host != &hosts.begin()->second)
      left_ns.insert(left_ns.end(), host.left_ns.begin(), host.left_ns.end());
  }
  std::ranges::sort(left_ns);
  const std::int64_t half_ns = left_ns[left_ns.size() / 2], most_ns = left_ns.back();
  const std::size_t count = hosts.begin()->second.ends_ns.size();
  const std::string fit = fmt::format(
      "after that half of the ends of {} collectives lie within {} of each other, the farthest {}",
      count, format_ns(half_ns), format_ns(most_ns));
  const std::int64_t step_ns = between_ns(hosts.begin()->second);
  if (static_cast<double>(most_ns) > kMostLeft * static_cast<double>(step_ns)) {
    out.note = fmt::format(
        "{}: times of different hosts cannot be compared; their collectives do not end together "
        "whatever the shift: {}, with {} from one to the next",
        cannot, fit, format_ns(step_ns));
    return out;
  }
  for (const auto& [name, host] : hosts) out.by_host[name] = host.shift_ns;
  out.compare = true;
  out.note = fmt::format(
      "clocks of {} hosts were aligned by collectives, which end together on all ranks: times are "
      "those of {}, with {} shifted; {}",
      hosts.size(), hosts.begin()->first, shifts_text(hosts), fit);
  return out;
}

bool align_clocks(std::vector<RawTrace>& files, std::vector<std::string>& notes) {
  std::map<std::string, std::vector<RawTrace*>> by_host;
  std::set<std::string> all;
  bool every = true;
  for (RawTrace& file : files) {
    for (const Process& process : file.processes()) {
      if (!process.hostname.empty()) all.insert(process.hostname);
    }
    const auto host = one_host(file.processes());
    every = every && host;
    if (host) by_host[*host].push_back(&file);
  }
  if (all.size() < 2) return true;
  std::map<std::string, std::vector<RankEnds>> ranks;
  for (const auto& [name, of_host] : by_host) {
    if (!every) break;
    for (const RawTrace* file : of_host) add_ranks(*file, ranks[name]);
  }
  const ClockShifts shifts = every ? find_clock_shifts(ranks) : clocks_of_unnamed_hosts(all.size());
  for (const auto& [name, shift_ns] : shifts.by_host) {
    for (RawTrace* file : by_host[name]) shift(*file, shift_ns);
  }
  notes.push_back(shifts.note);
  return shifts.compare;
}

}  // namespace rpl
