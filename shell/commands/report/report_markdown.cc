// SPDX-License-Identifier: MIT
// The report as Markdown.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/text.h"
#include "shell/commands/report/report.h"
#include "shell/core/session/version.h"
#include "shell/render/forms.h"
#include "shell/render/scale.h"

namespace rpl {
namespace {

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
  return head + "\n" + line + "\n" + body;
}

Result<MarkdownText> part_markdown(const ReportPart& part) {
  MarkdownText out = encoded<MarkdownText>("### {}\n\n", part.title), tables;
  out += markdown_span("rpl " + part.line) + "\n\n";
  const MarkdownText head = out;
  const std::vector<std::string> headings = reader_headings(part.document.fields);
  for (std::size_t at = 0; at < part.document.fields.size(); ++at) {
    const Column& field = part.document.fields[at];
    const Value* value = part.document.get(field.name);
    if (value == nullptr || value->is_null() || field.in_text == InText::never) continue;
    if (const auto* list = value->as<List>(); list != nullptr && list->empty()) continue;
    if (const auto nested = grid_of_record(*value)) {
      tables.add("\n{}\n\n{}", headings[at], markdown_table(*nested));
      continue;
    }
    if (const auto nested = grid_of_list(field, *value)) {
      tables.add("\n{}\n\n{}", headings[at], markdown_table(*nested));
      continue;
    }
    out.add("- {}: {}\n", headings[at],
            field_text(field, with_readable_names(field, *value), ForWhom::reader));
  }
  out += tables;
  const MarkdownText table = markdown_table(TRY(grid_of(part.document, 0, ForWhom::reader)));
  if (!table.empty()) out += when(!(out == head), "\n") + table;
  if (!part.below.empty()) out.add("\n{}\n", part.below);
  return out;
}

MarkdownText things_markdown(const Report& report) {
  MarkdownText out;
  std::size_t number = 0;
  for (const ReportThing& thing : report.things) {
    out.add("{}. {} ({})", ++number, thing.what, thing.worth);
    if (!thing.kernel.empty()) out.add(" {} {}", thing.kernel, thing.name);
    if (!thing.where.empty()) out.add(" {}", thing.where);
    if (!thing.line.empty()) out += " " + markdown_span(thing.line);
    out += "\n";
  }
  return out.empty() ? out : out + "\n";
}

}  // namespace

Result<MarkdownText> report_markdown_text(const Report& report) {
  MarkdownText out = encoded<MarkdownText>("## {}\n\n", report.title);
  std::string by = report.author;
  if (!report.date.empty()) by += (by.empty() ? "" : ", ") + report.date;
  if (!by.empty()) out.add("{}\n\n", by);
  if (!report.comment.empty()) out.add("{}\n\n", report.comment);
  if (!report.lead.empty()) out.add("**{}**\n\n", fmt::to_string(fmt::join(report.lead, " ")));
  out += things_markdown(report);
  MarkdownText absent;
  for (const ReportPart& part : report.parts) {
    if (!part.empty) {
      out += TRY(part_markdown(part)) + "\n";
    } else {
      absent.add("- {}: {}\n", part.title, part.why);
    }
  }
  if (!report.remarks.empty()) {
    out += "### Remarks about the recording\n\n";
    for (const std::string& remark : report.remarks) out.add("- {}\n", remark);
    out += "\n";
  }
  if (!absent.empty()) out += "### Not in this report\n\n" + absent + "\n";
  out.add("Made by rpl {}.\n", version());
  return out;
}

}  // namespace rpl
