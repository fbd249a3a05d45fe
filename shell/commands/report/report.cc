// SPDX-License-Identifier: MIT
#include "shell/commands/report/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "engine/base/interrupt.h"
#include "engine/base/text.h"
#include "engine/process/run.h"
#include "shell/commands/report/report_lead.h"
#include "shell/commands/report/report_parts.h"
#include "shell/commands/report/report_pictures.h"
#include "shell/core/inputs/emulated_run.h"
#include "shell/core/inputs/loaded.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/inputs/overview.h"
#include "shell/core/session/context.h"
#include "shell/core/session/face.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

/// Of a file that is hidden in a folder, which is what one was told of, the folder.
std::string file_name(std::string_view path) {
  const std::filesystem::path full(path);
  const std::string name = (full.has_filename() ? full : full.parent_path()).filename().string();
  const std::string folder = full.parent_path().filename().string();
  return name.starts_with('.') && !folder.empty() ? folder : name;
}

/// The traced kernel, or the folder when the trace does not name one.
std::string name_of(const Shelved<OpenThreadTrace>& entry) {
  const std::string kernel = entry.value->trace->kernel();
  return kernel.empty() ? file_name(entry.path) : short_kernel(kernel);
}

/// A result that is asked for what it says beside the parts; an empty one where it fails.
Result<Document> asked(const ReportInputs& inputs, const std::string& line) {
  Result<Document> out = inputs.face.evaluate_line(line);
  if (out || out.error().code == Errc::interrupted) return out;
  return Document();
}

Status add_figure(Result<std::optional<ReportFigure>> figure, Report& report) {
  if (!figure) {
    if (figure.error().code == Errc::interrupted) return std::move(figure).failure();
    return {};
  }
  if (*figure) report.figures.push_back(std::move(**figure));
  return {};
}

Status add_figures(const ReportInputs& inputs, const PictureLinks& links, Report& report) {
  TRY(add_figure(timeline_figure(inputs, links), report));
  TRY(add_figure(roofline_figure(inputs, links), report));
  return add_figure(memory_figure(inputs), report);
}

Status add_parts(const ReportInputs& inputs, const ReportArgs& args, std::span<const PartOf> parts,
                 const std::string& subject, std::string_view about, bool timed, Report& report) {
  for (const PartOf& part : parts) {
    if (part.of_times && !timed) continue;
    TRY(interrupt::check());
    report.parts.push_back(TRY(make_part(inputs, args, part, subject, report.remarks)));
    if (!about.empty()) report.parts.back().title += fmt::format(": {}", about);
  }
  return {};
}

/// What changed since another recording, before everything else.
Status add_comparison(const ReportInputs& inputs, const ReportArgs& args, const Loaded& now,
                      Report& report) {
  constexpr PartOf kPart{"changes",
                         "What changed",
                         "compare",
                         "id kernel before_calls after_calls before_total_ns after_total_ns "
                         "change_ns mean_ratio",
                         "change_ns",
                         "no kernel changed"};
  std::error_code unknown;
  if (!inputs.workspace.select(args.baseline) && !std::filesystem::exists(args.baseline, unknown))
    return fail(Errc::not_found, fmt::format("{}: no such file", args.baseline),
                "--baseline takes the recording of before");
  TRY(inputs.workspace.select(now.open->id()));
  Document compared =
      TRY(inputs.face.evaluate_line(command_line({"compare", args.baseline, now.open->id()})));
  const std::string before = args.paths ? args.baseline : file_name(args.baseline);
  report.sources.emplace_back("baseline", before);
  auto sentences = lead_of_comparison(compared, before);
  report.lead.insert(report.lead.end(), sentences.begin(), sentences.end());
  report.parts.push_back(TRY(part_of(std::move(compared), args, kPart, "")));
  const std::string after =
      args.paths ? now.open->paths().front() : file_name(now.open->paths().front());
  report.parts.back().line = command_line({"compare", before, after});
  return {};
}

Status add_trace(const ReportInputs& inputs, const ReportArgs& args, ReportExtent extent,
                 Report& report) {
  const Loaded now = TRY(loaded(inputs));
  for (const TraceFile& file : now.trace->entities().files) {
    report.sources.emplace_back(
        "recording", fmt::format("{} ({})", args.paths ? file.path : file_name(file.path),
                                 to_string(file.format)));
  }
  report.provenance = provenance_of(*now.trace);
  const auto [first_ns, last_ns] = now.trace->extent_ns();
  report.lead = TRY(lead_of_trace(now, TRY(asked(inputs, "summary"))));
  if (!args.baseline.empty()) TRY(add_comparison(inputs, args, now, report));
  const Document findings = TRY(asked(inputs, "findings"));
  const Document advice = TRY(asked(inputs, "advise"));
  report.things = things_to_do(findings, &advice, &now, TRY(stats_of(now)).get());
  if (extent == ReportExtent::lead) return add_figures(inputs, {.kernel_page = "/kernel/"}, report);
  TRY(add_parts(inputs, args, trace_parts(), "", "", first_ns < last_ns, report));
  for (const ReportPart& part : report.parts) {
    const auto id = column_index(part.document, "id");
    if (part.anchor != "kernels" || !id) continue;
    for (const Row& row : part.document.rows) {
      if (const auto* text = row[*id].as<std::string>()) report.kernels.insert(*text);
    }
  }
  PictureLinks links;
  links.known = &report.kernels;
  TRY(add_figures(inputs, links, report));
  const Document warnings = TRY(asked(inputs, "info warnings"));
  const auto text = column_index(warnings, "warning");
  return warnings.each_row([&](const Row& row) {
    const auto* one = text ? row[*text].as<std::string>() : nullptr;
    if (one == nullptr) return true;
    const std::string remark = args.paths ? *one : without_folders(*one);
    if (std::ranges::find(report.remarks, remark) == report.remarks.end())
      report.remarks.push_back(remark);
    return true;
  });
}

void add_code(const std::string& anchor, const XmlText& code, Report& report) {
  if (report.code.empty() && !code.empty()) report.code_anchor = anchor;
  report.code += code;
}

Status add_thread_trace(const ReportInputs& inputs, const ReportArgs& args, const AttEntry& entry,
                        ReportExtent extent, Report& report) {
  report.sources.emplace_back("thread trace", args.paths ? entry->path : file_name(entry->path));
  const bool alone = report.lead.empty();
  auto lead = lead_of_thread_trace(TRY(asked(inputs, "att summary " + entry->id)));
  report.lead.insert(report.lead.end(), lead.begin(), lead.end());
  const std::string waits = "att waits " + entry->id;
  if (alone) report.things = waits_to_hide(TRY(asked(inputs, waits)), waits);
  TRY(add_figure(cycles_figure(inputs, entry), report));
  if (extent == ReportExtent::lead) return {};
  add_code("source-" + entry->id, source_html(entry, "source-" + entry->id), report);
  return add_parts(inputs, args, thread_trace_parts(), entry->id, name_of(*entry), true, report);
}

/// The last run on the emulated device; what to do first is about it where nothing else is open.
Status add_run(const ReportInputs& inputs, const ReportArgs& args, ReportExtent extent,
               Report& report) {
  const std::string kernel = short_kernel(demangled(inputs.workspace.last_run->kernel));
  const bool alone = report.lead.empty();
  report.lead.push_back(
      fmt::format("{} ran on the emulated device; its times are modelled.", kernel));
  report.sources.emplace_back("run", kernel);
  if (alone) {
    report.provenance = Provenance::modelled;
    report.things = things_to_do(TRY(asked(inputs, "findings run")), nullptr, nullptr, nullptr);
  }
  if (extent == ReportExtent::lead) return {};
  add_code("source-run", run_source_html(TRY(asked(inputs, "list 1,2000"))), report);
  return add_parts(inputs, args, run_parts(), "", kernel, true, report);
}

Result<std::string> title_of(const ReportInputs& inputs, bool trace) {
  std::vector<std::string> names;
  if (trace) {
    for (const std::string& path : TRY(loaded(inputs)).open->paths())
      names.push_back(file_name(path));
  }
  for (const AttEntry& entry : inputs.workspace.thread_traces.all())
    names.push_back(name_of(*entry));
  if (names.empty() && inputs.workspace.last_run != nullptr)
    names.push_back(short_kernel(demangled(inputs.workspace.last_run->kernel)));
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

ReportInputs::ReportInputs(const Context& context) : Inputs(context), face(context.face()) {}

Result<Report> make_report(const ReportInputs& inputs, const ReportArgs& args,
                           ReportExtent extent) {
  Report report;
  report.author = args.author;
  report.date = args.date;
  report.comment = args.comment;
  const bool trace = inputs.workspace.current().has_value();
  const bool run = inputs.workspace.last_run != nullptr;
  if (trace || (inputs.workspace.thread_traces.all().empty() && !run) || !args.baseline.empty())
    TRY(add_trace(inputs, args, extent, report));
  for (const AttEntry& entry : inputs.workspace.thread_traces.all())
    TRY(add_thread_trace(inputs, args, entry, extent, report));
  if (run) TRY(add_run(inputs, args, extent, report));
  if (!args.paths) {
    for (std::string& one : report.lead) one = without_folders(one);
    for (ReportThing& thing : report.things) {
      thing.what = without_folders(thing.what);
      thing.where = without_folders(thing.where);
      thing.line = without_folders(thing.line);
    }
  }
  if (report.provenance == Provenance::none) report.provenance = Provenance::recorded;
  report.title = args.title.empty() ? TRY(title_of(inputs, trace)) : args.title;
  return report;
}

}  // namespace rpl
