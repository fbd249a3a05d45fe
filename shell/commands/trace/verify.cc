// SPDX-License-Identifier: MIT
// trace verify: whether the files of a recording are as they were written.
#include <fmt/format.h>

#include <algorithm>

#include "engine/document/bound.h"
#include "engine/trace/import/database.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/loaded.h"

namespace rpl {
namespace {

struct VerifyFacts {
  std::string path;
  std::uint64_t tables = 0, pages = 0, rows = 0, findings = 0;
};

constexpr auto kVerifyFields = bound_to<VerifyFacts>(
    column<&VerifyFacts::path>("path", "the files, one after the other"),
    column<&VerifyFacts::tables>("tables", "tables that were looked through"),
    column<&VerifyFacts::pages>("pages", "pages of them that hold rows").in(Unit::none),
    column<&VerifyFacts::rows>("rows_read", "rows in these").in(Unit::none),
    column<&VerifyFacts::findings>("findings", "what speaks against the files; 0: nothing")
        .in(Unit::none));

struct VerifiedRow {
  std::string_view path;
  std::string table;
  std::uint64_t pages = 0, rows = 0, faults = 0;
};

constexpr auto kVerifiedColumns = bound_to<VerifiedRow>(
    column<&VerifiedRow::table>("table", "table of the file"),
    column<&VerifiedRow::rows>("rows", "rows in it").in(Unit::none),
    column<&VerifiedRow::pages>("pages", "pages that hold them").in(Unit::none),
    column<&VerifiedRow::faults>("faults",
                                 "pages, rows and references that are not as they should be")
        .in(Unit::none),
    column<&VerifiedRow::path>("path", "file").never());

bool is_database(const TraceFile& file) {
  return file.format == TraceFormat::rocpd || file.format == TraceFormat::rpd;
}

Result<Document> trace_verify(Inputs inputs) {
  const Loaded now = TRY(loaded(inputs));
  const std::vector<TraceFile>& files = now.trace->entities().files;
  VerifyFacts facts;
  std::vector<VerifiedRow> rows;
  Document out;
  std::vector<std::string> findings;
  for (const TraceFile& file : files) {
    if (!is_database(file)) {
      out.notes.push_back(
          fmt::format("{} has nothing against which it could be checked: only "
                      "databases have",
                      file.path));
      continue;
    }
    Verification found = TRY(verify_recording(file.path, inputs.monitor));
    facts.path += fmt::format("{}{}", facts.path.empty() ? "" : ", ", file.path);
    for (VerifiedTable& table : found.tables) {
      ++facts.tables;
      facts.pages += table.pages;
      facts.rows += table.rows;
      rows.push_back({file.path, std::move(table.table), table.pages, table.rows, table.faults});
    }
    for (std::string& one : found.findings)
      findings.push_back(files.size() == 1 ? std::move(one)
                                           : fmt::format("{}: {}", file.path, one));
  }
  // What reading it for answers found is among them, or of another kind: times that are outliers.
  for (std::string& one : now.trace->damage()) {
    if (std::ranges::find(findings, one) == findings.end()) findings.push_back(std::move(one));
  }
  facts.findings = findings.size();
  // Tables with faults first, then those with rows.
  std::ranges::stable_sort(rows, [](const VerifiedRow& a, const VerifiedRow& b) {
    return std::pair(a.faults, a.rows) > std::pair(b.faults, b.rows);
  });
  out.put(kVerifyFields, facts);
  out.table(kVerifiedColumns, rows);
  out.notes.insert(out.notes.end(), findings.begin(), findings.end());
  out.provenance = provenance_of(*now.trace);
  out.exit_code = findings.empty() ? 0 : kGateNotPassed;
  return out;
}

}  // namespace

void add_verify_commands(Registry& registry) {
  add(registry,
      command(
          Command{.path = "trace verify",
                  .does = kReads,
                  .chapter = Class::files,
                  .summary = "Check whether the files of the trace are damaged.",
                  .help = "Looks through every page of a database: rows that are missing, "
                          "repeated or out of place, bytes that nothing accounts for, indexes "
                          "that differ from their tables, references that lead nowhere, times "
                          "outside of the process. Opening a recording checks what it reads; "
                          "this checks the rest, and takes about as long as reading the file "
                          "twice. It runs by itself when opening finds something. Ends with exit "
                          "status 3 where it finds something.",
                  .fields = described(kVerifyFields),
                  .columns = described(kVerifiedColumns),
                  .scalar = "findings",
                  .examples = {"trace verify TRACE", "trace verify/q TRACE"}},
          trace_verify));
}

}  // namespace rpl
