// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include "engine/document/bound.h"
#include "engine/optimize/loop/loop.h"
#include "shell/core/inputs/opened.h"

/// How steps of the optimization loop are shown; one shape for step, next, finish, continue and iterate.
namespace rpl {

/// The name of a stage or of what it found, for found_number() and found_text().
template <std::size_t N>
struct EvidenceName {
  char text[N];
  consteval EvidenceName(const char (&literal)[N]) { std::ranges::copy(literal, text); }
};

/// What a stage found, for columns of proposals.
template <EvidenceName stage, EvidenceName field>
std::optional<double> found_number(const Proposal& proposal) {
  return number_in(proposal.evidence, stage.text, field.text);
}
template <EvidenceName stage, EvidenceName field>
std::string found_text(const Proposal& proposal) {
  return text_in(proposal.evidence, stage.text, field.text);
}
/// The first reason against it; "" for none.
std::string first_reason(const Proposal& proposal);

inline std::string shown_source(const Optimization& optimization) {
  return shown_path(optimization.source);
}

/// The best proposal, once everything is decided.
std::optional<std::string> best_of_all(const StepReport& step);

/// Of which kernel and file something is.
inline constexpr auto kKernelFields =
    bound_to<Optimization>(column<&Optimization::kernel>("kernel", "its kernel").as(Type::kernel),
                           column<&shown_source>("source", "its file"));

/// What measuring a proposal found.
inline constexpr auto kVerdictFields = bound_to<Proposal>(
    column<&found_text<"decide", "verdict">>(
        "verdict", "improved, regression, equivalent or undecided; null before decide")
        .or_null(),
    column<&found_number<"decide", "ratio">>("ratio",
                                             "baseline time / candidate time: above 1 is faster"),
    column<&found_number<"decide", "ci_low">>("ci_low", "lower end of its 95 % interval")
        .in(Unit::ratio),
    column<&found_number<"decide", "ci_high">>("ci_high", "upper end").in(Unit::ratio),
    column<&found_number<"decide", "floor">>("floor", "what the gain must exceed").in(Unit::share),
    column<&found_text<"measure", "model">>("model", "the cycle model that the times come from")
        .or_null());

inline constexpr auto kStepFields = bound_to<StepReport>(
    column<&StepReport::optimization, &Optimization::id>("optimization",
                                                         "what is being made faster: o1")
        .as(Type::id),
    through<kKernelFields, &StepReport::optimization>(),
    column<&StepReport::stage>("stage", "the last stage carried out"),
    column<&StepReport::proposal, &Proposal::id>(
        "proposal", "which proposal it was about; null before there are any")
        .as(Type::id),
    column<&StepReport::proposal, &Proposal::state>("state", "the state of that proposal"),
    column<&StepReport::outcome, &StageOutcome::passed>("passed", "whether the stage let it go on"),
    column<&StepReport::outcome, &StageOutcome::found>("found", "what the stage found"),
    through<kVerdictFields, &StepReport::proposal>(),
    column<&StepReport::next>("next_stage",
                              "what `step` would do now; null when everything is decided"),
    column<&best_of_all>("best",
                         "when everything is decided: the accepted proposal with the highest ratio")
        .as(Type::id),
    column<&StepReport::next_proposal, &Proposal::id>("next_proposal", "to which proposal")
        .as(Type::id));

/// What a stage found, made or refused.
struct StepRow {
  Stage stage = {};
  std::string about;
  bool passed = true;
  std::string found;
  std::int64_t line = 0;
};

inline constexpr auto kStepColumns = bound_to<StepRow>(
    column<&StepRow::stage>(
        "stage",
        "profile, select, propose, guard, build, screen, verify, measure, decide or again"),
    column<&StepRow::about>("about", "optimization or proposal").as(Type::id).or_null(),
    column<&StepRow::passed>("passed", "false for reasons against it"),
    column<&StepRow::found>("found", "a finding, a proposal, `warning: …`, or `rule: reason`"),
    column<&StepRow::line>("line", "of the source; null for none").in(Unit::none).or_null());

inline constexpr auto kProposalColumns = bound_to<Proposal>(
    column<&Proposal::id>("id", "proposal").as(Type::id),
    column<&Proposal::optimization_id>("optimization", "what it is to make faster")
        .as(Type::id)
        .never(),
    column<&Proposal::origin>("origin", "rule, edit or model").if_room(),
    column<&Proposal::title>("title", "what it changes").whole(),
    column<&Proposal::state>("state", "how far it has come"),
    column<&found_text<"decide", "verdict">>("verdict", "of its measurement").or_null(),
    column<&found_number<"decide", "ratio">>("ratio",
                                             "baseline time / candidate time: above 1 is faster"),
    column<&Proposal::decided_at>("decided_at", "the stage that rejected it; person for a person")
        .if_room(),
    column<&first_reason>("why", "the first reason against it").if_room().or_null());

/// All that one command carried out, in order; at least one.
Document step_document(const std::vector<StepReport>& steps);

/// "guard p1 only the body of softmax changed", for who follows a long course.
std::string stage_line(const StepReport& step);

/// What rules do not offer, and why: a sentence for each place; of rules that offer nothing at all, where others offer something, their names in one.
std::vector<std::string> refusal_texts(const std::vector<Proposal>& made,
                                       const std::vector<RuleRefusal>& refusals);

/// The same for long courses: a line for each stage of an application or a kernel, and one for each decided proposal.
std::string course_lines(const std::vector<StepReport>& steps);

/// Whether its times are of a clock or of a model.
Provenance times_of(const Proposal& proposal);
/// "approve p3 --accept-modelled", without the option for measured time.
std::string approve_line(const Proposal& proposal);

/// Of a proposal: 0 accepted or approved, 5 rejected because it is wrong, 4 rejected otherwise, 0 while it is open.
int exit_code_of(const Proposal& proposal);

}  // namespace rpl
