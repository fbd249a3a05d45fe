// SPDX-License-Identifier: MIT
#include "engine/metrics/counters/plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <set>
#include "engine/document/json.h"

namespace rpl {
namespace {

/// What is put into one pass as a whole.
struct Parcel {
  std::vector<std::string> counters;
  std::set<const CounterInfo*> leaves;  ///< whose slots are needed; shared ones cost once in a pass
};

/// A pass under construction.
struct Bin {
  CounterPass pass;
  std::set<const CounterInfo*> leaves;
};

class Packer {
 public:
  Packer(std::string_view arch, BlockLimits limits) : arch_(arch), limits_(std::move(limits)) {}

  Result<Parcel> parcel(std::span<const std::string> names) const {
    Parcel out;
    for (const std::string& name : names) {
      const CounterInfo* info = TRY(known(name));
      if (std::ranges::count(out.counters, info->name) > 0) continue;
      out.counters.emplace_back(info->name);
      if (info->consumes.empty()) out.leaves.insert(info);
      for (const std::string_view leaf : info->consumes) out.leaves.insert(TRY(known(leaf)));
    }
    return out;
  }

  /// Slots that `leaves` need beyond those that `held` already has, by block.
  static BlockLimits need(const std::set<const CounterInfo*>& leaves,
                          const std::set<const CounterInfo*>& held) {
    BlockLimits slots;
    for (const CounterInfo* leaf : leaves) {
      if (!held.contains(leaf)) slots[std::string(leaf->block)] += leaf->slots;
    }
    return slots;
  }

  [[nodiscard]] bool fits(const Bin& bin, const Parcel& parcel) const {
    for (const auto& [block, slots] : need(parcel.leaves, bin.leaves)) {
      const auto limit = limits_.find(block);
      const auto used = bin.pass.used.find(block);
      const unsigned taken = used == bin.pass.used.end() ? 0 : used->second;
      if (limit != limits_.end() && taken + slots > limit->second) return false;
    }
    return true;
  }

  /// The largest share of a block that a parcel takes.
  [[nodiscard]] double weight(const Parcel& parcel) const {
    double most = 0;
    for (const auto& [block, slots] : need(parcel.leaves, {})) {
      const auto limit = limits_.find(block);
      if (limit != limits_.end()) {
        most = std::max(most, static_cast<double>(slots) / static_cast<double>(limit->second));
      }
    }
    return most;
  }

  [[nodiscard]] std::vector<CounterPass> pack(std::vector<Parcel> parcels) const {
    std::ranges::stable_sort(parcels, std::greater(),
                             [&](const Parcel& parcel) { return weight(parcel); });
    std::vector<Bin> bins;
    for (const Parcel& parcel : parcels) {
      auto bin = std::ranges::find_if(bins, [&](const Bin& each) { return fits(each, parcel); });
      if (bin == bins.end()) bin = bins.insert(bins.end(), Bin());
      add(*bin, parcel);
    }
    std::vector<CounterPass> passes;
    for (Bin& bin : bins) passes.push_back(std::move(bin.pass));
    return passes;
  }

  /// Every leaf of every parcel, once: what has to be counted whatever the order.
  [[nodiscard]] std::size_t lower_bound(const std::vector<Parcel>& parcels) const {
    std::set<const CounterInfo*> all;
    for (const Parcel& parcel : parcels) all.insert(parcel.leaves.begin(), parcel.leaves.end());
    std::size_t least = parcels.empty() ? 0 : 1;
    for (const auto& [block, slots] : need(all, {})) {
      const auto limit = limits_.find(block);
      if (limit != limits_.end()) {
        least = std::max<std::size_t>(least, (slots + limit->second - 1) / limit->second);
      }
    }
    return least;
  }

  [[nodiscard]] std::vector<std::string> unlimited(const std::vector<Parcel>& parcels) const {
    std::set<std::string> names;
    for (const Parcel& parcel : parcels) {
      for (const CounterInfo* leaf : parcel.leaves) {
        if (!limits_.contains(leaf->block)) names.emplace(leaf->name);
      }
    }
    return {names.begin(), names.end()};
  }

 private:
  Result<const CounterInfo*> known(std::string_view name) const {
    const CounterCatalogue& catalogue = CounterCatalogue::current();
    if (const CounterInfo* info = catalogue.find(arch_, name)) return info;
    std::vector<std::string_view> others;
    for (const std::string_view arch : catalogue.architectures()) {
      if (catalogue.find(arch, name)) others.push_back(arch);
    }
    return fail(Errc::not_found,
                fmt::format("{} has no counter '{}' that is known here", arch_, name),
                others.empty() ? fmt::format("'counters list --arch {}' names them", arch_)
                               : fmt::format("it exists on {}", fmt::join(others, ", ")));
  }

  static void add(Bin& bin, const Parcel& parcel) {
    for (const auto& [block, slots] : need(parcel.leaves, bin.leaves))
      bin.pass.used[block] += slots;
    bin.leaves.insert(parcel.leaves.begin(), parcel.leaves.end());
    for (const std::string& counter : parcel.counters) {
      if (std::ranges::count(bin.pass.counters, counter) == 0) bin.pass.counters.push_back(counter);
    }
  }

  std::string arch_;
  BlockLimits limits_;
};

}  // namespace

Result<CounterPlan> plan_passes(const arch::Gpu& gpu, std::span<const CounterGroup> groups) {
  TRY(counters_known(gpu.arch));
  const Packer packer(gpu.arch, block_limits(gpu));
  std::vector<Parcel> whole, single;
  std::set<std::string> seen;
  for (const CounterGroup& group : groups) {
    whole.push_back(TRY(packer.parcel(group)));
    for (const std::string& counter : whole.back().counters) {
      if (seen.insert(counter).second) single.push_back(TRY(packer.parcel(std::span(&counter, 1))));
    }
    if (single.size() > kMaxPlannedCounters) {
      return fail(Errc::usage, fmt::format("more than {} counters", kMaxPlannedCounters),
                  "plan them in several parts");
    }
  }
  if (single.empty()) {
    return fail(Errc::usage, "no counters were named", "try 'counters plan --set roofline'");
  }
  for (const Parcel& parcel : single) {
    if (!packer.fits(Bin(), parcel)) {
      return fail(Errc::limit, fmt::format("{} needs more counters of a block than {} has",
                                           parcel.counters[0], gpu.arch));
    }
  }
  CounterPlan plan;
  plan.arch = gpu.arch;
  plan.least = packer.lower_bound(single);
  plan.unlimited = packer.unlimited(single);
  const bool fit =
      std::ranges::all_of(whole, [&](const Parcel& parcel) { return packer.fits(Bin(), parcel); });
  if (fit) plan.passes = packer.pack(std::move(whole));
  if (!fit || plan.passes.size() > plan.least) {
    auto passes = packer.pack(std::move(single));
    plan.groups_kept = fit && plan.passes.size() <= passes.size();
    if (!plan.groups_kept) plan.passes = std::move(passes);
  }
  return plan;
}

namespace {

std::string json_jobs(const CounterPlan& plan) {
  JsonStream out(kJsonDocument);
  out.begin_rows("jobs");
  for (const CounterPass& pass : plan.passes) {
    out.row(Value(Record{{"pmc", Value(List(pass.counters.begin(), pass.counters.end()))}}));
  }
  out.end_rows();
  return out.text().string();
}

}  // namespace

Result<PlanFormat> plan_format(std::string_view name) {
  const auto is = [&](std::string_view format) {
    return name == format || (name.ends_with(format) && name.size() > format.size() &&
                              name[name.size() - format.size() - 1] == '.');
  };
  if (is("txt") || is("text")) return PlanFormat::text;
  if (is("yaml") || is("yml")) return PlanFormat::yaml;
  if (is("json")) return PlanFormat::json;
  return fail(Errc::usage, fmt::format("'{}' is not a format of rocprofv3's input files", name),
              "rocprofv3 -i takes .txt, .yaml and .json");
}

std::string plan_text(const CounterPlan& plan, PlanFormat format) {
  if (format == PlanFormat::json) return json_jobs(plan);
  const bool yaml = format == PlanFormat::yaml;
  std::string out = fmt::format("# {}: {} pass{}, each runs the application once\n", plan.arch,
                                plan.passes.size(), plan.passes.size() == 1 ? "" : "es");
  if (yaml) out += "jobs:\n";
  for (const CounterPass& pass : plan.passes) {
    out += yaml ? fmt::format("  - pmc: [{}]\n", fmt::join(pass.counters, ", "))
                : fmt::format("pmc: {}\n", fmt::join(pass.counters, " "));
  }
  return out;
}

}  // namespace rpl
