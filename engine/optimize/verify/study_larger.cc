// SPDX-License-Identifier: MIT
// A study's inputs with larger buffers than the captured ones, and what draws may not change.
#include <algorithm>
#include <cstring>
#include <functional>

#include "engine/optimize/inputs/few_values.h"
#include "engine/optimize/inputs/own_constants.h"
#include "engine/optimize/verify/baseline_study.h"
#include "engine/replay/elements.h"

namespace rpl {
namespace {

constexpr std::uint64_t kBeyond16Bits = 70'000;                     // elements
constexpr std::uint64_t kMostInstructions = 600'000;                // of the larger run
constexpr std::uint64_t kMostLargeBytes = std::uint64_t{24} << 20;  // of all memory
constexpr std::uint64_t kMostStretched = 1'200'000;                 // instructions
constexpr std::uint64_t kMostStretchedBytes = std::uint64_t{12} << 20;
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

/// Makes the buffers of arguments `times` as large, above all others, each as far from a page's begin as it was and its `offset` more.
void place_regions(const Capture& captured, std::uint64_t times,
                   const std::function<std::uint64_t(std::size_t region)>& offset, Capture& out) {
  std::uint64_t next = 0;
  for (const CapturedRegion& region : captured.regions)
    next = std::max(next, region.base + region.size);
  for (std::size_t i = 0; i < captured.regions.size(); ++i) {
    if (!is_argument(captured, i)) continue;
    const CapturedRegion& from = captured.regions[i];
    CapturedRegion& to = out.regions[i];
    to.base = (next / kPlaced + 2) * kPlaced + from.base % kPlaced + offset(i);
    to.size = from.size * times;
    next = to.base + to.size;
    move_pointers(from, to.base, captured.arguments, i, out.kernarg);
    for (FollowingDispatch& following : out.then)
      move_pointers(from, to.base, following.arguments, i, following.kernarg);
  }
}

/// Of the buffers of arguments.
struct Extent {
  std::uint64_t elements = 1;  ///< of the largest one
  std::uint64_t bytes = 1;     ///< of all of them
};
Extent extent_of(const Capture& capture, const std::vector<BufferTraits>& traits) {
  Extent out;
  for (std::size_t i = 0; i < capture.regions.size(); ++i) {
    if (!is_argument(capture, i)) continue;
    out.elements = std::max(out.elements, capture.regions[i].size / size_of(traits[i].element));
    out.bytes += capture.regions[i].size;
  }
  return out;
}

std::uint64_t nowhere_else(std::size_t) { return 0; }

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

/// Where rows begin goes on where the part before has ended; of other indices each leads to a part of its own.
void spread_whole(Element element, std::uint64_t part, std::uint64_t parts, Random& random,
                  std::span<std::byte> bytes) {
  const std::size_t size = size_of(element);
  std::vector<double> numbers;
  for (std::size_t at = 0; at + size <= bytes.size(); at += size)
    numbers.push_back(element_number(element, &bytes[at]));
  if (numbers.empty() || std::ranges::min(numbers) < 0) return;
  const bool sorted = is_ascending(element, bytes);
  const auto extent = static_cast<std::uint64_t>(std::ranges::max(numbers)) + (sorted ? 0 : 1);
  for (std::size_t at = 0; at + size <= bytes.size(); at += size) {
    std::uint64_t value = 0;
    std::memcpy(&value, &bytes[at], size);
    value += (sorted ? part : random() % parts) * extent;
    std::memcpy(&bytes[at], &value, size);
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

// Not where somebody wrote addresses into memory.
bool BaselineStudy::may_move(const Capture& capture) const {
  for (std::size_t i = 0; i < capture.regions.size(); ++i) {
    if (is_argument(capture, i) && traits_[i].element == Element::u64 && traits_[i].inferred)
      return false;
  }
  // Copies and fills between dispatches go to the captured places, in the captured sizes.
  return !long_ && step_count(capture) == 0;
}

std::vector<std::size_t> BaselineStudy::counts_of(const Capture& capture) const {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < other_values_.size(); ++i) {
    if (count_in(capture, i)) out.push_back(i);
  }
  return out;
}

Result<InputSet> BaselineStudy::enlarged(const Runner& baseline, std::size_t which) {
  const Capture& capture = baseline.capture;
  const InputSet none;
  const std::vector<std::size_t> counts = counts_of(capture);
  if (!may_move(capture) || options_.contract.launch_as_captured || counts.empty()) return none;
  const std::size_t round = which / counts.size();
  const std::size_t count = counts[which % counts.size()];
  const Extent extent = extent_of(capture, traits_);
  const std::uint64_t times =
      std::min({kBeyond16Bits / extent.elements + 1,
                kMostInstructions / std::max<std::uint64_t>(instructions_, 1),
                kMostLargeBytes / extent.bytes});
  if (times < 2) return none;
  InputSet out = captured(capture);
  out.kind = InputClass::larger;
  Random random(options_.seed + 230 + which);
  const Scalar& scalar = scalars_[count];
  const auto value = *count_in(capture, count) * static_cast<std::int64_t>(times) - 1 -
                     static_cast<std::int64_t>(random() % 5);
  const auto as_bytes = scalar_bytes(value, scalar.argument.kernarg_size);
  if (!allowed(count, as_bytes)) return none;
  const auto dispatch = without_memory(capture);
  set_value(scalar, as_bytes, *dispatch);
  place_regions(capture, times, nowhere_else, *dispatch);
  const auto wider = without_memory(*dispatch);
  enlarge_grid(capture, times, *wider);
  if (waves_of(*wider) > kMostWaves) return none;
  // Of few values what is looked for is found, however long it is: it is zeros, and where it is looked for there are others too.
  const auto largest = static_cast<std::size_t>(
      std::ranges::max_element(capture.regions, {}, &CapturedRegion::size) -
      capture.regions.begin());
  const std::uint64_t turn = few_in(largest, capture, 0) == InputClass::few ? 0 : 1;
  const auto kind_of = [&](std::size_t region) {
    if (round > 0) return round == 1 ? InputClass::wide : InputClass::edges;
    return which % 2 == 0 ? InputClass::again : few_in(region, capture, turn);
  };
  for (std::size_t i = 0; i < capture.regions.size(); ++i) {
    if (is_argument(capture, i)) draw_larger(kind_of(i), capture, i, times, random, out.memory[i]);
  }
  const MemoryImage usual = out.memory;
  bool spread = spread_indices(times, random, out.memory);
  for (int turns = spread ? 2 : 1; turns > 0; --turns, spread = false) {
    if (!spread) out.memory = usual;
    // Where the launch alone says how many rows there are, longer rows leave no room for more of them.
    for (const auto& tried : {wider, dispatch}) {
      out.dispatch = tried;
      if (!TRY(runs(baseline, out, times))) continue;
      if (tried == dispatch && !TRY(is_covered(baseline, out))) continue;
      if (spread && !TRY(writes_as_far(baseline, out, usual, times))) continue;
      out.dispatch = TRY(with_grid_for(baseline, out, times));
      return out;
    }
  }
  return none;
}

// How many places there are to write to hangs on no length: who counts in 64 places may know that there are no more.
Result<bool> BaselineStudy::writes_as_far(const Runner& baseline, const InputSet& set,
                                          const MemoryImage& other, std::uint64_t times) const {
  const auto last_written = [&](const InputSet& on) -> Result<std::vector<std::ptrdiff_t>> {
    std::vector<std::ptrdiff_t> out;
    const auto run = TRY(tried(baseline, on, Look::nowhere, times));
    for (std::size_t i = 0; run && i < on.memory.size(); ++i) {
      const auto& after = run->memory[i];
      out.push_back(std::mismatch(after.rbegin(), after.rend(), on.memory[i].rbegin()).first -
                    after.rbegin());
    }
    return out;
  };
  const InputSet usual{.kind = set.kind, .dispatch = set.dispatch, .memory = other};
  const auto here = TRY(last_written(set)), there = TRY(last_written(usual));
  // What is written may equal what was there.
  constexpr std::ptrdiff_t kByChance = 64;
  return here.size() == there.size() &&
         std::ranges::equal(here, there, [](std::ptrdiff_t one, std::ptrdiff_t two) {
           return std::abs(one - two) < kByChance;
         });
}

bool BaselineStudy::spread_indices(std::uint64_t times, Random& random, MemoryImage& memory) const {
  bool any = false;
  for (std::size_t i = 0; i < memory.size(); ++i) {
    const BufferTraits& traits = traits_[i];
    const bool leads = traits.role == Role::structure && !is_float(traits.element) &&
                       traits.element != Element::u64 && !traits.stay_distinct && !traits.orders &&
                       !traits.mixed;
    if (!leads) continue;
    const std::size_t part = memory[i].size() / times;
    for (std::uint64_t k = 0; k < times; ++k)
      spread_whole(traits.element, k, times, random, std::span(memory[i]).subspan(k * part, part));
    any = true;
  }
  return any;
}

void BaselineStudy::draw_larger(InputClass kind, const Capture& capture, std::size_t region,
                                std::uint64_t times, Random& random,
                                std::vector<std::byte>& out) const {
  const BufferTraits& traits = traits_[region];
  std::vector<std::byte> part;
  out.clear();
  for (std::uint64_t k = 0; k < times; ++k) {
    if (traits.orders)
      part = capture.regions[region].before;
    else
      draw_within(kind, capture, region, random, part);
    if (traits.stay_distinct) move_whole(traits.element, k, part);
    out.insert(out.end(), part.begin(), part.end());
  }
  if (traits.stay_sorted) sort_elements(traits.element, out);
}

// A picture of few rows may be as wide as one of a thousand has pixels: sums over it are longer than any of the larger buffers', which grow along all sides. Extents, of which each work-item has a
// part, are what those have more of.
Result<InputSet> BaselineStudy::stretched(const Runner& baseline, std::size_t which) {
  const Capture& capture = baseline.capture;
  if (!may_move(capture) || options_.contract.launch_as_captured) return InputSet();
  const std::vector<std::size_t> counts = counts_of(capture);
  for (std::size_t i = 0; counts.size() > 1 && i < counts.size(); ++i) {
    if (TRY(is_extent(baseline, counts[i])) || which-- != 0) continue;
    // As many of the others as a wave has lanes, or one.
    for (const std::uint64_t wanted : {kBeyond16Bits, kBeyond16Bits / 8}) {
      for (const std::int64_t others : {std::int64_t{isa::kWaveSize}, std::int64_t{1}}) {
        InputSet out = TRY(stretched_to(baseline, counts[i], wanted, others));
        if (out.dispatch != nullptr) return out;
      }
    }
    return InputSet();
  }
  return InputSet();
}

Result<InputSet> BaselineStudy::stretched_to(const Runner& baseline, std::size_t count,
                                             std::uint64_t wanted, std::int64_t others) {
  const Capture& capture = baseline.capture;
  const auto held = static_cast<std::uint64_t>(*count_in(capture, count));
  const std::uint64_t times =
      std::min(wanted / held + 1, kMostStretchedBytes / extent_of(capture, traits_).bytes);
  if (times < 2) return InputSet();
  InputSet out = captured(capture);
  out.kind = InputClass::larger;
  Random random(options_.seed + 240 + count);
  const auto dispatch = without_memory(capture);
  for (const std::size_t one : counts_of(capture)) {
    const std::int64_t value = one == count ? static_cast<std::int64_t>(held * times - random() % 3)
                                            : std::min(others, *count_in(capture, one));
    const auto bytes = scalar_bytes(value, scalars_[one].argument.kernarg_size);
    if (!allowed(one, bytes)) return InputSet();
    set_value(scalars_[one], bytes, *dispatch);
  }
  place_regions(capture, times, nowhere_else, *dispatch);
  for (std::size_t i = 0; i < capture.regions.size(); ++i) {
    if (is_argument(capture, i))
      draw_larger(InputClass::again, capture, i, times, random, out.memory[i]);
  }
  out.dispatch = dispatch;
  const auto run = baseline.run(
      out, out.memory, {.mode = emu::Mode::functional, .max_instructions = kMostStretched});
  if (!run && run.error().code == Errc::interrupted) return Failure(run.error());
  if (!run || run->memory == out.memory || !TRY(is_covered(baseline, out))) return InputSet();
  out.dispatch = TRY(with_grid_for(baseline, out, times));
  return out;
}

// Views of a buffer begin anywhere in it, and what asks addresses for their alignment has another way for those.
Result<InputSet> BaselineStudy::moved(const Runner& baseline) {
  const Capture& capture = baseline.capture;
  if (!may_move(capture)) return InputSet();
  InputSet out = TRY(drawn(baseline, InputClass::again, options_.seed + 250));
  out.kind = InputClass::moved;
  const auto dispatch = without_memory(capture);
  const auto offset = [&](std::size_t region) -> std::uint64_t {
    constexpr std::uint64_t kLeast = 4, kUnknown = 16;
    const BufferTraits& traits = traits_[region];
    const bool is_known = traits.inferred || told_element(capture, region).has_value();
    const std::uint64_t unit = is_known && !traits.mixed
                                   ? std::max<std::uint64_t>(kLeast, size_of(traits.element))
                                   : kUnknown;
    return unit * (2 * (region % 4) + 1);
  };
  place_regions(capture, 1, offset, *dispatch);
  out.dispatch = dispatch;
  if (!TRY(runs(baseline, out))) return InputSet();
  return out;
}

// Where a draw that is in no order makes work-items write to one place, as the keys of two runs that are merged do, those that are sorted may not.
Result<bool> BaselineStudy::needs_order(const Runner& baseline, std::size_t region,
                                        InputSet unordered, const BufferTraits& traits) {
  const bool free = traits.role == Role::value || traits.role == Role::branch;
  if (long_ || !free || traits.mixed) return false;
  if (!is_ascending(traits.element, baseline.capture.regions[region].before)) return false;
  if (!TRY(races(baseline, unordered)) || TRY(races_as_captured(baseline))) return false;
  sort_elements(traits.element, unordered.memory[region]);
  return TRY(runs(baseline, unordered)) && !TRY(races(baseline, unordered));
}

Result<InputSet> BaselineStudy::with_residues(const Runner& baseline) {
  const bool any = std::ranges::any_of(traits_, [](const BufferTraits& one) {
    return (one.role == Role::value || one.role == Role::branch) && !one.mixed &&
           !is_float(one.element) && size_of(one.element) > 1;
  });
  const auto constants = program_ && any ? whole_constants(*program_) : std::vector<std::int64_t>();
  if (long_ || constants.empty()) return InputSet();
  return drawn(baseline, InputClass::residues, options_.seed + 255,
               {.numbers = {}, .whole = constants});
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
