// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/document/derivation.h"
#include "shell/core/inputs/loaded.h"

/// Where numbers come from, for `explain`.
namespace rpl {

class Registry;

/// What numbers are explained with: beside the inputs the commands, whose columns say what is shown.
struct ExplainInputs : Inputs {
  ExplainInputs(const Context& context);

  const Registry& registry;
};

/// A number's tree, and what the older tool computes in its place; its note says why that is wrong.
struct Explanation {
  Derivation ours;
  std::optional<Derivation> older;
};

/// Labels, headroom and the inputs of rules.
std::vector<std::string> explainable_conclusions();
/// Fields of a kernel that can be explained.
std::vector<std::string> explainable_kernel_fields();
/// `speedup` is for `whatif.…` alone. Fails with not_found for another field, naming the nearest.
Result<Explanation> explain_kernel(const ExplainInputs& inputs, std::uint32_t kernel,
                                   const std::string& field, double speedup);

/// The column or field of a command's result that shows one of trace_numbers(); nullptr for none.
const Column* shown_column(const Registry& registry, std::string_view name);

/// Whether a word is a command whose numbers belong to the whole trace: summary, trace, critpath, gaps, overlap, whatif.
bool is_trace_group(std::string_view word);
/// `field` is "gaps.total_ns", or "total_ns" for the first of that name. whatif runs with the selected or dominant kernel. Fails with
/// not_found for another field, naming those that there are.
Result<Explanation> explain_trace(const ExplainInputs& inputs, const Loaded& now,
                                  const std::string& field, double speedup);
/// Times, path, slack: "mean_ns", "criticality"; and "whatif.gain".
std::vector<std::string> explainable_kernel_numbers();
Result<Explanation> explain_kernel_number(const ExplainInputs& inputs, const Loaded& now,
                                          std::uint32_t kernel, const std::string& field,
                                          double speedup);
/// "slack_ns" of a row.
Result<Explanation> explain_dispatch(const ExplainInputs& inputs, const Loaded& now,
                                     std::uint32_t dispatch, const std::string& field);

/// Whether a field is one of rooflines (`flops`, `l2.bytes`) or a metric of counters.
bool is_counted_field(const std::string& field);
Result<Explanation> explain_counted(const Inputs& inputs, std::uint32_t kernel,
                                    const std::string& field);

/// The facts of a thread trace ("att1"), and the inputs and conclusions of its kernel.
Result<Explanation> explain_thread_trace(const Inputs& inputs, const std::string& id,
                                         const std::string& field);
/// What follows from the facts of a kernel or thread trace: inputs of rules, label, headroom. Fails with not_found for another field.
Result<Explanation> explain_diagnosis(const Inputs& inputs, const std::string& id,
                                      const std::string& field);

/// Leads from inputs of rules to what they are computed from: the tree's own root whole, inputs below it by the command to type.
void lead_on(const ExplainInputs& inputs, const Loaded& now, std::uint32_t kernel,
             Derivation& tree);

/// The tree as indented lines, at most `width` wide; long formulas and notes go on below.
std::string tree_text(const Derivation& tree, std::size_t width);
/// A value with its unit, as people read it: "4886 GB/s", "12.5 %"; "unknown".
std::string value_text(const Derivation& tree);

}  // namespace rpl
