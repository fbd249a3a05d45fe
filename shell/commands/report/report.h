// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/encode.h"
#include "engine/document/document.h"
#include "shell/core/session/inputs.h"

/// What a report is made of: a paragraph for a reader, pictures, results of commands in the order of the questions that they answer. HTML, Markdown and the
/// pages of `serve` show the same.
namespace rpl {

class Face;

/// What a report is made with: beside what pictures are drawn of, who answers the lines of its parts.
struct ReportInputs : Inputs {
  ReportInputs(const Context& context);

  Face& face;
};

struct ReportArgs {
  std::string output, title, author, date, comment, baseline;
  std::int64_t rows = 25;  ///< at most so many of each table; 0: all
  bool paths = false;      ///< names of files stand with their folders
};

/// A picture with what stands below it.
struct ReportFigure {
  std::string anchor, title, caption;
  XmlText picture;        ///< SVG
  std::string data = {};  ///< of a timeline: what a script draws it from closer (timeline_data.h)
  std::string more = {};  ///< where a script asks for a part of it; "": nowhere
};

/// The result of one command.
struct ReportPart {
  std::string anchor, title;
  std::string line;    ///< as one would type it
  Document document;   ///< fields, and the columns and rows that are shown
  std::string below;   ///< "25 of 80 rows"
  bool empty = false;  ///< nothing was recorded that it could say
  std::string why;     ///< of an empty one: what there is not, and what records it
};

/// Something worth doing first.
struct ReportThing {
  std::string what;    ///< "Launch more waves: …"
  std::string worth;   ///< "13 to 26 % of the span"; "not priced"
  std::string where;   ///< the place that most of it is; ""
  std::string kernel;  ///< id; "" for the application
  std::string name;    ///< of the kernel, shortened
  std::string line;    ///< the command that says more
  double weight = 0;
  std::optional<std::pair<std::int64_t, std::int64_t>> window_ns = {};  ///< from the beginning
};

struct Report {
  std::string title, author, date, comment;
  std::vector<std::pair<std::string, std::string>> sources;  ///< kind and name of each file
  Provenance provenance = Provenance::none;
  std::vector<std::string> lead;    ///< sentences
  std::vector<ReportThing> things;  ///< at most three, the most worth first
  std::vector<ReportFigure> figures;
  std::string code_anchor;  ///< of the first source
  XmlText code;             ///< source with heat, of the open thread traces; "" for none
  std::vector<ReportPart> parts;
  std::vector<std::string> remarks;            ///< about the recordings, each once
  std::set<std::string, std::less<>> kernels;  ///< ids that the table of kernels has
};

/// How much of it is made: the sentences, what to do and the pictures, or the parts too.
enum class ReportExtent { lead, whole };

/// Asks every command that has something to say about what is open. Fails with `interrupted`, with what opening the baseline fails with, or when nothing
/// is open.
Result<Report> make_report(const ReportInputs& inputs, const ReportArgs& args,
                           ReportExtent extent = ReportExtent::whole);

/// The report as one page that loads nothing: its script is in it, held by a content policy to its hash, and it can be read without.
Result<XmlText> report_page(const Report& report);
/// The same without pictures and code, for an issue or a pull request.
Result<MarkdownText> report_markdown_text(const Report& report);

/// Pieces of it, for the pages of `serve`. Links lead to `kernel_page` + id.
XmlText lead_html(const Report& report, std::string_view kernel_page);
XmlText figure_html(const ReportFigure& figure);
Result<XmlText> part_html(const ReportPart& part, const std::set<std::string, std::less<>>& kernels,
                          std::string_view kernel_page);

/// Each absolute path in a text as its last name alone.
std::string without_folders(std::string_view text);

}  // namespace rpl
