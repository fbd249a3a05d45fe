// SPDX-License-Identifier: MIT
#include "engine/optimize/verify/oracle.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

#include "engine/base/element.h"
#include "engine/optimize/inputs/scalars.h"
#include "engine/replay/images.h"

namespace rpl {
namespace {

std::size_t element_bytes(const Capture& capture, std::size_t region) {
  const auto told = told_element(capture, region);
  return told ? size_of(*told) : 4;
}

/// What the dispatch changed of a region is what an input has at the same place.
bool is_copy(std::span<const std::byte> before, std::span<const std::byte> after,
             std::span<const std::byte> input) {
  for (std::size_t at = 0; at < after.size(); ++at) {
    if (after[at] == before[at]) continue;
    if (at >= input.size() || after[at] != input[at]) return false;
  }
  return true;
}

}  // namespace

bool is_constant(std::span<const std::byte> bytes, std::size_t element_bytes) {
  if (element_bytes == 0 || bytes.size() < 2 * element_bytes) return false;
  return std::memcmp(bytes.data(), bytes.data() + element_bytes, bytes.size() - element_bytes) == 0;
}

OracleStrength oracle_strength(const Capture& capture, const MemoryImage& after) {
  return oracle_strength(capture, MemoryView(after.begin(), after.end()));
}

OracleStrength oracle_strength(const Capture& capture, const MemoryView& after) {
  OracleStrength out;
  std::vector<std::size_t> results, inputs;
  for (std::size_t i = 0; i < capture.regions.size(); ++i)
    (std::ranges::equal(after[i], capture.regions[i].before) ? inputs : results).push_back(i);
  out.null_fails = !results.empty();
  if (results.empty()) {
    out.weaknesses.emplace_back(
        "the dispatch changes no memory: a kernel that does nothing would pass");
    return out;
  }
  bool all_copies = true;
  for (const std::size_t result : results) {
    const CapturedRegion& region = capture.regions[result];
    const auto copied = std::ranges::find_if(inputs, [&](std::size_t input) {
      return is_copy(region.before, after[result], capture.regions[input].before);
    });
    if (copied == inputs.end()) {
      all_copies = false;
    } else {
      out.weaknesses.push_back(
          fmt::format("{} becomes what {} is: a kernel that copies it would pass", region.name,
                      capture.regions[*copied].name));
    }
    if (is_constant(after[result], element_bytes(capture, result)))
      out.weaknesses.push_back(fmt::format(
          "every element of {} becomes the same: a kernel that stores a constant would pass",
          region.name));
  }
  out.copy_fails = !all_copies;
  return out;
}

CheckMark self_check(const Capture& capture) {
  if (!capture.has_after)
    return {.verdict = "unchecked",
            .weaknesses = {
                "it holds no memory from after the dispatch; 'capture verify' runs it and looks"}};
  MemoryView after;
  for (const CapturedRegion& region : capture.regions) after.emplace_back(after_of(region));
  OracleStrength strength = oracle_strength(capture, after);
  return {.verdict = strength.null_fails && strength.copy_fails ? "strong" : "weak",
          .weaknesses = std::move(strength.weaknesses)};
}

Result<CheckMark> mark_capture(const std::string& folder, const Capture& capture) {
  CheckMark mark = self_check(capture);
  if (capture.layout == CaptureLayout::own) TRY(write_check(folder, mark));
  return mark;
}

std::string warning_of(const CheckMark& mark) {
  if (mark.verdict == "strong") return "";
  return fmt::format("{} capture: {}", mark.verdict, fmt::join(mark.weaknesses, "; "));
}

}  // namespace rpl
