// SPDX-License-Identifier: MIT
// report: what is known about a recording, in one file to send to somebody.
#include <fmt/format.h>

#include "engine/base/encode.h"
#include "engine/base/numbers.h"
#include "engine/base/output_file.h"
#include "engine/base/text.h"
#include "engine/document/bound.h"
#include "shell/commands/trace/report_parts.h"
#include "shell/core/command/define.h"
#include "shell/core/session/version.h"
#include "shell/render/html.h"
#include "shell/render/scale.h"

namespace rpl {
namespace {

struct ReportArgs {
  std::string output, title;
  std::int64_t rows = 25;
};

std::uint64_t rows_of(const ReportArgs& args) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, args.rows));
}

XmlText paragraph(OwnText kind, std::string_view text) {
  if (text.empty()) return {};
  return encoded<XmlText>("<p class=\"{}\">{}</p>\n", kind, text);
}

XmlText provenance_line(const ReportPart& part) {
  const Provenance from = part.document.provenance;
  const std::string known = from == Provenance::none ? "" : fmt::format(" · {}", to_string(from));
  return encoded<XmlText>("<p class=\"soft\"><code>{}</code>{}</p>\n", part.line, known);
}

Result<XmlText> part_html(const ReportPart& part, std::uint64_t rows) {
  XmlText out = encoded<XmlText>("<section id=\"{}\">\n<h2>{}</h2>\n", part.anchor, part.title);
  out += provenance_line(part);
  out += html_fields(part.document);
  if (!part.picture.empty()) {
    out.add("<figure>{}<figcaption>{}</figcaption></figure>\n", part.picture, part.caption);
  }
  out += html_table(TRY(grid_of(part.document, rows)));
  for (const std::string& note : part.notes) out += paragraph("soft", note);
  out += paragraph("soft", part.next);
  return out + "</section>\n";
}

XmlText files_html(const Report& report) {
  XmlText out("<section id=\"files\">\n<h2>Where the numbers come from</h2>\n<dl>\n");
  for (const auto& [kind, path] : report.sources) {
    out.add("<dt>{}</dt><dd>{}</dd>\n", kind, path);
  }
  out.add("<dt>made by</dt><dd>rpl {}</dd>\n</dl>\n", version());
  return out +
         paragraph(
             "soft",
             "recorded: read from the files. measured: GPU timestamps. modelled: the emulated "
             "device. estimated: a formula.") +
         "</section>\n";
}

XmlText page_of(const Report& report, const std::vector<XmlText>& parts) {
  XmlText body = encoded<XmlText>("<h1>{}</h1>\n", report.title);
  body += paragraph("lead", report.lead) + "<nav>";
  for (const ReportPart& part : report.parts) {
    body.add("<a href=\"#{}\">{}</a>\n", part.anchor, part.title);
  }
  body += "<a href=\"#files\">Sources</a></nav>\n";
  for (const XmlText& part : parts) body += part;
  return html_page(report.title, body + files_html(report));
}

MarkdownText markdown_table(const Grid& grid) {
  if (grid.columns.empty() || grid.rows.empty()) return {};
  MarkdownText head("|"), line("|"), body;
  for (const GridColumn& column : grid.columns) {
    head.add(" {} |", column.heading);
    line += column.right ? OwnText(" ---: |") : OwnText(" --- |");
  }
  for (const auto& row : grid.rows) {
    body += "|";
    for (const GridCell& cell : row) body.add(" {} |", cell.text);
    body += "\n";
  }
  if (!grid.left_out.empty()) body.add("\n{}\n", grid.left_out);
  return head + "\n" + line + "\n" + body;
}

Result<MarkdownText> part_markdown(const ReportPart& part, std::uint64_t rows) {
  MarkdownText out = encoded<MarkdownText>("### {}\n\n", part.title), tables;
  out += markdown_span("rpl " + part.line) + "\n\n";
  const MarkdownText head = out;
  for (const Column& field : part.document.fields) {
    const Value* value = part.document.get(field.name);
    if (value == nullptr || value->is_null() || field.in_text == InText::never) continue;
    if (const auto* list = value->as<List>(); list != nullptr && list->empty()) continue;
    if (const auto nested = grid_of_record(*value)) {
      tables.add("\n{}\n\n{}", heading(field, {}), markdown_table(*nested));
      continue;
    }
    out.add("- {}: {}\n", heading(field, {}), field_text(field, *value));
  }
  out += tables;
  const MarkdownText table = markdown_table(TRY(grid_of(part.document, rows)));
  if (!table.empty()) out += when(!(out == head), "\n") + table;
  for (const std::string& note : part.notes) out.add("\n> {}\n", note);
  if (!part.next.empty()) out.add("\n{}\n", part.next);
  return out;
}

Result<MarkdownText> markdown_of(const Report& report, std::uint64_t rows) {
  MarkdownText out = encoded<MarkdownText>("## {}\n\n", report.title);
  if (!report.lead.empty()) out.add("**{}**\n\n", report.lead);
  for (const ReportPart& part : report.parts) {
    if (part.made) out += TRY(part_markdown(part, rows)) + "\n";
  }
  out.add("Made by rpl {}.\n", version());
  return out;
}

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
  const Report report = TRY(make_report(inputs, args.title));
  std::vector<XmlText> parts;
  for (const ReportPart& part : report.parts) {
    parts.push_back(TRY(part_html(part, rows_of(args))));
  }
  return written(args, report, page_of(report, parts));
}

Result<Document> report_markdown(const ReportArgs& args, ReportInputs inputs) {
  const Report report = TRY(make_report(inputs, args.title));
  const MarkdownText text = TRY(markdown_of(report, rows_of(args)));
  if (!args.output.empty()) return written(args, report, text);
  Document out;
  out.put(kReportFields, ReportFacts{{}, {}, text.string()});
  out.text = text.string();
  out.provenance = report.provenance;
  return out;
}

}  // namespace

void add_report_commands(Registry& registry) {
  const auto rows = option("rows", &ReportArgs::rows, "at most so many rows of each table; 0: all");
  const auto title = option("title", &ReportArgs::title, "instead of the names of the files");
  // The page always goes into a file.
  std::vector<Column> fields = described(kReportFields);
  fields.pop_back();
  add(registry,
      command(
          Command{.path = "report html",
                  .does = {Capability::read, Capability::write},
                  .chapter = Class::exporting,
                  .summary = "Write what is known about the recording as one HTML page.",
                  .help = "Summary, timeline, critical path, kernels and what else the recording "
                          "allows, each with the command that shows the same. One file without "
                          "scripts that loads nothing, readable on a phone. The file appears when "
                          "it is complete, or not at all.",
                  .fields = fields,
                  .scalar = "path",
                  .examples = {"report html -o report.html --trace TRACE"},
                  .changes_program = true},
          {option("output", &ReportArgs::output, "the file to write: -o FILE")
               .required()
               .or_letter('o')
               .needs({Capability::write})
               .writes_file()
               .named("FILE")
               .completes(Complete::file),
           rows, title},
          report_html));
  fields = described(kReportFields);
  add(registry,
      command(
          Command{.path = "report md",
                  .does = kReads,
                  .chapter = Class::exporting,
                  .summary = "Write the report as Markdown, for an issue or a pull request.",
                  .help = "The tables of 'report html' without the pictures. Without -o the text "
                          "goes to stdout.",
                  .fields = fields,
                  .scalar = "path",
                  .examples = {"report md --rows 5 --trace TRACE"},
                  .changes_program = true},
          {option("output", &ReportArgs::output, "the file to write: -o FILE")
               .or_letter('o')
               .needs({Capability::write})
               .writes_file()
               .named("FILE")
               .completes(Complete::file),
           rows, title},
          report_markdown));
}

}  // namespace rpl
