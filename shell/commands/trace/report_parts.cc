// SPDX-License-Identifier: MIT
#include "shell/commands/trace/report_parts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <filesystem>

#include "engine/base/interrupt.h"
#include "engine/base/text.h"
#include "shell/commands/trace/pictures.h"
#include "shell/core/inputs/loaded.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/inputs/overview.h"
#include "shell/core/session/context.h"
#include "shell/core/session/face.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

using DrawPart = Status (*)(const Inputs& inputs, ReportPart& into);

/// One question of a report. `{}` in the line is the id of the trace or thread trace.
struct PartOf {
  std::string_view anchor, title, line;
  DrawPart draw = nullptr;
  bool of_times = false;  ///< says nothing where only counters were recorded
};

/// In the order in which one asks.
constexpr std::array kTraceParts{
    PartOf{"summary", "What limits it", "summary --top 10", draw_report_timeline},
    PartOf{"findings", "Why it takes its time", "findings"},
    PartOf{"advice", "What to do next", "advise"},
    PartOf{"path", "Critical path", "critpath", nullptr, true},
    PartOf{"kernels", "Kernels", "info kernels"},
    PartOf{"diagnosis", "What limits each kernel", "classify"},
    PartOf{"headroom", "What there is to gain", "headroom", nullptr, true},
    PartOf{"roofline", "Roofline", "roofline", draw_report_roofline},
    PartOf{"memory", "Memory", "counters metrics", draw_report_memory},
    PartOf{"occupancy", "Occupancy", "occupancy"},
    PartOf{"gaps", "Gaps", "gaps", nullptr, true},
    PartOf{"warnings", "Remarks about the recording", "info warnings"},
};

constexpr std::array kThreadTraceParts{
    PartOf{"cycles", "Where the cycles went", "att summary {}", draw_report_cycles},
    PartOf{"lines", "Source lines by cycles", "att lines {}", draw_report_heat},
    PartOf{"waits", "What the waits waited for", "att waits {}"},
};

/// The part, or why there is none.
Result<ReportPart> make_part(const ReportInputs& inputs, const PartOf& part,
                             const std::string& subject) {
  ReportPart made;
  made.title = part.title;
  made.subject = subject;
  made.anchor = fmt::format("{}{}", part.anchor, subject);
  const std::size_t hole = part.line.find("{}");
  made.line = part.line;
  if (hole != std::string_view::npos) made.line.replace(hole, 2, subject);
  Result<Document> document = inputs.face.evaluate_line(made.line);
  if (!document) {
    if (document.error().code == Errc::interrupted) {
      return std::move(document).failure();
    }
    made.made = false;
    made.notes.push_back(document.error().message);
    made.next = document.error().hint;
    return made;
  }
  made.document = std::move(*document);
  made.notes = made.document.notes;
  if (part.draw != nullptr) TRY(part.draw(inputs, made));
  return made;
}

template <class Parts>
Status add_parts(const ReportInputs& inputs, const Parts& parts, const std::string& subject,
                 std::string_view about, bool timed, Report& report) {
  for (const PartOf& part : parts) {
    if (part.of_times && !timed) continue;
    TRY(interrupt::check());
    report.parts.push_back(TRY(make_part(inputs, part, subject)));
    if (!about.empty()) report.parts.back().title += fmt::format(": {}", about);
  }
  return {};
}

std::string file_name(std::string_view path) {
  const std::filesystem::path full(path);
  return (full.has_filename() ? full : full.parent_path()).filename().string();
}

/// The traced kernel, or the folder when the trace does not name one.
std::string name_of(const Shelved<OpenThreadTrace>& entry) {
  const std::string kernel = entry.value->trace->kernel();
  return kernel.empty() ? file_name(entry.path) : short_kernel(kernel);
}

std::string text_field(const Document& document, std::string_view name) {
  const Value* value = document.get(name);
  const auto* text = value != nullptr ? value->as<std::string>() : nullptr;
  return text != nullptr ? *text : std::string();
}

Status add_trace(const ReportInputs& inputs, Report& report) {
  const Loaded now = TRY(loaded(inputs));
  for (const TraceFile& file : now.trace->entities().files) {
    report.sources.push_back(
        {"recording", fmt::format("{} ({})", file.path, to_string(file.format))});
  }
  report.provenance = provenance_of(*now.trace);
  const auto [first_ns, last_ns] = now.trace->extent_ns();
  TRY(add_parts(inputs, kTraceParts, "", "", first_ns < last_ns, report));
  report.lead = text_field(report.parts.front().document, "verdict");
  return {};
}

}  // namespace

ReportInputs::ReportInputs(const Context& context) : Inputs(context), face(context.face()) {}

Result<Report> make_report(const ReportInputs& inputs, const std::string& title) {
  Report report;
  const bool trace = inputs.workspace.current().has_value();
  if (trace || inputs.workspace.thread_traces.all().empty()) TRY(add_trace(inputs, report));
  for (const AttEntry& entry : inputs.workspace.thread_traces.all()) {
    report.sources.push_back({"thread trace", entry->path});
    TRY(add_parts(inputs, kThreadTraceParts, entry->id, name_of(*entry), true, report));
  }
  if (report.provenance == Provenance::none) report.provenance = Provenance::recorded;
  report.title = title;
  if (title.empty()) {
    std::vector<std::string> names;
    if (trace) {
      for (const std::string& path : TRY(loaded(inputs)).open->paths()) {
        names.push_back(file_name(path));
      }
    }
    for (const AttEntry& entry : inputs.workspace.thread_traces.all()) {
      names.push_back(name_of(*entry));
    }
    report.title = fmt::format("{}", fmt::join(names, ", "));
  }
  return report;
}

}  // namespace rpl
