// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/encode.h"
#include "engine/document/document.h"
#include "shell/core/session/inputs.h"

/// What a report is made of: results of commands and pictures, in the order of the questions that they answer. HTML and Markdown
/// are two ways to write the same parts.
namespace rpl {

class Face;

/// What a report is made with: beside what pictures are drawn of, who answers the lines of its parts.
struct ReportInputs : Inputs {
  ReportInputs(const Context& context);

  Face& face;
};

struct ReportPart {
  std::string anchor, title;
  std::string subject;  ///< id of the thread trace; "" for the recording
  std::string line;     ///< the command whose result this is, as one would type it
  Document document;
  XmlText picture;                 ///< SVG; "" for none
  std::string caption;             ///< of the picture
  std::vector<std::string> notes;  ///< also why the part could not be made
  std::string next;                ///< what to do about a part that could not be made
  bool made = true;
};

struct Report {
  std::string title;
  std::vector<std::pair<std::string, std::string>> sources;  ///< kind and path of each file
  Provenance provenance = Provenance::none;
  std::string lead;  ///< the verdict, one sentence
  std::vector<ReportPart> parts;
};

/// Asks every command that has something to say about what is open. A part that cannot be made, for want of counters perhaps, stays in the
/// report with the reason. Fails with `interrupted`, or when nothing is open.
Result<Report> make_report(const ReportInputs& inputs, const std::string& title);

}  // namespace rpl
