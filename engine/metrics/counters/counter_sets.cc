// SPDX-License-Identifier: MIT
#include "engine/metrics/counters/plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/metrics/counters/data_table.h"

namespace rpl {
namespace {

/// Calls `visit(set, line)` for each line of a set; `line` is empty for its heading.
template <class Visit>
void each_set_line(Visit visit) {
  CounterSetInfo set;
  for (const auto& fields : table_lines(counter_data::sets())) {
    const std::string_view line = fields.at(0);
    const std::size_t close = line.find(']');
    if (line.front() == '[' && close != std::string_view::npos) {
      set = {line.substr(1, close - 1), trimmed_view(line.substr(close + 1))};
      visit(set, std::string_view());
    } else {
      visit(set, line);
    }
  }
}

}  // namespace

std::vector<CounterSetInfo> counter_sets() {
  std::vector<CounterSetInfo> sets;
  each_set_line([&](const CounterSetInfo& set, std::string_view line) {
    if (line.empty()) sets.push_back(set);
  });
  return sets;
}

Result<std::vector<CounterGroup>> counter_set(std::string_view name, std::string_view arch) {
  std::vector<CounterGroup> groups;
  bool known = false;
  each_set_line([&](const CounterSetInfo& set, std::string_view line) {
    known = known || set.name == name;
    const std::size_t colon = line.find(':');
    if (set.name != name || colon == std::string_view::npos) return;
    if (std::ranges::count(words_of(line.substr(0, colon)), arch) == 0) return;
    CounterGroup& group = groups.emplace_back();
    for (const std::string_view counter : words_of(line.substr(colon + 1)))
      group.emplace_back(counter);
  });
  if (!groups.empty()) return groups;
  if (known) {
    return fail(Errc::unsupported, fmt::format("{} has no counters for the set '{}'", arch, name),
                "counters list --arch " + std::string(arch));
  }
  std::vector<std::string_view> names;
  for (const CounterSetInfo& set : counter_sets()) names.push_back(set.name);
  return fail(Errc::not_found, fmt::format("no set of counters '{}'", name),
              fmt::format("sets: {}; or name counters: counters plan SQ_WAVES TCC_HIT_sum",
                          fmt::join(names, ", ")));
}

}  // namespace rpl
