// SPDX-License-Identifier: MIT
#include "shell/commands/report_parts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <filesystem>

#include "engine/base/interrupt.h"
#include "shell/commands/loaded.h"
#include "shell/commands/overview.h"
#include "shell/commands/pictures.h"

namespace rpl {
namespace {

enum class Picture { none, timeline };

/// The questions in the order in which one asks them.
struct PartOf {
  std::string_view anchor, title, line;
  Picture picture = Picture::none;
  std::string_view caption = {};
};

constexpr std::array kTraceParts{
    PartOf{"summary", "What limits it", "summary --top 10", Picture::timeline,
           "Timeline: one row a stream, busiest first; the critical path is outlined."},
    PartOf{"path", "Critical path", "critpath"},
    PartOf{"kernels", "Kernels", "info kernels"},
    PartOf{"gaps", "Gaps", "gaps"},
    PartOf{"warnings", "Remarks about the recording", "info warnings"},
};

Status add_picture(Context& context, const PartOf& part, ReportPart& into) {
  if (part.picture == Picture::none) return {};
  const Loaded now = TRY(loaded(context));
  if (nothing_ran(*now.trace)) return {};
  TimelinePicture picture;
  picture.rows = 12;
  const auto append = [&](std::string_view text) -> Status {
    into.picture += text;
    return {};
  };
  PictureNotes said = TRY(draw_timeline(context, now, picture, append));
  into.caption = fmt::format("{} {}.", part.caption, said.written);
  return {};
}

/// The part, or why there is none.
Result<ReportPart> make_part(Context& context, const PartOf& part) {
  ReportPart made;
  made.anchor = part.anchor;
  made.title = part.title;
  made.line = part.line;
  Result<Document> document = context.evaluate_line(part.line);
  if (!document) {
    if (document.error().code == Errc::interrupted)
      return tl::unexpected(std::move(document).error());
    made.made = false;
    made.notes.push_back(document.error().message);
    made.next = document.error().hint;
    return made;
  }
  made.document = std::move(*document);
  made.notes = made.document.notes;
  TRY(add_picture(context, part, made));
  return made;
}

std::string text_field(const Document& document, std::string_view name) {
  const Value* value = document.get(name);
  const auto* text = value != nullptr ? value->as<std::string>() : nullptr;
  return text != nullptr ? *text : std::string();
}

}  // namespace

Result<Report> make_report(Context& context, const std::string& title) {
  if (!context.evaluate_line) return fail(Errc::internal, "no command line to evaluate");
  const Loaded now = TRY(loaded(context));
  Report report;
  report.title = title;
  if (title.empty()) {
    std::vector<std::string> names;
    for (const std::string& path : now.open->paths()) {
      names.push_back(std::filesystem::path(path).filename().string());
    }
    report.title = fmt::format("{}", fmt::join(names, ", "));
  }
  for (const PartOf& part : kTraceParts) {
    TRY(interrupt::check());
    report.parts.push_back(TRY(make_part(context, part)));
  }
  report.lead = text_field(report.parts.front().document, "verdict");
  return report;
}

}  // namespace rpl
