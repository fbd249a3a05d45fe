// SPDX-License-Identifier: MIT
// What stands behind the inputs of rules: the leaves of a conclusion lead on to rooflines, metrics, times and occupancy.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "shell/commands/diagnose/explanation.h"

namespace rpl {
namespace {

/// How an input follows from fields that `explain KERNEL.FIELD` knows.
struct Origin {
  std::string_view input;
  std::string_view formula;
  std::vector<std::string_view> fields;
};

const std::vector<Origin>& origins() {
  static const std::vector<Origin> table{
      {"hbm_share", "achieved_gbps / peak_gbps", {"hbm.achieved_gbps", "hbm.peak_gbps"}},
      {"l2_share", "achieved_gbps / peak_gbps", {"l2.achieved_gbps", "l2.peak_gbps"}},
      {"vl1d_share", "achieved_gbps / peak_gbps", {"vl1d.achieved_gbps", "vl1d.peak_gbps"}},
      {"lds_share", "achieved_gbps / peak_gbps", {"lds.achieved_gbps", "lds.peak_gbps"}},
      {"compute_share",
       "achieved_gflops / peak_gflops",
       {"hbm.achieved_gflops", "hbm.peak_gflops"}},
      {"valu_utilization", "", {"valu_utilization"}},
      {"mfma_utilization", "", {"mfma_utilization"}},
      {"active_lanes", "", {"active_lanes"}},
      {"measured_occupancy", "", {"occupancy"}},
      {"counter_wait_share", "", {"wait_share"}},
      {"lds_conflict_rate", "", {"lds_bank_conflict_rate"}},
      {"critical_share", "path_ns / critical_path_ns", {"criticality"}},
      {"duration_ns", "total_ns / calls", {"mean_ns"}},
  };
  return table;
}

bool close_to(double a, double b) {
  return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

/// The trees of the fields, when they give the value of the leaf: it may come from another source. Empty otherwise.
std::vector<Derivation> trees_behind(const ExplainInputs& inputs, const Loaded& now,
                                     std::uint32_t kernel, const Derivation& leaf,
                                     const Origin& origin) {
  const bool timed = origin.fields.front() == "criticality" || origin.fields.front() == "mean_ns";
  std::vector<Derivation> trees;
  for (const std::string_view field : origin.fields) {
    const std::string name(field);
    auto found = timed ? explain_kernel_number(inputs, now, kernel, name, 2)
                       : explain_counted(inputs, kernel, name);
    if (!found || !found->ours.value) return {};
    trees.push_back(std::move(found->ours));
  }
  const double value = trees.size() == 1 ? *trees[0].value : *trees[0].value / *trees[1].value;
  return leaf.value && close_to(value, *leaf.value) ? std::move(trees) : std::vector<Derivation>{};
}

void lead_on_from(const ExplainInputs& inputs, const Loaded& now, std::uint32_t kernel,
                  Derivation& node, bool whole) {
  for (Derivation& input : node.inputs) lead_on_from(inputs, now, kernel, input, false);
  const auto origin = std::ranges::find(origins(), node.name, &Origin::input);
  if (origin == origins().end() || !node.inputs.empty()) return;
  auto trees = trees_behind(inputs, now, kernel, node, *origin);
  if (trees.empty()) return;
  // A conclusion with all trees of all its inputs is pages long: below it they are named.
  if (!whole) {
    node.source += fmt::format("; explain {}.{}", now.trace->kernels()[kernel].id, node.name);
    return;
  }
  if (trees.size() == 1) {
    node.formula = trees[0].formula;
    node.inputs = std::move(trees[0].inputs);
    if (node.note.empty()) node.note = trees[0].note;
    return;
  }
  node.formula = origin->formula;
  node.inputs = std::move(trees);
}

}  // namespace

void lead_on(const ExplainInputs& inputs, const Loaded& now, std::uint32_t kernel,
             Derivation& tree) {
  lead_on_from(inputs, now, kernel, tree, true);
}

}  // namespace rpl
