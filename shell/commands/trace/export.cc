// SPDX-License-Identifier: MIT
// export: files for other tools.
#include <fmt/format.h>

#include "engine/base/numbers.h"
#include "engine/base/output_file.h"
#include "engine/base/text.h"
#include "engine/document/bound.h"
#include "engine/plot/dot.h"
#include "engine/plot/event_trace.h"
#include "engine/process/run.h"
#include "engine/trace/views/sql_tables.h"
#include "shell/commands/trace/filters.h"
#include "shell/commands/trace/pictures.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/loaded.h"
#include "shell/core/session/face.h"
#include "shell/render/render.h"

namespace rpl {
namespace {

/// What every export says about the file it wrote.
struct WrittenFile {
  std::string path;
  std::uint64_t size_bytes = 0;
  std::string written;
};

constexpr auto kFileFields =
    bound_to<WrittenFile>(column<&WrittenFile::path>("path", "the file"),
                          column<&WrittenFile::size_bytes>("size_bytes", "its size"),
                          column<&WrittenFile::written>("written", "what is in it"));

Result<Document> finished(OutputFile& file, std::string written) {
  TRY(file.commit());
  Document out;
  out.text = fmt::format("wrote {}: {}, {}", file.path(), written, format_bytes(file.bytes()));
  out.put(kFileFields, WrittenFile{file.path(), file.bytes(), std::move(written)});
  return out;
}

Sink writer_to(OutputFile& file) {
  return [&file](OutputBytes text) { return file.write(text); };
}

std::string shortened(std::string_view name) { return elide_middle(short_kernel(name), 40); }

struct TableArgs {
  std::string what = "kernels", output;
};

/// What can be exported as a table is what a command returns.
std::string line_for(const std::string& what) {
  if (what == "critpath" || what == "slack" || what == "gaps" || what == "overlap" ||
      what == "summary") {
    return what == "gaps" || what == "overlap" ? what + " --top 0" : what;
  }
  if (what == "nodes" || what == "edges") return "dag " + what;
  return "info " + what;
}

Result<Document> table(const TableArgs& args, Face& face, Format format) {
  const Document document = TRY(face.evaluate_line(line_for(args.what)));
  auto file = TRY(OutputFile::create(args.output, OutputFile::Place::named));
  std::uint64_t rows = 0;
  Form form;
  form.format = format;
  TRY(render(document, form, Terminal{}, writer_to(file)));
  if (document.rows_from) {
    TRY(document.each_row([&](const Row&) { return ++rows > 0; }));
  } else {
    rows = document.rows.size();
  }
  return finished(file, fmt::format("{} rows of {}", format_count(rows), args.what));
}

Result<Document> export_csv(const TableArgs& args, Face& face) {
  return table(args, face, Format::csv);
}
Result<Document> export_json(const TableArgs& args, Face& face) {
  return table(args, face, Format::json);
}
Result<Document> export_markdown(const TableArgs& args, Face& face) {
  return table(args, face, Format::markdown);
}

struct EventArgs {
  std::string output;
  bool arrows = true, api = true, counters = true;
};

using WriteEvents = Result<EventSummary>(const Graph&, const EventOptions&, const Sink&,
                                         const Monitor&);

Result<Document> export_events(const EventArgs& args, Inputs inputs, WriteEvents* write_events,
                               std::string where) {
  const Loaded now = TRY(loaded_with_times(inputs));
  const auto graph = TRY(graph_of(inputs, now));
  const auto path = TRY(path_of(inputs, now));
  EventOptions options;
  options.path = args.arrows ? path.get() : nullptr;
  options.launch_arrows = args.arrows;
  options.api = args.api;
  options.counters = args.counters;
  auto file = TRY(OutputFile::create(args.output, OutputFile::Place::named));
  const EventSummary summary = TRY(write_events(*graph, options, writer_to(file), inputs.monitor));
  Document out =
      TRY(finished(file, fmt::format("{} slices, {} arrows", format_count(summary.slices),
                                     format_count(summary.arrows))));
  out.provenance = provenance_of(*now.trace);
  if (const auto why = nothing_ran(*now.trace)) out.notes.push_back(*why);
  out.notes.push_back(std::move(where));
  return out;
}

Result<Document> export_chrome(const EventArgs& args, Inputs inputs) {
  return export_events(args, inputs, write_chrome_trace,
                       "open it at ui.perfetto.dev or chrome://tracing");
}

Result<Document> export_perfetto(const EventArgs& args, Inputs inputs) {
  return export_events(args, inputs, write_perfetto_trace, "open it at ui.perfetto.dev");
}

struct DatabaseArgs {
  std::string output;
};

Result<Document> export_sqlite(const DatabaseArgs& args, Inputs inputs) {
  const Loaded now = TRY(loaded(inputs));
  auto file = TRY(OutputFile::create(args.output, OutputFile::Place::named));
  const views::WrittenViews written =
      TRY(views::write_views(now.trace, TRY(file.content_path()), inputs.monitor));
  Document out = TRY(finished(
      file, fmt::format("{} views of {} rows", written.views, format_count(written.rows))));
  out.provenance = provenance_of(*now.trace);
  if (const auto why = nothing_ran(*now.trace)) out.notes.push_back(*why);
  out.notes.push_back(
      fmt::format("ask it with any program that knows SQLite: {}",
                  command_line({"sqlite3", args.output, "select * from rpl_kernels"})));
  return out;
}

struct PictureArgs {
  std::string output, from, to, around;
  std::string by = "stream";
  std::int64_t rows = 32, width = 1200;
};

Result<Document> export_svg(const PictureArgs& args, Inputs inputs) {
  const Loaded now = TRY(loaded_with_times(inputs));
  auto file = TRY(OutputFile::create(args.output, OutputFile::Place::named));
  PictureNotes said = TRY(
      draw_timeline(inputs, now, {args.from, args.to, args.around, args.by, args.rows, args.width},
                    writer_to(file)));
  Document out = TRY(finished(file, std::move(said.written)));
  out.notes = std::move(said.notes);
  if (const auto why = nothing_ran(*now.trace)) out.notes.push_back(*why);
  out.provenance = provenance_of(*now.trace);
  return out;
}

struct DotArgs {
  std::string output, from, to, around;
  std::int64_t nodes = 500;
  bool host = false;
};

Result<Document> export_dot(const DotArgs& args, Inputs inputs) {
  const Loaded now = TRY(loaded_with_times(inputs));
  const auto graph = TRY(graph_of(inputs, now));
  const auto path = TRY(path_of(inputs, now));
  DotOptions options;
  std::tie(options.from_ns, options.to_ns) =
      TRY(window_of_args(inputs.workspace, *now.trace, {args.from, args.to, args.around}));
  options.limit = args.nodes <= 0 ? SIZE_MAX : static_cast<std::size_t>(args.nodes);
  options.host = args.host;
  options.path = path.get();
  options.shorten = shortened;
  auto file = TRY(OutputFile::create(args.output, OutputFile::Place::named));
  const DotSummary summary = TRY(write_dot(*graph, options, writer_to(file)));
  Document out =
      TRY(finished(file, fmt::format("{} operations, {} edges", format_count(summary.operations),
                                     format_count(summary.edges))));
  if (summary.left_out > 0) {
    out.notes.push_back(fmt::format(
        "{} later operations are left out: choose a window with --from and --to, or --nodes 0",
        format_count(summary.left_out)));
  }
  if (summary.from_outside > 0) {
    out.notes.push_back(fmt::format("{} edges from nodes that are not drawn are left out",
                                    format_count(summary.from_outside)));
  }
  if (const auto why = nothing_ran(*now.trace)) out.notes.push_back(*why);
  out.provenance = provenance_of(*now.trace);
  return out;
}

Command exporting(std::string path, std::string summary, std::string help, std::string example) {
  return Command{.path = std::move(path),
                 .does = {Capability::read, Capability::write},
                 .chapter = Class::exporting,
                 .summary = std::move(summary),
                 .help = std::move(help) + " The file appears when it is complete, or not at all.",
                 .fields = described(kFileFields),
                 .scalar = "path",
                 .examples = {std::move(example)},
                 .changes_program = true};
}

template <class Args>
Bound output_option() {
  return option("output", &Args::output, "the file to write: -o FILE")
      .required()
      .or_letter('o')
      .needs({Capability::write})
      .writes_file()
      .named("FILE")
      .completes(Complete::file);
}

void add_table_export(Registry& registry, const char* format, const char* help,
                      Result<Document> (*handler)(const TableArgs&, Face&)) {
  const std::string path = fmt::format("export {}", format);
  add(registry,
      command(exporting(path, fmt::format("Write a table as {} into a file.", format), help,
                        fmt::format("{} kernels -o kernels.{} --trace TRACE", path, format)),
              {arg("what", &TableArgs::what, "which table")
                   .one_of({"kernels", "dispatches", "streams", "queues", "agents", "copies", "api",
                            "markers", "counters", "critpath", "slack", "gaps", "overlap",
                            "summary", "nodes", "edges"}),
               output_option<TableArgs>()},
              handler));
}

void add_event_export(Registry& registry, const char* path, const char* summary, const char* help,
                      const char* example, Result<Document> (*handler)(const EventArgs&, Inputs)) {
  add(registry, command(exporting(path, summary, help, example),
                        {output_option<EventArgs>(),
                         flag("arrows", &EventArgs::arrows, "draw arrows (the default)"),
                         flag("api", &EventArgs::api, "write API calls (the default)"),
                         flag("counters", &EventArgs::counters, "write counters (the default)")},
                        handler));
}

}  // namespace

void add_export_commands(Registry& registry) {
  add_table_export(registry, "csv",
                   "Comma-separated values with a header (RFC 4180), in base units.", export_csv);
  add_table_export(registry, "json", "The JSON document that the command returns.", export_json);
  add_table_export(registry, "markdown", "A table for issues and reports.", export_markdown);
  add_event_export(registry, "export chrome", "Write a trace file that Perfetto opens.",
                   "Chrome's trace event format: a process for each device with a thread for each "
                   "stream, API calls and "
                   "markers by host thread, counters, arrows along the critical path and from "
                   "launches.",
                   "export chrome -o trace.json --trace TRACE", export_chrome);
  add_event_export(registry, "export perfetto", "Write a trace in Perfetto's own format.",
                   "What 'export chrome' writes, as Perfetto's packets (protobuf): a third of "
                   "the size, with times in nanoseconds as recorded. Arrows are flows; the "
                   "critical path is one of them.",
                   "export perfetto -o trace.pftrace --trace TRACE", export_perfetto);
  add(registry,
      command(exporting("export sqlite", "Write the recording as a database with promised views.",
                        "The views rpl_dispatches, rpl_kernels and others of `sql`, over tables in "
                        "which texts that come again stand once. Names, columns and units of the "
                        "views are promised; the tables below them are not.",
                        "export sqlite -o trace.sqlite --trace TRACE"),
              {output_option<DatabaseArgs>()}, export_sqlite));
  add(registry,
      command(
          exporting("export svg", "Draw the timeline into an SVG file.",
                    "One row for each stream, busiest first, every operation in its kernel's "
                    "colour, the critical path "
                    "outlined and drawn as a band of its own. Operations closer than half a pixel "
                    "become one block.",
                    "export svg -o timeline.svg --trace TRACE"),
          {output_option<PictureArgs>(),
           option("from", &PictureArgs::from, "begin of the window: 12ms, or a marker")
               .named("TIME"),
           option("to", &PictureArgs::to, "end of the window").named("TIME"),
           option("around", &PictureArgs::around, "ten times the length of this dispatch around it")
               .named("D"),
           option("by", &PictureArgs::by, "what a row is").one_of({"stream", "queue", "agent"}),
           option("rows", &PictureArgs::rows, "at most so many rows"),
           option("width", &PictureArgs::width, "of the picture, in pixels")},
          export_svg));
  add(registry,
      command(
          exporting("export dot", "Write the dependency graph for Graphviz.",
                    "Operations of a window with their edges, one colour for each class of "
                    "evidence, inferred edges dashed, "
                    "the critical path bold.",
                    "export dot -o dag.dot --trace TRACE"),
          {output_option<DotArgs>(),
           option("from", &DotArgs::from, "begin of the window: 12ms, or a marker").named("TIME"),
           option("to", &DotArgs::to, "end of the window").named("TIME"),
           option("around", &DotArgs::around, "ten times the length of this dispatch around it")
               .named("D"),
           option("nodes", &DotArgs::nodes, "at most so many operations; 0 draws all"),
           flag("host", &DotArgs::host, "draw API calls and host waits too")},
          export_dot));
}

}  // namespace rpl
