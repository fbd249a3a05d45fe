// SPDX-License-Identifier: MIT
#include "engine/metrics/counters/catalogue.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "engine/base/numbers.h"
#include "engine/metrics/counters/data_table.h"

namespace rpl {
namespace {

/// rocprofv3 takes "TCC_HIT" for one instance's counter and "TCC_HIT_sum" for all of them; both cost the same slot.
bool names_same_counter(std::string_view listed, std::string_view asked) {
  constexpr std::string_view kSum = "_sum";
  return listed == asked ||
         (listed.ends_with(kSum) && listed.size() == asked.size() + kSum.size() &&
          listed.starts_with(asked));
}

}  // namespace

std::string_view to_string(InstanceReduction reduction) {
  return reduction == InstanceReduction::max ? "max" : "sum";
}

CounterCatalogue::CounterCatalogue(std::vector<CounterInfo> users) : counters_(std::move(users)) {
  for (const auto& fields : table_lines(counter_data::catalogue())) {
    CounterInfo info;
    info.name = fields.at(0);
    info.block = fields.at(1);
    info.slots = whole_number<unsigned>(fields.at(2)).value_or(0);
    info.unit = fields.at(3);
    info.instances = fields.at(4) == "max" ? InstanceReduction::max : InstanceReduction::sum;
    info.architectures = words_of(fields.at(5));
    if (fields.at(6) != "-") info.consumes = words_of(fields.at(6));
    info.description = fields.at(7);
    counters_.push_back(std::move(info));
  }
}

const CounterCatalogue& CounterCatalogue::built_in() {
  static const CounterCatalogue catalogue({});
  return catalogue;
}

const CounterInfo* CounterCatalogue::find(std::string_view arch, std::string_view name) const {
  const auto found = std::ranges::find_if(counters_, [&](const CounterInfo& info) {
    return names_same_counter(info.name, name) && std::ranges::count(info.architectures, arch) > 0;
  });
  return found == counters_.end() ? nullptr : &*found;
}

std::vector<const CounterInfo*> CounterCatalogue::of(std::string_view arch) const {
  std::vector<const CounterInfo*> out;
  for (const CounterInfo& info : counters_) {
    const bool here = std::ranges::count(info.architectures, arch) > 0;
    // What a user's file says goes before, and replaces what comes later.
    const auto replaced = [&](const CounterInfo* known) {
      return !known->source.empty() && known->name == info.name;
    };
    if (here && std::ranges::none_of(out, replaced)) out.push_back(&info);
  }
  return out;
}

std::vector<std::string_view> CounterCatalogue::architectures() const {
  std::set<std::string_view> names;
  for (const CounterInfo& info : counters_) {
    names.insert(info.architectures.begin(), info.architectures.end());
  }
  return {names.begin(), names.end()};
}

InstanceReduction CounterCatalogue::reduction(std::string_view name) {
  for (const CounterInfo& info : current().counters_) {
    if (info.source.empty()) break;
    if (names_same_counter(info.name, name)) return info.instances;
  }
  return name.starts_with("GRBM_") ? InstanceReduction::max : InstanceReduction::sum;
}

Status counters_known(std::string_view arch) {
  const auto known = CounterCatalogue::current().architectures();
  if (std::ranges::count(known, arch) > 0) return {};
  return fail(Errc::unsupported, fmt::format("no counters are known for '{}'", arch),
              fmt::format("known: {}", fmt::join(known, ", ")));
}

BlockLimits block_limits(const arch::Gpu& gpu) {
  constexpr std::string_view kPrefix = "counters.";
  BlockLimits limits;
  for (const arch::Fact* fact : gpu.facts()) {
    if (!fact->key.starts_with(kPrefix)) continue;
    if (const auto slots = gpu.whole(fact->key)) limits[fact->key.substr(kPrefix.size())] = *slots;
  }
  return limits;
}

}  // namespace rpl
