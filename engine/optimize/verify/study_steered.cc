// SPDX-License-Identifier: MIT
// A study's inputs for one candidate: scalar arguments with which conditions come out otherwise.
#include <algorithm>
#include <array>

#include "engine/optimize/verify/baseline_study.h"

namespace rpl {
namespace {

constexpr std::size_t kFewSteered = 8;  // of long runs

using SmallCounts = std::array<std::int64_t, 4>;

/// Primes, so that none is a multiple of another one: once in ascending order, once in descending order, then in drawn ones. Of one count each in its turn.
SmallCounts small_counts(std::size_t counts, std::size_t which, std::size_t tries, Random& random) {
  SmallCounts out = {2, 3, 5, 7};
  const auto at = [&](std::size_t i) { return out.begin() + static_cast<std::ptrdiff_t>(i); };
  const std::size_t used = counts == 1 ? out.size() : std::min(counts, out.size());
  const std::size_t turn = counts == 1 ? which : which / 2;
  std::rotate(out.begin(), at(turn % used), at(used));
  if (counts > 1 && which % 2 == 1) std::reverse(out.begin(), at(used));
  if (tries > 0) std::ranges::shuffle(out, random);
  return out;
}

void reverse_elements(std::size_t size, std::vector<std::byte>& bytes) {
  std::ranges::reverse(bytes);
  for (auto at = bytes.begin(); bytes.end() - at >= static_cast<std::ptrdiff_t>(size);
       at += static_cast<std::ptrdiff_t>(size))
    std::reverse(at, at + static_cast<std::ptrdiff_t>(size));
}

}  // namespace

std::size_t BaselineStudy::most_steered() const {
  if (!options_.other_arguments) return 0;
  return small_ != nullptr ? small_->most_steered() + kFewSteered : long_ ? kFewSteered : 48;
}

Result<InputSet> BaselineStudy::steered(const Runner& baseline, const Thresholds& thresholds,
                                        std::size_t turn) {
  if (small_ != nullptr && turn < small_->most_steered())
    return small_->steered(small_runner(baseline), thresholds, turn);
  if (small_ != nullptr) turn -= small_->most_steered();
  const Capture& capture = baseline.capture;
  const std::vector<std::size_t> counts = counts_of(capture);
  if (counts.empty()) return InputSet();
  const std::size_t argument = counts[turn % counts.size()];
  const std::int64_t held = *count_in(capture, argument);
  // Half of them are what ends and remainders of loops are tried with, whoever wrote these; the others are near what the candidate itself compares with. Loops may go from one
  // argument to another.
  // Not 0 of extents where that stores nothing: what does nothing at all takes such ways too, and shows nothing of them.
  std::vector<std::int64_t> usual, near;
  if (!long_ && (!TRY(is_extent(baseline, argument)) || TRY(stores_with_none(baseline, argument))))
    usual.push_back(0);
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
  // What is small has been tried where everything is.
  if (small_ != nullptr) {
    usual.clear();
    std::erase_if(near, [](std::int64_t value) { return value <= kLargestSmallCount; });
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

Result<bool> BaselineStudy::stores_with_none(const Runner& baseline, std::size_t scalar) const {
  const Scalar& one = scalars_[scalar];
  InputSet with = captured(baseline.capture);
  const auto dispatch = without_memory(baseline.capture);
  set_value(one, value_with(one, value_of(one, baseline.capture), 0), *dispatch);
  with.dispatch = dispatch;
  auto run =
      baseline.run(with, with.memory,
                   {.mode = emu::Mode::counted, .max_instructions = budget_for(instructions_)});
  if (!run && run.error().code == Errc::interrupted) return Failure(run.error());
  return run && run->executed.counts.store_bytes > 0;
}

Result<InputSet> BaselineStudy::all_small(const Runner& baseline, std::size_t which) {
  constexpr InputClass kKinds[] = {InputClass::edges, InputClass::ties, InputClass::special,
                                   InputClass::few};
  const Capture& capture = baseline.capture;
  if (long_ || counts_of(capture).empty()) return InputSet();
  Random random(options_.seed + 260 + which);
  const InputClass kind = kKinds[which % std::size(kKinds)];
  InputSet out = TRY(drawn(baseline, kind, random()));
  out.kind = InputClass::sizes;
  // Of a few elements all are to be special.
  for (std::size_t region = 0; kind == InputClass::special && region < out.memory.size();
       ++region) {
    const BufferTraits& traits = traits_[region];
    if (is_float(traits.element) && !traits.stay_sorted && traits.role != Role::structure)
      reverse_elements(size_of(traits.element), out.memory[region]);
  }
  constexpr std::size_t kTries = 4;
  for (std::size_t tries = 0; tries < kTries; ++tries) {
    const SmallCounts small = small_counts(counts_of(capture).size(), which, tries, random);
    const auto dispatch = without_memory(capture);
    std::size_t taken = 0;
    for (std::size_t i = 0; i < other_values_.size(); ++i) {
      const Scalar& one = scalars_[i];
      const auto held = value_of(one, capture);
      std::vector<std::byte> bytes(held.begin(), held.end());
      if (const auto count = count_in(capture, i)) {
        bytes = scalar_bytes(std::min(*count, small[taken++ % small.size()]), held.size());
      } else if (!other_values_[i].empty() && !is_real(one, held)) {
        // Modes and flags, each in its turn, the captured one last.
        const std::size_t turn = which / 2 % (other_values_[i].size() + 1);
        if (turn < other_values_[i].size()) bytes = other_values_[i][turn];
      }
      if (allowed(i, bytes)) set_value(one, bytes, *dispatch);
    }
    out.dispatch = dispatch;
    const auto run = TRY(tried(baseline, out, Look::nowhere));
    if (!run || run->memory == out.memory) continue;
    if (TRY(races(baseline, out)) && !TRY(races_as_captured(baseline))) continue;
    out.dispatch = TRY(with_grid_for(baseline, out));
    return out;
  }
  return InputSet();
}

Result<std::optional<InputSet>> BaselineStudy::outside(const Runner& baseline, std::size_t turn) {
  if (small_ != nullptr) return small_->outside(small_runner(baseline), turn);
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
