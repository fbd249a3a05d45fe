// SPDX-License-Identifier: MIT
// export evidence, audit, lineage: what a verdict was made from, the same verdict elsewhere, and where a text of a kernel comes from.
#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/optimize/evidence/bundle.h"
#include "shell/commands/optimize/decision_document.h"
#include "shell/commands/optimize/loop_document.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/one_argument.h"
#include "shell/core/inputs/open_loop.h"
#include "shell/core/session/version.h"

namespace rpl {
namespace {

struct ExportEvidenceArgs {
  std::string proposal, output;
};

struct Exported {
  std::string path;
  std::uint64_t size_bytes = 0;
  const Proposal* proposal = nullptr;
};

constexpr auto kExportFields = bound_to<Exported>(
    column<&Exported::path>("path", "the file"),
    column<&Exported::size_bytes>("size_bytes", "its size"),
    column<&Exported::proposal, &Proposal::id>("proposal", "whose evidence it is").as(Type::id),
    column<&Exported::proposal, &found_text<"decide", "verdict">>("verdict", "on it").or_null());

Result<Document> export_evidence(const ExportEvidenceArgs& args, SessionLog& log) {
  const auto store = TRY(kept_proposals(log));
  if (!store || store->proposals().empty())
    return fail(Errc::not_found, "no proposal yet",
                "'step --source FILE.hip --capture DIR' begins");
  const Proposal proposal = TRY(store->proposal(args.proposal));
  const auto files = TRY(evidence_of(proposal, TRY(store->optimization(proposal.optimization)),
                                     fmt::format("rpl {}", version())));
  const std::string path = args.output.empty() ? proposal.id() + ".evidence.tar.zst" : args.output;
  const std::uint64_t bytes = TRY(write_evidence(files, path));
  Document out;
  out.put(kExportFields, Exported{path, bytes, &proposal});
  out.text = fmt::format("wrote {}: the evidence of {}\n", path, proposal.id());
  out.next = {"audit " + path};
  return out;
}

constexpr auto kAuditFields = bound_to<AuditReport>(
    column<&AuditReport::intact>("intact", "whether everything fits"),
    column<&AuditReport::manifest, &EvidenceManifest::proposal>("proposal",
                                                                "in the session that made it")
        .or_null(),
    column<&AuditReport::manifest, &EvidenceManifest::kernel>("kernel", "what was changed")
        .as(Type::kernel)
        .or_null(),
    column<&AuditReport::manifest, &EvidenceManifest::title>("title", "how").or_null(),
    column<&AuditReport::manifest, &EvidenceManifest::program>("program", "that wrote the evidence")
        .or_null(),
    column<&AuditReport::manifest, &EvidenceManifest::time_source>("time_source",
                                                                   "measured or modelled")
        .or_null(),
    column<&AuditReport::manifest, &EvidenceManifest::model>("model", "of modelled times")
        .or_null(),
    column<&AuditReport::recorded_verdict>("recorded_verdict",
                                           "as it was made; `verdict` is recomputed")
        .or_null(),
    through<kDecisionColumns, &AuditReport::recomputed>());

constexpr auto kFindingColumns =
    bound_to<AuditFinding>(column<&AuditFinding::what>("what", "that was checked"),
                           column<&AuditFinding::intact>("intact", "whether it fits"),
                           column<&AuditFinding::message>("message", "what it shows"));

Result<Document> run_audit(const FileArgs& args) {
  constexpr int kVerificationFailed = 5;
  const AuditReport report = audit(TRY(read_evidence(args.file)));
  Document out;
  out.put(kAuditFields, report);
  out.table(kFindingColumns, report.findings);
  out.notes = report.notes;
  if (!report.intact) out.exit_code = kVerificationFailed;
  out.provenance = Provenance::recorded;
  return out;
}

struct LineageArgs {
  std::string kernel;
};

struct LineageRow {
  std::string id, parent;
  std::int64_t depth = 0;
  std::string origin, title;
  std::optional<ProposalState> state = {};
  std::optional<double> ratio = {};
  std::string why = {};
};

constexpr auto kLineageColumns = bound_to<LineageRow>(
    column<&LineageRow::id>("id", "o1 a baseline, p1 a proposal").as(Type::id),
    column<&LineageRow::parent>("parent", "what it was made from; null for the user's file")
        .as(Type::id)
        .or_null(),
    column<&LineageRow::depth>("depth", "in the tree, from 0").in(Unit::none),
    column<&LineageRow::origin>("origin", "baseline, rule, edit, …"),
    column<&LineageRow::title>("title", "what it is"),
    column<&LineageRow::state>("state", "how far it came; null for a baseline"),
    column<&LineageRow::ratio>("ratio", "baseline time / candidate time"),
    column<&LineageRow::why>("why", "the rule that rejected it").or_null());

struct Attempts {
  std::size_t count = 0;
};

constexpr auto kLineageFields = bound_to<Attempts>(column<&Attempts::count>("attempts", "rows"));

/// Optimizations and proposals of one kernel as a tree: a proposal hangs on the optimization whose baseline it changes, an optimization
/// on the accepted proposal that its baseline is.
class Lineage {
 public:
  explicit Lineage(const ProposalStore& store) : store_(store) {}

  std::vector<LineageRow> rows;
  std::string text;

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

  void line(const LineageRow& row, const std::string& about) {
    text += fmt::format("{:{}}{:<4} {}\n", "", row.depth * 2, row.id, about);
  }

  void add(const Optimization& optimization, std::int64_t depth) {
    if (depth > kDeepest) return;
    const std::string parent =
        optimization.parent == 0 ? "" : fmt::format("p{}", optimization.parent);
    rows.push_back(
        {optimization.id(), parent, depth, "baseline",
         fmt::format("{} in {}", short_kernel(optimization.kernel), shown_source(optimization))});
    line(rows.back(), rows.back().title);
    for (const Proposal& proposal : store_.proposals()) {
      if (proposal.optimization == optimization.number) add(proposal, optimization.id(), depth + 1);
    }
  }

  void add(const Proposal& proposal, const std::string& parent, std::int64_t depth) {
    const auto ratio = number_in(proposal.evidence, "decide", "ratio");
    const std::string why = proposal.reasons.empty() ? "" : proposal.reasons.front().rule;
    rows.push_back({proposal.id(), parent, depth, proposal.origin, proposal.title, proposal.state,
                    ratio, why});
    line(rows.back(), fmt::format("{}{}{}: {}", to_string(proposal.state),
                                  ratio ? fmt::format(" {:.3f} x", *ratio) : "",
                                  why.empty() ? "" : " (" + why + ")", proposal.title));
    for (const Optimization& optimization : store_.optimizations()) {
      if (optimization.parent == proposal.number) add(optimization, depth + 1);
    }
  }

  const ProposalStore& store_;
};

Result<Document> run_lineage(const LineageArgs& args, SessionLog& log) {
  const auto store = TRY(kept_proposals(log));
  Document out;
  if (store) {
    Lineage lineage(*store);
    lineage.add(args.kernel);
    out.table(kLineageColumns, lineage.rows);
    out.text = std::move(lineage.text);
  }
  out.put(kLineageFields, Attempts{out.rows.size()});
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
  add(registry,
      command(
          Command{.path = "audit",
                  .does = kReads,
                  .chapter = Class::files,
                  .summary = "Recompute the verdict of exported evidence.",
                  .help = "Reads what `export evidence` wrote, packed or unpacked, needs no "
                          "session, and believes nothing: each file against its hash in the "
                          "manifest, the manifest against the seal, each process's samples, the "
                          "verdict from the raw samples, the patch from the two "
                          "sources, the two code objects. Each row is one check. Exit status 5 "
                          "when one of them fails.",
                  .fields = described(kAuditFields),
                  .columns = described(kFindingColumns),
                  .scalar = "intact",
                  .examples = {"audit EVIDENCE"}},
          {arg("file", &FileArgs::file, "archive or folder").required().completes(Complete::file)},
          run_audit));
}

}  // namespace

void add_evidence_commands(Registry& registry) {
  add(registry,
      command(
          Command{.path = "export evidence",
                  .does = {Capability::read, Capability::write},
                  .chapter = Class::exporting,
                  .summary = "Write what the verdict on a proposal follows from, as one file.",
                  .help = "Raw samples and rule, the sources, the patch, the code objects, what "
                          "each stage found, the cycle model's version, and a SHA-256 of "
                          "each: a tar archive compressed with zstd, from which `audit` recomputes "
                          "the verdict anywhere.",
                  .fields = described(kExportFields),
                  .scalar = "path",
                  .examples = {"export evidence ACCEPTED -o evidence.tar.zst"},
                  .changes_program = true},
          {arg("proposal", &ExportEvidenceArgs::proposal, "p1")
               .completes(Complete::proposal)
               .required(),
           option("output", &ExportEvidenceArgs::output, "the file; default: p1.evidence.tar.zst")
               .or_letter('o')
               .needs({Capability::write})
               .named("FILE")
               .completes(Complete::file)},
          export_evidence));
  add(registry,
      command(Command{.path = "lineage",
                      .does = kReads,
                      .chapter = Class::proposals,
                      .summary = "Show where the texts of a kernel come from, as a tree.",
                      .help = "A proposal hangs below the baseline that it changes; a baseline "
                              "that is an accepted proposal hangs below that. What was tried and "
                              "refused stands there with its reason.",
                      .fields = described(kLineageFields),
                      .columns = described(kLineageColumns),
                      .scalar = "attempts",
                      .examples = {"lineage"}},
              {arg("kernel", &LineageArgs::kernel, "only this one").completes(Complete::kernel)},
              run_lineage));
  add_audit(registry);
}

}  // namespace rpl
