// SPDX-License-Identifier: MIT
// A study's inputs for one candidate: scalar arguments with which conditions come out otherwise.
#include <algorithm>

#include "engine/optimize/verify/baseline_study.h"

namespace rpl {

std::size_t BaselineStudy::most_steered() const {
  if (!options_.other_arguments) return 0;
  return long_ ? 8 : 48;
}

Result<InputSet> BaselineStudy::steered(const Runner& baseline, const Thresholds& thresholds,
                                        std::size_t turn) {
  const Capture& capture = baseline.capture;
  std::vector<std::size_t> counts;
  for (std::size_t i = 0; i < other_values_.size(); ++i) {
    if (count_in(capture, i)) counts.push_back(i);
  }
  if (counts.empty()) return InputSet();
  const std::size_t argument = counts[turn % counts.size()];
  const std::int64_t held = *count_in(capture, argument);
  // Half of them are what ends and remainders of loops are tried with, whoever wrote these; the others are near what the candidate itself compares with. Loops may go from one
  // argument to another.
  // Not 0 of extents: what does nothing at all takes such ways too, and shows nothing of them.
  std::vector<std::int64_t> usual, near;
  if (!long_ && !TRY(is_extent(baseline, argument))) usual.push_back(0);
  for (const std::size_t other : counts) {
    if (other == argument) continue;
    for (const std::int64_t by : {1, -1, 2, -2, 3, -3}) {
      const std::int64_t value = *count_in(capture, other) + by;
      if (value > 7 && value != held && std::ranges::find(usual, value) == usual.end())
        usual.push_back(value);
    }
  }
  for (std::int64_t by = 2; by < 8; ++by) {
    if (by < held) usual.push_back(by);
  }
  for (std::int64_t by = 2; by < 8; ++by) {
    if (held - by > 7) usual.push_back(held - by);
  }
  for (const std::int64_t bound : thresholds.whole) {
    for (std::int64_t value = bound - 1; value <= bound + 1; ++value) {
      if (value > 7 && value < held - 7) near.push_back(value);
    }
  }
  std::vector<std::int64_t> values;
  for (std::size_t i = 0; i < std::max(usual.size(), near.size()); ++i) {
    if (i < usual.size()) values.push_back(usual[i]);
    if (i < near.size()) values.push_back(near[i]);
  }
  const std::size_t which = turn / counts.size();
  if (which >= values.size()) return InputSet();
  return with_count(baseline, argument, values[which], options_.seed + 401 + turn);
}

Result<std::optional<InputSet>> BaselineStudy::outside(const Runner& baseline, std::size_t turn) {
  constexpr std::int64_t kSmall[] = {0, 1, 2, 3, 5, 7}, kLess[] = {1, 3};
  for (std::size_t i = 0; i < scalars_.size(); ++i) {
    if (rule_of(scalars_[i]) == nullptr) continue;
    const auto captured = value_of(scalars_[i], baseline.capture);
    if (is_real(scalars_[i], captured)) continue;
    const auto held = static_cast<std::int64_t>(number_in(scalars_[i], captured));
    std::vector<std::int64_t> values(std::begin(kSmall), std::end(kSmall));
    for (const std::int64_t by : kLess) values.push_back(held - by);
    for (const std::int64_t value : values) {
      const bool is_ours =
          value >= 0 && value < held && !allowed(i, scalar_bytes(value, captured.size()));
      if (is_ours && turn-- == 0)
        return std::optional(TRY(with_count(
            baseline, i, value, options_.seed + 601 + static_cast<std::uint64_t>(value), true)));
    }
  }
  return std::optional<InputSet>();
}

}  // namespace rpl
