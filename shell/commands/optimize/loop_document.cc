// SPDX-License-Identifier: MIT
#include "shell/commands/optimize/loop_document.h"

#include <fmt/format.h>

#include <filesystem>

namespace rpl {
namespace {

std::string about(const StepReport& step) {
  if (!step.about.empty()) return step.about;
  return step.proposal ? step.proposal->id() : fmt::format("o{}", step.optimization.number);
}

void add_rows(const StepReport& step, std::vector<Row>& rows) {
  rows.push_back({Value(to_string(step.stage)), Value(about(step)), Value(step.outcome.passed),
                  Value(step.outcome.found), Value()});
  for (const Proposal& made : step.made) {
    rows.push_back(
        {Value(to_string(step.stage)), Value(made.id()), Value(true), Value(made.title), Value()});
  }
  for (const RuleRefusal& refusal : step.refusals) {
    rows.push_back({Value(to_string(step.stage)), Value(), Value(false),
                    Value("no proposal: " + refusal.reason), Value::known(refusal.line)});
  }
  for (const std::string& warning : step.outcome.warnings) {
    rows.push_back({Value(to_string(step.stage)), Value(about(step)), Value(true),
                    Value("warning: " + warning), Value()});
  }
  for (const Reason& reason : step.outcome.reasons) {
    rows.push_back({Value(to_string(step.stage)), Value(about(step)), Value(false),
                    Value(reason.rule + ": " + reason.message),
                    Value::known(static_cast<std::uint64_t>(reason.line))});
  }
}

void set_verdict(const Proposal& proposal, Document& out) {
  const auto number = [&](std::string_view field) {
    return Value(number_in(proposal.evidence, "decide", field));
  };
  out.set("verdict", Value::known(text_in(proposal.evidence, "decide", "verdict")));
  for (const std::string_view field : {"ratio", "ci_low", "ci_high", "floor"}) {
    out.set(field, number(field));
  }
  out.set("model", Value::known(text_in(proposal.evidence, "measure", "model")));
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
  if (winner) out.push_back(approve_line(*winner));
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

/// "guard    p1  only the body of softmax changed", one line a stage, with what was made or refused below it.
std::string stage_lines(const std::vector<StepReport>& steps) {
  std::string out;
  for (const StepReport& step : steps) {
    out += fmt::format("{:<8} {:<4} {}\n", to_string(step.stage), about(step), step.outcome.found);
    for (const Proposal& made : step.made)
      out += fmt::format("{:13} {:<4} {}\n", "", made.id(), made.title);
    for (const RuleRefusal& refusal : step.refusals) {
      out += fmt::format("{:13} line {}: {}\n", "", refusal.line, refusal.reason);
    }
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
  if (!last.next) {
    out += last.best ? fmt::format("best     {:<4} {:.3f} times as fast: {}\n", last.best->id(),
                                   number_in(last.best->evidence, "decide", "ratio").value_or(0),
                                   last.best->title)
                     : "next     every proposal is decided, none is accepted\n";
  } else {
    const std::string which = last.next_proposal ? last.next_proposal->id()
                                                 : fmt::format("o{}", last.optimization.number);
    out += fmt::format("next     {:<4} {}\n", which, to_string(*last.next));
  }
  return out;
}

}  // namespace

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
      continue;
    }
    const auto ratio = number_in(step.proposal->evidence, "decide", "ratio");
    std::string why = ratio ? fmt::format("{:.3f} times as fast", *ratio) : step.outcome.found;
    // Of a faster one that was rejected, the time does not say why.
    const bool improved = text_in(step.proposal->evidence, "decide", "verdict") == "improved";
    if (ratio && improved && !step.proposal->reasons.empty())
      why += ", but " + step.proposal->reasons.front().message;
    out += fmt::format("{:<11} {:<4} {}: {}\n", to_string(step.proposal->state), about(step),
                       step.proposal->title, why);
  }
  return out;
}

const std::vector<Column>& step_fields() {
  static const std::vector<Column> fields{
      {"optimization", Type::id, Unit::none, "what is being made faster: o1"},
      {"kernel", Type::kernel, Unit::none, "its kernel"},
      {"source", Type::string, Unit::none, "its file"},
      {"stage", Type::string, Unit::none, "the last stage carried out"},
      {"proposal", Type::id, Unit::none, "which proposal it was about; null before there are any"},
      {"state", Type::string, Unit::none, "the state of that proposal"},
      {"passed", Type::boolean, Unit::none, "whether the stage let it go on"},
      {"found", Type::string, Unit::none, "what the stage found"},
      {"verdict", Type::string, Unit::none,
       "improved, regression, equivalent or undecided; null before decide"},
      {"ratio", Type::number, Unit::ratio, "baseline time / candidate time: above 1 is faster"},
      {"ci_low", Type::number, Unit::ratio, "lower end of its 95 % interval"},
      {"ci_high", Type::number, Unit::ratio, "upper end"},
      {"floor", Type::number, Unit::share, "what the gain must exceed"},
      {"model", Type::string, Unit::none, "the cycle model that the times come from"},
      {"next_stage", Type::string, Unit::none,
       "what `step` would do now; null when everything is decided"},
      {"next_proposal", Type::id, Unit::none, "to which proposal"},
      {"best", Type::id, Unit::none,
       "when everything is decided: the accepted proposal with the highest ratio"},
  };
  return fields;
}

const std::vector<Column>& step_columns() {
  static const std::vector<Column> columns{
      {"stage", Type::string, Unit::none,
       "profile, select, propose, guard, build, screen, verify, measure, decide or again"},
      {"about", Type::id, Unit::none, "optimization or proposal"},
      {"passed", Type::boolean, Unit::none, "false for reasons against it"},
      {"found", Type::string, Unit::none, "a finding, a proposal, `warning: …`, or `rule: reason`"},
      {"line", Type::integer, Unit::none, "of the source; null for none"},
  };
  return columns;
}

Document step_document(const std::vector<StepReport>& steps) {
  const StepReport& last = steps.back();
  Document out;
  out.set("optimization", Value(fmt::format("o{}", last.optimization.number)));
  out.set("kernel", Value(last.optimization.kernel));
  out.set("source", Value(shown_path(last.optimization.source)));
  out.set("stage", Value(to_string(last.stage)));
  out.set("proposal", last.proposal ? Value(last.proposal->id()) : Value());
  out.set("state", last.proposal ? Value(to_string(last.proposal->state)) : Value());
  out.set("passed", Value(last.outcome.passed));
  out.set("found", Value(last.outcome.found));
  set_verdict(last.proposal ? *last.proposal : Proposal{}, out);
  out.set("next_stage", last.next ? Value(to_string(*last.next)) : Value());
  out.set("best", !last.next && last.best ? Value(last.best->id()) : Value());
  out.set("next_proposal", last.next_proposal ? Value(last.next_proposal->id()) : Value());
  for (const StepReport& step : steps) add_rows(step, out.rows);
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

std::string shown_path(const std::string& path) {
  std::error_code error;
  const auto near = std::filesystem::proximate(path, error);
  return error || near.empty() || *near.begin() == ".." ? path : near.string();
}

int exit_code_of(const Proposal& proposal) {
  if (proposal.state != ProposalState::rejected) return 0;
  return proposal.decided_at == Stage::verify ? kVerificationFailed : kNothingAccepted;
}

const std::vector<Column>& proposal_columns() {
  static const std::vector<Column> columns{
      {"id", Type::id, Unit::none, "proposal"},
      {"optimization", Type::id, Unit::none, "what it is to make faster", InText::never},
      {"origin", Type::string, Unit::none, "rule, edit or model", InText::if_room},
      {"title", Type::string, Unit::none, "what it changes"},
      {"state", Type::string, Unit::none, "how far it has come"},
      {"verdict", Type::string, Unit::none, "of its measurement"},
      {"ratio", Type::number, Unit::ratio, "baseline time / candidate time: above 1 is faster"},
      {"decided_at", Type::string, Unit::none, "the stage that rejected it; person for a person"},
      {"why", Type::string, Unit::none, "the first reason against it", InText::if_room},
  };
  return columns;
}

Row proposal_row(const Proposal& proposal) {
  const std::string why = proposal.reasons.empty() ? "" : proposal.reasons.front().message;
  return {Value(proposal.id()),
          Value(fmt::format("o{}", proposal.optimization)),
          Value(proposal.origin),
          Value(proposal.title),
          Value(to_string(proposal.state)),
          Value::known(text_in(proposal.evidence, "decide", "verdict")),
          Value(number_in(proposal.evidence, "decide", "ratio")),
          Value::known(proposal.decided_by()),
          Value::known(why)};
}

}  // namespace rpl
