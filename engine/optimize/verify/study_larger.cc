// SPDX-License-Identifier: MIT
// A study's inputs with larger buffers than the captured ones, and what draws may not change.
#include <algorithm>
#include <cstring>

#include "engine/optimize/verify/baseline_study.h"

namespace rpl {
namespace {

constexpr std::uint64_t kBeyond16Bits = 70'000;                     // elements
constexpr std::uint64_t kMostInstructions = 600'000;                // of the larger run
constexpr std::uint64_t kMostLargeBytes = std::uint64_t{24} << 20;  // of all memory
constexpr std::uint64_t kMostWaves = 100'000;
constexpr std::uint64_t kPlaced = 0x10000;  // regions begin at multiples of it, with room between

/// Whether any argument of the dispatches points there; module variables have addresses that the code knows.
bool is_argument(const Capture& capture, std::size_t region) {
  for (std::size_t i = 0; i < dispatch_count(capture); ++i) {
    const auto& arguments = dispatch_view(capture, i).arguments;
    if (std::ranges::any_of(arguments,
                            [&](const auto& one) { return one.buffer && one.region == region; }))
      return capture.regions[region].variable.empty();
  }
  return false;
}

void move_pointers(const CapturedRegion& from, std::uint64_t to,
                   const std::vector<CapturedArgument>& arguments, std::size_t region,
                   std::vector<std::byte>& kernarg) {
  for (const CapturedArgument& one : arguments) {
    if (!one.buffer || one.region != region || one.kernarg_size != 8) continue;
    std::uint64_t pointer = 0;
    std::memcpy(&pointer, kernarg.data() + one.kernarg_offset, 8);
    pointer += to - from.base;
    std::memcpy(kernarg.data() + one.kernarg_offset, &pointer, 8);
  }
}

/// Makes the buffers of arguments `times` as large, above all others, each as far from a page's begin as it was.
void enlarge_regions(const Capture& captured, std::uint64_t times, Capture& out) {
  std::uint64_t next = 0;
  for (const CapturedRegion& region : captured.regions)
    next = std::max(next, region.base + region.size);
  for (std::size_t i = 0; i < captured.regions.size(); ++i) {
    if (!is_argument(captured, i)) continue;
    const CapturedRegion& from = captured.regions[i];
    CapturedRegion& to = out.regions[i];
    to.base = (next / kPlaced + 2) * kPlaced + from.base % kPlaced;
    to.size = from.size * times;
    next = to.base + to.size;
    move_pointers(from, to.base, captured.arguments, i, out.kernarg);
    for (FollowingDispatch& following : out.then)
      move_pointers(from, to.base, following.arguments, i, following.kernarg);
  }
}

/// Places to scatter to are others in each part: a permutation of the captured places becomes one of all.
void move_whole(Element element, std::uint64_t part, std::vector<std::byte>& bytes) {
  const std::size_t size = size_of(element);
  const std::uint64_t by = part * (bytes.size() / size);
  for (std::size_t at = 0; at + size <= bytes.size(); at += size) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data() + at, size);
    value += by;
    std::memcpy(bytes.data() + at, &value, size);
  }
}

std::uint64_t waves_of(const Capture& launch) {
  std::uint64_t out = 1, wide = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::uint64_t width = std::max(launch.workgroup[axis], 1U);
    out *= (launch.grid[axis] + width - 1) / width;
    wide *= width;
  }
  return out * ((wide + isa::kWaveSize - 1) / isa::kWaveSize);
}

/// Along every axis that has several workgroups, or along x; what is too much is cut down later, see with_grid_for().
void enlarge_grid(const Capture& captured, std::uint64_t times, Capture& out) {
  bool any = false;
  for (std::size_t axis = 3; axis-- > 0;) {
    if (captured.grid[axis] <= captured.workgroup[axis] && (axis != 0 || any)) continue;
    any = true;
    set_grid(static_cast<std::uint32_t>(captured.grid[axis] * times), out, axis);
  }
}

}  // namespace

Result<InputSet> BaselineStudy::enlarged(const Runner& baseline, std::size_t which) {
  const Capture& capture = baseline.capture;
  const InputSet none;
  // Copies and fills between dispatches have the captured sizes.
  if (long_ || options_.contract.launch_as_captured || step_count(capture) > 0) return none;
  std::vector<std::size_t> counts;
  for (std::size_t i = 0; i < other_values_.size(); ++i) {
    if (count_in(capture, i)) counts.push_back(i);
  }
  if (which >= counts.size()) return none;
  std::uint64_t most = 1, bytes = 1;
  for (std::size_t i = 0; i < capture.regions.size(); ++i) {
    if (!is_argument(capture, i)) continue;
    if (traits_[i].element == Element::u64 && traits_[i].inferred) return none;
    most = std::max(most, capture.regions[i].size / size_of(traits_[i].element));
    bytes += capture.regions[i].size;
  }
  const std::uint64_t times = std::min(
      {kBeyond16Bits / most + 1, kMostInstructions / std::max<std::uint64_t>(instructions_, 1),
       kMostLargeBytes / bytes});
  if (times < 2) return none;
  InputSet out = captured(capture);
  out.kind = InputClass::larger;
  Random random(options_.seed + 230 + which);
  const Scalar& scalar = scalars_[counts[which]];
  const auto value = *count_in(capture, counts[which]) * static_cast<std::int64_t>(times) - 1 -
                     static_cast<std::int64_t>(random() % 5);
  const auto as_bytes = scalar_bytes(value, scalar.argument.kernarg_size);
  if (!allowed(counts[which], as_bytes)) return none;
  const auto dispatch = without_memory(capture);
  set_value(scalar, as_bytes, *dispatch);
  enlarge_regions(capture, times, *dispatch);
  enlarge_grid(capture, times, *dispatch);
  if (waves_of(*dispatch) > kMostWaves) return none;
  // Of few values what is looked for is found, however long it is: it is zeros, and where it is looked for there are others too.
  const auto largest = static_cast<std::size_t>(
      std::ranges::max_element(capture.regions, {}, &CapturedRegion::size) -
      capture.regions.begin());
  const std::uint64_t turn = few_in(largest, capture, 0) == InputClass::few ? 0 : 1;
  const auto kind_of = [&](std::size_t region) {
    return which % 2 == 0 ? InputClass::again : few_in(region, capture, turn);
  };
  for (std::size_t i = 0; i < capture.regions.size(); ++i) {
    if (!is_argument(capture, i)) continue;
    std::vector<std::byte> part;
    out.memory[i].clear();
    for (std::uint64_t k = 0; k < times; ++k) {
      if (traits_[i].orders)
        part = capture.regions[i].before;
      else
        draw_within(kind_of(i), capture, i, random, part);
      if (traits_[i].stay_distinct) move_whole(traits_[i].element, k, part);
      out.memory[i].insert(out.memory[i].end(), part.begin(), part.end());
    }
  }
  out.dispatch = dispatch;
  if (!TRY(runs(baseline, out, times))) return none;
  out.dispatch = TRY(with_grid_for(baseline, out, times));
  return out;
}

Result<bool> BaselineStudy::races_as_captured(const Runner& baseline) {
  if (!captured_races_) captured_races_ = TRY(races(baseline, captured(baseline.capture)));
  return *captured_races_;
}

Status BaselineStudy::keep_order(const Runner& baseline, InputSet& set) {
  const Capture& capture = baseline.capture;
  const auto may_race = [&](std::size_t region) {
    return traits_[region].role != Role::value &&
           set.memory[region] != capture.regions[region].before;
  };
  bool any = false;
  for (std::size_t region = 0; region < set.memory.size(); ++region) any = any || may_race(region);
  if (long_ || !any || !TRY(races(baseline, set)) || TRY(races_as_captured(baseline))) return {};
  for (std::size_t region = 0; region < set.memory.size(); ++region) {
    if (!may_race(region)) continue;
    InputSet alone = captured(capture);
    alone.memory[region] = set.memory[region];
    if (!TRY(races(baseline, alone))) continue;
    set.memory[region] = capture.regions[region].before;
    traits_[region].orders = true;
  }
  return {};
}

}  // namespace rpl
