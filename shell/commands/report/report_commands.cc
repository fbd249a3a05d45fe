// SPDX-License-Identifier: MIT
// report html, report md: what is known about a recording, in one file to send to somebody.
#include <fmt/format.h>

#include "engine/base/numbers.h"
#include "engine/base/output_file.h"
#include "engine/document/bound.h"
#include "shell/commands/report/report.h"
#include "shell/core/command/define.h"

namespace rpl {
namespace {

struct ReportFacts {
  std::optional<std::string> path;
  std::optional<std::uint64_t> size_bytes;
  std::optional<std::string> markdown;
};

constexpr auto kReportFields = bound_to<ReportFacts>(
    column<&ReportFacts::path>("path", "the file").if_known(),
    column<&ReportFacts::size_bytes>("size_bytes", "its size").if_known(),
    column<&ReportFacts::markdown>("markdown", "the text, when no file was named").if_known());

Result<Document> written(const ReportArgs& args, const Report& report, OutputBytes text) {
  auto file = TRY(OutputFile::create(args.output, OutputFile::Place::named));
  TRY(file.write(text));
  TRY(file.commit());
  Document out;
  out.put(kReportFields, ReportFacts{file.path(), file.bytes(), {}});
  out.text = fmt::format("wrote {}: {}", file.path(), format_bytes(file.bytes()));
  out.provenance = report.provenance;
  return out;
}

Result<Document> report_html(const ReportArgs& args, ReportInputs inputs) {
  const Report report = TRY(make_report(inputs, args));
  return written(args, report, TRY(report_page(report)));
}

Result<Document> report_markdown(const ReportArgs& args, ReportInputs inputs) {
  const Report report = TRY(make_report(inputs, args));
  const MarkdownText text = TRY(report_markdown_text(report));
  if (!args.output.empty()) return written(args, report, text);
  Document out;
  out.put(kReportFields, ReportFacts{{}, {}, text.string()});
  out.text = text.string();
  out.provenance = report.provenance;
  return out;
}

std::vector<Bound> report_options(Bound output) {
  return {std::move(output),
          option("rows", &ReportArgs::rows, "at most so many rows of each table; 0: all"),
          option("title", &ReportArgs::title, "instead of the names of the files"),
          option("author", &ReportArgs::author, "who it is from"),
          option("date", &ReportArgs::date, "of when it is; none is written without"),
          option("comment", &ReportArgs::comment, "a sentence or two above all else"),
          option("baseline", &ReportArgs::baseline,
                 "what it was before: a recording, with which the report compares")
              .named("FILE")
              .completes(Complete::file),
          flag("paths", &ReportArgs::paths, "names of files stand with their folders")};
}

Bound output_option() {
  return option("output", &ReportArgs::output, "the file to write: -o FILE")
      .or_letter('o')
      .needs({Capability::write})
      .writes_file()
      .named("FILE")
      .completes(Complete::file);
}

}  // namespace

void add_report_commands(Registry& registry) {
  // The page always goes into a file.
  std::vector<Column> fields = described(kReportFields);
  fields.pop_back();
  add(registry,
      command(
          Command{.path = "report html",
                  .does = {Capability::read, Capability::write},
                  .chapter = Class::exporting,
                  .summary = "Write what is known about the recording as one HTML page.",
                  .help =
                      "A paragraph for a reader (what was recorded, what limits it, what to do "
                      "first and what that is worth), pictures, then tables, each with the "
                      "command that shows the same. With --baseline it begins with what changed. "
                      "One file that loads nothing, readable on a phone and on paper; its script, "
                      "for zooming and sorting, is held to its hash, and nothing is missing "
                      "without it. The file appears when it is complete, or not at all.",
                  .fields = fields,
                  .scalar = "path",
                  .examples = {"report html -o report.html --trace TRACE",
                               "report html -o change.html --baseline TRACE --trace TRACE"},
                  .changes_program = true},
          report_options(output_option().required()), report_html));
  add(registry,
      command(
          Command{.path = "report md",
                  .does = kReads,
                  .chapter = Class::exporting,
                  .summary = "Write the report as Markdown, for an issue or a pull request.",
                  .help = "What 'report html' says, without the pictures. Without -o the text goes "
                          "to stdout.",
                  .fields = described(kReportFields),
                  .scalar = "path",
                  .examples = {"report md --rows 5 --trace TRACE"},
                  .changes_program = true},
          report_options(output_option()), report_markdown));
}

}  // namespace rpl
