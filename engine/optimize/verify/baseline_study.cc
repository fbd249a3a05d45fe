// SPDX-License-Identifier: MIT
#include "engine/optimize/verify/baseline_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "engine/base/parallel.h"
#include "engine/capture/reach.h"
#include "engine/optimize/inputs/few_values.h"
#include "engine/replay/images.h"

namespace rpl {
namespace {

constexpr std::uint64_t kLargeMemory = std::uint64_t{4} << 20;
constexpr std::uint64_t kMostKeptBytes = std::uint64_t{512} << 20;  // of sets

std::uint64_t bytes_of(const MemoryImage& memory) {
  std::uint64_t out = 0;
  for (const auto& region : memory) out += region.size();
  return out;
}

std::uint64_t bytes_of(const StudiedSet& set) {
  const ReferenceRun& run = set.run;
  std::uint64_t out = bytes_of(set.input.memory) + bytes_of(run.after_part);
  for (std::size_t which = 0; which < 2; ++which)
    out += bytes_of(run.input[which]) + bytes_of(run.expected[which]);
  for (const auto& distances : run.rounding) out += distances.size() * sizeof(float);
  for (const MemoryImage& others : run.decided_by_rounding) out += bytes_of(others);
  return out;
}

/// Tables that the compiler made of constants are code: another build has others, or none.
bool is_compiled_table(const Runner& baseline, const CapturedRegion& region) {
  if (region.variable.empty() || baseline.object == nullptr) return false;
  const isa::Symbol* symbol =
      symbol_of_variable(region, *baseline.object, baseline.capture.load_base.value_or(0));
  return symbol != nullptr && !may_change(*baseline.object, *symbol);
}

/// Whether what was there before changes what the dispatch leaves where it left another value.
bool depends_on_before(const InputSet& start, const MemoryImage& after, const MemoryImage& other,
                       std::size_t region) {
  for (std::size_t at = 0; at < after[region].size(); ++at) {
    if (after[region][at] != start.memory[region][at] && other[region][at] != after[region][at])
      return true;
  }
  return false;
}

void shuffle_elements(Element element, std::uint64_t seed, std::vector<std::byte>& bytes) {
  const std::size_t size = size_of(element);
  Random random(seed);
  for (std::size_t i = bytes.size() / size; i > 1; --i) {
    const std::size_t other = random() % i;
    std::swap_ranges(bytes.begin() + static_cast<std::ptrdiff_t>((i - 1) * size),
                     bytes.begin() + static_cast<std::ptrdiff_t>(i * size),
                     bytes.begin() + static_cast<std::ptrdiff_t>(other * size));
  }
}

/// What is multiplied by an infinity shows most where it is zero; the first one is, as what follows may hang on it.
void clear_half(std::size_t size, Random& random, std::vector<std::byte>& bytes) {
  for (std::size_t at = 0; at + size <= bytes.size(); at += size) {
    if (at == 0 || random() >> 63 != 0)
      std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), size, std::byte{});
  }
}

/// Regions of floats, those first that the captured run left as they were, the largest before others.
std::vector<std::size_t> floats_by_size(const Capture& capture,
                                        const std::vector<BufferTraits>& traits,
                                        const MemoryImage& after) {
  std::vector<std::size_t> out;
  for (std::size_t region = 0; region < traits.size(); ++region) {
    if (is_float(traits[region].element) && traits[region].role != Role::fixed)
      out.push_back(region);
  }
  const auto key = [&](std::size_t region) {
    return std::pair(after[region] != capture.regions[region].before,
                     ~capture.regions[region].size);
  };
  std::ranges::stable_sort(out, {}, key);
  return out;
}

}  // namespace

Result<std::shared_ptr<BaselineStudy>> BaselineStudy::begin(const Runner& baseline,
                                                            const StudyOptions& options) {
  std::shared_ptr<BaselineStudy> out(new BaselineStudy(options));
  TRY(out->learn(baseline));
  if (out->long_ && out->small_ == nullptr)
    out->options_.more_inputs = std::min(out->options_.more_inputs, 2U);
  return out;
}

InputSet BaselineStudy::captured(const Capture& capture) const {
  InputSet out;
  for (const CapturedRegion& region : capture.regions) out.memory.push_back(region.before);
  return out;
}

Status BaselineStudy::learn(const Runner& baseline) {
  const bool arguments = options_.other_arguments;
  TRY(run_captured(baseline));
  scalars_ = scalars_of(baseline.capture);
  const std::vector<std::size_t> whole = whole_scalars(baseline.capture);
  if (long_ && arguments && !whole.empty()) TRY(study_small(baseline, whole));
  if (small_ == nullptr) TRY(learn_contents(baseline));
  // Runs are long: those for other arguments are made with contents that are drawn anyway.
  if (small_ != nullptr && options_.more_inputs > 0)
    drawn_again_ = TRY(drawn(baseline, InputClass::again, seed_of_set(1))).memory;
  if (arguments) TRY(learn_arguments(baseline, small_ != nullptr ? 1 : kSizeSets - 1));
  // Some of them may be no counts, and nothing runs with those.
  const std::vector<std::size_t> counts = counts_of(baseline.capture);
  if (long_ && arguments && small_ == nullptr && !counts.empty() && counts != whole)
    TRY(study_small(baseline, counts));
  return {};
}

Status BaselineStudy::run_captured(const Runner& baseline) {
  const Capture& capture = baseline.capture;
  const InputSet start = captured(capture);
  ReplayRun first =
      TRY(baseline.run(start, start.memory, {.mode = emu::Mode::functional, .watch_path = true}));
  instructions_ = first.executed.counts.instructions;
  long_ = instructions_ > kLongRun || (as_ == nullptr && memory_bytes(capture) > kLargeMemory);
  after_ = first.memory;
  program_ = first.executed.program;
  captured_path_ = first.executed.path;
  keep_run(baseline, hash_of(start, capture), std::move(first));
  return {};
}

Status BaselineStudy::learn_contents(const Runner& baseline) {
  const Capture& capture = baseline.capture;
  const InputSet start = captured(capture);
  for (std::size_t region = 0; region < capture.regions.size(); ++region) {
    BufferTraits traits =
        elements_.empty() ? infer_traits(capture, region, after_[region]) : elements_[region];
    Random random(options_.seed ^ (region + 1) * 0x9e3779b97f4a7c15U);
    // Floats that decide addresses are rare; a draw that faults shows them later.
    const bool taken_as_values = long_ && is_float(traits.element);
    const ArgumentRule* rule = rule_of_region(capture, region);
    if (rule != nullptr && rule->as_captured) traits.role = Role::fixed;
    if (is_compiled_table(baseline, capture.regions[region])) traits.role = Role::fixed;
    InputSet changed = start;
    if (traits.role == Role::fixed || options_.more_inputs == 0 || taken_as_values ||
        !draw_any(traits, capture.regions[region].before, random, changed.memory[region])) {
      traits_.push_back(traits);
      continue;
    }
    if (rule != nullptr) keep_rule(*rule, traits.element, changed.memory[region]);
    const auto other = TRY(tried(baseline, changed, Look::traces));
    const bool alike = other && trace_of(*other) == TRY(captured_trace(baseline));
    traits.role = !other ? Role::structure : alike ? Role::value : Role::branch;
    traits.accumulates = other && depends_on_before(start, after_, other->memory, region);
    if (traits.role == Role::structure &&
        draw(InputClass::again, traits, capture.regions[region].before, random,
             changed.memory[region])) {
      if (!TRY(runs(baseline, changed)))
        traits.role = Role::fixed;
      else
        traits.stay_distinct =
            !long_ && !TRY(races(baseline, start)) && TRY(races(baseline, changed));
      traits.any_order = TRY(goes_in_any_order(baseline, region, traits));
    }
    traits.stay_sorted = TRY(needs_order(baseline, region, std::move(changed), traits));
    traits_.push_back(traits);
  }
  return {};
}

// Where rows begin is sorted, or fewer of their elements are looked at; the row of each element need not be. How often atomics are tried again depends on which meet.
Result<bool> BaselineStudy::goes_in_any_order(const Runner& baseline, std::size_t region,
                                              const BufferTraits& traits) {
  if (long_ || traits.role != Role::structure || is_float(traits.element)) return false;
  InputSet turned = captured(baseline.capture);
  const auto work_on = [&](const InputSet& set) -> Result<std::optional<emu::Counts>> {
    auto run =
        baseline.run(set, set.memory,
                     {.mode = emu::Mode::counted, .max_instructions = budget_for(instructions_)});
    if (run) return std::optional(std::move(run->executed.counts));
    if (run.error().code == Errc::interrupted) return Failure(run.error());
    return std::optional<emu::Counts>();
  };
  const auto usual = TRY(work_on(turned));
  shuffle_elements(traits.element, options_.seed, turned.memory[region]);
  const auto other = TRY(work_on(turned));
  if (!usual || !other || usual->load_bytes != other->load_bytes) return false;
  return !TRY(races(baseline, turned)) || TRY(races_as_captured(baseline));
}

std::size_t BaselineStudy::most_sets() const {
  if (small_ != nullptr) return own_sets() + small_->most_sets();
  return 1 + options_.more_inputs +
         (options_.other_arguments ? kSizeSets + kSmallSets + kFreeSets + kLargeSets +
                                         kAllSmallSets + kStretchedSets + kOtherSets + 1
                                   : 0);
}

std::vector<std::size_t> BaselineStudy::like_use() const {
  std::vector<std::size_t> out;
  if (options_.more_inputs > 0) out.push_back(1);
  if (!options_.other_arguments) return out;
  out.push_back(small_ != nullptr ? own_sets() - 1 : options_.more_inputs + 1);
  if (long_) return out;
  // The last of other sizes has special values.
  for (std::size_t more = 1; more + 1 < kSizeSets; ++more)
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
  const bool by_scalars = kind == InputClass::ties || kind == InputClass::edges;
  const Thresholds bounds = by_scalars ? scalar_values(capture) : thresholds;
  const auto with_edges = kind == InputClass::edges ? floats_by_size(capture, traits_, after_)
                                                    : std::vector<std::size_t>();
  for (std::size_t region = 0; region < out.memory.size(); ++region) {
    // Infinities in one buffer at a time: they hide each other.
    const bool other = with_edges.size() > 1 && is_float(traits_[region].element) &&
                       region != with_edges[seed % 2];
    InputClass now = other ? InputClass::ties : kind;
    // What chooses among others chooses some of them, once.
    const bool chooses = traits_[region].role == Role::branch && !is_float(traits_[region].element);
    if (kind == InputClass::edges && chooses && seed % 2 == 1) now = InputClass::again;
    if (kind == InputClass::few) now = few_in(region, capture, seed);
    draw_within(now, capture, region, random, out.memory[region], bounds);
    if (other && rule_of_region(capture, region) == nullptr)
      clear_half(size_of(traits_[region].element), random, out.memory[region]);
  }
  if (!TRY(runs(baseline, out))) {
    // Which of them? What does not run by itself is drawn as usual, or stays.
    for (std::size_t region = 0; region < out.memory.size(); ++region) {
      InputSet alone = captured(capture);
      alone.memory[region] = out.memory[region];
      if (TRY(runs(baseline, alone))) continue;
      draw_within(InputClass::again, capture, region, random, alone.memory[region]);
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
  TRY(keep_order(baseline, out));
  for (std::size_t region = 0; region < out.memory.size(); ++region)
    out.redrawn += out.memory[region] != capture.regions[region].before ? 1 : 0;
  return out;
}

// Sums of products with zeros would hide all else.
InputClass BaselineStudy::few_in(std::size_t region, const Capture& capture,
                                 std::uint64_t seed) const {
  const auto is_chosen_from = [&](std::size_t one) {
    return after_[one] == capture.regions[one].before && !is_float(traits_[one].element) &&
           traits_[one].role != Role::structure;
  };
  std::uint64_t turn = seed;
  for (std::size_t i = 0; i < region; ++i) turn += is_chosen_from(i) ? 1 : 0;
  return is_chosen_from(region) && turn % 2 == 0 ? InputClass::sparse : InputClass::few;
}

bool BaselineStudy::draw_within(InputClass kind, const Capture& capture, std::size_t region,
                                Random& random, std::vector<std::byte>& out,
                                const Thresholds& thresholds) const {
  const auto& before = capture.regions[region].before;
  const bool drawn = draw(kind, traits_[region], before, random, out, thresholds);
  if (drawn && traits_[region].stay_sorted) sort_elements(traits_[region].element, out);
  if (const ArgumentRule* rule = rule_of_region(capture, region); drawn && rule != nullptr)
    keep_rule(*rule, traits_[region].element, out);
  return drawn;
}

Result<std::shared_ptr<const StudiedSet>> BaselineStudy::studied(const Runner& baseline,
                                                                 InputSet input,
                                                                 std::uint64_t seed) {
  if (!is_new(input)) return std::shared_ptr<const StudiedSet>();
  if (small_ != nullptr && is_of_small(input))
    return small_->studied(small_runner(baseline), std::move(input), seed);
  StudiedSet found{.input = std::move(input), .run = {}};
  found.run = TRY(run_reference(baseline, found.input, traits_, seed, ran_on(baseline, found.input),
                                small_ != nullptr));
  return judged(std::move(found));
}

std::shared_ptr<const StudiedSet> BaselineStudy::judged(StudiedSet found) {
  const bool races = !found.run.races.empty();
  if (found.input.dispatch == nullptr) {
    races_ = races_ || races;
  } else if (races && !races_) {
    // Work-items that write to one place for want of a pitch: such arguments are none that the kernel takes.
    note(fmt::format("{}: the baseline has a race there alone, so that nothing was compared",
                     to_string(found.input.kind)));
    return nullptr;
  }
  found.traits = traits_;
  if (as_ != nullptr && found.input.dispatch == nullptr) {
    found.input.dispatch = as_;
    if (found.input.kind == InputClass::captured) found.input.kind = InputClass::sizes;
  }
  return std::make_shared<const StudiedSet>(std::move(found));
}

/// Inputs are drawn for one candidate after the other, and found wanting for the same reason.
void BaselineStudy::note(std::string sentence) {
  if (std::ranges::find(notes_, sentence) == notes_.end()) notes_.push_back(std::move(sentence));
}

bool BaselineStudy::is_new(const InputSet& set) {
  return set.kind == InputClass::captured || set.redrawn > 0 || set.dispatch != nullptr;
}

Result<InputSet> BaselineStudy::further(const Runner& baseline, std::size_t variant) {
  if (variant < kFreeSets)
    return !long_ || variant < 2 ? freed(baseline, variant) : Result<InputSet>(InputSet());
  variant -= kFreeSets;
  if (variant < kLargeSets) return enlarged(baseline, variant);
  variant -= kLargeSets;
  if (variant < kAllSmallSets) return all_small(baseline, variant);
  variant -= kAllSmallSets;
  if (variant < kStretchedSets) return stretched(baseline, variant);
  return variant == kStretchedSets ? moved(baseline) : with_residues(baseline);
}

Result<std::optional<InputSet>> BaselineStudy::input_at(const Runner& baseline, std::size_t index) {
  InputSet input;
  constexpr InputClass kClasses[] = {InputClass::captured, InputClass::again, InputClass::ties,
                                     InputClass::special,  InputClass::wide,  InputClass::edges,
                                     InputClass::edges,    InputClass::few,   InputClass::few};
  if (index == 0) {
    input = captured(baseline.capture);
  } else if (small_ != nullptr && index > std::min(options_.more_inputs, 1U)) {
    input = index + 1 == own_sets() ? TRY(resized(baseline, 0)) : TRY(uniform(baseline));
  } else if (index <= options_.more_inputs) {
    const std::size_t kind = long_ && index == 2 ? 3 : std::min<std::size_t>(index, 8);
    input = TRY(drawn(baseline, kClasses[kind], seed_of_set(index)));
  } else if (index <= options_.more_inputs + kSizeSets) {
    input = TRY(resized(baseline, index - options_.more_inputs - 1));
  } else if (index <= options_.more_inputs + kSizeSets + kSmallSets) {
    input = TRY(with_one(baseline, index - options_.more_inputs - kSizeSets - 1));
  } else if (index + 1 < most_sets()) {
    input = TRY(further(baseline, index - options_.more_inputs - kSizeSets - kSmallSets - 1));
  } else {
    input = TRY(relaunched(baseline));
  }
  const std::size_t hash = hash_of(input, baseline.capture);
  const bool known = std::ranges::find(hashes_, hash) != hashes_.end();
  if (index > 0 && (!is_new(input) || input.memory.empty() || known))
    return std::optional<InputSet>();
  hashes_.push_back(hash);
  return std::optional(std::move(input));
}

std::size_t BaselineStudy::sets_at_once(const Capture& capture) {
  constexpr std::size_t kMostAtOnce = 8;
  constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20;
  return memory_bytes(capture) > kMostBytes ? 1 : worthwhile_threads(kMostAtOnce);
}

Result<std::vector<std::shared_ptr<const StudiedSet>>> BaselineStudy::sets(const Runner& baseline,
                                                                           std::size_t first,
                                                                           std::size_t count) {
  if (small_ != nullptr && first >= own_sets())
    return small_->sets(small_runner(baseline), first - own_sets(), count);
  std::vector<std::shared_ptr<const StudiedSet>> out(count);
  struct Drawn {
    std::size_t index = 0;
    InputSet input = {};
    std::optional<ReplayRun> plain = std::nullopt;
    std::optional<Result<ReferenceRun>> run = std::nullopt;
  };
  std::vector<Drawn> fresh;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t index = first + i;
    if (const auto found = kept_.find(index); found != kept_.end()) out[i] = found->second;
    if (out[i] != nullptr || absent_.contains(index)) continue;
    auto input = TRY(input_at(baseline, index));
    if (!input) {
      absent_[index] = true;
      continue;
    }
    fresh.push_back({.index = index, .input = std::move(*input)});
    fresh.back().plain = ran_on(baseline, fresh.back().input);
  }
  ran_.clear();
  in_parallel(fresh.size(), sets_at_once(baseline.capture), [&](std::size_t i) {
    Drawn& drawn = fresh[i];
    drawn.run.emplace(run_reference(baseline, drawn.input, traits_,
                                    options_.seed + 1000 * (drawn.index + 1),
                                    std::move(drawn.plain), small_ != nullptr));
  });
  for (Drawn& drawn : fresh) {
    StudiedSet found;
    found.run = TRY(std::move(*drawn.run));
    found.input = std::move(drawn.input);
    const std::size_t hash = hash_of(found.input, baseline.capture);
    auto& set = out[drawn.index - first] = judged(std::move(found));
    if (set == nullptr) {
      absent_[drawn.index] = true;
    } else if (kept_bytes_ + bytes_of(*set) <= kMostKeptBytes) {
      kept_bytes_ += bytes_of(*set);
      kept_[drawn.index] = set;
    } else {
      std::erase(hashes_, hash);
    }
  }
  return out;
}

Result<std::shared_ptr<const StudiedSet>> BaselineStudy::set(const Runner& baseline,
                                                             std::size_t index) {
  return TRY(sets(baseline, index, 1)).front();
}

}  // namespace rpl
