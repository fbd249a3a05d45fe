// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/device/cycle/counterfactual.h"
#include "engine/device/execute/launch/launch.h"
#include "engine/device/findings/finding.h"
#include "engine/isa/object/source_lines.h"

namespace rpl::findings {

/// What was counted of a launch on the emulated device, as causes look at it.
class Measures {
 public:
  /// `executed` has a record and counts by instruction; it and the parameters must outlive the object. Fails with interrupted.
  static Result<Measures> of(const emu::Executed& executed, const isa::CodeObject& object,
                             const cycle::Parameters& parameters,
                             std::span<const FarMemory> far = {});

  [[nodiscard]] const cycle::LaunchTime& timed() const { return timed_; }
  [[nodiscard]] cycle::Question question() const {
    return {record_, p_, timed_.operations, kinds_, facts_, counts_};
  }
  /// Whether enough was counted for the cause to be named, whatever the model would save.
  [[nodiscard]] bool is_there(Cause cause) const;
  /// The lines of the source, or the instructions where there is no line table, that are most of a cause.
  [[nodiscard]] std::vector<Place> places(Cause cause) const;
  [[nodiscard]] std::vector<Evidence> evidence(Cause cause) const;
  [[nodiscard]] double share_flat() const;
  [[nodiscard]] bool is_beyond_wide_loads() const { return is_beyond_wide(false); }
  [[nodiscard]] bool is_beyond_wide_stores() const { return is_beyond_wide(true); }
  [[nodiscard]] bool indexes_scratch() const;
  [[nodiscard]] bool has_dense_barriers() const;
  [[nodiscard]] bool loads_behind_barriers() const;
  [[nodiscard]] bool computes_tiles() const;
  [[nodiscard]] bool repeats_most_loads() const;
  [[nodiscard]] bool has_few_waves() const;
  [[nodiscard]] bool divides_floats() const;
  [[nodiscard]] bool leaves_loops_mostly() const;
  [[nodiscard]] bool slides_over_lines() const;
  /// Cycles that a load takes where it is found, in the mean of the launch.
  [[nodiscard]] double first_latency() const {
    const double in_mall = p_.mall_bytes > 0 ? record_.traffic.read_mall_share() : 0;
    return in_mall * p_.mall_latency + (1 - in_mall) * p_.hbm_latency;
  }
  [[nodiscard]] bool uses_lds() const { return record_.lds_bytes > 0; }

 private:
  Measures(const emu::Executed& executed, const cycle::Parameters& p)
      : executed_(executed), record_(*executed.record), p_(p) {}

  [[nodiscard]] const emu::InstructionCounts& row(std::size_t operation) const {
    return executed_.counts.by_instruction[operation];
  }
  /// Of what is counted for a cause, over all operations.
  [[nodiscard]] double sum(Cause cause) const {
    return sum_of([&](std::size_t i) { return score(cause, i); });
  }
  template <class Count>
  [[nodiscard]] double sum_of(const Count& count) const {
    double out = 0;
    for (std::size_t i = 0; i < kinds_.size(); ++i) out += static_cast<double>(count(i));
    return out;
  }
  [[nodiscard]] double accesses() const {
    return sum_of(
        [&](std::size_t i) { return kinds_[i].load || kinds_[i].store ? facts_[i].executed : 0; });
  }
  void count();
  const std::string& text_of_place(std::size_t operation);
  void mark_divisions_by_place();
  void mark_functions_by_place();
  void mark_double_functions();
  void mark_lines_of_scratch();
  void mark_loops_left_by_lanes();
  void find_registers();
  void find_far(std::span<const FarMemory> far);
  [[nodiscard]] std::size_t mask_before(std::size_t operation) const;
  [[nodiscard]] std::string source_of(std::size_t operation) const;
  [[nodiscard]] bool has_line(std::size_t operation) const;
  [[nodiscard]] bool is_of_headers(std::size_t operation) const;
  [[nodiscard]] double least_lines(std::size_t operation) const;
  [[nodiscard]] double scattered(bool stores) const;
  [[nodiscard]] bool is_beyond_wide(bool stores) const;
  [[nodiscard]] bool follows_links(std::size_t operation) const;
  [[nodiscard]] bool follows_links_mostly() const;
  [[nodiscard]] bool is_invariant(std::size_t operation) const;
  [[nodiscard]] double code_in_loops() const;
  [[nodiscard]] double lanes_off() const;
  [[nodiscard]] double float_divisions() const;
  [[nodiscard]] double unused_lanes() const;
  [[nodiscard]] double imbalance() const;
  [[nodiscard]] double lines_apart() const;
  [[nodiscard]] double score(Cause cause, std::size_t operation) const;
  [[nodiscard]] bool converts_to_double() const;
  [[nodiscard]] double executions(bool cycle::OperationKind::* what) const;

  const emu::Executed& executed_;
  const cycle::LaunchRecord& record_;
  const cycle::Parameters& p_;
  std::optional<isa::SourceLines> lines_;
  std::vector<std::string> places_;  ///< text_of_place(), made when somebody asks first
  cycle::LaunchTime timed_;
  std::vector<cycle::OperationKind> kinds_;
  std::vector<cycle::OperationCounts> counts_;
  std::vector<cycle::OperationFacts> facts_;  ///< of the waves that were kept
  /// By operation, lines of the waves that were kept; of those, in memory of the host, in managed memory.
  std::vector<double> touched_, in_host_, in_managed_;
  std::vector<bool> holds_most_registers_;  ///< by operation
  bool is_transcendental_ = false;          ///< some instruction that ran is
};

}  // namespace rpl::findings
