// SPDX-License-Identifier: MIT
#include "engine/optimize/verify/self_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/optimize/verify/oracle.h"
#include "engine/replay/images.h"

namespace rpl {

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
