// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/table/derivation.h"
#include "shell/commands/loaded.h"

/// Where numbers come from, for `explain`.
namespace rpl {

/// A number's tree, and what the older tool computes in its place; its note says why that is wrong.
struct Explanation {
  Derivation ours;
  std::optional<Derivation> older;
};

/// Labels, headroom and the inputs of rules.
std::vector<std::string> explainable_conclusions();
/// Fields of a kernel that can be explained.
std::vector<std::string> explainable_kernel_fields();
/// Fails with not_found for another field, naming the nearest.
Result<Explanation> explain_kernel(Context& context, std::uint32_t kernel, const std::string& field);

/// Whether a field is one of rooflines (`flops`, `l2.bytes`) or a metric of counters.
bool is_counted_field(const std::string& field);
Result<Explanation> explain_counted(Context& context, std::uint32_t kernel, const std::string& field);

/// The facts of a thread trace ("att1"), and the inputs and conclusions of its kernel.
Result<Explanation> explain_thread_trace(Context& context, const std::string& id,
                                         const std::string& field);
/// What follows from the facts of a kernel or thread trace: inputs of rules, label, headroom. Fails with not_found for another field.
Result<Explanation> explain_diagnosis(Context& context, const std::string& id,
                                      const std::string& field);

/// The tree as indented lines, at most `width` wide; long formulas and notes go on below.
std::string tree_text(const Derivation& tree, std::size_t width);
/// A value with its unit, as people read it: "4886 GB/s", "12.5 %"; "unknown".
std::string value_text(const Derivation& tree);

}  // namespace rpl
