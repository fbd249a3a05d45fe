// SPDX-License-Identifier: MIT
// Which counters a profile records: as the emulated devices have them, and in as many passes as hardware needs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/device/execute/launch/hardware_counters.h"
#include "engine/isa/traits/architecture.h"
#include "engine/metrics/counters/plan.h"
#include "shell/commands/profile/profile_run.h"
#include "shell/core/command/nearest.h"
#include "shell/core/inputs/counter_files.h"

namespace rpl {
namespace {

std::vector<std::string> separate(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(", ", at), text.size());
    if (end > at) out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

class EmulatedCounters {
 public:
  explicit EmulatedCounters(std::string arch) : arch_(std::move(arch)) {
    for (auto& counter :
         emu::known_hardware_counters(isa::find_architecture(arch_).value_or(isa::kUsualArch)))
      known_.push_back(counter.name);
  }

  Status add(const std::string& name) {
    if (name == "all") return add_all(known_);
    const auto sets = counter_sets();
    if (std::ranges::count(sets, name, &CounterSetInfo::name) > 0) {
      for (const CounterGroup& group : TRY(counter_set(name, arch_))) TRY(add_all(group));
      // The operations themselves, which no set for hardware holds.
      return name == "roofline"
                 ? add_all({"RPL_OPS_VALU_F16", "RPL_OPS_VALU_F32", "RPL_OPS_VALU_F64"})
                 : Status();
    }
    for (const std::string& spelled : {name, name + "_sum"}) {
      if (std::ranges::find(known_, spelled) != known_.end()) return add_all({spelled});
    }
    const std::string near = did_you_mean(nearest(name, known_));
    return fail(Errc::not_found,
                fmt::format("the emulated device does not count {} on {}", name, arch_),
                near.empty() ? "--counters all, and then 'roofline' or 'info counters'; sets: "
                               "roofline, memory, lds, occupancy, stalls"
                             : near);
  }

  [[nodiscard]] std::vector<std::string> take() { return std::move(wanted_); }

 private:
  /// Those that it has: of a set, the others are left out and stay unknown.
  Status add_all(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      const bool known = std::ranges::find(known_, name) != known_.end();
      if (known && std::ranges::find(wanted_, name) == wanted_.end()) wanted_.push_back(name);
    }
    return {};
  }

  std::string arch_;
  std::vector<std::string> known_, wanted_;
};

/// Sets by name; what is not a set is a counter by itself.
Status add_group(const std::string& name, const std::string& arch,
                 std::vector<CounterGroup>& groups) {
  if (std::ranges::count(counter_sets(), name, &CounterSetInfo::name) == 0) {
    groups.push_back({name});
    return {};
  }
  for (CounterGroup& group : TRY(counter_set(name, arch))) groups.push_back(std::move(group));
  return {};
}

}  // namespace

Result<std::vector<std::vector<std::string>>> passes_to_record(const Inputs& inputs,
                                                               const ProfileRunArgs& args,
                                                               const std::string& arch) {
  TRY(load_counter_files(inputs.settings));
  std::vector<CounterGroup> groups;
  if (args.roofline || args.deep_analysis) TRY(add_group("roofline", arch, groups));
  if (args.deep_analysis) TRY(add_group("stalls", arch, groups));
  for (const std::string& name : separate(args.counters)) TRY(add_group(name, arch, groups));
  std::vector<std::vector<std::string>> out;
  if (groups.empty()) return out;
  const CounterPlan plan = TRY(plan_passes(TRY(hardware_named(inputs, arch, args)), groups));
  for (const CounterPass& pass : plan.passes) out.push_back(pass.counters);
  return out;
}

Result<std::vector<std::vector<std::string>>> counters_to_record(const ProfileRunArgs& args,
                                                                 const std::string& arch) {
  EmulatedCounters counters(arch);
  if (args.roofline || args.deep_analysis) TRY(counters.add("roofline"));
  // What classify looks at beyond the roofline.
  if (args.deep_analysis) TRY(counters.add("stalls"));
  for (const std::string& name : separate(args.counters)) TRY(counters.add(name));
  return std::vector<std::vector<std::string>>{counters.take()};
}

}  // namespace rpl
