// SPDX-License-Identifier: MIT
// info proposals, info proposal, info measurements: what the session knows about changes to kernels.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/files.h"
#include "engine/optimize/loop/other_inputs.h"
#include "engine/optimize/store/measurements.h"
#include "shell/commands/optimize/decision_document.h"
#include "shell/commands/optimize/loop_document.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/open_loop.h"
#include "shell/core/session/session_log.h"

namespace rpl {
namespace {

constexpr const char* kBegin = "'step --source FILE.hip --capture DIR' begins";

struct ProposalCounts {
  std::uint64_t open = 0, accepted = 0, rejected = 0;
};

constexpr auto kCountFields = bound_to<ProposalCounts>(
    column<&ProposalCounts::open>("open", "not decided yet"),
    column<&ProposalCounts::accepted>("accepted", "proven, not yet approved"),
    column<&ProposalCounts::rejected>("rejected", "refused by a stage"));

Result<Document> list_proposals(SessionLog& log) {
  Document out;
  const auto store = TRY(kept_proposals(log));
  ProposalCounts counts;
  if (store) {
    out.table(kProposalColumns, store->proposals());
    for (const Proposal& proposal : store->proposals()) {
      counts.accepted += proposal.state == ProposalState::accepted ? 1 : 0;
      counts.open += proposal.open() ? 1 : 0;
      counts.rejected += proposal.state == ProposalState::rejected ? 1 : 0;
    }
  }
  out.put(kCountFields, counts);
  if (out.rows.empty()) out.notes.push_back(fmt::format("no proposal yet: {}", kBegin));
  if (counts.open > 0) out.next.emplace_back("step");
  if (!out.rows.empty()) out.next.emplace_back("info proposal p1");
  return out;
}

struct ProposalRef {
  std::string proposal;
};

std::vector<std::string> reason_lines(const Proposal& proposal) {
  std::vector<std::string> out;
  for (const Reason& reason : proposal.reasons) {
    out.push_back(fmt::format("{}: {}{}", reason.rule, reason.message,
                              reason.line > 0 ? fmt::format(" (line {})", reason.line) : ""));
  }
  return out;
}

std::string launch_text(const Proposal& proposal) {
  return proposal.fusion.empty() ? to_text(proposal.launch) : to_text(proposal.fusion);
}

struct Shown {
  Proposal proposal;
  Optimization optimization;
  std::string patch;
};

constexpr auto kIdFields = bound_to<Proposal>(
    column<&Proposal::id>("id", "proposal").as(Type::id),
    column<&Proposal::optimization_id>("optimization", "what it is to make faster").as(Type::id));
constexpr auto kAboutFields = bound_to<Proposal>(
    column<&Proposal::origin>("origin", "rule, edit or model"),
    column<&Proposal::title>("title", "what it changes"),
    column<&Proposal::why>("why", "what it is hoped to do"),
    column<&Proposal::state>("state", "how far it has come"),
    column<&Proposal::bit_exact>("bit_exact", "whether every bit of the results counts"),
    column<&Proposal::assumes>("assumes",
                               "what only captured launches prove; null when it holds always")
        .or_null(),
    column<&Proposal::flags>("flags", "options that it adds for the compiler").as(Type::any),
    column<&launch_text>("launch", "how it is launched otherwise than captured; null: as captured")
        .or_null(),
    column<&Proposal::decided_at>("decided_at", "the stage that rejected it"),
    column<&reason_lines>("reasons", "against it"),
    column<&Proposal::evidence>("evidence", "what each stage found"));
constexpr auto kProposalFields = bound_to<Shown>(
    through<kIdFields, &Shown::proposal>(), through<kKernelFields, &Shown::optimization>(),
    through<kAboutFields, &Shown::proposal>(), column<&Shown::patch>("patch", "unified diff"));

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
  const std::string launch = text_in(proposal.evidence, "guard", "launch");
  if (!launch_text(proposal).empty())
    out += "launch: " + (launch.empty() ? launch_text(proposal) : launch) + "\n";
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
  if (const Value* kept = value_in(proposal.evidence, "decide", "other_inputs"); kept && ratio) {
    const auto elsewhere = other_inputs_from(*kept);
    const std::string text = elsewhere ? text_of(*elsewhere, *ratio) : "";
    if (!text.empty()) out += fmt::format("the gain: {}\n", text);
  }
  if (const auto again = number_in(proposal.evidence, "again", "ratio")) {
    out += fmt::format("measured again, as the best of several: {}, {:.3f} times as fast\n",
                       text_in(proposal.evidence, "again", "verdict"), *again);
  }
  for (const std::string& text : resource_messages(proposal)) out += "resources: " + text + "\n";
  return out + "\n" + patch;
}

Result<Document> show_proposal(const ProposalRef& args, SessionLog& log) {
  const auto store = TRY(kept_proposals(log));
  if (!store || store->proposals().empty()) return fail(Errc::not_found, "no proposal yet", kBegin);
  const Proposal proposal = args.proposal.empty()
                                ? store->next_open().value_or(store->proposals().back())
                                : TRY(store->proposal(args.proposal));
  const Optimization optimization = TRY(store->optimization(proposal.optimization));
  const std::string patch = TRY(read_text_file(proposal.patch()));
  Document out;
  out.put(kProposalFields, Shown{proposal, optimization, patch});
  out.text = shown(proposal, patch);
  if (proposal.open()) out.next = {"finish " + proposal.id()};
  if (proposal.state == ProposalState::accepted) out.next = {approve_line(proposal)};
  return out;
}

struct Measured {
  std::string id, proposal;
  Value baseline_ns, candidate_ns;
  std::string time_source, verdict;
  std::optional<double> ratio, ci_low, ci_high, floor;
  std::optional<std::string> model;
  std::string about;
};

constexpr auto kMeasurementColumns = bound_to<Measured>(
    column<&Measured::id>("id", "measurement").as(Type::id),
    column<&Measured::proposal>("proposal", "of which proposal").as(Type::id).or_null(),
    column<&Measured::baseline_ns>("baseline_ns", "time of the baseline")
        .as(Type::number)
        .in(Unit::ns),
    column<&Measured::candidate_ns>("candidate_ns", "time of the candidate")
        .as(Type::number)
        .in(Unit::ns),
    column<&Measured::time_source>(
        "time_source", "measured by a clock, modelled by the cycle model, or recorded elsewhere"),
    column<&Measured::verdict>("verdict", "improved, regression, equivalent or undecided"),
    column<&Measured::ratio>("ratio", "baseline / candidate: above 1 is faster"),
    column<&Measured::ci_low>("ci_low", "lower end of its 95 % interval").in(Unit::ratio).if_room(),
    column<&Measured::ci_high>("ci_high", "upper end").in(Unit::ratio).if_room(),
    column<&Measured::floor>("floor", "what the gain must exceed").in(Unit::share).if_room(),
    column<&Measured::model>("model", "the cycle model").if_room(),
    column<&Measured::about>("about", "the proposal's title; aa, ab or import and of what")
        .if_room());

Value side_time(const Proposal& proposal, std::string_view side) {
  const Value* of = value_in(proposal.evidence, "measure", side);
  const Value* time = of ? of->find("time_ns") : nullptr;
  return time ? *time : Value();
}

Measured row_of(const Proposal& proposal) {
  const auto number = [&](std::string_view name) {
    return number_in(proposal.evidence, "decide", name);
  };
  return {fmt::format("m{}", proposal.number),
          proposal.id(),
          side_time(proposal, "baseline"),
          side_time(proposal, "candidate"),
          text_in(proposal.evidence, "measure", "time_source"),
          text_in(proposal.evidence, "decide", "verdict"),
          number("ratio"),
          number("ci_low"),
          number("ci_high"),
          number("floor"),
          text_in(proposal.evidence, "measure", "model"),
          proposal.title};
}

Measured row_of(const KeptMeasurement& kept) {
  const Decision& found = kept.decision;
  const std::string where = kept.target.empty() ? "" : " on " + kept.target;
  return {fmt::format("b{}", kept.number),
          "",
          {},
          {},
          kept.time_source,
          std::string(to_string(found.verdict)),
          found.ratio,
          found.ci_low,
          bound_above(found),
          found.floor,
          {},
          fmt::format("{} {}{}, {}", kept.kind, kept.about, where, kept.time_source)};
}

/// Those of `bench aa`, `bench ab` and `bench import`.
Status add_kept_rows(SessionLog& log, std::vector<Measured>& rows) {
  auto session = log.existing();
  if (!session && session.error().code == Errc::not_found) return {};
  Session* existing = TRY(std::move(session));
  for (const KeptMeasurement& kept : TRY(kept_measurements(*existing)))
    rows.push_back(row_of(kept));
  return {};
}

/// Where all times come from, when it is one place; else the session recorded them, and each row says it.
Provenance source_of_all(const std::vector<Measured>& rows) {
  for (const Provenance one : {Provenance::modelled, Provenance::measured}) {
    if (!rows.empty() && std::ranges::all_of(rows, [&](const Measured& row) {
          return row.time_source == to_string(one);
        }))
      return one;
  }
  return Provenance::recorded;
}

/// A measurement has the number of its proposal: each is measured once.
Result<Document> list_measurements(SessionLog& log) {
  const auto store = TRY(kept_proposals(log));
  std::vector<Measured> rows;
  for (const Proposal& proposal : store ? store->proposals() : std::vector<Proposal>{}) {
    if (!side_time(proposal, "baseline").is_null()) rows.push_back(row_of(proposal));
  }
  TRY(add_kept_rows(log, rows));
  Document out;
  out.table(kMeasurementColumns, rows);
  out.provenance = source_of_all(rows);
  if (out.rows.empty())
    out.notes.emplace_back("nothing measured yet: 'finish' takes a proposal there");
  return out;
}

}  // namespace

void add_proposal_commands(Registry& registry) {
  add(registry,
      command(
          Command{.path = "info proposals",
                  .does = kReads,
                  .chapter = Class::status,
                  .summary = "List the proposals of this session.",
                  .help = "States: proposed, guarded, built, screened, verified, measured, then "
                          "accepted (proven) or rejected, "
                          "then approved (written to the file) and reverted.",
                  .fields = described(kCountFields),
                  .columns = described(kProposalColumns),
                  .scalar = "accepted",
                  .aliases = {"info patches"},
                  .examples = {"info proposals"}},
          list_proposals));
  add(registry,
      command(
          Command{.path = "info proposal",
                  .does = kReads,
                  .chapter = Class::status,
                  .summary = "Show one proposal: its patch, its evidence, the reasons against it.",
                  .help = "`evidence` holds what each stage found, and the raw numbers that the "
                          "verdict was made from.",
                  .fields = described(kProposalFields),
                  .scalar = "state",
                  .aliases = {"info patch"},
                  .examples = {"info proposal PROPOSED"}},
          {arg("proposal", &ProposalRef::proposal, "p1; default: the one under way, else the last")
               .completes(Complete::proposal)},
          show_proposal));
  add(registry,
      command(
          Command{.path = "info measurements",
                  .does = kReads,
                  .chapter = Class::status,
                  .summary = "List what was measured, with the verdicts.",
                  .help =
                      "m1 is that of proposal p1; b1, b2 … are those of `bench aa`, `bench ab` and "
                      "`bench import`, and what a clock said of whole applications. Each row says "
                      "where its times come from. Modelled times come from the cycle model that is "
                      "named; no silicon took part.",
                  .columns = described(kMeasurementColumns),
                  .scalar = "ratio",
                  .examples = {"info measurements"}},
          list_measurements));
}

}  // namespace rpl
