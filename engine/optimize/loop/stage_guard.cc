// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/optimize/loop/fusion.h"
#include "engine/optimize/loop/stages.h"
#include "engine/source/syntax/check_syntax.h"
#include "engine/source/text/guard.h"
#include "engine/source/text/header_edit.h"

namespace rpl {
namespace {

/// What the guard's first layer says, and the base as the candidate launches it.
struct TextVerdict {
  GuardVerdict verdict;
  LaunchedSource launched;
};

bool is_typed(const Proposal& proposal) {
  return proposal.origin == "rule" && (!proposal.header_edit.empty() || !proposal.flags.empty());
}

/// The second layer, for edits of a body: typed edits are the engine's own text.
Result<SyntaxCheck> syntax_verdict(const Proposal& proposal, const Workbench& bench,
                                   const std::string& base, const std::string& candidate) {
  const Optimization& optimization = *bench.optimization;
  std::string second;
  if (!proposal.fusion.empty()) second = TRY(second_kernel(proposal, *bench.capture));
  const Result<Compiler> compiler =
      bench.compiler ? bench.compiler()
                     : fail(Errc::missing_capability, "no compiler was named",
                            "'doctor' tells how to get one; 'set build compiler' names one");
  return check_syntax(compiler,
                      {.baseline = base,
                       .candidate = candidate,
                       .kernel = optimization.kernel,
                       .fused = proposal.fusion.kernel,
                       .second = second,
                       .folder = std::filesystem::path(optimization.source).parent_path().string(),
                       .architecture = optimization.architecture,
                       .flags = optimization.flags});
}

/// What a proposal may change depends on who made it: rules alone may change a header, by the one edit that they name, or nothing but options.
Result<GuardVerdict> text_verdict(const Proposal& proposal, const Optimization& optimization,
                                  const std::string& base, const std::string& candidate,
                                  bool launch_changes) {
  const bool typed = proposal.origin == "rule";
  if (typed && !proposal.header_edit.empty()) {
    return check_header_edit(base, optimization.kernel, TRY(header_edit_from(proposal.header_edit)),
                             candidate);
  }
  // The launches of `base` are those of the candidate.
  if ((typed && !proposal.flags.empty() && candidate == base) ||
      (launch_changes && candidate == base)) {
    GuardVerdict same;
    same.accept = true;
    return same;
  }
  return check_edit(base, optimization.kernel, candidate);
}

Result<TextVerdict> judged_text(const Proposal& proposal, const Workbench& bench,
                                const std::string& base, const std::string& candidate) {
  const Optimization& optimization = *bench.optimization;
  TextVerdict out;
  if (!proposal.fusion.empty()) {
    FusedVerdict fused = TRY(judge_fusion(proposal, optimization, *bench.capture, base, candidate));
    out.verdict = std::move(fused.verdict);
    out.launched = std::move(fused.launched);
    return out;
  }
  out.launched = TRY(launched_source(optimization, *bench.capture, base, proposal.launch));
  out.verdict = TRY(text_verdict(proposal, optimization, out.launched.text, candidate,
                                 proposal.launch != optimization.launch));
  return out;
}

std::string changed(const Proposal& proposal, const Optimization& optimization) {
  if (!proposal.header_edit.empty())
    return fmt::format("only the header of {} changed, by '{}'", short_kernel(optimization.kernel),
                       proposal.header_edit);
  if (!proposal.flags.empty()) return "no source changed";
  return fmt::format("only the body of {} changed", short_kernel(optimization.kernel));
}

std::string changed_by_fusion(const Proposal& proposal, const LaunchedSource& launched) {
  const std::string kernel = short_kernel(proposal.fusion.kernel);
  if (!launched.why_not.empty())
    return fmt::format("{} is new, and nothing else changed; its launch cannot be written: {}",
                       kernel, launched.why_not);
  return fmt::format("{} is new and launched in place of two in line{} {}, nothing else changed",
                     kernel, launched.lines.size() > 1 ? "s" : "", fmt::join(launched.lines, ", "));
}

/// The launch has changed, and perhaps the body.
std::string changed_with_launch(const Optimization& optimization, const LaunchedSource& launched,
                                bool body) {
  if (!launched.why_not.empty()) {
    return fmt::format("{} of {} changed; its launch does too, and cannot be written: {}",
                       body ? "only the body" : "nothing", short_kernel(optimization.kernel),
                       launched.why_not);
  }
  return fmt::format("only {}the launch of {} changed, in line{} {}", body ? "the body and " : "",
                     short_kernel(optimization.kernel), launched.lines.size() > 1 ? "s" : "",
                     fmt::join(launched.lines, ", "));
}

/// What differs, of a candidate that the guard lets pass.
std::string what_changed(const Proposal& proposal, const Optimization& optimization,
                         const LaunchedSource& launched, const std::string& candidate) {
  if (!proposal.fusion.empty()) return changed_by_fusion(proposal, launched);
  if (proposal.launch != optimization.launch)
    return changed_with_launch(optimization, launched, candidate != launched.text);
  return changed(proposal, optimization);
}

}  // namespace

Result<StageOutcome> guard_stage(const Proposal& proposal, const Workbench& bench) {
  const std::string base = TRY(read_text_file(bench.optimization->base_source()));
  const std::string candidate = TRY(read_text_file(proposal.candidate_source()));
  const bool fused = !proposal.fusion.empty();
  const bool launch_changes = fused || proposal.launch != bench.optimization->launch;
  const TextVerdict text = TRY(judged_text(proposal, bench, base, candidate));
  const GuardVerdict& verdict = text.verdict;
  const LaunchedSource& launched = text.launched;
  SyntaxCheck syntax{.ran = false,
                     .why_not = is_typed(proposal) ? "a typed edit is the engine's own text"
                                                   : "the text was refused",
                     .reasons = {}};
  if (verdict.accept && !is_typed(proposal))
    syntax = TRY(syntax_verdict(proposal, bench, fused ? base : launched.text, candidate));
  // The next stage compiles for the device too, and says all that is wrong.
  const bool unreadable =
      !syntax.reasons.empty() && syntax.reasons.front().rule == "does-not-parse";
  if (unreadable) syntax = {.ran = false, .why_not = "the candidate has errors", .reasons = {}};
  StageOutcome out;
  out.passed = verdict.accept && syntax.reasons.empty();
  for (const std::vector<GuardReason>& reasons : {verdict.reasons, syntax.reasons}) {
    for (const GuardReason& reason : reasons)
      out.reasons.push_back({reason.rule, reason.message, static_cast<std::int64_t>(reason.line)});
  }
  out.facts.emplace_back("rules_broken", std::uint64_t{out.reasons.size()});
  out.facts.emplace_back("layers", syntax.ran ? "text, syntax tree" : "text");
  if (launch_changes) {
    out.facts.emplace_back(
        "launch", fused ? fmt::format("{} in place of two kernels", proposal.fusion.kernel)
                        : launch_sentence(*bench.optimization, *bench.capture, proposal.launch));
    if (!launched.why_not.empty())
      out.facts.emplace_back("launch_unwritten", Value(launched.why_not));
  }
  if (!syntax.ran) out.facts.emplace_back("no_syntax_tree", Value(syntax.why_not));
  out.found = out.passed ? what_changed(proposal, *bench.optimization, launched, candidate)
                         : fmt::format("the guard refuses it: {}", out.reasons.front().message);
  if (out.passed && !syntax.ran && !unreadable && !is_typed(proposal))
    out.found += fmt::format("; its syntax tree was not looked at: {}", syntax.why_not);
  return out;
}

}  // namespace rpl
