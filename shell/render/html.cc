// SPDX-License-Identifier: MIT
#include "shell/render/html.h"

#include <fmt/format.h>

#include "engine/base/text.h"
#include "shell/render/scale.h"

namespace rpl {
namespace {

/// A share is drawn as a bar behind its number; a text that takes a line or more has room for some words.
XmlText cell_html(const GridColumn& column, const GridCell& cell) {
  constexpr std::size_t kLong = 24;
  XmlText out("<td");
  out += column.right               ? OwnText(" class=\"n\"")
         : column.is_id             ? OwnText(" class=\"id\"")
         : column.is_kernel         ? OwnText(" class=\"kernel\"")
         : cell.text.size() > kLong ? OwnText(" class=\"long\"")
                                    : OwnText("");
  if (cell.share) out.add(" style=\"--bar:{:.1f}%\"", 100 * *cell.share);
  if (!cell.whole.empty()) out.add(" title=\"{}\"", cell.whole);
  if (cell.link.empty()) {
    out.add(">{}</td>", cell.text);
  } else {
    out.add("><a href=\"{}\">{}</a></td>", cell.link, cell.text);
  }
  return out;
}

/// A number and its "%" stay on one line.
std::string unbroken(std::string text) {
  constexpr std::string_view kNoBreak = "\u00a0%";
  for (std::size_t at = text.find(" %"); at != std::string::npos; at = text.find(" %", at + 1))
    text.replace(at, 2, kNoBreak);
  return text;
}

XmlText row_html(const Grid& grid, const std::vector<GridCell>& row) {
  XmlText out("<tr");
  for (const GridCell& cell : row) {
    if (!cell.anchor.empty()) out.add(" id=\"{}\"", cell.anchor);
  }
  out += ">";
  for (std::size_t i = 0; i < row.size(); ++i) out += cell_html(grid.columns[i], row[i]);
  return out + "</tr>\n";
}

XmlText head_html(const Grid& grid) {
  XmlText out("<thead><tr>");
  for (const GridColumn& column : grid.columns) {
    out.add("<th{} title=\"{}\">{}</th>", when(column.right, " class=\"n\""), column.description,
            column.heading);
  }
  return out + "</tr></thead>\n";
}

}  // namespace

XmlText html_fields(const Document& document) {
  XmlText out, tables;
  const std::vector<std::string> headings = reader_headings(document.fields);
  for (std::size_t at = 0; at < document.fields.size(); ++at) {
    const Column& field = document.fields[at];
    const Value* value = document.get(field.name);
    if (value == nullptr || value->is_null() || field.in_text == InText::never) continue;
    if (const auto* list = value->as<List>(); list != nullptr && list->empty()) continue;
    if (const auto nested = grid_of_record(*value)) {
      tables.add("<h3>{}</h3>\n{}", headings[at], html_table(*nested));
      continue;
    }
    if (const auto nested = grid_of_list(field, *value)) {
      tables.add("<h3>{}</h3>\n{}", headings[at], html_table(*nested));
      continue;
    }
    out.add("<dt title=\"{}\">{}</dt><dd>{}</dd>\n", field.description, headings[at],
            unbroken(field_text(field, with_readable_names(field, *value), ForWhom::reader)));
  }
  return (out.empty() ? out : "<dl>\n" + out + "</dl>\n") + tables;
}

XmlText html_table(const Grid& grid) {
  if (grid.columns.empty()) return {};
  if (grid.rows.empty()) return OwnText("<p class=\"soft\">no rows</p>\n");
  XmlText out = "<div class=\"scroll\"><table>\n" + head_html(grid) + "<tbody>\n";
  for (const auto& row : grid.rows) out += row_html(grid, row);
  out += "</tbody></table></div>\n";
  if (!grid.left_out.empty()) {
    out.add("<p class=\"soft\">{}</p>\n", grid.left_out);
  }
  return out;
}

}  // namespace rpl
