// SPDX-License-Identifier: MIT
// open, close and what `trace …` does with open traces.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "engine/base/numbers.h"
#include "engine/document/bound.h"
#include "engine/trace/core/trace.h"
#include "shell/commands/att/att_view.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/loaded.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/inputs/overview.h"
#include "shell/core/inputs/profile_view.h"
#include "shell/core/run/background.h"
#include "shell/core/session/events.h"
#include "shell/core/session/face.h"
#include "shell/core/session/session_log.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

/// What opening says of a trace or of another thing. What is not known yet, or not of such a thing, is left out.
struct BannerFacts {
  std::string id, path;
  bool ready = true;
  std::optional<std::string> format = {};
  std::optional<std::uint64_t> dispatches = {}, kernels = {}, streams = {};
  std::optional<std::int64_t> span_ns = {};
};

constexpr auto kBannerFields = bound_to<BannerFacts>(
    column<&BannerFacts::id>("id", "name in this session: t1, c1, o1, att1, prof1").as(Type::id),
    column<&BannerFacts::path>("path", "what was opened; several paths are separated by ', '"),
    column<&BannerFacts::ready>("ready", "false while the file is still being read"),
    column<&BannerFacts::format>("format",
                                 "rocpd, rpd, csv, json or kineto, with the version of its schema; "
                                 "capture; code object; thread "
                                 "trace; profile document")
        .if_known(),
    column<&BannerFacts::dispatches>("dispatches", "kernel dispatches; null while reading")
        .if_known(),
    column<&BannerFacts::kernels>("kernels", "distinct kernels that were dispatched").if_known(),
    column<&BannerFacts::streams>("streams", "streams that dispatches name").if_known(),
    column<&BannerFacts::span_ns>("span_ns", "from the first start to the last end"));

/// All thread traces of a folder; the fields are the last one's.
Result<Document> opened_thread_traces(const Inputs& inputs, const std::string& path) {
  const auto entries = TRY(open_thread_traces(inputs, path));
  Document out;
  for (const AttEntry& entry : entries)
    out.text += (out.text.empty() ? "" : "\n") + one_line(entry);
  const AttEntry& last = entries.back();
  BannerFacts facts{.id = last->id, .path = last->path};
  facts.format = to_string(last->value->trace->kind);
  out.put(kBannerFields, facts);
  for (const std::string& note : last->value->trace->notes) out.notes.push_back(note);
  out.provenance = provenance_of(*last->value->trace);
  out.next = {"att summary", "att lines", "att insts"};
  return out;
}

Result<Document> opened_profile(const Inputs& inputs, const std::string& path) {
  const ProfileEntry entry = TRY(profile_named(inputs, path));
  Document out;
  BannerFacts facts{.id = entry->id, .path = path};
  facts.format = "profile document " + entry->value->version;
  out.put(kBannerFields, facts);
  out.text = one_line(entry);
  out.provenance = Provenance::recorded;
  out.next = {"info profile " + entry->id, "compare " + entry->id + " OTHER.json"};
  return out;
}

/// Opens a capture, code object, thread traces or profile document, and says what it is; nothing for another path, which may be a recording. Fails for
/// what is neither, with what it is.
Result<std::optional<Document>> open_other(const Inputs& inputs, const std::string& path) {
  const Openable kind = openable(path);
  if (kind == Openable::thread_trace) return TRY(opened_thread_traces(inputs, path));
  if (kind == Openable::profile) return TRY(opened_profile(inputs, path));
  if (const std::string schema = document_schema_of(path); !schema.empty()) {
    return fail(Errc::usage,
                fmt::format("{} is a document of this program ({}), not a recording", path, schema),
                "open the recording that it was made of, or profile.json beside it");
  }
  if (kind != Openable::capture && kind != Openable::object) return std::nullopt;
  Document out;
  BannerFacts facts;
  facts.path = path;
  if (kind == Openable::capture) {
    const CaptureEntry entry = TRY(capture_named(inputs, path));
    facts.id = entry->id;
    facts.format = "capture";
    out.text = one_line(entry);
    out.next = {"replay", "capture info", "capture regions"};
  } else {
    const ObjectEntry entry = TRY(object_named(inputs, path));
    facts.id = entry->id;
    facts.format = "code object";
    facts.kernels = entry->value->kernels().size();
    out.text = one_line(entry);
    out.next = {"object meta " + facts.id, "object kernel " + facts.id};
  }
  out.put(kBannerFields, facts);
  out.provenance = Provenance::recorded;
  return out;
}

/// What a person sees at once: "t1: 43,915 dispatches, 80 kernels, 567 streams, gfx950 x1, 15.12 s (rocpd 3)".
Document banner(const OpenTrace& open, const Trace& trace, const TraceStats& stats) {
  const Overview overview = overview_of(trace, stats);
  Document out;
  BannerFacts facts{.id = open.id(), .path = fmt::format("{}", fmt::join(open.paths(), ", "))};
  facts.format = overview.format;
  facts.dispatches = overview.totals.dispatches;
  facts.kernels = overview.totals.kernels;
  facts.streams = overview.totals.streams;
  if (trace.has_times()) facts.span_ns = overview.totals.span_ns;
  out.put(kBannerFields, facts);
  out.text = fmt::format("{}: {}", open.id(), one_line(overview));
  if (!open.origin().empty()) out.text += fmt::format("  [{}]", open.origin());
  if (const auto why = nothing_ran(trace)) out.notes.push_back(*why);
  const std::size_t warnings = trace.entities().notes.size() + trace.damage().size();
  if (warnings > 0) {
    out.notes.push_back(fmt::format("{} remark{} about the recording: info warnings", warnings,
                                    warnings == 1 ? "" : "s"));
  }
  out.provenance = provenance_of(trace);
  out.next = {"summary", "info kernels", "critpath"};
  return out;
}

/// At the prompt a file that takes long is announced at once and read in the background.
Result<Document> announce(const Inputs& inputs, Face& face, OpenTrace& open) {
  // The rest of the 20 ms that a prompt may take goes to starting and to the session.
  constexpr std::chrono::milliseconds kPatience{8};
  if (face.waits_for([&open] { return open.ready(); }, kPatience)) {
    auto trace = open.get(inputs.monitor);
    if (!trace) {
      const std::string id = open.id();
      TRY(inputs.workspace.close(id));
      return std::move(trace).failure();
    }
    const auto stats = TRY(stats_of({&open, *trace}));
    return banner(open, **trace, *stats);
  }
  open.owes_counts = true;
  Document out;
  BannerFacts facts{.id = open.id(), .path = fmt::format("{}", fmt::join(open.paths(), ", "))};
  facts.ready = false;
  out.put(kBannerFields, facts);
  out.text = fmt::format("{}: reading {}", open.id(), fmt::join(open.paths(), ", "));
  out.next = {"summary", "info trace"};
  return out;
}

/// The same for a trace that is new; listeners hear of it.
Result<Document> announce_new(const Inputs& inputs, Face& face, OpenTrace& open) {
  Document out = TRY(announce(inputs, face, open));
  TRY(inputs.events.emit("trace_opened", Opened{open.id(), open.paths()}));
  return out;
}

struct OpenArgs {
  std::vector<std::string> paths;
};

Result<Document> run_open(const OpenArgs& args, Inputs inputs, Face& face) {
  Document last;
  std::vector<std::string> earlier;
  for (const std::string& path : args.paths) {
    if (const auto other = TRY(open_other(inputs, path))) {
      if (!last.text.empty()) earlier.push_back(last.text);
      last = *other;
      continue;
    }
    OpenTrace* open = TRY(inputs.workspace.open({path}));
    if (!last.text.empty()) earlier.push_back(last.text);
    last = TRY(announce_new(inputs, face, *open));
  }
  for (auto line = earlier.rbegin(); line != earlier.rend(); ++line)
    last.text = *line + "\n" + last.text;
  return last;
}

Result<Document> run_merge(const OpenArgs& args, Inputs inputs, Face& face) {
  std::vector<std::string> paths;
  for (const std::string& name : args.paths) {
    OpenTrace* known = nullptr;
    for (const auto& trace : inputs.workspace.traces()) {
      if (trace->id() == name) known = trace.get();
    }
    if (known) {
      paths.insert(paths.end(), known->paths().begin(), known->paths().end());
    } else {
      paths.push_back(name);
    }
  }
  return announce_new(inputs, face, *TRY(inputs.workspace.open(paths)));
}

struct ReferenceArgs {
  std::string trace;
};

struct ClosedFacts {
  std::string closed;
  std::optional<std::string> current;
};

constexpr auto kClosedFields = bound_to<ClosedFacts>(
    column<&ClosedFacts::closed>("closed", "the trace that was closed").as(Type::id),
    column<&ClosedFacts::current>("current", "the trace that is current now").as(Type::id));

Result<Document> run_close(const ReferenceArgs& args, Workspace& workspace) {
  const std::string id = args.trace.empty() ? TRY(workspace.current())->id() : args.trace;
  if (!workspace.captures.close(id) && !workspace.objects.close(id) &&
      !workspace.thread_traces.close(id) && !workspace.profiles.close(id)) {
    TRY(workspace.close(id));
  }
  Document out;
  const auto current = workspace.current();
  ClosedFacts facts{.closed = id, .current = {}};
  if (current) facts.current = (*current)->id();
  out.put(kClosedFields, facts);
  out.text = current ? fmt::format("closed {}; current is {}", id, (*current)->id())
                     : fmt::format("closed {}; no trace is open", id);
  return out;
}

Result<Document> run_select_trace(const ReferenceArgs& args, Inputs inputs, Face& face) {
  return announce(inputs, face, *TRY(inputs.workspace.select(args.trace)));
}

struct ListedTrace {
  std::string id;
  bool current = false, ready = false;
  std::optional<std::size_t> dispatches;
  std::optional<std::int64_t> span_ns;
  std::string path, origin;
};

constexpr auto kListColumns = bound_to<ListedTrace>(
    column<&ListedTrace::id>("id", "name of the trace").as(Type::id),
    column<&ListedTrace::current>("current", "whether commands work on it"),
    column<&ListedTrace::ready>("ready", "whether reading is done"),
    column<&ListedTrace::dispatches>("dispatches", "null while reading"),
    column<&ListedTrace::span_ns>("span_ns", "from the first start to the last end"),
    column<&ListedTrace::path>("path", "files it was read from"),
    column<&ListedTrace::origin>("origin", "for a window: what it was cut from").or_null());

Result<Document> run_list(const Workspace& workspace, const Monitor& monitor, Face& face) {
  std::vector<ListedTrace> rows;
  for (const auto& open : workspace.traces()) {
    // Only a person at the prompt is answered before the reader is done; a script's answer must not depend on timing.
    if (face.waits_for([&open] { return open->ready(); }, {})) {
      const auto waited = open->get(monitor);
      if (!waited && waited.error().code == Errc::interrupted) {
        return Failure(waited.error());
      }
    }
    ListedTrace& row = rows.emplace_back();
    row.id = open->id();
    row.current = workspace.is_current(*open);
    row.ready = open->ready();
    row.path = fmt::format("{}", fmt::join(open->paths(), ", "));
    row.origin = open->origin();
    if (!row.ready) continue;
    if (const auto trace = open->get(monitor)) {
      row.dispatches = (*trace)->size();
      row.span_ns = (*trace)->extent_ns().second - (*trace)->extent_ns().first;
    }
  }
  Document out;
  out.table(kListColumns, rows);
  if (out.rows.empty()) out.notes.emplace_back("no trace is open; open one: open FILE");
  out.provenance = Provenance::recorded;
  if (out.rows.size() > 1) out.next = {"trace select ID", "compare A B"};
  return out;
}

struct WindowArgs {
  std::string from, to;
};

Result<Document> run_window(const WindowArgs& args, Inputs inputs, Face& face) {
  const Loaded whole = TRY(loaded(inputs));
  const std::int64_t from = TRY(resolve_time(*whole.trace, args.from, false));
  const std::int64_t to =
      TRY(resolve_time(*whole.trace, args.to.empty() ? args.from : args.to, true));
  auto window = TRY(window_of(whole.trace, from, to));
  const std::int64_t origin = origin_of(*whole.trace);
  const std::string label = fmt::format("{} from {} to {}", whole.open->id(),
                                        format_ns(from - origin), format_ns(to - origin));
  return announce_new(inputs, face,
                      *inputs.workspace.derive(*whole.open, label, std::move(window)));
}

/// What has become of a trace whose reading was announced. One that could not be read is closed, as if it had been refused at once.
std::string outcome(Workspace& workspace, OpenTrace& open, const Monitor& monitor,
                    SessionLog& log) {
  auto trace = open.get(monitor);
  if (!trace && trace.error().code == Errc::interrupted) return {};
  open.owes_counts = false;
  if (!trace) {
    std::string text = fmt::format("error: {}: {}\n", open.id(), trace.error().message);
    const std::string id = open.id();
    static_cast<void>(workspace.close(id));
    return text;
  }
  const auto stats = stats_of({&open, *trace});
  if (!stats) return fmt::format("error: {}: {}\n", open.id(), stats.error().message);
  const Document document = banner(open, **trace, **stats);
  log.append(SessionEventKind::printed, open.id(), {{"text", Value(document.text)}});
  std::string text = document.text + "\n";
  for (const std::string& note : document.notes) text += "note: " + note + "\n";
  return text;
}

}  // namespace

bool expects_counts(const Workspace& workspace) {
  return std::ranges::any_of(workspace.traces(),
                             [](const auto& open) { return open->owes_counts; });
}

std::string arrived_counts(Workspace& workspace, const Monitor& monitor, SessionLog& log) {
  std::vector<OpenTrace*> arrived;
  for (const auto& open : workspace.traces()) {
    if (open->owes_counts && open->ready()) arrived.push_back(open.get());
  }
  std::string text;
  for (OpenTrace* open : arrived) text += outcome(workspace, *open, monitor, log);
  return text;
}

namespace {

void add_open_and_close(Registry& registry) {
  add(registry,
      command(
          Command{.path = "open",
                  .does = kKeeps,
                  .chapter = Class::files,
                  .summary = "Open recordings, captures, code objects, thread traces, profiles.",
                  .help =
                      "Takes rocpd databases, RPD databases, rocprofv3 "
                      "kernel-trace CSV and results JSON, traces of PyTorch's profiler "
                      "(*.pt.trace.json), each also packed by gzip or zstd, and "
                      "folders of these, capture folders (c1, c2, …), code objects (o1, …) decoded "
                      "thread traces or PC samples (att1, …) and profile documents (prof1, …). The "
                      "last becomes current. Each path of a recording becomes a trace of its own "
                      "(t1, t2, …); `trace merge` makes one "
                      "of several. Files are only read and nothing is written "
                      "beside them. At the prompt a "
                      "large file is read in the background.",
                  .fields = described(kBannerFields),
                  .scalar = "id",
                  .aliases = {"file", "exec-file", "symbol-file"},
                  .examples = {"open TRACE"},
                  .changes_program = true},
          {arg("path", &OpenArgs::paths, "files or folders to open")
               .required()
               .completes(Complete::file)},
          run_open));
  add(registry,
      command(
          Command{.path = "close",
                  .does = kKeeps,
                  .chapter = Class::files,
                  .summary = "Close a trace, capture, code object, thread trace or profile.",
                  .help = "Without a name it closes the current one; the trace opened before it "
                          "becomes current.",
                  .fields = described(kClosedFields),
                  .scalar = "closed",
                  .examples = {"close --trace TRACE"},
                  .changes_program = true},
          {arg("t", &ReferenceArgs::trace, "what to close: t1, c1, o1, att1, prof1")
               .completes(Complete::trace)},
          run_close));
}

void add_selection(Registry& registry) {
  add(registry,
      command(
          Command{
              .path = "trace list",
              .does = kReads,
              .chapter = Class::files,
              .summary = "List the open traces.",
              .help =
                  "Shows what is open, which trace is current, and from where windows were cut.",
              .columns = described(kListColumns),
              .scalar = "id",
              .aliases = {"info traces"},
              .examples = {"trace list --trace TRACE"}},
          run_list));
  add(registry, command(Command{.path = "trace select",
                                .does = kKeeps,
                                .chapter = Class::files,
                                .summary = "Make another open trace the current one.",
                                .help = "Takes an id (t1), a path, or a unique part of a path.",
                                .fields = described(kBannerFields),
                                .scalar = "id",
                                .examples = {"trace select t1 --trace TRACE"},
                                .changes_program = true},
                        {arg("t", &ReferenceArgs::trace, "trace to make current")
                             .required()
                             .completes(Complete::trace)},
                        run_select_trace));
}

void add_derived(Registry& registry) {
  add(registry, command(Command{.path = "trace merge",
                                .does = kKeeps,
                                .chapter = Class::files,
                                .summary = "Open several recordings of one run as one trace.",
                                .help = "Processes are distinguished by their guid; kernels of the "
                                        "same mangled name become one. Times are "
                                        "compared as recorded, so that the files must come from "
                                        "one machine and boot. Open traces "
                                        "may be named by their ids.",
                                .fields = described(kBannerFields),
                                .scalar = "id",
                                .examples = {"trace merge TRACE"},
                                .changes_program = true},
                        {arg("path", &OpenArgs::paths, "files, folders or open traces")
                             .required()
                             .completes(Complete::file)},
                        run_merge));
  add(registry,
      command(Command{.path = "trace window",
                      .does = kKeeps,
                      .chapter = Class::files,
                      .summary = "Cut a time window out of the current trace.",
                      .help = "FROM and TO count from the beginning of the trace (12ms, 1.5s), or "
                              "name a marker: its start, its "
                              "end; a single marker is the window from its start to its end. The "
                              "window is a new "
                              "trace that later commands see. It has every operation that touches "
                              "the window, with its "
                              "recorded times, not cut; dispatches are renumbered. `trace "
                              "select t1` goes back.",
                      .fields = described(kBannerFields),
                      .scalar = "id",
                      .examples = {"trace window 0ms 10s --trace TRACE"},
                      .changes_program = true},
              {arg("from", &WindowArgs::from, "begin of the window, a time or a marker").required(),
               arg("to", &WindowArgs::to, "end of the window, a time or a marker")},
              run_window));
}

}  // namespace

void add_open_commands(Registry& registry) {
  add_open_and_close(registry);
  add_selection(registry);
  add_derived(registry);
}

}  // namespace rpl
