// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "engine/optimize/verify/candidate_check.h"
#include "engine/optimize/verify/element_order.h"

namespace rpl {

void CandidateCheck::check_pairs(const MemoryImage& after, std::size_t which) {
  if (!report_.findings.empty()) return;
  const auto is_rounded = [&](std::size_t region) {
    return is_float(traits_[region].element) &&
           (region >= reference_.moves_by_rounding.size() || reference_.moves_by_rounding[region]);
  };
  for (const auto& [first, second] : reference_.belong_together) {
    if (is_rounded(first) || is_rounded(second)) continue;
    const auto pairs = [&](const MemoryImage& memory) {
      return ElementPairs{traits_[first].element, traits_[second].element, memory[first],
                          memory[second]};
    };
    if (same_pairs(pairs(reference_.expected[which]), pairs(after))) continue;
    return found(
        "wrong-values",
        fmt::format("{} and {}: what the baseline leaves at the same place of both is apart",
                    capture_.regions[first].name, capture_.regions[second].name));
  }
}

}  // namespace rpl
