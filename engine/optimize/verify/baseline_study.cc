// SPDX-License-Identifier: MIT
#include "engine/optimize/verify/baseline_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>

namespace rpl {
namespace {

constexpr std::size_t kSizeSets = 2, kSmallSets = 3, kFreeSets = 4;
constexpr std::uint64_t kLargeMemory = std::uint64_t{4} << 20;
constexpr std::uint64_t kMostKeptBytes = std::uint64_t{192} << 20;

/// A copy that says how to launch, without the memory, which is given to each run.
std::shared_ptr<Capture> without_memory(const Capture& capture) {
  auto out = std::make_shared<Capture>();
  out->kernel = capture.kernel;
  out->architecture = capture.architecture;
  out->grid = capture.grid;
  out->workgroup = capture.workgroup;
  out->dynamic_lds_bytes = capture.dynamic_lds_bytes;
  out->scratch_bytes = capture.scratch_bytes;
  out->kernarg = capture.kernarg;
  out->code_object = capture.code_object;
  out->load_base = capture.load_base;
  out->arguments = capture.arguments;
  out->then = capture.then;
  out->target = capture.target;
  out->model = capture.model;
  for (const CapturedRegion& region : capture.regions)
    out->regions.push_back({.base = region.base,
                            .size = region.size,
                            .name = region.name,
                            .variable = region.variable,
                            .before = {},
                            .after = std::nullopt,
                            .kind = region.kind});
  return out;
}

std::size_t hash_of(const InputSet& set, const Capture& capture) {
  const Capture& launch = set.dispatch ? *set.dispatch : capture;
  const auto hashed = [](const std::vector<std::byte>& bytes) {
    return std::hash<std::string_view>()(
        {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  };
  std::size_t out = hashed(launch.kernarg);
  for (const FollowingDispatch& next : launch.then) out = out * 31 + hashed(next.kernarg);
  for (const auto size : {launch.grid, launch.workgroup})
    for (const std::uint32_t number : size) out = out * 31 + number;
  for (const auto& region : set.memory) out = out * 1099511628211U + hashed(region);
  return out;
}

}  // namespace

Result<std::shared_ptr<BaselineStudy>> BaselineStudy::begin(const Runner& baseline,
                                                            const StudyOptions& options) {
  std::shared_ptr<BaselineStudy> out(new BaselineStudy(options));
  TRY(out->learn(baseline));
  if (options.other_arguments) TRY(out->learn_arguments(baseline));
  return out;
}

InputSet BaselineStudy::captured(const Capture& capture) const {
  InputSet out;
  for (const CapturedRegion& region : capture.regions) out.memory.push_back(region.before);
  return out;
}

// Limits, faults and traps say that the draw was outside of what the kernel takes.
Result<bool> BaselineStudy::runs(const Runner& baseline, const InputSet& set,
                                 std::uint64_t* trace) const {
  auto run = baseline.run(set, set.memory,
                          {.mode = emu::Mode::functional,
                           .max_instructions = budget_for(instructions_),
                           .watch_path = trace != nullptr});
  if (!run && run.error().code == Errc::interrupted) return Failure(run.error());
  if (run && trace != nullptr && run->executed.path) *trace = run->executed.path->trace;
  return run.has_value();
}

Status BaselineStudy::learn(const Runner& baseline) {
  const Capture& capture = baseline.capture;
  const InputSet start = captured(capture);
  ReplayRun first =
      TRY(baseline.run(start, start.memory, {.mode = emu::Mode::functional, .watch_path = true}));
  instructions_ = first.executed.counts.instructions;
  long_ = instructions_ > kLongRun || memory_bytes(capture) > kLargeMemory;
  if (long_) options_.more_inputs = std::min(options_.more_inputs, 2U);
  after_ = std::move(first.memory);
  const std::uint64_t trace = first.executed.path ? first.executed.path->trace : 0;
  captured_trace_ = trace;
  for (std::size_t region = 0; region < capture.regions.size(); ++region) {
    BufferTraits traits = infer_traits(capture, region, after_[region]);
    Random random(options_.seed ^ (region + 1) * 0x9e3779b97f4a7c15U);
    // Floats that decide addresses are rare; a draw that faults shows them later.
    const bool taken_as_values = long_ && is_float(traits.element);
    InputSet changed = start;
    if (options_.more_inputs == 0 || taken_as_values ||
        !draw_any(traits, capture.regions[region].before, random, changed.memory[region])) {
      traits_.push_back(traits);
      continue;
    }
    std::uint64_t other = 0;
    const bool survives = TRY(runs(baseline, changed, &other));
    traits.role = !survives ? Role::structure : other == trace ? Role::value : Role::branch;
    if (traits.role == Role::structure &&
        draw(InputClass::again, traits, capture.regions[region].before, random,
             changed.memory[region]) &&
        !TRY(runs(baseline, changed)))
      traits.role = Role::fixed;
    traits_.push_back(traits);
  }
  return {};
}

Status BaselineStudy::learn_arguments(const Runner& baseline) {
  const Capture& capture = baseline.capture;
  Random random(options_.seed ^ 0xa0761d6478bd642fU);
  InputSet tried = captured(capture);
  scalars_ = scalars_of(capture);
  for (const Scalar& scalar : scalars_) {
    auto& values = other_values_.emplace_back();
    for (auto& bytes : other_values(scalar, value_of(scalar, capture), random)) {
      const auto dispatch = without_memory(capture);
      set_value(scalar, bytes, *dispatch);
      tried.dispatch = dispatch;
      if (TRY(runs(baseline, tried))) values.push_back(std::move(bytes));
      if (values.size() == kSizeSets) break;
    }
    auto& free = free_values_.emplace_back();
    if (captured_trace_ == 0) continue;
    for (auto& bytes : values_of_any_size(scalar, value_of(scalar, capture), random)) {
      const auto dispatch = without_memory(capture);
      set_value(scalar, bytes, *dispatch);
      tried.dispatch = dispatch;
      std::uint64_t trace = 0;
      // Floats are no counts. Whole numbers may be, unless nothing but values depends on them.
      const bool runs_so = TRY(runs(baseline, tried, &trace));
      if (runs_so && (is_real(scalar, value_of(scalar, capture)) || trace == captured_trace_))
        free.push_back(std::move(bytes));
    }
  }
  return {};
}

std::size_t BaselineStudy::most_sets() const {
  return 1 + options_.more_inputs +
         (options_.other_arguments ? kSizeSets + kSmallSets + kFreeSets + 1 : 0);
}

std::vector<std::size_t> BaselineStudy::like_use() const {
  std::vector<std::size_t> out;
  if (options_.more_inputs > 0) out.push_back(1);
  if (!options_.other_arguments) return out;
  out.push_back(options_.more_inputs + 1);
  if (long_) return out;
  for (std::size_t more = 1; more < kSizeSets; ++more)
    out.push_back(options_.more_inputs + 1 + more);
  out.push_back(most_sets() - 1);
  return out;
}

Result<InputSet> BaselineStudy::drawn(const Runner& baseline, InputClass kind, std::uint64_t seed,
                                      const Thresholds& thresholds) {
  const Capture& capture = baseline.capture;
  InputSet out = captured(capture);
  out.kind = kind;
  Random random(seed);
  // What equals a scalar argument is a case of its own, as a limit that elements are compared with.
  const Thresholds& bounds = kind == InputClass::ties ? scalar_values(capture) : thresholds;
  for (std::size_t region = 0; region < out.memory.size(); ++region)
    draw(kind, traits_[region], capture.regions[region].before, random, out.memory[region], bounds);
  if (!TRY(runs(baseline, out))) {
    // Which of them? What does not run by itself is drawn as usual, or stays.
    for (std::size_t region = 0; region < out.memory.size(); ++region) {
      InputSet alone = captured(capture);
      alone.memory[region] = out.memory[region];
      if (TRY(runs(baseline, alone))) continue;
      draw(InputClass::again, traits_[region], capture.regions[region].before, random,
           alone.memory[region]);
      if (TRY(runs(baseline, alone)))
        out.memory[region] = alone.memory[region];
      else
        out.memory[region] = capture.regions[region].before;
    }
    if (!TRY(runs(baseline, out))) {
      note(fmt::format("{}: the baseline does not run on them", to_string(kind)));
      out = captured(capture);
    }
  }
  for (std::size_t region = 0; region < out.memory.size(); ++region)
    out.redrawn += out.memory[region] != capture.regions[region].before ? 1 : 0;
  return out;
}

Result<InputSet> BaselineStudy::resized(const Runner& baseline, std::size_t variant) {
  InputSet out = TRY(drawn(baseline, InputClass::again, options_.seed + 100 + variant));
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
  if (any && !long_) out.dispatch = TRY(with_grid_for(baseline, out));
  return out;
}

// Hosts make grids of the numbers that they give the kernel. Where the baseline does all of its work with such a grid too, it is one that candidates must do with.
Result<std::shared_ptr<const Capture>> BaselineStudy::with_grid_for(const Runner& baseline,
                                                                    const InputSet& set) const {
  const auto run_of = [&](const std::shared_ptr<const Capture>& dispatch) {
    InputSet tried{.kind = set.kind, .dispatch = dispatch, .memory = set.memory};
    return baseline.run(
        tried, set.memory,
        {.mode = emu::Mode::functional, .max_instructions = budget_for(instructions_)});
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

// What only values depend on may have any sign and size: one of them alone, another one alone, all of them.
Result<InputSet> BaselineStudy::freed(const Runner& baseline, std::size_t variant) {
  InputSet out = TRY(drawn(baseline, InputClass::again, options_.seed + 180 + variant));
  out.kind = InputClass::sizes;
  const auto dispatch = without_memory(baseline.capture);
  const std::size_t size = variant == 1 ? 1 : 0, alone = variant / 2;
  std::size_t which = 0;
  for (std::size_t i = 0; i < free_values_.size(); ++i) {
    if (size >= free_values_[i].size()) continue;
    if (const bool one = variant == 0 || variant == 2; one && which++ != alone) continue;
    set_value(scalars_[i], free_values_[i][size], *dispatch);
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
  const CapturedArgument& held = scalars_[scalar].argument;
  if (other_values_[scalar].empty() || (held.element && is_float(*held.element)))
    return std::nullopt;
  std::int64_t value = 0;
  std::memcpy(&value, value_of(scalars_[scalar], capture).data(),
              std::min<std::size_t>(8, held.kernarg_size));
  const bool real = !held.element && looks_like_float(static_cast<std::uint32_t>(value));
  return value < 2 || real ? std::nullopt : std::optional(value);
}

Result<InputSet> BaselineStudy::with_count(const Runner& baseline, std::size_t scalar,
                                           std::int64_t count, std::uint64_t seed) {
  InputSet out = TRY(drawn(baseline, InputClass::again, seed));
  out.kind = InputClass::sizes;
  const auto dispatch = without_memory(baseline.capture);
  set_value(scalars_[scalar], scalar_bytes(count, scalars_[scalar].argument.kernarg_size),
            *dispatch);
  out.dispatch = dispatch;
  if (TRY(runs(baseline, out))) return out;
  out.dispatch = nullptr;
  out.redrawn = 0;
  return out;
}

// A count of one is what loops are least often tried with.
Result<InputSet> BaselineStudy::with_one(const Runner& baseline, std::size_t which) {
  for (std::size_t i = 0; i < other_values_.size(); ++i) {
    if (!count_in(baseline.capture, i) || which-- != 0) continue;
    InputSet out = TRY(with_count(baseline, i, 1, options_.seed + 150 + i));
    if (out.dispatch != nullptr && !long_) out.dispatch = TRY(with_grid_for(baseline, out));
    return out;
  }
  return InputSet();
}

Result<std::shared_ptr<const StudiedSet>> BaselineStudy::around(const Runner& baseline,
                                                                const Thresholds& thresholds,
                                                                bool scalars) {
  if (thresholds.numbers.empty() && thresholds.whole.empty())
    return std::shared_ptr<const StudiedSet>();
  const std::uint64_t seed = options_.seed + (scalars ? 310 : 300);
  InputSet input = TRY(drawn(baseline, InputClass::around, seed, thresholds));
  const Capture& capture = baseline.capture;
  Random random(seed + 1);
  const auto dispatch = without_memory(capture);
  for (std::size_t i = 0; scalars && i < other_values_.size() && !thresholds.numbers.empty(); ++i) {
    const CapturedArgument& held = scalars_[i].argument;
    const bool real = held.element ? is_float(*held.element) : held.kernarg_size == 4;
    if (other_values_[i].empty() || !real || count_in(capture, i)) continue;
    const double value =
        near_threshold(thresholds.numbers[random() % thresholds.numbers.size()], random);
    set_value(scalars_[i],
              held.kernarg_size == 8 ? scalar_bytes(value, 8)
                                     : scalar_bytes(static_cast<float>(value), 4),
              *dispatch);
    input.dispatch = dispatch;
  }
  if (scalars && (input.dispatch == nullptr || !TRY(runs(baseline, input))))
    return std::shared_ptr<const StudiedSet>();
  return studied(baseline, std::move(input), seed + 2, !long_);
}

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
  // Not 0: what does nothing at all takes such ways too, and shows nothing of them.
  std::vector<std::int64_t> usual, near;
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

Result<std::shared_ptr<const StudiedSet>> BaselineStudy::studied(const Runner& baseline,
                                                                 InputSet input, std::uint64_t seed,
                                                                 bool watch) {
  if (!is_new(input)) return std::shared_ptr<const StudiedSet>();
  auto out = std::make_shared<StudiedSet>();
  out->input = std::move(input);
  out->run = TRY(run_reference(baseline, out->input, traits_, seed, watch));
  const bool races = !out->run.races.empty();
  if (out->input.dispatch == nullptr) {
    races_ = races_ || races;
  } else if (races && !races_) {
    // Work-items that write to one place for want of a pitch: such arguments are none that the kernel takes.
    note(fmt::format("{}: the baseline has a race there alone, so that nothing was compared",
                     to_string(out->input.kind)));
    return std::shared_ptr<const StudiedSet>();
  }
  return std::shared_ptr<const StudiedSet>(out);
}

/// Inputs are drawn for one candidate after the other, and found wanting for the same reason.
void BaselineStudy::note(std::string sentence) {
  if (std::ranges::find(notes_, sentence) == notes_.end()) notes_.push_back(std::move(sentence));
}

// Where the baseline gives the same results with another launch, that launch is as good as the captured one.
Result<InputSet> BaselineStudy::launched_on(const Runner& baseline, std::uint32_t grid) {
  const Capture& capture = baseline.capture;
  InputSet out = captured(capture);
  out.kind = InputClass::launch;
  const auto dispatch = without_memory(capture);
  set_grid(grid, *dispatch);
  out.dispatch = dispatch;
  auto run = baseline.run(out, out.memory,
                          {.mode = emu::Mode::functional,
                           .max_instructions = budget_for(instructions_) + instructions_ * 20});
  if (!run && run.error().code == Errc::interrupted) return Failure(run.error());
  if (run && run->memory == after_) {
    InputSet again = TRY(drawn(baseline, InputClass::again, options_.seed + 200));
    again.kind = InputClass::launch;
    again.dispatch = dispatch;
    if (TRY(runs(baseline, again))) return again;
  }
  out.dispatch = nullptr;
  return out;
}

Result<InputSet> BaselineStudy::relaunched(const Runner& baseline) {
  const Capture& capture = baseline.capture;
  const std::uint32_t wide = capture.workgroup[0], groups = (capture.grid[0] + wide - 1) / wide;
  std::vector<std::uint32_t> tries;  // workgroups along x
  if (groups > 1) tries = {groups / 2, 1};
  tries.push_back(groups + 1);
  for (const std::uint32_t count : tries) {
    InputSet out = TRY(launched_on(baseline, count * wide));
    if (out.dispatch != nullptr) return out;
  }
  InputSet none = captured(capture);
  none.kind = InputClass::launch;
  return none;
}

bool BaselineStudy::is_new(const InputSet& set) {
  return set.kind == InputClass::captured || set.redrawn > 0 || set.dispatch != nullptr;
}

Result<std::shared_ptr<const StudiedSet>> BaselineStudy::set(const Runner& baseline,
                                                             std::size_t index) {
  if (const auto found = kept_.find(index); found != kept_.end()) return found->second;
  if (absent_.contains(index)) return std::shared_ptr<const StudiedSet>();
  InputSet input;
  constexpr InputClass kClasses[] = {InputClass::captured, InputClass::again, InputClass::ties,
                                     InputClass::special, InputClass::wide};
  if (index == 0) {
    input = captured(baseline.capture);
  } else if (index <= options_.more_inputs) {
    const std::size_t kind = long_ && index == 2 ? 3 : std::min<std::size_t>(index, 4);
    input = TRY(drawn(baseline, kClasses[kind], options_.seed + index * 7));
  } else if (index <= options_.more_inputs + kSizeSets) {
    input = TRY(resized(baseline, index - options_.more_inputs - 1));
  } else if (index <= options_.more_inputs + kSizeSets + kSmallSets) {
    input = TRY(with_one(baseline, index - options_.more_inputs - kSizeSets - 1));
  } else if (index + 1 < most_sets()) {
    const std::size_t variant = index - options_.more_inputs - kSizeSets - kSmallSets - 1;
    if (!long_ || variant < 2) input = TRY(freed(baseline, variant));
  } else {
    input = TRY(relaunched(baseline));
  }
  const std::size_t hash = hash_of(input, baseline.capture);
  if (!is_new(input) || input.memory.empty() || std::ranges::find(hashes_, hash) != hashes_.end()) {
    if (index > 0) {
      absent_[index] = true;
      return std::shared_ptr<const StudiedSet>();
    }
  }
  hashes_.push_back(hash);
  // Of long runs one is watched, on inputs that nobody knows, and those with other arguments, which are shorter most often.
  const bool watch = !long_ || index == std::min<std::size_t>(1, options_.more_inputs) ||
                     input.kind == InputClass::sizes;
  auto out = TRY(studied(baseline, std::move(input), options_.seed + 1000 * (index + 1), watch));
  if (out == nullptr) {
    absent_[index] = true;
    return out;
  }
  if (memory_bytes(baseline.capture) * most_sets() * 3 <= kMostKeptBytes) {
    kept_[index] = out;
  } else {
    hashes_.pop_back();
  }
  return out;
}

}  // namespace rpl
