// SPDX-License-Identifier: MIT
#include "shell/render/html.h"

#include <fmt/format.h>

#include "engine/base/text.h"
#include "shell/render/scale.h"

namespace rpl {
namespace {

/// A share is drawn as a bar behind its number.
XmlText cell_html(const GridColumn& column, const GridCell& cell) {
  XmlText out("<td");
  out += when(column.right, " class=\"n\"");
  if (cell.share) out.add(" style=\"--bar:{:.1f}%\"", 100 * *cell.share);
  if (!cell.whole.empty()) out.add(" title=\"{}\"", cell.whole);
  out.add(">{}</td>", cell.text);
  return out;
}

XmlText head_html(const Grid& grid) {
  XmlText out("<thead><tr>");
  for (const GridColumn& column : grid.columns) {
    out.add("<th{} title=\"{}\">{}</th>", when(column.right, " class=\"n\""), column.description,
            column.heading);
  }
  return out + "</tr></thead>\n";
}

constexpr OwnText kStyle(R"css(
:root { color-scheme: light; --ink: #1c2126; --soft: #5b6570; --line: #d9dee3; --bar-ink: #cfe0f3; --paper: #fff; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 0 1rem 3rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; margin: 1.2rem 0 .2rem; }
h2 { font-size: 1.15rem; margin: 2rem 0 .3rem; padding-top: .6rem; border-top: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 1.2rem 0 .2rem; }
nav { display: flex; flex-wrap: wrap; gap: .2rem 1rem; margin: .6rem 0; }
nav a { color: #17548f; padding: .3rem 0; }
p { margin: .4rem 0; }
.soft, figcaption { color: var(--soft); font-size: .85rem; }
.lead { font-size: 1.05rem; font-weight: 600; }
code { font: .85rem/1.4 ui-monospace, monospace; }
dl { display: grid; grid-template-columns: 12rem 1fr; gap: .15rem 1rem; margin: .5rem 0; }
dt { color: var(--soft); }
dd { margin: 0; }
.scroll { overflow-x: auto; -webkit-overflow-scrolling: touch; margin: .5rem 0; }
table { border-collapse: collapse; font-size: .85rem; white-space: nowrap; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .6rem; text-align: left; border-bottom: 1px solid var(--line); }
td { background: linear-gradient(90deg, var(--bar-ink) var(--bar, 0%), transparent 0); }
th { position: sticky; top: 0; background: var(--paper); color: var(--soft); font-weight: 600; }
.n { text-align: right; }
figure { margin: .8rem 0; overflow-x: auto; }
figure svg { display: block; min-width: 44rem; width: 100%; height: auto; }
@media (max-width: 40rem) { body { font-size: 15px; } dl { grid-template-columns: 7.5rem 1fr; gap: .15rem .6rem; } th, td { padding: .25rem .4rem; } }
@media print { .scroll, figure { overflow: visible; } }
)css");

}  // namespace

XmlText html_fields(const Document& document) {
  XmlText out, tables;
  for (const Column& field : document.fields) {
    const Value* value = document.get(field.name);
    if (value == nullptr || value->is_null() || field.in_text == InText::never) continue;
    if (const auto* list = value->as<List>(); list != nullptr && list->empty()) continue;
    if (const auto nested = grid_of_record(*value)) {
      tables.add("<h3>{}</h3>\n{}", heading(field, {}), html_table(*nested));
      continue;
    }
    out.add("<dt title=\"{}\">{}</dt><dd>{}</dd>\n", field.description, heading(field, {}),
            field_text(field, *value));
  }
  return (out.empty() ? out : "<dl>\n" + out + "</dl>\n") + tables;
}

XmlText html_table(const Grid& grid) {
  if (grid.columns.empty()) return {};
  if (grid.rows.empty()) return OwnText("<p class=\"soft\">no rows</p>\n");
  XmlText out = "<div class=\"scroll\"><table>\n" + head_html(grid) + "<tbody>\n";
  for (const auto& row : grid.rows) {
    out += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) out += cell_html(grid.columns[i], row[i]);
    out += "</tr>\n";
  }
  out += "</tbody></table></div>\n";
  if (!grid.left_out.empty()) {
    out.add("<p class=\"soft\">{}</p>\n", grid.left_out);
  }
  return out;
}

XmlText html_page(std::string_view title, const XmlText& body) {
  return encoded<XmlText>(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n{}</body>\n</html>\n",
      title, kStyle, body);
}

}  // namespace rpl
