// SPDX-License-Identifier: MIT
// export evidence, audit, lineage: what a verdict was made from, the same verdict elsewhere, and where a text of a kernel comes from.
#include <fmt/format.h>

#include "engine/base/text_layout.h"
#include "engine/optimize/evidence/audit.h"
#include "shell/commands/optimize/decision_document.h"
#include "shell/commands/optimize/loop_document.h"
#include "shell/core/command/define.h"
#include "shell/core/session/version.h"

namespace rpl {
namespace {

struct ExportEvidenceArgs {
  std::string proposal, output;
};

Result<Document> export_evidence(Context& context, const ExportEvidenceArgs& args) {
  const auto store = TRY(kept_proposals(context));
  if (!store || store->proposals().empty())
    return fail(Errc::not_found, "no proposal yet",
                "'step --source FILE.hip --capture DIR' begins");
  const Proposal proposal = TRY(store->proposal(args.proposal));
  const auto files = TRY(evidence_of(proposal, TRY(store->optimization(proposal.optimization)),
                                     fmt::format("rpl {}", version())));
  const std::string path = args.output.empty() ? proposal.id() + ".evidence.tar.zst" : args.output;
  const std::uint64_t bytes = TRY(write_evidence(files, path));
  Document out;
  out.set("path", Value(path));
  out.set("size_bytes", Value(bytes));
  out.set("proposal", Value(proposal.id()));
  out.set("verdict", Value::known(text_in(proposal.evidence, "decide", "verdict")));
  out.text = fmt::format("wrote {}: the evidence of {}\n", path, proposal.id());
  out.next = {"audit " + path};
  return out;
}

struct AuditArgs {
  std::string file;
};

Result<Document> run_audit(Context&, const AuditArgs& args) {
  constexpr int kVerificationFailed = 5;
  const AuditReport report = audit(TRY(read_evidence(args.file)));
  Document out;
  out.set("intact", Value(report.intact));
  out.set("proposal", Value::known(report.proposal));
  out.set("kernel", Value::known(report.kernel));
  out.set("title", Value::known(report.title));
  out.set("program", Value::known(report.program));
  out.set("time_source", Value::known(report.time_source));
  out.set("model", Value::known(report.model));
  out.set("recorded_verdict", Value::known(report.recorded_verdict));
  if (report.recomputed) {
    set_decision(*report.recomputed, out);
  } else {
    for (const Column& column : decision_columns()) out.set(std::string(column.name), Value());
  }
  for (const AuditFinding& finding : report.findings)
    out.rows.push_back({Value(finding.what), Value(finding.intact), Value(finding.message)});
  if (!report.intact) out.exit_code = kVerificationFailed;
  out.provenance = Provenance::recorded;
  return out;
}

struct LineageArgs {
  std::string kernel;
};

/// Optimizations and proposals of one kernel as a tree: a proposal hangs on the optimization whose baseline it changes, an optimization
/// on the accepted proposal that its baseline is.
class Lineage {
 public:
  Lineage(const ProposalStore& store, Document& out) : store_(store), out_(out) {}

  void add(const std::string& kernel) {
    for (const Optimization& optimization : store_.optimizations()) {
      const bool wanted = kernel.empty() || optimization.kernel == kernel ||
                          short_kernel(optimization.kernel) == kernel;
      if (wanted && optimization.parent == 0) add(optimization, 0);
    }
  }

 private:
  // Records of a damaged session may be in a circle.
  static constexpr std::int64_t kDeepest = 200;

  void line(std::int64_t depth, const std::string& id, const std::string& text) {
    out_.text += fmt::format("{:{}}{:<4} {}\n", "", depth * 2, id, text);
  }

  void add(const Optimization& optimization, std::int64_t depth) {
    if (depth > kDeepest) return;
    const std::string id = fmt::format("o{}", optimization.number);
    const std::string text =
        fmt::format("{} in {}", short_kernel(optimization.kernel), shown_path(optimization.source));
    line(depth, id, text);
    out_.rows.push_back(
        {Value(id),
         optimization.parent == 0 ? Value() : Value(fmt::format("p{}", optimization.parent)),
         Value(depth), Value("baseline"), Value(text), Value(), Value(), Value()});
    for (const Proposal& proposal : store_.proposals()) {
      if (proposal.optimization == optimization.number) add(proposal, id, depth + 1);
    }
  }

  void add(const Proposal& proposal, const std::string& parent, std::int64_t depth) {
    const auto ratio = number_in(proposal.evidence, "decide", "ratio");
    const std::string why = proposal.reasons.empty() ? "" : proposal.reasons.front().rule;
    line(depth, proposal.id(),
         fmt::format("{}{}{}: {}", to_string(proposal.state),
                     ratio ? fmt::format(" {:.3f} x", *ratio) : "",
                     why.empty() ? "" : " (" + why + ")", proposal.title));
    out_.rows.push_back({Value(proposal.id()), Value(parent), Value(depth), Value(proposal.origin),
                         Value(proposal.title), Value(to_string(proposal.state)), Value(ratio),
                         Value::known(why)});
    for (const Optimization& optimization : store_.optimizations()) {
      if (optimization.parent == proposal.number) add(optimization, depth + 1);
    }
  }

  const ProposalStore& store_;
  Document& out_;
};

Result<Document> run_lineage(Context& context, const LineageArgs& args) {
  const auto store = TRY(kept_proposals(context));
  Document out;
  if (store) Lineage(*store, out).add(args.kernel);
  out.set("attempts", Value(std::uint64_t{out.rows.size()}));
  if (out.rows.empty()) {
    out.text = "nothing\n";
    out.notes.emplace_back(
        args.kernel.empty()
            ? "no kernel was optimized yet: 'step --source FILE.hip --capture DIR' begins"
            : "no such kernel was optimized");
  }
  return out;
}

void add_audit(Registry& registry) {
  std::vector<Column> fields{
      {"intact", Type::boolean, Unit::none, "whether everything fits"},
      {"proposal", Type::string, Unit::none, "in the session that made it"},
      {"kernel", Type::kernel, Unit::none, "what was changed"},
      {"title", Type::string, Unit::none, "how"},
      {"program", Type::string, Unit::none, "that wrote the evidence"},
      {"time_source", Type::string, Unit::none, "measured or modelled"},
      {"model", Type::string, Unit::none, "of modelled times"},
      {"recorded_verdict", Type::string, Unit::none, "as it was made; `verdict` is recomputed"}};
  for (Column& column : decision_columns()) fields.push_back(std::move(column));
  add(registry,
      command(
          Command{.path = "audit",
                  .chapter = Class::files,
                  .summary = "Recompute the verdict of exported evidence.",
                  .help = "Reads what `export evidence` wrote, packed or unpacked, needs no "
                          "session, and believes nothing: each file against its hash in the "
                          "manifest, the manifest against the seal, each process's samples, the "
                          "verdict from the raw samples, the patch from the two "
                          "sources, the two code objects. Each row is one check. Exit status 5 "
                          "when one of them fails.",
                  .fields = std::move(fields),
                  .columns = {{"what", Type::string, Unit::none, "that was checked"},
                              {"intact", Type::boolean, Unit::none, "whether it fits"},
                              {"message", Type::string, Unit::none, "what it shows"}},
                  .scalar = "intact",
                  .examples = {"audit EVIDENCE"}},
          {arg("file", &AuditArgs::file, "archive or folder").required().completes(Complete::file)},
          run_audit));
}

}  // namespace

void add_evidence_commands(Registry& registry) {
  add(registry,
      command(
          Command{.path = "export evidence",
                  .chapter = Class::exporting,
                  .summary = "Write what the verdict on a proposal follows from, as one file.",
                  .help = "Raw samples and rule, the sources, the patch, the code objects, what "
                          "each stage found, the cycle model's version, and a SHA-256 of "
                          "each: a tar archive compressed with zstd, from which `audit` recomputes "
                          "the verdict anywhere.",
                  .fields = {{"path", Type::string, Unit::none, "the file"},
                             {"size_bytes", Type::integer, Unit::bytes, "its size"},
                             {"proposal", Type::id, Unit::none, "whose evidence it is"},
                             {"verdict", Type::string, Unit::none, "on it"}},
                  .scalar = "path",
                  .examples = {"export evidence ACCEPTED -o evidence.tar.zst"},
                  .changes_program = true},
          {arg("proposal", &ExportEvidenceArgs::proposal, "p1").required(),
           option("output", &ExportEvidenceArgs::output, "the file; default: p1.evidence.tar.zst")
               .or_letter('o')
               .named("FILE")
               .completes(Complete::file)},
          export_evidence));
  add(registry,
      command(Command{.path = "lineage",
                      .chapter = Class::proposals,
                      .summary = "Show where the texts of a kernel come from, as a tree.",
                      .help = "A proposal hangs below the baseline that it changes; a baseline "
                              "that is an accepted proposal hangs below that. What was tried and "
                              "refused stands there with its reason.",
                      .fields = {{"attempts", Type::integer, Unit::count, "rows"}},
                      .columns = {{"id", Type::id, Unit::none, "o1 a baseline, p1 a proposal"},
                                  {"parent", Type::id, Unit::none,
                                   "what it was made from; null for the user's file"},
                                  {"depth", Type::integer, Unit::none, "in the tree, from 0"},
                                  {"origin", Type::string, Unit::none, "baseline, rule, edit, …"},
                                  {"title", Type::string, Unit::none, "what it is"},
                                  {"state", Type::string, Unit::none,
                                   "how far it came; null for a baseline"},
                                  {"ratio", Type::number, Unit::ratio,
                                   "baseline time / candidate time"},
                                  {"why", Type::string, Unit::none, "the rule that rejected it"}},
                      .scalar = "attempts",
                      .examples = {"lineage"}},
              {arg("kernel", &LineageArgs::kernel, "only this one").completes(Complete::kernel)},
              run_lineage));
  add_audit(registry);
}

}  // namespace rpl
