// SPDX-License-Identifier: MIT
// What is long is studied on a dispatch of its own: the captured one with small counts, whose buffers end behind what it reaches.
#include <algorithm>

#include "engine/optimize/verify/baseline_study.h"

namespace rpl {
namespace {

constexpr std::uint64_t kMostSmallBytes = std::uint64_t{128} << 20;  // of all its memory
constexpr std::uint64_t kLeastCut = 4096;                            // bytes of a buffer
/// What reads a vector where a number is needed goes a little beyond it, and hosts allocate more than that.
constexpr std::uint64_t kBeyond = 256;

/// That dispatch with the first bytes of each captured buffer.
std::shared_ptr<Capture> with_sizes(const Capture& dispatch, const Capture& captured,
                                    const std::vector<std::uint64_t>& sizes) {
  const auto out = without_memory(dispatch);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto& whole = captured.regions[i].before;
    out->regions[i].size = sizes[i];
    out->regions[i].before.assign(whole.begin(),
                                  whole.begin() + static_cast<std::ptrdiff_t>(sizes[i]));
  }
  return out;
}

bool begins_with(const MemoryImage& whole, const MemoryImage& part) {
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (!std::equal(part[i].begin(), part[i].end(), whole[i].begin())) return false;
  }
  return true;
}

/// The first `most` bytes of each buffer and a little more; of variables all, as the code knows their size.
std::uint64_t size_within(const CapturedRegion& region, std::uint64_t most) {
  return region.variable.empty() ? std::min(region.size, most + kBeyond) : region.size;
}

}  // namespace

std::vector<std::size_t> BaselineStudy::whole_scalars(const Capture& capture) const {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < scalars_.size(); ++i) {
    if (whole_in(capture, i)) out.push_back(i);
  }
  return out;
}

std::size_t BaselineStudy::own_sets() const {
  // Captured, drawn again, one number everywhere, other sizes.
  return options_.more_inputs > 0 ? 4 : 2;
}

std::vector<std::string> BaselineStudy::notes() const {
  std::vector<std::string> out = notes_;
  if (small_ == nullptr) return out;
  for (std::string& note : small_->notes()) {
    if (std::ranges::find(out, note) == out.end()) out.push_back(std::move(note));
  }
  return out;
}

std::size_t BaselineStudy::sets_at_once(const Runner& baseline, std::size_t first) const {
  if (small_ != nullptr && first >= own_sets()) return sets_at_once(*small_->as_);
  const std::size_t out = sets_at_once(baseline.capture);
  // All of them together, on as many threads: what is drawn for one is no reason for the others to wait.
  return small_ != nullptr && out > 1 ? own_sets() - first : out;
}

bool BaselineStudy::is_of_small(const InputSet& input) const {
  for (std::size_t i = 0; i < input.memory.size(); ++i) {
    if (input.memory[i].size() != small_->as_->regions[i].size) return false;
  }
  return true;
}

Result<InputSet> BaselineStudy::uniform(const Runner& baseline) {
  const bool any = std::ranges::any_of(traits_, [](const BufferTraits& one) {
    return (one.role == Role::value || one.role == Role::branch) && !one.mixed &&
           !is_float(one.element);
  });
  if (!any) return InputSet();
  return drawn(baseline, InputClass::uniform, options_.seed + 280);
}

Status BaselineStudy::study_small(const Runner& baseline, const std::vector<std::size_t>& counts) {
  const auto dispatch = TRY(shortened(baseline, counts));
  if (dispatch == nullptr) return {};
  std::shared_ptr<BaselineStudy> small(new BaselineStudy(options_));
  small->as_ = TRY(cut(baseline, dispatch));
  if (memory_bytes(*small->as_) > kMostSmallBytes) return {};
  for (std::size_t region = 0; region < after_.size(); ++region)
    small->elements_.push_back(infer_traits(baseline.capture, region, after_[region]));
  small_ = std::move(small);
  TRY(small_->learn(small_runner(baseline)));
  if (small_->long_)
    small_.reset();
  else
    traits_ = small_->traits_;
  return {};
}

Result<std::shared_ptr<const Capture>> BaselineStudy::shortened(
    const Runner& baseline, const std::vector<std::size_t>& counts) const {
  const Capture& capture = baseline.capture;
  constexpr std::int64_t kLargest[] = {kLargestSmallCount, 48, 24, 12};
  constexpr std::uint64_t kMost = kLongRun / 5;  // wave-instructions
  Random random(options_.seed + 270);
  for (const std::int64_t about : kLargest) {
    InputSet out = captured(capture);
    const auto dispatch = without_memory(capture);
    std::int64_t next =
        (about - static_cast<std::int64_t>(random() % 32) * about / kLargestSmallCount) | 1;
    bool any = false;
    for (const std::size_t i : counts) {
      // Each another one, and all odd: counts that are alike hide what is taken for another.
      const auto bytes = scalar_bytes(std::min(*whole_in(capture, i), next),
                                      value_of(scalars_[i], capture).size());
      next = std::max<std::int64_t>(next - 4, 3);
      if (!allowed(i, bytes)) continue;
      set_value(scalars_[i], bytes, *dispatch);
      any = true;
    }
    if (!any) return std::shared_ptr<const Capture>();
    out.dispatch = dispatch;
    const auto run =
        baseline.run(out, out.memory, {.mode = emu::Mode::functional, .max_instructions = kMost});
    if (!run && run.error().code == Errc::interrupted) return Failure(run.error());
    if (!run || run->memory == out.memory || TRY(races(baseline, out))) continue;
    out.dispatch = TRY(with_grid_for(baseline, out));
    return with_few_workgroups(baseline, out);
  }
  return std::shared_ptr<const Capture>();
}

// Rows that workgroups stand for, and no number says how many they are.
Result<std::shared_ptr<const Capture>> BaselineStudy::with_few_workgroups(const Runner& baseline,
                                                                          InputSet set) const {
  constexpr std::uint32_t kFew = 23;  // odd, as the counts are
  // Nothing where it does not run.
  const auto with_groups =
      [&](std::size_t axis,
          std::uint32_t groups) -> Result<std::pair<InputSet, std::optional<MemoryImage>>> {
    InputSet tried{.kind = set.kind, .dispatch = nullptr, .memory = set.memory};
    const auto dispatch = without_memory(*set.dispatch);
    set_grid(groups * dispatch->workgroup[axis], *dispatch, axis);
    tried.dispatch = dispatch;
    auto run = baseline.run(
        tried, tried.memory,
        {.mode = emu::Mode::functional, .max_instructions = budget_for(instructions_)});
    if (!run && run.error().code == Errc::interrupted) return Failure(run.error());
    return std::pair(std::move(tried), run ? std::optional(std::move(run->memory)) : std::nullopt);
  };
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::uint32_t groups =
        set.dispatch->grid[axis] / std::max(set.dispatch->workgroup[axis], 1U);
    if (groups <= kFew) continue;
    // Where one more would do nothing, something else says how many suffice.
    const auto plain = TRY(with_groups(axis, groups)), more = TRY(with_groups(axis, groups + 1));
    if (!plain.second || plain.second == more.second) continue;
    auto few = TRY(with_groups(axis, kFew));
    if (!few.second || *few.second == set.memory || TRY(races(baseline, few.first))) continue;
    set = std::move(few.first);
  }
  return set.dispatch;
}

Result<std::shared_ptr<const Capture>> BaselineStudy::cut(
    const Runner& baseline, const std::shared_ptr<const Capture>& dispatch) const {
  const auto& regions = baseline.capture.regions;
  InputSet set = captured(baseline.capture);
  set.dispatch = dispatch;
  const MemoryImage whole =
      TRY(baseline.run(set, set.memory, {.mode = emu::Mode::functional})).memory;
  const auto suffice = [&](const std::vector<std::uint64_t>& sizes) -> Result<bool> {
    InputSet tried;
    const auto now = with_sizes(*dispatch, baseline.capture, sizes);
    tried.dispatch = now;
    for (const CapturedRegion& region : now->regions) tried.memory.push_back(region.before);
    const auto run =
        baseline.run(tried, tried.memory,
                     {.mode = emu::Mode::functional, .max_instructions = budget_for(kLongRun)});
    if (!run && run.error().code == Errc::interrupted) return Failure(run.error());
    return run && begins_with(whole, run->memory);
  };
  std::vector<std::uint64_t> sizes;
  for (const CapturedRegion& region : regions) sizes.push_back(region.size);
  // Copies and fills between dispatches have the captured sizes.
  const bool whole_ones = step_count(baseline.capture) > 0 || sizes.empty();
  const std::uint64_t largest = whole_ones ? 0 : *std::ranges::max_element(sizes);
  // All of them as short as the longest has to be, then each by itself.
  std::uint64_t most = kLeastCut;
  for (; most < largest; most *= 4) {
    std::vector<std::uint64_t> tried;
    for (const CapturedRegion& region : regions) tried.push_back(size_within(region, most));
    if (!TRY(suffice(tried))) continue;
    sizes = std::move(tried);
    break;
  }
  for (std::size_t i = 0; largest > 0 && i < sizes.size(); ++i) {
    for (std::uint64_t less = kLeastCut; size_within(regions[i], less) < sizes[i]; less *= 4) {
      std::vector<std::uint64_t> tried = sizes;
      tried[i] = size_within(regions[i], less);
      if (!TRY(suffice(tried))) continue;
      sizes = std::move(tried);
      break;
    }
  }
  return std::shared_ptr<const Capture>(with_sizes(*dispatch, baseline.capture, sizes));
}

}  // namespace rpl
