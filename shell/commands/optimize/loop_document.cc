// SPDX-License-Identifier: MIT
#include "shell/commands/optimize/loop_document.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>

#include "shell/core/command/settings.h"

namespace rpl {
namespace {

std::string about(const StepReport& step) {
  if (!step.about.empty()) return step.about;
  return step.proposal ? step.proposal->id() : step.optimization.id();
}

void add_rows(const StepReport& step, std::vector<StepRow>& rows) {
  const auto add = [&](std::string subject, bool passed, std::string found, std::int64_t line = 0) {
    rows.push_back({step.stage, std::move(subject), passed, std::move(found), line});
  };
  add(about(step), step.outcome.passed, step.outcome.found);
  for (const Proposal& made : step.made) add(made.id(), true, made.title);
  for (const RuleRefusal& refusal : step.refusals)
    add("", false, "no proposal: " + refusal.reason, static_cast<std::int64_t>(refusal.line));
  for (const std::string& warning : step.outcome.warnings)
    add(about(step), true, "warning: " + warning);
  for (const Reason& reason : step.outcome.reasons)
    add(about(step), false, reason.rule + ": " + reason.message, reason.line);
}

/// What a person may well approve now: the best of what was accepted, once nothing is left that could show it to be lucky; null for none.
const Proposal* worth_approving(const StepReport& last) {
  if (last.next == Stage::again) return nullptr;
  const bool accepted = last.proposal && last.proposal->state == ProposalState::accepted;
  const bool of_these =
      last.best && (!accepted || last.best->optimization == last.proposal->optimization);
  if (of_these && (accepted || !last.next)) return &*last.best;
  return accepted ? &*last.proposal : nullptr;
}

std::vector<std::string> worth_typing(const StepReport& last) {
  std::vector<std::string> out;
  const Proposal* winner = worth_approving(last);
  if (winner) {
    out.push_back(approve_line(*winner));
    out.push_back("replay --proposal " + winner->id());
  }
  if (winner || !last.made.empty()) {
    out.push_back("info proposal " + (winner ? winner->id() : last.made.front().id()));
  }
  if (last.next) {
    out.emplace_back("step");
    out.emplace_back(last.next_proposal ? "finish" : "continue");
  }
  if (out.size() < 2) out.emplace_back("info proposals");
  return out;
}

/// "accepted    p4  unroll the loop in line 11 by 4: 2.315 times as fast"; "" for one that is open.
std::string decision_line(const StepReport& step) {
  if (!step.proposal || step.proposal->open()) return {};
  const auto ratio = number_in(step.proposal->evidence, "decide", "ratio");
  std::string why = ratio ? fmt::format("{:.3f} times as fast", *ratio) : step.outcome.found;
  const std::string verdict = text_in(step.proposal->evidence, "decide", "verdict");
  const bool improved = verdict == "improved";
  if (ratio && !improved) why = fmt::format("{}, {}", verdict, why);
  // Of a faster one that was rejected, the time does not say why.
  if (ratio && improved && !step.proposal->reasons.empty())
    why += ", but " + step.proposal->reasons.front().message;
  return fmt::format("{:<11} {:<4} {}: {}\n", to_string(step.proposal->state), about(step),
                     step.proposal->title, why);
}

/// Whether so many are decided that each has a line to itself instead of one for every stage.
bool are_many(const std::vector<StepReport>& steps) {
  constexpr std::ptrdiff_t kMany = 3;
  return std::ranges::count_if(steps, [](const StepReport& step) {
           return step.proposal && !step.proposal->open();
         }) >= kMany;
}

/// "guard    p1  only the body of softmax changed", one line a stage, with what was made or refused below it.
std::string stage_lines(const std::vector<StepReport>& steps) {
  std::string out;
  const bool many = are_many(steps);
  for (const StepReport& step : steps) {
    if (many && step.proposal && step.stage != Stage::again) {
      out += decision_line(step);
      continue;
    }
    out += fmt::format("{:<8} {:<4} {}\n", to_string(step.stage), about(step), step.outcome.found);
    // The whole catalogue would not leave the line of what is next on the screen.
    constexpr std::size_t kMostListed = 10;
    for (const Proposal& made : step.made | std::views::take(kMostListed))
      out += fmt::format("{:13} {:<4} {}\n", "", made.id(), made.title);
    if (step.made.size() > kMostListed)
      out += fmt::format("{:13} and {} more; 'info proposals' lists them\n", "",
                         step.made.size() - kMostListed);
    for (const std::string& text : refusal_texts(step.made, step.refusals))
      out += fmt::format("{:13} {}\n", "", text);
    for (const std::string& warning : step.outcome.warnings)
      out += fmt::format("{:13} warning: {}\n", "", warning);
    for (std::size_t i = 1; i < step.outcome.reasons.size(); ++i) {
      out += fmt::format("{:13} {}\n", "", step.outcome.reasons[i].message);
    }
    if (step.proposal && !step.proposal->open()) {
      out += fmt::format("{:8} {:<4} {}: {}\n", "", about(step), to_string(step.proposal->state),
                         step.proposal->title);
    }
  }
  return out;
}

/// The lines of all stages, then what comes next.
std::string heading_of(const std::vector<StepReport>& steps) {
  std::string out = stage_lines(steps);
  const StepReport& last = steps.back();
  if (!last.next && last.best) {
    out += fmt::format("best     {:<4} {:.3f} times as fast: {}\n", last.best->id(),
                       number_in(last.best->evidence, "decide", "ratio").value_or(0),
                       last.best->title);
    // Options of the compiler are nobody's file.
    out += last.best->flags.empty()
               ? fmt::format("next     {:<4} '{}' writes it\n", last.best->id(),
                             approve_line(*last.best))
               : fmt::format(
                     "next     {0:<4} add the options where the program is built; 'info "
                     "proposal {0}' shows them\n",
                     last.best->id());
  } else if (!last.next) {
    out += fmt::format("next     every proposal is decided, none is accepted{}\n",
                       last.more_rules ? "; set optimize scope extended asks all rules" : "");
  } else {
    const std::string which =
        last.next_proposal ? last.next_proposal->id() : last.optimization.id();
    out += fmt::format("next     {:<4} {}\n", which, to_string(*last.next));
  }
  return out;
}

}  // namespace

std::string stage_line(const StepReport& step) {
  return fmt::format("{} {} {}", to_string(step.stage), about(step), step.outcome.found);
}

std::vector<std::string> refusal_texts(const std::vector<Proposal>& made,
                                       const std::vector<RuleRefusal>& refusals) {
  std::vector<std::string> out;
  std::vector<std::string_view> idle, cautious;
  for (const RuleRefusal& refusal : refusals) {
    const bool offers = std::ranges::any_of(
        made, [&](const Proposal& proposal) { return proposal.rule == refusal.rule; });
    auto& names = refusal.wants_consent ? cautious : idle;
    if (made.empty() || (offers && !refusal.wants_consent))
      out.push_back(fmt::format("{}: line {}: {}", refusal.rule, refusal.line, refusal.reason));
    else if (std::ranges::find(names, refusal.rule) == names.end())
      names.push_back(refusal.rule);
  }
  if (!cautious.empty())
    out.push_back(
        fmt::format("more by {} with --assume-captured; 'propose rule {}' says what that "
                    "takes to hold",
                    fmt::join(cautious, ", "), cautious.front()));
  if (!idle.empty())
    out.push_back(fmt::format("nothing by {}; 'propose rule {}' says why", fmt::join(idle, ", "),
                              idle.front()));
  return out;
}

std::string course_lines(const std::vector<StepReport>& steps) {
  std::string out;
  for (const StepReport& step : steps) {
    const bool decided = step.proposal && !step.proposal->open();
    if (step.proposal && !decided) continue;
    // A second measurement says more than the first, which has its line already.
    const Shown shown = row_of(step.stage).shown;
    if (!decided || shown == Shown::finding ||
        (shown == Shown::finding_if_passed && step.outcome.passed)) {
      out +=
          fmt::format("{:<11} {:<4} {}\n", to_string(step.stage), about(step), step.outcome.found);
    } else {
      out += decision_line(step);
    }
  }
  return out;
}

Document step_document(const std::vector<StepReport>& steps) {
  const StepReport& last = steps.back();
  Document out;
  out.put(kStepFields, last);
  std::vector<StepRow> rows;
  for (const StepReport& step : steps) add_rows(step, rows);
  out.table(kStepColumns, rows);
  out.provenance = last.proposal ? times_of(*last.proposal) : Provenance::modelled;
  out.text = heading_of(steps);
  out.next = worth_typing(last);
  if (last.proposal) out.exit_code = exit_code_of(*last.proposal);
  return out;
}

Provenance times_of(const Proposal& proposal) {
  return text_in(proposal.evidence, "measure", "time_source") == "measured" ? Provenance::measured
                                                                            : Provenance::modelled;
}

std::string approve_line(const Proposal& proposal) {
  return "approve " + proposal.id() +
         (times_of(proposal) == Provenance::measured ? "" : " --accept-modelled");
}

int exit_code_of(const Proposal& proposal) {
  if (proposal.state != ProposalState::rejected) return 0;
  // What could not be shown is not wrong.
  const Value* undecided = value_in(proposal.evidence, "verify", "undecided");
  if (undecided != nullptr && undecided->as<bool>() != nullptr && *undecided->as<bool>())
    return kNothingAccepted;
  return proposal.decided_at == Stage::verify ? kVerificationFailed : kNothingAccepted;
}

std::string first_reason(const Proposal& proposal) {
  return proposal.reasons.empty() ? "" : proposal.reasons.front().message;
}

std::optional<std::string> best_of_all(const StepReport& step) {
  return !step.next && step.best ? std::optional(step.best->id()) : std::nullopt;
}

}  // namespace rpl
