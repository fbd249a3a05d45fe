// SPDX-License-Identifier: MIT
#include "engine/optimize/verify/reference_run.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "engine/base/half.h"
#include "engine/replay/elements.h"

namespace rpl {
namespace {

emu::ExecuteOptions counting(std::uint64_t most_instructions = 0) {
  return {.mode = emu::Mode::counted, .max_instructions = most_instructions};
}

MemoryImage with_poison(const MemoryImage& memory, const std::vector<bool>& where,
                        std::byte poison) {
  MemoryImage out = memory;
  for (std::size_t region = 0; region < out.size(); ++region) {
    if (where[region]) std::fill(out[region].begin(), out[region].end(), poison);
  }
  return out;
}

/// Every byte is either what the run without poison gave, or was left alone.
bool independent(const ReferenceRun& run, const MemoryImage& plain, std::size_t region) {
  for (std::size_t at = 0; at < plain[region].size(); ++at) {
    const std::byte first = run.expected[0][region][at], second = run.expected[1][region][at];
    const bool same = first == plain[region][at] && second == first;
    if (!same && !(run.poisoned[region] && unwritten(run.expected, region, at))) return false;
  }
  return true;
}

struct Poisoning {
  Target& target;
  const Capture& capture;
  const std::shared_ptr<const isa::CodeObject>& baseline;
  const MemoryImage& memory;

  /// False when the baseline does not survive poison: then it uses those bytes, as an index perhaps.
  [[nodiscard]] Result<bool> run_both(ReferenceRun& out) const {
    for (std::size_t which = 0; which < kPoison.size(); ++which) {
      out.input[which] = with_poison(memory, out.poisoned, kPoison[which]);
      auto run = run_once(target, {.capture = &capture,
                                   .object = baseline,
                                   .memory = out.input[which],
                                   .execute = counting(out.instructions * 20 + 1'000'000)});
      if (!run && run.error().code == Errc::interrupted) return Failure(run.error());
      if (!run) return false;
      out.expected[which] = std::move(run->memory);
    }
    return true;
  }
};

}  // namespace

Result<ReferenceRun> run_reference(Target& target, const Capture& capture,
                                   const std::shared_ptr<const isa::CodeObject>& baseline,
                                   const InputSet& input) {
  ReferenceRun out;
  const ReplayRun plain = TRY(run_once(
      target,
      {.capture = &capture, .object = baseline, .memory = input.memory, .execute = counting()}));
  out.instructions = plain.executed.counts.instructions;
  for (std::size_t region = 0; region < plain.memory.size(); ++region) {
    out.written.push_back(plain.memory[region] != input.memory[region]);
  }
  out.poisoned = out.written;
  const Poisoning poisoning{target, capture, baseline, input.memory};
  // Taking poison from one region may show that another depended on it: at most as many rounds as there are regions.
  while (std::find(out.poisoned.begin(), out.poisoned.end(), true) != out.poisoned.end()) {
    bool settled = true;
    if (!TRY(poisoning.run_both(out))) {
      out.poisoned.assign(out.poisoned.size(), false);
      break;
    }
    for (std::size_t region = 0; region < out.poisoned.size(); ++region) {
      if (independent(out, plain.memory, region)) continue;
      settled = false;
      // An unpoisoned region that changed cannot tell which poison it saw.
      if (!out.poisoned[region]) out.poisoned.assign(out.poisoned.size(), false);
      out.poisoned[region] = false;
    }
    if (settled) return out;
  }
  out.input.fill(input.memory);
  out.expected.fill(plain.memory);
  return out;
}

namespace {

void store(Element element, double value, std::byte* at) {
  const auto single = static_cast<float>(value);
  std::uint16_t bits = 0;
  switch (element) {
    case Element::f32:
      std::memcpy(at, &single, 4);
      return;
    case Element::f64:
      std::memcpy(at, &value, 8);
      return;
    case Element::f16:
      bits = emu::to_half(single).bits;
      break;
    default:
      bits = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(single) >> 16);
      break;
  }
  std::memcpy(at, &bits, 2);
}

/// False when all finite values are the same: such a buffer is a constant or a place for results.
bool draw_anew(Element element, std::vector<std::byte>& bytes, std::mt19937_64& random) {
  const std::size_t size = size_of(element), count = bytes.size() / size;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (std::size_t i = 0; i < count; ++i) {
    const double value = element_number(element, bytes.data() + i * size);
    if (!std::isfinite(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (!(low < high)) return false;
  for (std::size_t i = 0; i < count; ++i) {
    const double share = static_cast<double>(random() >> 11) * 0x1p-53;
    store(element, low * (1 - share) + high * share, bytes.data() + i * size);
  }
  return true;
}

}  // namespace

std::vector<InputSet> input_sets(const Capture& capture, std::uint32_t more, std::uint64_t seed) {
  InputSet captured;
  for (const CapturedRegion& region : capture.regions) captured.memory.push_back(region.before);
  std::vector<InputSet> out(1 + more, captured);
  for (std::size_t set = 1; set < out.size(); ++set) {
    std::mt19937_64 random(seed + set);
    for (const CapturedArgument& argument : capture.arguments) {
      if (!argument.buffer || !argument.element || !is_float(*argument.element)) continue;
      if (draw_anew(*argument.element, out[set].memory[argument.region], random))
        ++out[set].redrawn;
    }
  }
  return out;
}

}  // namespace rpl
