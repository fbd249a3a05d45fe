// SPDX-License-Identifier: MIT
// A study's inputs with other scalar arguments and other launches: which of them the baseline runs with.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "engine/optimize/verify/baseline_study.h"

namespace rpl {
namespace {

/// Whether all that ran on one path did on the other.
bool ran_as_much(const emu::Path& one, const emu::Path& other) {
  for (std::size_t at = 0; at < one.ran.size(); ++at) {
    if (one.ran[at] && !(at < other.ran.size() && other.ran[at])) return false;
  }
  return true;
}

}  // namespace
const ArgumentRule* BaselineStudy::rule_of(const Scalar& scalar) const {
  const ArgumentPlace& place = scalar.places.front();
  return place.dispatch == 0 ? options_.contract.rule_at(place.argument) : nullptr;
}

const ArgumentRule* BaselineStudy::rule_of_region(const Capture& capture,
                                                  std::size_t region) const {
  for (std::size_t i = 0; i < capture.arguments.size(); ++i) {
    const CapturedArgument& argument = capture.arguments[i];
    if (!argument.buffer || argument.region != region) continue;
    if (const ArgumentRule* rule = options_.contract.rule_at(i)) return rule;
  }
  return options_.contract.rule_of_variable(capture.regions[region].variable);
}

bool BaselineStudy::allowed(std::size_t scalar, std::span<const std::byte> value) const {
  const ArgumentRule* rule = rule_of(scalars_[scalar]);
  return rule == nullptr || rule->allows(number_in(scalars_[scalar], value));
}

std::vector<std::vector<std::byte>> BaselineStudy::values_to_try(std::size_t scalar,
                                                                 const Capture& capture,
                                                                 Random& random) const {
  const Scalar& one = scalars_[scalar];
  const auto captured = value_of(one, capture);
  std::vector<std::vector<std::byte>> out, usual = other_values(one, captured, random);
  if (const ArgumentRule* rule = rule_of(one); rule != nullptr && !rule->as_captured) {
    for (const double end : rule->ends()) out.push_back(value_with(one, captured, end));
    const double drawn = static_cast<double>(random() >> 11) * 0x1p-21;
    out.push_back(value_with(one, captured, rule->nearest(drawn)));
  }
  out.insert(out.end(), usual.begin(), usual.end());
  std::erase_if(out, [&](const auto& value) {
    return !allowed(scalar, value) || std::ranges::equal(value, captured);
  });
  return out;
}

std::vector<ArgumentFacts> BaselineStudy::arguments(const Capture& capture) const {
  std::vector<ArgumentFacts> out;
  for (std::size_t i = 0; i < capture.arguments.size(); ++i) {
    const CapturedArgument& argument = capture.arguments[i];
    if (argument.buffer) {
      out.push_back({.position = i, .region = argument.region});
      continue;
    }
    for (std::size_t k = 0; k < other_values_.size(); ++k) {
      const Scalar& scalar = scalars_[k];
      if (scalar.places.front() != ArgumentPlace{0, i}) continue;
      ArgumentFacts facts{.position = i, .captured = number_in(scalar, value_of(scalar, capture))};
      for (const auto& value : other_values_[k])
        facts.runs_with.push_back(number_in(scalar, value));
      out.push_back(std::move(facts));
    }
  }
  return out;
}

Result<std::optional<Error>> BaselineStudy::fails_with(const Runner& baseline, std::size_t position,
                                                       double number) const {
  InputSet tried = captured(baseline.capture);
  const auto dispatch = without_memory(baseline.capture);
  for (const Scalar& scalar : scalars_) {
    if (scalar.places.front() == ArgumentPlace{0, position})
      set_value(scalar, value_with(scalar, value_of(scalar, baseline.capture), number), *dispatch);
  }
  tried.dispatch = dispatch;
  auto run =
      baseline.run(tried, tried.memory,
                   {.mode = emu::Mode::functional, .max_instructions = budget_for(instructions_)});
  if (!run && run.error().code == Errc::interrupted) return Failure(run.error());
  return run ? std::optional<Error>() : std::optional(run.error());
}

Result<bool> BaselineStudy::is_covered(const Runner& baseline, const InputSet& set) {
  // Nothing where it does not run.
  const auto after = [&](const InputSet& now) -> Result<std::optional<MemoryImage>> {
    auto run = baseline.run(
        now, now.memory,
        {.mode = emu::Mode::functional, .max_instructions = budget_for(instructions_)});
    if (run) return std::move(run->memory);
    if (run.error().code == Errc::interrupted) return Failure(run.error());
    return std::optional<MemoryImage>();
  };
  // Whether one more workgroup along an axis leaves `plain` as well.
  const auto does_no_more = [&](InputSet tried, const MemoryImage& plain,
                                std::size_t axis) -> Result<bool> {
    const Capture& as = tried.dispatch ? *tried.dispatch : baseline.capture;
    const auto wider = without_memory(as);
    set_grid(as.grid[axis] + as.workgroup[axis], *wider, axis);
    tried.dispatch = wider;
    return TRY(after(tried)) == plain;
  };
  std::optional<MemoryImage> plain;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (baseline.capture.grid[axis] <= 1) continue;
    auto& usual = covered_as_captured_[axis];
    if (!usual) usual = TRY(does_no_more(captured(baseline.capture), after_, axis));
    if (!*usual) continue;
    if (!plain) plain = TRY(after(set));
    if (!plain || !TRY(does_no_more(set, *plain, axis))) return false;
  }
  return true;
}

Status BaselineStudy::learn_arguments(const Runner& baseline, std::size_t most) {
  const Capture& capture = baseline.capture;
  Random random(options_.seed ^ 0xa0761d6478bd642fU);
  InputSet other = captured(capture);
  if (!drawn_again_.empty()) other.memory = drawn_again_;
  for (const Scalar& scalar : scalars_) {
    auto& values = other_values_.emplace_back();
    for (auto& bytes : values_to_try(other_values_.size() - 1, capture, random)) {
      const auto dispatch = without_memory(capture);
      set_value(scalar, bytes, *dispatch);
      other.dispatch = dispatch;
      const bool is_more =
          number_in(scalar, bytes) > number_in(scalar, value_of(scalar, capture)) && !long_;
      if (TRY(runs(baseline, other)) && (!is_more || TRY(is_covered(baseline, other))) &&
          (!is_more || TRY(runs_on_zeros(baseline, dispatch))))
        values.push_back(std::move(bytes));
      if (values.size() == most) break;
    }
    free_values_.emplace_back();
    if (small_ == nullptr) TRY(learn_free(baseline, free_values_.size() - 1, random));
  }
  return {};
}

Status BaselineStudy::learn_free(const Runner& baseline, std::size_t scalar, Random& random) {
  if (captured_path_ == nullptr) return {};
  const Scalar& one = scalars_[scalar];
  FreeValues& free = free_values_[scalar];
  FreeValues values = values_of_any_size(one, value_of(one, baseline.capture), random);
  for (auto which : {&FreeValues::negative, &FreeValues::larger, &FreeValues::power}) {
    auto& bytes = values.*which;
    if (!bytes.empty() && TRY(is_free(baseline, scalar, bytes))) free.*which = std::move(bytes);
  }
  return {};
}

// Floats are no counts. Whole numbers may be, unless only values depend on them, or lanes that are chosen by values: with a count that is negative less of the code runs.
Result<bool> BaselineStudy::is_free(const Runner& baseline, std::size_t scalar,
                                    std::span<const std::byte> bytes) {
  if (!allowed(scalar, bytes)) return false;
  const Scalar& one = scalars_[scalar];
  const auto captured_value = value_of(one, baseline.capture);
  const auto dispatch = without_memory(baseline.capture);
  set_value(one, bytes, *dispatch);
  InputSet other = captured(baseline.capture);
  other.dispatch = dispatch;
  const auto run = TRY(tried(baseline, other, long_ ? Look::ways : Look::traces));
  if (!run) return false;
  if (is_real(one, captured_value)) return true;
  const auto& path = run->executed.path;
  const bool does_the_same = !long_ && trace_of(*run) == TRY(captured_trace(baseline));
  if (!path || (!does_the_same && !ran_as_much(*captured_path_, *path))) return false;
  if (!TRY(is_covered(baseline, other))) return false;
  if (does_the_same || long_) return true;
  // The square of an extent is positive, and the remainder by it; nobody means that.
  if (number_in(one, bytes) < 0) return !TRY(is_extent(baseline, scalar));
  return runs_on_zeros(baseline, dispatch);
}

InputSet BaselineStudy::zeros(const Capture& capture) const {
  InputSet out = captured(capture);
  for (std::size_t region = 0; region < out.memory.size(); ++region) {
    const Role role = traits_[region].role;
    if (role == Role::value || role == Role::branch)
      std::ranges::fill(out.memory[region], std::byte{});
  }
  return out;
}

// What compares elements with each other, and ends where they differ, seldom comes to the end of a length that is too large.
Result<bool> BaselineStudy::runs_on_zeros(const Runner& baseline,
                                          const std::shared_ptr<const Capture>& dispatch) {
  InputSet tried_with = zeros(baseline.capture);
  if (!zeros_run_) zeros_run_ = TRY(runs(baseline, tried_with));
  if (!*zeros_run_) return true;
  tried_with.dispatch = dispatch;
  return runs(baseline, tried_with);
}

Result<bool> BaselineStudy::is_extent(const Runner& baseline, std::size_t scalar) {
  if (const auto known = extents_.find(scalar); known != extents_.end()) return known->second;
  const Scalar& one = scalars_[scalar];
  const auto value = value_of(one, baseline.capture);
  const auto stored = [&](double number) -> Result<std::optional<std::uint64_t>> {
    InputSet with = zeros(baseline.capture);
    const auto dispatch = without_memory(baseline.capture);
    set_value(one, value_with(one, value, number), *dispatch);
    with.dispatch = dispatch;
    auto run =
        baseline.run(with, with.memory,
                     {.mode = emu::Mode::counted, .max_instructions = budget_for(instructions_)});
    if (run) return std::optional(run->executed.counts.store_bytes);
    if (run.error().code == Errc::interrupted) return Failure(run.error());
    return std::optional<std::uint64_t>();
  };
  const double held = number_in(one, value);
  const auto all = TRY(stored(held)), fewer = TRY(stored(held - 1));
  return extents_[scalar] = all && fewer && *fewer < *all;
}

Result<InputSet> BaselineStudy::resized(const Runner& baseline, std::size_t variant) {
  // The last of them has the first one's sizes, and nothing that is a number where rows end.
  const bool special = variant + 1 == kSizeSets;
  InputSet out;
  if (drawn_again_.empty()) {
    out = TRY(drawn(baseline, special ? InputClass::special : InputClass::again,
                    options_.seed + 100 + variant));
  } else {
    // A run of its own for other contents would tell nothing more, and is long.
    out.memory = drawn_again_;
    out.redrawn = 1;
  }
  if (special) variant = 0;
  out.kind = InputClass::sizes;
  const auto dispatch = without_memory(baseline.capture);
  bool any = false;
  // One after the other, each kept when the baseline still runs: two that run alone may not run together.
  for (std::size_t i = 0; i < other_values_.size(); ++i) {
    const auto& values = other_values_[i];
    if (values.empty()) continue;
    const auto& bytes = values[std::min(variant, values.size() - 1)];
    set_value(scalars_[i], bytes, *dispatch);
    out.dispatch = dispatch;
    if (TRY(runs(baseline, out)))
      any = true;
    else
      set_value(scalars_[i], value_of(scalars_[i], baseline.capture), *dispatch);
  }
  out.dispatch = any ? dispatch : nullptr;
  if (!any) out.redrawn = 0;
  if (any && (!long_ || variant > 0)) out.dispatch = TRY(with_grid_for(baseline, out));
  return out;
}

// Hosts make grids of the numbers that they give the kernel. Where the baseline does all of its work with such a grid too, it is one that candidates must do with.
Result<std::shared_ptr<const Capture>> BaselineStudy::with_grid_for(const Runner& baseline,
                                                                    const InputSet& set,
                                                                    std::uint64_t times) const {
  const auto run_of = [&](const std::shared_ptr<const Capture>& dispatch) {
    InputSet tried{.kind = set.kind, .dispatch = dispatch, .memory = set.memory};
    return baseline.run(
        tried, set.memory,
        {.mode = emu::Mode::functional, .max_instructions = budget_for(instructions_ * times)});
  };
  const ReplayRun whole = TRY(run_of(set.dispatch));
  std::vector<std::int64_t> counts = whole_values(*set.dispatch);
  std::ranges::sort(counts);
  auto out = set.dispatch;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::int64_t width = out->workgroup[axis];
    for (const std::int64_t count : counts) {
      if (count < 1 || width == 0 || count > out->grid[axis]) continue;
      const std::int64_t items = (count + width - 1) / width * width;
      if (items >= out->grid[axis]) break;
      const auto dispatch = without_memory(*out);
      set_grid(static_cast<std::uint32_t>(items), *dispatch, axis);
      const auto run = run_of(dispatch);
      if (!run && run.error().code == Errc::interrupted) return Failure(run.error());
      if (!run || run->memory != whole.memory) continue;
      out = dispatch;
      break;
    }
  }
  return out;
}

// What only values depend on may have any sign and size: one of them alone, another one alone, all of them, every other one a power of two.
Result<InputSet> BaselineStudy::freed(const Runner& baseline, std::size_t variant) {
  InputSet out = TRY(drawn(baseline, InputClass::again, options_.seed + 180 + variant));
  out.kind = InputClass::sizes;
  const auto dispatch = without_memory(baseline.capture);
  const std::size_t alone = variant / 2;
  std::size_t which = 0;
  for (std::size_t i = 0; i < free_values_.size(); ++i) {
    const FreeValues& free = free_values_[i];
    const auto& bytes = variant >= 4                            ? free.power
                        : variant == 1 || free.negative.empty() ? free.larger
                                                                : free.negative;
    if (bytes.empty()) continue;
    // Of two powers of two one may take away what the other one shows.
    const bool one = variant == 0 || variant == 2;
    if ((one && which++ != alone) || (variant >= 4 && which++ % 2 != variant % 2)) continue;
    set_value(scalars_[i], bytes, *dispatch);
    out.dispatch = dispatch;
  }
  if (out.dispatch == nullptr || !TRY(runs(baseline, out))) {
    out.dispatch = nullptr;
    out.redrawn = 0;
  }
  return out;
}

std::optional<std::int64_t> BaselineStudy::count_in(const Capture& capture,
                                                    std::size_t scalar) const {
  return other_values_[scalar].empty() ? std::nullopt : whole_in(capture, scalar);
}

std::optional<std::int64_t> BaselineStudy::whole_in(const Capture& capture,
                                                    std::size_t scalar) const {
  const CapturedArgument& held = scalars_[scalar].argument;
  if (held.element && is_float(*held.element)) return std::nullopt;
  std::int64_t value = 0;
  std::memcpy(&value, value_of(scalars_[scalar], capture).data(),
              std::min<std::size_t>(8, held.kernarg_size));
  const bool real = !held.element && looks_like_float(static_cast<std::uint32_t>(value));
  return value < 2 || real ? std::nullopt : std::optional(value);
}

Result<InputSet> BaselineStudy::with_count(const Runner& baseline, std::size_t scalar,
                                           std::int64_t count, std::uint64_t seed, bool outside) {
  const auto value = scalar_bytes(count, scalars_[scalar].argument.kernarg_size);
  if (!outside && !allowed(scalar, value)) return InputSet();
  InputSet out = TRY(drawn(baseline, InputClass::again, seed));
  out.kind = InputClass::sizes;
  const auto dispatch = without_memory(baseline.capture);
  set_value(scalars_[scalar], value, *dispatch);
  out.dispatch = dispatch;
  const Scalar& one = scalars_[scalar];
  const bool is_more =
      static_cast<double>(count) > number_in(one, value_of(one, baseline.capture)) && !long_;
  if (TRY(runs(baseline, out)) && (!is_more || TRY(is_covered(baseline, out))) &&
      (!is_more || TRY(runs_on_zeros(baseline, dispatch))))
    return out;
  out.dispatch = nullptr;
  out.redrawn = 0;
  return out;
}

// A count of one is what loops are least often tried with.
Result<InputSet> BaselineStudy::with_one(const Runner& baseline, std::size_t which) {
  for (std::size_t i = 0; i < other_values_.size(); ++i) {
    if (!count_in(baseline.capture, i) || which-- != 0) continue;
    InputSet out = TRY(with_count(baseline, i, 1, options_.seed + 150 + i));
    // Of long runs too: the captured grid has workgroups that the baseline sends home, and a candidate with a barrier does not.
    if (out.dispatch != nullptr) out.dispatch = TRY(with_grid_for(baseline, out));
    return out;
  }
  return InputSet();
}

Result<std::shared_ptr<const StudiedSet>> BaselineStudy::around(const Runner& baseline,
                                                                const Thresholds& thresholds,
                                                                bool scalars) {
  if (small_ != nullptr) return small_->around(small_runner(baseline), thresholds, scalars);
  if (thresholds.numbers.empty() && thresholds.whole.empty())
    return std::shared_ptr<const StudiedSet>();
  const std::uint64_t seed = options_.seed + (scalars ? 310 : 300);
  InputSet input = TRY(drawn(baseline, InputClass::around, seed, thresholds));
  const Capture& capture = baseline.capture;
  Random random(seed + 1);
  const auto dispatch = without_memory(baseline.capture);
  for (std::size_t i = 0; scalars && i < other_values_.size() && !thresholds.numbers.empty(); ++i) {
    const CapturedArgument& held = scalars_[i].argument;
    const bool real = held.element ? is_float(*held.element) : held.kernarg_size == 4;
    if (other_values_[i].empty() || !real || count_in(capture, i)) continue;
    const double value =
        near_threshold(thresholds.numbers[random() % thresholds.numbers.size()], random);
    const auto bytes = held.kernarg_size == 8 ? scalar_bytes(value, 8)
                                              : scalar_bytes(static_cast<float>(value), 4);
    if (!allowed(i, bytes)) continue;
    set_value(scalars_[i], bytes, *dispatch);
    input.dispatch = dispatch;
  }
  if (scalars && (input.dispatch != dispatch || !TRY(runs(baseline, input))))
    return std::shared_ptr<const StudiedSet>();
  return studied(baseline, std::move(input), seed + 2);
}

// Where the baseline gives the same results with another launch, that launch is as good as the captured one.
Result<InputSet> BaselineStudy::launched_on(const Runner& baseline, std::uint32_t grid,
                                            const MemoryImage& usual) {
  InputSet out = captured(baseline.capture);
  out.kind = InputClass::launch;
  const auto dispatch = without_memory(baseline.capture);
  set_grid(grid, *dispatch);
  out.dispatch = dispatch;
  auto run = baseline.run(out, out.memory,
                          {.mode = emu::Mode::functional,
                           .max_instructions = budget_for(instructions_) + instructions_ * 20});
  if (!run && run.error().code == Errc::interrupted) return Failure(run.error());
  if (run && run->memory == usual) {
    InputSet again = TRY(drawn(baseline, InputClass::again, options_.seed + 200));
    again.kind = InputClass::launch;
    again.dispatch = dispatch;
    if (TRY(runs(baseline, again))) return again;
  }
  out.dispatch = nullptr;
  return out;
}

Result<InputSet> BaselineStudy::relaunched(const Runner& baseline) {
  InputSet none = captured(baseline.capture);
  none.kind = InputClass::launch;
  if (options_.contract.launch_as_captured) return none;
  const Capture& base = baseline.capture;
  const std::uint32_t wide = base.workgroup[0], groups = (base.grid[0] + wide - 1) / wide;
  std::vector<std::uint32_t> tries;  // workgroups along x
  if (groups > 1) tries = {groups / 2, 1};
  tries.push_back(groups + 1);
  for (const std::uint32_t count : tries) {
    InputSet out = TRY(launched_on(baseline, count * wide, after_));
    if (out.dispatch != nullptr) return out;
  }
  return none;
}

}  // namespace rpl
