// SPDX-License-Identifier: MIT
#include "engine/optimize/rules/catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "engine/optimize/rules/rules.h"
#include "engine/source/text/fused_kernel.h"
#include "engine/source/text/guard.h"
#include "engine/source/text/kernel_name.h"

namespace rpl {
namespace {

constexpr std::array<std::string_view, 5> kBottleneckNames{"memory latency", "memory bandwidth",
                                                           "LDS", "compute", "occupancy"};

const std::vector<Rule>& all_rules() {
  using B = Bottleneck;
  static const std::vector<Rule> kRules{
      {"loop-unroll",
       "#pragma unroll 2, 4, 8 or 1 on innermost loops",
       {B::memory_latency, B::compute, B::occupancy},
       true,
       true,
       false,
       rules::loop_unroll},
      {"lds-padding",
       "one more column for rows of two-dimensional LDS arrays",
       {B::lds},
       true,
       false,
       false,
       rules::lds_padding},
      {"vector-load",
       "16 bytes at once where a loop reads element by element",
       {B::memory_latency, B::memory_bandwidth},
       true,
       false,
       false,
       rules::vector_load},
      {"restrict",
       "__restrict__ for pointers that captured launches prove disjoint",
       {B::memory_latency, B::memory_bandwidth},
       true,
       false,
       true,
       rules::restrict_pointers},
      {"invariant-hoist",
       "a load that a loop repeats is done once before it",
       {B::memory_latency},
       true,
       false,
       true,
       rules::invariant_hoist},
      {"register-rows",
       "elements that an outer loop goes over again stay in registers",
       {B::memory_latency, B::memory_bandwidth},
       false,
       false,
       true,
       rules::register_rows},
      {"wave-per-row",
       "a wave takes each row, and its lanes share out the loops",
       {B::memory_latency, B::memory_bandwidth, B::occupancy},
       false,
       false,
       true,
       rules::wave_per_row},
      {"swap-lanes",
       "the dimensions of workgroups exchanged: lanes go along rows",
       {B::memory_latency, B::memory_bandwidth},
       true,
       false,
       true,
       rules::swap_lanes},
      {"lds-tile",
       "what work-items share in a loop goes through LDS, piece by piece",
       {B::memory_latency, B::memory_bandwidth},
       true,
       false,
       true,
       rules::lds_tile},
      {"lds-transpose",
       "squares go through LDS between reading and writing",
       {B::memory_latency, B::memory_bandwidth},
       true,
       false,
       true,
       rules::lds_transpose},
      {"workgroup-size",
       "other sizes of workgroups for as many work-items",
       {B::occupancy, B::memory_latency},
       true,
       false,
       true,
       rules::workgroup_size},
      {"fuse-launches",
       "one kernel instead of two that are launched in a row",
       {B::memory_bandwidth, B::memory_latency, B::occupancy},
       false,
       false,
       true,
       rules::fuse_launches},
      {"float-literals",
       "numbers of float instead of double, products instead of powers",
       {B::compute},
       false,
       false,
       false,
       rules::float_literals},
      {"split-sums",
       "four sums instead of one that each turn of a loop waits for",
       {B::compute, B::memory_latency},
       false,
       false,
       false,
       rules::split_sums},
      {"lds-atomics",
       "workgroups add up in LDS before they add to global memory",
       {B::memory_latency, B::memory_bandwidth},
       false,
       false,
       true,
       rules::lds_atomics},
      {"nontemporal",
       "loads and stores that pass the caches by",
       {B::memory_bandwidth, B::memory_latency},
       true,
       false,
       false,
       rules::nontemporal},
      {"launch-bounds",
       "__launch_bounds__ with the size of captured workgroups",
       {B::occupancy},
       true,
       false,
       true,
       rules::launch_bounds},
      {"waves-per-eu",
       "more or fewer waves of a SIMD, against fewer or more registers",
       {B::occupancy, B::memory_latency},
       true,
       false,
       false,
       rules::waves_per_eu},
      {"compiler-flags",
       "other options of the compiler, no change of the source",
       {B::compute, B::occupancy, B::memory_latency},
       true,
       false,
       false,
       rules::compiler_flags},
  };
  return kRules;
}

Result<GuardVerdict> judged(std::string_view source, std::string_view kernel, const RuleEdit& edit,
                            const LaunchFacts* launches) {
  if (edit.fuses)
    return check_fused_kernel(source, {std::string(kernel), launches->next_kernel}, edit.source);
  if (edit.header) return check_header_edit(source, kernel, *edit.header, edit.source);
  // What is launched otherwise is checked when the launch is written.
  const bool launch_alone = !edit.launch.empty() && edit.source == source;
  if (edit.flags.empty() && !launch_alone) return check_edit(source, kernel, edit.source);
  GuardVerdict verdict;
  verdict.accept = edit.source == source;
  if (!verdict.accept)
    verdict.reasons.push_back({"typed-edit", "an edit of options changes no source", 0});
  return verdict;
}

/// Keeps the edits that the guard lets pass. Those of one rule and line that differ in a number are judged once.
Status keep_guarded(std::string_view source, std::string_view kernel, const LaunchFacts* launches,
                    RuleOutcome outcome, RuleOutcome& out) {
  std::size_t judged_line = 0;
  bool accepted = false;
  for (RuleEdit& edit : outcome.edits) {
    if (edit.factor == 0 || edit.line != judged_line) {
      const GuardVerdict verdict = TRY(judged(source, kernel, edit, launches));
      judged_line = edit.line;
      accepted = verdict.accept;
      if (!accepted) {
        out.refusals.push_back(
            {edit.line, "the edit would not pass the guard: " + verdict.reasons.front().message,
             edit.rule});
      }
    }
    if (accepted) out.edits.push_back(std::move(edit));
  }
  for (RuleRefusal& refusal : outcome.refusals) out.refusals.push_back(std::move(refusal));
  return {};
}

/// How much a rule matters for this diagnosis: the place of the worst bottleneck that it addresses; behind all when it addresses none.
std::size_t rank_of(const std::vector<Bottleneck>& addressed,
                    const std::vector<Bottleneck>& diagnosis) {
  std::size_t best = diagnosis.size();
  for (const Bottleneck bottleneck : addressed) {
    best = std::min(best, static_cast<std::size_t>(std::ranges::find(diagnosis, bottleneck) -
                                                   diagnosis.begin()));
  }
  return best;
}

bool wanted(const Rule& rule, const RuleRequest& request) {
  if (!request.rule.empty()) return rule.name == request.rule;
  return rule.in_v1 || request.scope == RuleScope::extended;
}

/// A refusal instead of edits, once for each thing that would have to be assumed.
void drop_assuming(RuleOutcome& outcome, std::size_t line) {
  std::vector<std::string> said;
  for (const RuleEdit& edit : outcome.edits) {
    if (edit.assumes.empty() || std::ranges::find(said, edit.title) != said.end()) continue;
    said.push_back(edit.title);
    outcome.refusals.push_back(
        {line,
         fmt::format("could {}, but {}: --assume-captured takes that to hold always", edit.title,
                     edit.assumes),
         edit.rule, true});
  }
  std::erase_if(outcome.edits, [](const RuleEdit& edit) { return !edit.assumes.empty(); });
}

Result<RuleEdit> edit_of(const UserRule& rule, UserEdit edit, std::string_view source,
                         const SourceKernel& target) {
  RuleEdit out;
  out.rule = rule.name;
  out.line = target.line;
  out.title = edit.title.empty() ? fmt::format("edit by {}", rule.name) : std::move(edit.title);
  out.why = std::move(edit.why);
  out.bit_exact = edit.bit_exact;
  if (edit.source.empty() == edit.body.empty()) {
    return fail(Errc::script,
                fmt::format("the rule {} offers '{}' without a body or with a whole source too",
                            rule.name, out.title),
                "an edit is {title=…, body=…} or {title=…, source=…}");
  }
  out.source = !edit.source.empty() ? std::move(edit.source)
                                    : std::string(source.substr(0, target.body.begin)) + edit.body +
                                          std::string(source.substr(target.body.end));
  return out;
}

Result<RuleOutcome> offered(const UserRule& rule, std::string_view source, const SourceText& text,
                            const SourceKernel& target) {
  const UserKernel kernel{target.qualified, std::string(source),
                          std::string(source.substr(target.body.begin, target.body.size())),
                          text[target.body_open].line};
  RuleOutcome out;
  for (UserEdit& edit : TRY(rule.propose(kernel))) {
    out.edits.push_back(TRY(edit_of(rule, std::move(edit), source, target)));
  }
  if (out.edits.empty())
    out.refusals.push_back({target.line, "it offers nothing for this kernel", rule.name});
  return out;
}

}  // namespace

std::string_view to_string(Bottleneck bottleneck) {
  return kBottleneckNames[static_cast<std::size_t>(bottleneck)];
}

std::optional<Bottleneck> bottleneck_named(std::string_view name) {
  const auto found = std::ranges::find(kBottleneckNames, name);
  if (found == kBottleneckNames.end()) return std::nullopt;
  return static_cast<Bottleneck>(found - kBottleneckNames.begin());
}

Result<const Rule*> rule_named(std::string_view name) {
  std::string names;
  for (const Rule& rule : all_rules()) {
    if (rule.name == name) return &rule;
    names += (names.empty() ? "" : ", ") + std::string(rule.name);
  }
  return fail(Errc::usage, fmt::format("no rule '{}'", name), "there are " + names);
}

Result<RuleOutcome> propose_by_catalogue(std::string_view source, std::string_view kernel,
                                         const RuleRequest& request) {
  const SourceText text(source);
  const SourceDeclarations declared = find_declarations(text);
  const SourceKernel target = TRY(find_target(declared.kernels, kernel));
  const auto is_named = [&](const UserRule& rule) { return rule.name == request.rule; };
  const bool users = std::ranges::any_of(request.user_rules, is_named);
  if (!request.rule.empty() && !users) TRY(rule_named(request.rule));

  struct Part {
    std::size_t rank;
    RuleOutcome outcome;
  };
  std::vector<Part> parts;
  const KernelCase on{text, declared, target, kernel, request.launches, request.assume_captured};
  for (const Rule& rule : all_rules()) {
    if (users || !wanted(rule, request)) continue;
    RuleOutcome outcome = rule.propose(on);
    for (RuleEdit& edit : outcome.edits) edit.rule = rule.name;
    for (RuleRefusal& refusal : outcome.refusals) refusal.rule = rule.name;
    if (!request.assume_captured) drop_assuming(outcome, target.line);
    parts.push_back({rank_of(rule.addresses, request.diagnosis), std::move(outcome)});
  }
  for (const UserRule& rule : request.user_rules) {
    if (!request.rule.empty() && !is_named(rule)) continue;
    const std::vector<Bottleneck> addressed =
        rule.addresses ? std::vector{*rule.addresses} : std::vector<Bottleneck>();
    RuleOutcome outcome = TRY(offered(rule, source, text, target));
    parts.push_back({rank_of(addressed, request.diagnosis), std::move(outcome)});
  }
  std::ranges::stable_sort(parts, {}, &Part::rank);
  RuleOutcome out;
  for (Part& part : parts) {
    TRY(keep_guarded(source, kernel, request.launches, std::move(part.outcome), out));
  }
  return out;
}

}  // namespace rpl
