// SPDX-License-Identifier: MIT
// select, frame, up, down, backtrace: walking what a dispatch waited for.
#include <fmt/format.h>

#include "engine/base/numbers.h"
#include "engine/document/bound.h"
#include "engine/plot/paint.h"
#include "shell/commands/debug/debugging.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/loaded.h"
#include "shell/core/session/values.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

/// Without a selection the chain begins at the operation that ends last: the critical path.
Result<NodeId> chain_start(const Workspace& workspace, const Graph& graph) {
  if (workspace.selection.dispatch) return NodeId{*workspace.selection.dispatch};
  const NodeId last = last_operation(graph);
  if (last == kNoNode) {
    return fail(Errc::not_found, "there is no dependency chain to walk",
                nothing_ran(graph.trace()).value_or("select a dispatch: select d1"));
  }
  return last;
}

struct FrameRow {
  const Graph* graph = nullptr;
  std::uint64_t number = 0;
  WalkStep step;

  [[nodiscard]] std::string id() const { return operation_id(*graph, step.node); }
  [[nodiscard]] std::string kernel() const {
    return std::string(operation_name(*graph, step.node));
  }
  [[nodiscard]] std::int64_t at_ns() const {
    return graph->start_ns(step.node) - graph->span_ns().first;
  }
  [[nodiscard]] std::int64_t duration_ns() const {
    return graph->end_ns(step.node) - graph->start_ns(step.node);
  }
  [[nodiscard]] std::int64_t waited_ns() const {
    return step.host_ns + step.idle_ns + step.launch_ns;
  }
};

constexpr auto kFrameColumns = bound_to<FrameRow>(
    column<&FrameRow::number>("frame", "0 is the selected dispatch, 1 what it waited for, …")
        .in(Unit::none),
    column<&FrameRow::id>("id", "dispatch or copy").as(Type::id),
    column<&FrameRow::kernel>("kernel", "what it runs").as(Type::kernel),
    column<&FrameRow::at_ns>("at_ns", "its begin, from the beginning of the trace"),
    column<&FrameRow::duration_ns>("duration_ns", "how long it ran"),
    column<&FrameRow::step, &WalkStep::via>(
        "evidence", "why it came after the next frame; null where the chain begins"),
    column<&FrameRow::waited_ns>("waited_ns", "between the end of the next frame and its begin"),
    column<&FrameRow::step, &WalkStep::host_ns>("host_ns", "of that, before the host launched it")
        .if_room(),
    column<&FrameRow::step, &WalkStep::launch_ns>("launch_ns",
                                                  "of that, after the host launched it")
        .if_room(),
    column<&FrameRow::step, &WalkStep::idle_ns>("idle_ns", "of that, without explanation")
        .if_room());

struct BacktraceArgs {
  std::string dispatch;  ///< a dispatch; of a stopped kernel words as GDB takes them
  std::int64_t depth = 20;
};

/// A chain is that of a stopped kernel or of a recording: without either, how to get both.
Status something_to_walk(const Inputs& inputs, const Debugger& debugger) {
  if (inputs.workspace.current()) return {};
  if (stopped(debugger.state) != nullptr)
    return fail(Errc::usage, "frames of a stopped kernel are asked for by number",
                "'backtrace' lists them; bt 3, bt full, frame 1, up, down");
  Error error = needs_stopped(debugger.state).error();
  error.message += ", and no trace is open";
  error.hint += "; 'open FILE' opens a recording";
  return Failure(std::move(error));
}

/// Options of GDB's backtrace that change nothing here, and what may stand behind them.
bool is_of_gdb(std::string_view word) {
  constexpr std::string_view kWords[] = {
      "no-filters",  "-no-filters",      "hide", "-hide", "-past-main", "-past-entry",
      "-frame-info", "-frame-arguments", "on",   "off",   "all",        "scalars",
      "none",        "presence",         "auto"};
  return std::ranges::find(kWords, word) != std::end(kWords);
}

/// "full", "3", "-2", "full 3": how many frames of a stopped kernel, and whether with their variables; nothing for what is none of it.
std::optional<std::pair<std::optional<std::int64_t>, bool>> frames_asked(std::string_view text) {
  std::pair<std::optional<std::int64_t>, bool> out{std::nullopt, false};
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const auto number = whole_number<std::int64_t>(word);
    if (number && !out.first)
      out.first = number;
    else if (word == "full" || word == "-full")
      out.second = true;
    else if (is_of_gdb(word))
      continue;
    else if (!word.empty())
      return std::nullopt;
  }
  return out;
}

Result<Document> run_backtrace(const BacktraceArgs& args, Inputs inputs, Debugger debugger) {
  if (const auto asked = frames_asked(args.dispatch)) {
    const std::int64_t usual = asked->second ? 0 : args.depth;
    auto frames = stopped_backtrace(debugger, asked->first.value_or(usual), asked->second);
    if (frames) return std::move(*frames);
  }
  TRY(something_to_walk(inputs, debugger));
  const Loaded now = TRY(loaded_with_times(inputs));
  const auto graph = TRY(graph_of(inputs, now));
  NodeId from = 0;
  if (args.dispatch.empty()) {
    from = TRY(chain_start(inputs.workspace, *graph));
  } else {
    from = TRY(resolve_dispatch(inputs.workspace, *now.trace, args.dispatch));
  }
  Walk walk(*graph, from);
  WalkStep step;
  std::vector<FrameRow> rows;
  Document out;
  while (walk.next(step)) {
    if (args.depth > 0 && rows.size() >= static_cast<std::size_t>(args.depth)) {
      out.notes.push_back(
          fmt::format("the chain goes on before frame #{}; --depth 0 shows all", args.depth));
      break;
    }
    rows.push_back({graph.get(), rows.size(), step});
  }
  out.table(kFrameColumns, rows);
  out.provenance = provenance_of(*now.trace);
  out.next = {"up", "frame 1", "info dispatch"};
  return out;
}

/// The frame `depth` steps down the chain of the selected dispatch, or the last there is.
Result<std::pair<std::size_t, WalkStep>> frame_at(const Graph& graph, NodeId start,
                                                  std::size_t depth) {
  Walk walk(graph, start);
  WalkStep step, held;
  std::size_t number = 0;
  for (bool any = false; walk.next(step); any = true) {
    if (any) ++number;
    held = step;
    if (number == depth) return std::pair(number, held);
  }
  return fail(Errc::not_found, fmt::format("there is no frame #{}", depth),
              fmt::format("the chain begins with frame #{}", number));
}

Result<Document> show_frame(const Inputs& inputs, const Loaded& now, std::size_t depth) {
  const auto graph = TRY(graph_of(inputs, now));
  const NodeId start = TRY(chain_start(inputs.workspace, *graph));
  const auto [number, step] = TRY(frame_at(*graph, start, depth));
  inputs.workspace.selection.frame = number;
  const std::uint32_t kernel = graph->kernel_of(step.node);
  if (kernel != kNone) inputs.workspace.selection.kernel = kernel;
  Document out;
  const FrameRow row{graph.get(), number, step};
  out.put(kFrameColumns, row);
  out.heading =
      fmt::format("#{}  {}  {}  at {}, took {}", number, row.id(), short_name(*graph, step.node),
                  format_ns(row.at_ns()), format_ns(row.duration_ns()));
  if (step.via) {
    out.heading += fmt::format("; waited {} behind the frame above it ({})",
                               format_ns(row.waited_ns()), to_string(*step.via));
  } else {
    out.heading += "; the chain begins here";
  }
  out.provenance = provenance_of(*now.trace);
  out.next = {"up", "down", "backtrace"};
  return out;
}

struct FrameArgs {
  std::optional<std::int64_t> number;
};

struct WalkArgs {
  std::int64_t count = 1;
};

Result<Document> move_to(const Inputs& inputs, std::int64_t depth) {
  if (depth < 0)
    return fail(Errc::usage, "frame #0 is the selected dispatch itself",
                "'up' goes to what it waited for");
  return show_frame(inputs, TRY(loaded_with_times(inputs)), static_cast<std::size_t>(depth));
}

Result<Document> run_frame(const FrameArgs& args, Inputs inputs, Debugger debugger) {
  if (auto frame = stopped_frame(debugger, args.number)) return std::move(*frame);
  TRY(something_to_walk(inputs, debugger));
  return move_to(inputs,
                 args.number.value_or(static_cast<std::int64_t>(inputs.workspace.selection.frame)));
}

Result<Document> run_up(const WalkArgs& args, Inputs inputs, Debugger debugger) {
  if (auto frame = stopped_frame_by(debugger, args.count)) return std::move(*frame);
  TRY(something_to_walk(inputs, debugger));
  return move_to(inputs, static_cast<std::int64_t>(inputs.workspace.selection.frame) + args.count);
}

Result<Document> run_down(const WalkArgs& args, Inputs inputs, Debugger debugger) {
  if (auto frame = stopped_frame_by(debugger, -args.count)) return std::move(*frame);
  TRY(something_to_walk(inputs, debugger));
  return move_to(inputs, static_cast<std::int64_t>(inputs.workspace.selection.frame) - args.count);
}

struct SelectionFacts {
  std::string trace;
  const Kernel* kernel = nullptr;
  std::optional<std::string> dispatch;
};

constexpr auto kSelectionFields = bound_to<SelectionFacts>(
    column<&SelectionFacts::trace>("trace", "current trace").as(Type::id),
    column<&SelectionFacts::kernel, &Kernel::id>("kernel_id", "selected kernel").as(Type::id),
    column<&SelectionFacts::kernel, &Kernel::name>("kernel", "its name").as(Type::kernel),
    column<&SelectionFacts::dispatch>("dispatch", "selected dispatch").as(Type::id));

struct SelectArgs {
  std::string what;
};

Result<Document> run_select(const SelectArgs& args, Inputs inputs) {
  const Loaded now = TRY(loaded(inputs));
  const Trace& trace = *now.trace;
  Selection& selection = inputs.workspace.selection;
  const auto dispatch = args.what.empty() ? Result<std::uint32_t>(fail(Errc::usage, ""))
                                          : resolve_dispatch(inputs.workspace, trace, args.what);
  if (dispatch) {
    selection.dispatch = *dispatch;
    selection.frame = 0;
    const std::uint32_t kernel = trace.kernel_of(*dispatch);
    selection.kernel = kernel == kNone ? std::nullopt : std::optional(kernel);
  } else if (!args.what.empty()) {
    selection.kernel = TRY(resolve_kernel(inputs.workspace, trace, args.what));
    selection.dispatch.reset();
    selection.frame = 0;
  }
  SelectionFacts facts;
  facts.trace = now.open->id();
  if (selection.kernel) facts.kernel = &trace.kernels()[*selection.kernel];
  if (selection.dispatch) facts.dispatch = fmt::format("d{}", *selection.dispatch + 1);
  if (facts.kernel) inputs.values.set("kernel", Value(facts.kernel->id));
  if (facts.dispatch) inputs.values.set("dispatch", Value(*facts.dispatch));
  Document out;
  out.put(kSelectionFields, facts);
  out.provenance = provenance_of(trace);
  if (facts.dispatch) {
    out.next = {"backtrace", "info dispatch", "timeline --around " + *facts.dispatch};
  } else {
    out.next = {"info kernel", "whatif"};
  }
  return out;
}

/// The fields of a frame of a stopped kernel beside others.
std::vector<Column> with_stopped_frame(std::vector<Column> fields) {
  for (const Column& field : stopped_frame_fields()) {
    if (std::ranges::find(fields, field.name, &Column::name) == fields.end())
      fields.push_back(field);
  }
  return fields;
}

Command walking(std::string path, std::string summary, std::string help) {
  return Command{.path = path,
                 .does = kReads,
                 .chapter = Class::walking,
                 .summary = std::move(summary),
                 .help = std::move(help),
                 .fields = with_stopped_frame(described(kFrameColumns)),
                 .scalar = "id",
                 .examples = {path + " --trace TRACE"},
                 .repeatable = true};
}

}  // namespace

void add_walk_commands(Registry& registry) {
  add(registry,
      command(Command{.path = "select",
                      .does = kReads,
                      .chapter = Class::walking,
                      .summary = "Select a dispatch or a kernel for the commands that follow.",
                      .help = "Takes d12, a kernel's id or name, /regex/ or @N, the Nth row of the "
                              "last table. What is selected "
                              "is the default of info dispatch, info kernel, backtrace and whatif, "
                              "and stands in "
                              "$dispatch and $kernel. Without a word it shows the selection.",
                      .fields = described(kSelectionFields),
                      .scalar = "kernel_id",
                      .examples = {"select d1 --trace TRACE"},
                      .changes_program = true},
              {arg("what", &SelectArgs::what, "dispatch or kernel").completes(Complete::kernel)},
              run_select));
  add(registry,
      command(Command{.path = "backtrace",
                      .does = kReads,
                      .chapter = Class::walking,
                      .summary = "Show the frames of a stopped kernel, or a dispatch's chain.",
                      .help = "With a kernel stopped on the emulated device: where the selected "
                              "wave stands, and what that was inlined at; N of them, -N the "
                              "outermost, `full` with their variables. Otherwise the "
                              "dependency chain that ends in a dispatch. Frame 0 is the selected "
                              "dispatch (without one, the operation that "
                              "ends last), frame 1 the operation "
                              "it waited for, and so on. `evidence` says why one came after the "
                              "other, `waited` how "
                              "long after it.",
                      .fields = stopped_frame_fields(),
                      .columns = described(kFrameColumns),
                      .scalar = "id",
                      .aliases = {"bt", "where", "info stack"},
                      .examples = {"backtrace --depth 3 --trace TRACE"}},
              {arg("dispatch", &BacktraceArgs::dispatch,
                   "where the chain ends: d12; of a stopped kernel: how many frames, or full")
                   .takes_phrase()
                   .completes(Complete::dispatch),
               option("depth", &BacktraceArgs::depth, "at most so many frames; 0 shows all")
                   .in(at_least(0))},
              run_backtrace));
  Command frame = walking(
      "frame", "Show or select a frame of a stopped kernel, or of a chain.",
      "Without a number it shows the current frame. With a kernel stopped on the emulated device "
      "frame 0 is where the wave stands, 1 what that was inlined at: `list` and `info source` are "
      "about it. Otherwise the frames are those of the dependency chain, whose kernel becomes the "
      "selected one.");
  frame.aliases = {"select-frame", "frame level"};
  add(registry,
      command(std::move(frame), {arg("number", &FrameArgs::number, "frame to go to")}, run_frame));
  Command up = walking("up", "Go to the frame that this one was inlined at, or waited for.",
                       "COUNT steps towards the beginning of the chain.");
  add(registry,
      command(std::move(up), {arg("count", &WalkArgs::count, "how many frames")}, run_up));
  Command down = walking("down", "Go back to the frame that was inlined, or that waited.",
                         "COUNT steps towards the selected dispatch.");
  down.examples = {"down 0 --trace TRACE"};
  add(registry,
      command(std::move(down), {arg("count", &WalkArgs::count, "how many frames")}, run_down));
}

}  // namespace rpl
