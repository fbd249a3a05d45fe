// SPDX-License-Identifier: MIT
#include "engine/metrics/recorded/recorded.h"

#include <algorithm>
#include <optional>

namespace rpl::findings {
namespace {

using diagnose::Input;

// As the rules of the labels: docs/diagnosis.md.
constexpr double kNearRoof = 0.6, kWaits = 0.3, kBarriers = 0.1, kHalfEmpty = 0.5, kFewWaves = 0.5,
                 kLanes = 0.9, kConflicts = 0.2, kShort_ns = 10'000;
/// Lines of 64 bytes that the lanes of a load touch if each takes 16 bytes from the next place, and from how many times that on it is called scattered.
constexpr double kWidestLoad = 1024, kScattered = 2;
constexpr std::string_view kBound =
    "an upper bound by what was recorded; what else runs meanwhile may hide it";

class Rules {
 public:
  explicit Rules(const RecordedKernel& kernel) : kernel_(kernel) {}

  std::vector<Finding> find() {
    add_access();
    add_lds();
    add_lanes();
    add_waves();
    add_waits();
    add_roofs();
    std::ranges::stable_sort(out_, std::greater(),
                             [](const Finding& one) { return one.worth ? one.worth->high : 0; });
    // What stands behind others says least.
    std::ranges::stable_partition(out_,
                                  [](const Finding& one) { return !info(one.cause).symptom; });
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::optional<double> fact(Input input) const { return kernel_.facts.value(input); }
  [[nodiscard]] double fact_or(Input input, double otherwise) const {
    return fact(input).value_or(otherwise);
  }
  [[nodiscard]] std::optional<double> counter(std::string_view name) const {
    if (kernel_.counters == nullptr) return std::nullopt;
    const auto found = kernel_.counters->counters.find(name);
    return found == kernel_.counters->counters.end() ? std::nullopt : std::optional(found->second);
  }
  [[nodiscard]] std::optional<double> counted(std::string_view name) const {
    if (kernel_.counters == nullptr) return std::nullopt;
    return metric(name, *kernel_.counters).value;
  }

  void add(Cause cause, std::optional<double> high, std::vector<Evidence> evidence) {
    Finding one{.cause = cause, .evidence = std::move(evidence)};
    if (high) one.worth = Worth{0, std::clamp(*high, 0.0, 1.0)};
    one.assumes = high ? kBound : "not priced: nothing that was recorded bounds it";
    one.remedy = remedy_at(cause, "the kernel");
    out_.push_back(std::move(one));
  }

  /// Requests of the vector L1 to L2 for each instruction, against those of the widest access that is in order.
  void add_one_access(Cause cause, std::string_view requests, std::string_view bytes,
                      std::string_view instructions, const char* what) {
    const auto asked = counter(requests), moved = counted(bytes), done = counter(instructions);
    if (!asked || !moved || !done || *done <= 0 || *asked <= 0) return;
    const double each = *asked / *done, least = kWidestLoad / (*moved / *asked);
    if (each < kScattered * least) return;
    add(cause, 1 - least / each,
        {{what, each, false}, {"of the widest access in order", least, false}});
  }
  void add_access() {
    add_one_access(Cause::uncoalesced_load, "TCP_TCC_READ_REQ_sum", "l2_read_bytes",
                   "SQ_INSTS_VMEM_RD", "requests to L2 for a load");
    add_one_access(Cause::uncoalesced_store, "TCP_TCC_WRITE_REQ_sum", "l2_write_bytes",
                   "SQ_INSTS_VMEM_WR", "requests to L2 for a store");
    if (kernel_.scratch_bytes > 0)
      add(Cause::spills, std::nullopt,
          {{"bytes of scratch memory for a work-item", static_cast<double>(kernel_.scratch_bytes),
            false}});
  }

  void add_lds() {
    const auto rate = fact(Input::lds_conflict_rate);
    if (!rate || *rate < kConflicts) return;
    std::optional<double> high;
    const auto conflicts = counter("SQ_LDS_BANK_CONFLICT"), cycles = counted("gui_cycles");
    if (conflicts && cycles && *cycles > 0) {
      const auto units = kernel_.counters->constants.find("CUS");
      if (units != kernel_.counters->constants.end() && units->second > 0)
        high = *conflicts / (*cycles * units->second);
    }
    add(Cause::bank_conflicts, high, {{"LDS cycles lost for each useful one", *rate, false}});
  }

  void add_lanes() {
    const auto filled = fact(Input::workgroup_lanes);
    const auto active =
        fact(Input::active_lanes) ? fact(Input::active_lanes) : fact(Input::sampled_lanes);
    const auto busy = fact(Input::valu_utilization);
    if (filled && *filled < kLanes)
      add(Cause::unused_lanes, 1 - *filled, {{"of the lanes a workgroup uses", *filled, false}});
    else if (active && *active < kLanes)
      add(Cause::divergence, busy ? std::optional(*busy * (1 - *active)) : std::nullopt,
          {{"of the lanes of vector instructions are on", *active, false}});
  }

  void add_waves() {
    const auto filled = fact(Input::grid_fill), fits = fact(Input::occupancy_limit);
    if (filled && *filled <= kHalfEmpty)
      add(Cause::small_grid, std::nullopt,
          {{"of the waves that fit the grid has", *filled, false}});
    const double waits =
        std::max({fact_or(Input::wait_share, 0), fact_or(Input::counter_wait_share, 0),
                  fact_or(Input::sampled_wait_share, 0)});
    if (!fits || *fits > kFewWaves || waits < kWaits) return;
    const std::vector<Evidence> evidence = {{"of the wave slots can be filled", *fits, false},
                                            {"of the time of waves they wait", waits, false}};
    const bool lds = kernel_.limiter.find("LDS") != std::string_view::npos;
    const bool registers = kernel_.limiter.find("GPR") != std::string_view::npos;
    if (lds || registers)
      add(lds ? Cause::lds_limited : Cause::register_limited, waits * (1 - *fits), evidence);
  }

  void add_waits() {
    const auto barriers = fact(Input::barrier_share);
    if (barriers && *barriers >= kBarriers)
      add(Cause::barriers, *barriers,
          {{"of the time of traced waves they stall at barriers", *barriers, false}});
    for (const auto& [input, what] :
         {std::pair{Input::wait_share, "of the time of traced waves they stall at waits"},
          std::pair{Input::sampled_wait_share, "of the samples of waves wait"},
          std::pair{Input::counter_wait_share, "of the time of waves they wait, as counted"}}) {
      const auto share = fact(input);
      if (!share || *share < kWaits) continue;
      if (fact_or(Input::roof_share, 0) >= kNearRoof) break;
      add(Cause::dependent_loads, *share - fact_or(Input::barrier_share, 0),
          {{what, *share, false}});
      break;
    }
    const auto duration = fact(Input::duration_ns);
    if (duration && *duration <= kShort_ns)
      add(Cause::short_dispatch, std::nullopt, {{"ns, mean duration", *duration, false}});
  }

  void add_roofs() {
    const double memory = std::max(fact_or(Input::hbm_share, 0), fact_or(Input::l2_share, 0));
    if (memory >= kNearRoof)
      add(Cause::bandwidth_used_up, std::nullopt,
          {{"of the peak of the nearest level of memory", memory, false}});
    const double compute =
        std::max({fact_or(Input::compute_share, 0), fact_or(Input::mfma_utilization, 0),
                  fact_or(Input::valu_utilization, 0), fact_or(Input::issue_share, 0)});
    if (compute >= kNearRoof)
      add(Cause::compute_used_up, std::nullopt,
          {{"of the arithmetic units' time or peak", compute, false}});
    // That nothing is of note can only be said where all of it is known.
    if (out_.empty() && fact(Input::all_roofs_share) && fact(Input::active_lanes) &&
        fact(Input::counter_wait_share))
      add(Cause::nothing_of_note, std::nullopt,
          {{"of the nearest roof", *fact(Input::all_roofs_share), false}});
  }

  const RecordedKernel& kernel_;
  std::vector<Finding> out_;
};

}  // namespace

std::vector<Finding> find_in_recording(const RecordedKernel& kernel) {
  return Rules(kernel).find();
}

}  // namespace rpl::findings
