// SPDX-License-Identifier: MIT
// The report as an HTML page.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/text.h"
#include "shell/commands/report/report.h"
#include "shell/core/session/version.h"
#include "shell/render/html.h"
#include "shell/render/html_page.h"

namespace rpl {
namespace {

XmlText paragraph(OwnText kind, std::string_view text) {
  if (text.empty()) return {};
  return encoded<XmlText>("<p class=\"{}\">{}</p>\n", kind, text);
}

XmlText thing_html(const Report& report, const ReportThing& thing, std::string_view kernel_page) {
  XmlText out =
      encoded<XmlText>("<li><b>{}</b> <span class=\"worth\">{}</span>", thing.what, thing.worth);
  if (!thing.where.empty()) {
    out += "<br><span class=\"soft\">";
    if (thing.window_ns && !report.figures.empty() && report.figures.front().anchor == "timeline") {
      out.add("<a href=\"#timeline\" data-from=\"{}\" data-to=\"{}\">{}</a>",
              thing.window_ns->first, thing.window_ns->second, thing.where);
    } else {
      out.add("{}", thing.where);
    }
    out += "</span>";
  }
  if (!thing.kernel.empty()) {
    const bool has_place = !kernel_page.starts_with('#') || report.kernels.contains(thing.kernel);
    out += "<br>";
    if (has_place) out.add("<a href=\"{}{}\">", kernel_page, thing.kernel);
    out.add("{}{} {}", thing.kernel, when(has_place, "</a>"), thing.name);
  }
  if (!thing.line.empty()) out.add("<br><code>{}</code>", thing.line);
  return out + "</li>\n";
}

XmlText navigation(const Report& report) {
  XmlText out("<nav>");
  for (const ReportFigure& figure : report.figures)
    out.add("<a href=\"#{}\">{}</a>\n", figure.anchor, figure.title);
  if (!report.code.empty()) out.add("<a href=\"#{}\">Source</a>\n", report.code_anchor);
  for (const ReportPart& part : report.parts) {
    if (!part.empty) out.add("<a href=\"#{}\">{}</a>\n", part.anchor, part.title);
  }
  return out + "</nav>\n";
}

/// What was not there, in one paragraph, and what records it.
XmlText absent_html(const Report& report) {
  XmlText out;
  for (const ReportPart& part : report.parts) {
    if (!part.empty) continue;
    if (!out.empty()) out += " ";
    out.add("<b>{}</b>: {}.", part.title, part.why.empty() ? "nothing was recorded" : part.why);
  }
  if (out.empty()) return out;
  return "<section id=\"absent\">\n<h2>Not in this report</h2>\n<p class=\"soft\">" + out +
         "</p>\n</section>\n";
}

XmlText remarks_html(const Report& report) {
  if (report.remarks.empty()) return {};
  XmlText out("<section id=\"remarks\">\n<h2>Remarks about the recording</h2>\n<ul>\n");
  for (const std::string& remark : report.remarks) out.add("<li>{}</li>\n", remark);
  return out + "</ul>\n</section>\n";
}

XmlText files_html(const Report& report) {
  XmlText out("<section id=\"files\">\n<h2>Where the numbers come from</h2>\n<dl>\n");
  for (const auto& [kind, path] : report.sources) out.add("<dt>{}</dt><dd>{}</dd>\n", kind, path);
  out.add("<dt>made by</dt><dd>rpl {}</dd>\n</dl>\n", version());
  return out +
         paragraph("soft",
                   "recorded: read from the files. measured: GPU timestamps. modelled: the "
                   "emulated device. estimated: a formula.") +
         "</section>\n";
}

XmlText head_html(const Report& report) {
  XmlText out = encoded<XmlText>("<h1>{}</h1>\n", report.title);
  std::string by = report.author;
  if (!report.date.empty()) by += (by.empty() ? "" : " · ") + report.date;
  out += paragraph("soft", by);
  out += paragraph("comment", report.comment);
  return out;
}

/// The cells of a table of kernels lead to the row of each; the rows of the table of kernels are where they lead.
void link_kernels(Grid& grid, const ReportPart& part,
                  const std::set<std::string, std::less<>>& kernels, std::string_view kernel_page) {
  for (std::size_t at = 0; at < part.document.columns.size(); ++at) {
    if (part.document.columns[at].name != "id") continue;
    for (auto& row : grid.rows) {
      GridCell& cell = row[at];
      if (!kernels.contains(cell.text)) continue;
      if (part.anchor == "kernels" && kernel_page.starts_with('#')) {
        cell.anchor = std::string(kernel_page.substr(1)) + cell.text;
      } else {
        cell.link = std::string(kernel_page) + cell.text;
      }
    }
  }
}

}  // namespace

XmlText lead_html(const Report& report, std::string_view kernel_page) {
  XmlText out("<p class=\"lead\">");
  for (std::size_t i = 0; i < report.lead.size(); ++i)
    out.add("{}{}", when(i > 0, " "), report.lead[i]);
  out += "</p>\n";
  if (report.things.empty()) return out;
  out.add("<h2>{}</h2>\n<ol class=\"things\">\n",
          report.things.size() == 1 ? OwnText("What to do") : OwnText("What to do first"));
  for (const ReportThing& thing : report.things) out += thing_html(report, thing, kernel_page);
  return out + "</ol>\n";
}

XmlText figure_html(const ReportFigure& figure) {
  XmlText out = encoded<XmlText>("<figure id=\"{}\" class=\"zoom\"", figure.anchor);
  if (!figure.data.empty()) out.add(" data-timeline=\"{}\"", figure.data);
  if (!figure.more.empty()) out.add(" data-more=\"{}\"", figure.more);
  out.add(">\n<h2>{}</h2>\n{}<figcaption>{}</figcaption>\n</figure>\n", figure.title,
          figure.picture, figure.caption);
  return out;
}

Result<XmlText> part_html(const ReportPart& part, const std::set<std::string, std::less<>>& kernels,
                          std::string_view kernel_page) {
  XmlText out("<section");
  if (!part.anchor.empty()) out.add(" id=\"{}\"", part.anchor);
  out.add(">\n<h2>{}</h2>\n", part.title);
  const Provenance from = part.document.provenance;
  const std::string known = from == Provenance::none ? "" : fmt::format(" · {}", to_string(from));
  out.add("<p class=\"soft\"><code>{}</code>{}</p>\n", part.line, known);
  const XmlText fields = html_fields(part.document);
  out += fields;
  Grid grid = TRY(grid_of(part.document, 0, ForWhom::reader));
  link_kernels(grid, part, kernels, kernel_page);
  // Behind tables with headings of their own it has one, too.
  if (!grid.rows.empty() && fields.bytes().find("<h3>") != std::string_view::npos) {
    const auto kernel = std::ranges::find(grid.columns, true, &GridColumn::is_kernel);
    out.add("<h3>{}s</h3>\n",
            kernel != grid.columns.end() ? kernel->heading : grid.columns.front().heading);
  }
  if (!grid.rows.empty()) out += html_table(grid);
  out += paragraph("soft", part.below);
  return out + "</section>\n";
}

Result<XmlText> report_page(const Report& report) {
  constexpr std::string_view kKernels = "#kernel-";
  XmlText body = head_html(report) + lead_html(report, kKernels) + navigation(report);
  for (const ReportFigure& figure : report.figures) body += figure_html(figure);
  body += report.code;
  for (const ReportPart& part : report.parts) {
    if (!part.empty) body += TRY(part_html(part, report.kernels, kKernels));
  }
  body += remarks_html(report) + absent_html(report) + files_html(report);
  return html_page(report.title, body);
}

}  // namespace rpl
