// SPDX-License-Identifier: MIT
// info proposals, info proposal, info measurements: what the session knows about changes to kernels.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/files.h"
#include "engine/optimize/store/measurements.h"
#include "shell/commands/optimize/loop_document.h"
#include "shell/core/command/define.h"
#include "shell/core/session/context.h"
#include "shell/core/session/session_log.h"

namespace rpl {
namespace {

constexpr std::size_t kTimeSource = 4;  ///< column of `info measurements`
constexpr const char* kBegin = "'step --source FILE.hip --capture DIR' begins";

Result<Document> list_proposals(Context& context) {
  Document out;
  const auto store = TRY(kept_proposals(context));
  std::uint64_t accepted = 0, open = 0;
  if (store) {
    for (const Proposal& proposal : store->proposals()) {
      out.rows.push_back(proposal_row(proposal));
      accepted += proposal.state == ProposalState::accepted ? 1 : 0;
      open += proposal.open() ? 1 : 0;
    }
  }
  out.set("open", Value(open));
  out.set("accepted", Value(accepted));
  if (out.rows.empty()) out.notes.push_back(fmt::format("no proposal yet: {}", kBegin));
  if (open > 0) out.next.emplace_back("step");
  if (!out.rows.empty()) out.next.emplace_back("info proposal p1");
  return out;
}

struct ProposalRef {
  std::string proposal;
};

Value reasons_value(const Proposal& proposal) {
  List out;
  for (const Reason& reason : proposal.reasons) {
    out.emplace_back(fmt::format("{}: {}{}", reason.rule, reason.message,
                                 reason.line > 0 ? fmt::format(" (line {})", reason.line) : ""));
  }
  return out;
}

/// Regressions of resources that its measurement found.
std::vector<std::string> resource_messages(const Proposal& proposal) {
  std::vector<std::string> out;
  const Value* found = value_in(proposal.evidence, "measure", "resources");
  const List* findings = found ? found->as<List>() : nullptr;
  for (const Value& finding : findings ? *findings : List{}) {
    const Value* message = finding.find("message");
    if (const std::string* text = message ? message->as<std::string>() : nullptr)
      out.push_back(*text);
  }
  return out;
}

std::string shown(const Proposal& proposal, const std::string& patch) {
  std::string out =
      fmt::format("{}  {}  {}\n", proposal.id(), to_string(proposal.state), proposal.title);
  if (!proposal.why.empty()) out += proposal.why + "\n";
  if (!proposal.assumes.empty()) out += "assumed: " + proposal.assumes + "\n";
  for (const Reason& reason : proposal.reasons)
    out += fmt::format("{}: {}\n", reason.rule, reason.message);
  const auto ratio = number_in(proposal.evidence, "decide", "ratio");
  if (ratio) {
    const std::string verdict = text_in(proposal.evidence, "decide", "verdict");
    out += times_of(proposal) == Provenance::measured
               ? fmt::format("{} (measured): {:.3f} times as fast on {}\n", verdict, *ratio,
                             text_in(proposal.evidence, "measure", "target"))
               : fmt::format("{} (modelled): {:.3f} times as fast by {}; no silicon took part\n",
                             verdict, *ratio, text_in(proposal.evidence, "measure", "model"));
  }
  if (const auto again = number_in(proposal.evidence, "again", "ratio")) {
    out += fmt::format("measured again, as the best of several: {}, {:.3f} times as fast\n",
                       text_in(proposal.evidence, "again", "verdict"), *again);
  }
  for (const std::string& text : resource_messages(proposal)) out += "resources: " + text + "\n";
  return out + "\n" + patch;
}

Result<Document> show_proposal(Context& context, const ProposalRef& args) {
  const auto store = TRY(kept_proposals(context));
  if (!store || store->proposals().empty()) return fail(Errc::not_found, "no proposal yet", kBegin);
  const Proposal proposal = args.proposal.empty()
                                ? store->next_open().value_or(store->proposals().back())
                                : TRY(store->proposal(args.proposal));
  const Optimization optimization = TRY(store->optimization(proposal.optimization));
  const std::string patch = TRY(read_text_file(proposal.patch()));
  Document out;
  out.set("id", Value(proposal.id()));
  out.set("optimization", Value(fmt::format("o{}", proposal.optimization)));
  out.set("kernel", Value(optimization.kernel));
  out.set("source", Value(shown_path(optimization.source)));
  out.set("origin", Value(proposal.origin));
  out.set("title", Value(proposal.title));
  out.set("why", Value(proposal.why));
  out.set("state", Value(to_string(proposal.state)));
  out.set("bit_exact", Value(proposal.bit_exact));
  out.set("assumes", Value::known(proposal.assumes));
  List flags;
  for (const std::string& flag : proposal.flags) flags.emplace_back(flag);
  out.set("flags", Value(flags));
  out.set("decided_at", Value::known(proposal.decided_by()));
  out.set("reasons", reasons_value(proposal));
  out.set("evidence", Value(proposal.evidence));
  out.set("patch", Value(patch));
  out.text = shown(proposal, patch);
  if (proposal.open()) out.next = {"finish " + proposal.id()};
  if (proposal.state == ProposalState::accepted) out.next = {approve_line(proposal)};
  return out;
}

Value side_time(const Proposal& proposal, std::string_view side) {
  const Value* of = value_in(proposal.evidence, "measure", side);
  const Value* time = of ? of->find("time_ns") : nullptr;
  return time ? *time : Value();
}

Row kept_row(const KeptMeasurement& kept) {
  const Decision& decision = kept.decision;
  const std::string where = kept.target.empty() ? "" : " on " + kept.target;
  return {Value(fmt::format("b{}", kept.number)),
          Value(),
          Value(),
          Value(),
          Value(kept.time_source),
          Value(to_string(decision.verdict)),
          Value(decision.ratio),
          Value(decision.ci_low),
          std::isfinite(decision.ci_high) ? Value(decision.ci_high) : Value(),
          Value(decision.floor),
          Value(),
          Value(fmt::format("{} {}{}, {}", kept.kind, kept.about, where, kept.time_source))};
}

/// Those of `bench aa`, `bench ab` and `bench import`.
Status add_kept_rows(Context& context, std::vector<Row>& rows) {
  auto session = context.log().existing();
  if (!session && session.error().code == Errc::not_found) return {};
  Session* existing = TRY(std::move(session));
  for (const KeptMeasurement& kept : TRY(kept_measurements(*existing)))
    rows.push_back(kept_row(kept));
  return {};
}

/// Where all times come from, when it is one place; else the session recorded them, and each row says it.
Provenance source_of_all(const std::vector<Row>& rows) {
  for (const Provenance one : {Provenance::modelled, Provenance::measured}) {
    if (!rows.empty() && std::ranges::all_of(rows, [&](const Row& row) {
          return row[kTimeSource] == Value(to_string(one));
        }))
      return one;
  }
  return Provenance::recorded;
}

/// A measurement has the number of its proposal: each is measured once.
Result<Document> list_measurements(Context& context) {
  Document out;
  const auto store = TRY(kept_proposals(context));
  for (const Proposal& proposal : store ? store->proposals() : std::vector<Proposal>{}) {
    if (side_time(proposal, "baseline").is_null()) continue;
    const auto number = [&](std::string_view field) {
      return Value(number_in(proposal.evidence, "decide", field));
    };
    out.rows.push_back({Value(fmt::format("m{}", proposal.number)), Value(proposal.id()),
                        side_time(proposal, "baseline"), side_time(proposal, "candidate"),
                        Value(text_in(proposal.evidence, "measure", "time_source")),
                        Value(text_in(proposal.evidence, "decide", "verdict")), number("ratio"),
                        number("ci_low"), number("ci_high"), number("floor"),
                        Value(text_in(proposal.evidence, "measure", "model")),
                        Value(proposal.title)});
  }
  TRY(add_kept_rows(context, out.rows));
  out.provenance = source_of_all(out.rows);
  if (out.rows.empty())
    out.notes.emplace_back("nothing measured yet: 'finish' takes a proposal there");
  return out;
}

}  // namespace

void add_proposal_commands(Registry& registry) {
  add(registry,
      command(
          Command{.path = "info proposals",
                  .chapter = Class::status,
                  .summary = "List the proposals of this session.",
                  .help = "States: proposed, guarded, built, screened, verified, measured, then "
                          "accepted (proven) or rejected, "
                          "then approved (written to the file) and reverted.",
                  .fields = {{"open", Type::integer, Unit::count, "not decided yet"},
                             {"accepted", Type::integer, Unit::count, "proven, not yet approved"}},
                  .columns = proposal_columns(),
                  .scalar = "accepted",
                  .aliases = {"info patches"},
                  .examples = {"info proposals"}},
          list_proposals));
  add(registry,
      command(
          Command{
              .path = "info proposal",
              .chapter = Class::status,
              .summary = "Show one proposal: its patch, its evidence, the reasons against it.",
              .help = "`evidence` holds what each stage found, and the raw numbers that the "
                      "verdict was made from.",
              .fields = {{"id", Type::id, Unit::none, "proposal"},
                         {"optimization", Type::id, Unit::none, "what it is to make faster"},
                         {"kernel", Type::kernel, Unit::none, "its kernel"},
                         {"source", Type::string, Unit::none, "its file"},
                         {"origin", Type::string, Unit::none, "rule, edit or model"},
                         {"title", Type::string, Unit::none, "what it changes"},
                         {"why", Type::string, Unit::none, "what it is hoped to do"},
                         {"state", Type::string, Unit::none, "how far it has come"},
                         {"bit_exact", Type::boolean, Unit::none,
                          "whether every bit of the results counts"},
                         {"assumes", Type::string, Unit::none,
                          "what only captured launches prove; null when it holds always"},
                         {"flags", Type::any, Unit::none, "options that it adds for the compiler"},
                         {"decided_at", Type::string, Unit::none, "the stage that rejected it"},
                         {"reasons", Type::strings, Unit::none, "against it"},
                         {"evidence", Type::record, Unit::none, "what each stage found"},
                         {"patch", Type::string, Unit::none, "unified diff"}},
              .scalar = "state",
              .aliases = {"info patch"},
              .examples = {"info proposal PROPOSED"}},
          {arg("proposal", &ProposalRef::proposal,
               "p1; default: the one under way, else the last")},
          show_proposal));
  add(registry,
      command(
          Command{
              .path = "info measurements",
              .chapter = Class::status,
              .summary = "List what was measured, with the verdicts.",
              .help = "m1 is that of proposal p1; b1, b2 … are those of `bench aa`, `bench ab` and "
                      "`bench import`, and what a clock said of whole applications. Each row says "
                      "where its times come from. Modelled times come from the cycle model that is "
                      "named; no silicon took part.",
              .columns =
                  {{"id", Type::id, Unit::none, "measurement"},
                   {"proposal", Type::id, Unit::none, "of which proposal"},
                   {"baseline_ns", Type::number, Unit::ns, "time of the baseline"},
                   {"candidate_ns", Type::number, Unit::ns, "time of the candidate"},
                   {"time_source", Type::string, Unit::none,
                    "measured by a clock, modelled by the cycle model, or recorded elsewhere"},
                   {"verdict", Type::string, Unit::none,
                    "improved, regression, equivalent or undecided"},
                   {"ratio", Type::number, Unit::ratio, "baseline / candidate: above 1 is faster"},
                   {"ci_low", Type::number, Unit::ratio, "lower end of its 95 % interval",
                    InText::if_room},
                   {"ci_high", Type::number, Unit::ratio, "upper end", InText::if_room},
                   {"floor", Type::number, Unit::share, "what the gain must exceed",
                    InText::if_room},
                   {"model", Type::string, Unit::none, "the cycle model", InText::if_room},
                   {"about", Type::string, Unit::none,
                    "the proposal's title; aa, ab or import and of what", InText::if_room}},
              .scalar = "ratio",
              .examples = {"info measurements"}},
          list_measurements));
}

}  // namespace rpl
