// SPDX-License-Identifier: MIT
// select, frame, up, down, backtrace: walking what a dispatch waited for.
#include <fmt/format.h>

#include "engine/base/units.h"
#include "engine/plot/paint.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/loaded.h"

namespace rpl {
namespace {

/// Without a selection the chain begins at the operation that ends last: the critical path.
Result<NodeId> chain_start(const Context& context, const Graph& graph) {
  if (context.workspace.selection.dispatch) return NodeId{*context.workspace.selection.dispatch};
  const NodeId last = last_operation(graph);
  if (last == kNoNode) {
    return fail(Errc::not_found, "there is no dependency chain to walk",
                nothing_ran(graph.trace()).value_or("select a dispatch: select d1"));
  }
  return last;
}

Row frame_row(const Graph& graph, std::size_t number, const WalkStep& step) {
  const std::int64_t origin = graph.span_ns().first;
  return {Value(std::uint64_t{number}),
          Value(operation_id(graph, step.node)),
          Value(operation_name(graph, step.node)),
          Value(graph.start_ns(step.node) - origin),
          Value(graph.end_ns(step.node) - graph.start_ns(step.node)),
          step.via ? Value(to_string(*step.via)) : Value(),
          Value(step.host_ns + step.idle_ns + step.launch_ns),
          Value(step.host_ns),
          Value(step.launch_ns),
          Value(step.idle_ns)};
}

struct BacktraceArgs {
  std::string dispatch;
  std::int64_t depth = 20;
};

Result<Document> run_backtrace(Context& context, const BacktraceArgs& args) {
  const Loaded now = TRY(loaded_with_times(context));
  const auto graph = TRY(graph_of(context, now));
  const NodeId from = args.dispatch.empty() ? TRY(chain_start(context, *graph))
                          : NodeId{TRY(resolve_dispatch(context.workspace, *now.trace, args.dispatch))};
                          Walk walk(*graph, from);
                          WalkStep step;
                          Document out;
                          bool more = false;
                          for (std::size_t number = 0; walk.next(step); ++number) {
                            more = args.depth > 0 && number >= static_cast<std::size_t>(args.depth);
                            if (more) break;
                            out.rows.push_back(frame_row(*graph, number, step));
                          }
                          if (more)
                            out.notes.push_back(fmt::format(
                                "the chain goes on before frame #{}; --depth 0 shows all",
                                args.depth));
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

Result<Document> show_frame(Context& context, const Loaded& now, std::size_t depth) {
  const auto graph = TRY(graph_of(context, now));
  const NodeId start = TRY(chain_start(context, *graph));
  const auto [number, step] = TRY(frame_at(*graph, start, depth));
  context.workspace.selection.frame = number;
  const std::uint32_t kernel = graph->kernel_of(step.node);
  if (kernel != kNone) context.workspace.selection.kernel = kernel;
  Document out;
  const Row row = frame_row(*graph, number, step);
  const char* names[] = {"frame",    "id",        "kernel",  "at_ns",     "duration_ns",
                         "evidence", "waited_ns", "host_ns", "launch_ns", "idle_ns"};
  for (std::size_t i = 0; i < row.size(); ++i) out.set(names[i], row[i]);
  out.heading = fmt::format("#{}  {}  {}  at {}, took {}", number, operation_id(*graph, step.node),
                            short_name(*graph, step.node),
                            format_ns(graph->start_ns(step.node) - graph->span_ns().first),
                            format_ns(graph->end_ns(step.node) - graph->start_ns(step.node)));
  if (step.via) {
    out.heading +=
        fmt::format("; waited {} behind the frame above it ({})",
                    format_ns(step.host_ns + step.idle_ns + step.launch_ns), to_string(*step.via));
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

Result<Document> move_to(Context& context, std::int64_t depth) {
  if (depth < 0)
    return fail(Errc::usage, "frame #0 is the selected dispatch itself",
                "'up' goes to what it waited for");
  return show_frame(context, TRY(loaded_with_times(context)), static_cast<std::size_t>(depth));
}

Result<Document> run_frame(Context& context, const FrameArgs& args) {
  return move_to(
      context, args.number.value_or(static_cast<std::int64_t>(context.workspace.selection.frame)));
}

Result<Document> run_up(Context& context, const WalkArgs& args) {
  return move_to(context,
                 static_cast<std::int64_t>(context.workspace.selection.frame) + args.count);
}

Result<Document> run_down(Context& context, const WalkArgs& args) {
  return move_to(context,
                 static_cast<std::int64_t>(context.workspace.selection.frame) - args.count);
}

struct SelectArgs {
  std::string what;
};

Result<Document> run_select(Context& context, const SelectArgs& args) {
  const Loaded now = TRY(loaded(context));
  const Trace& trace = *now.trace;
  Selection& selection = context.workspace.selection;
  const auto dispatch = args.what.empty() ? Result<std::uint32_t>(fail(Errc::usage, ""))
                                          : resolve_dispatch(context.workspace, trace, args.what);
  if (dispatch) {
    selection.dispatch = *dispatch;
    selection.frame = 0;
    const std::uint32_t kernel = trace.kernel_of(*dispatch);
    selection.kernel = kernel == kNone ? std::nullopt : std::optional(kernel);
  } else if (!args.what.empty()) {
    selection.kernel = TRY(resolve_kernel(context.workspace, trace, args.what));
    selection.dispatch.reset();
    selection.frame = 0;
  }
  Document out;
  const bool has_kernel = selection.kernel.has_value();
  out.set("trace", now.open->id());
  out.set("kernel_id", has_kernel ? Value(trace.kernels()[*selection.kernel].id) : Value());
  out.set("kernel", has_kernel ? Value(trace.kernels()[*selection.kernel].name) : Value());
  out.set("dispatch",
          selection.dispatch ? Value(fmt::format("d{}", *selection.dispatch + 1)) : Value());
  if (has_kernel) context.values.set("kernel", *out.get("kernel_id"));
  if (selection.dispatch) context.values.set("dispatch", *out.get("dispatch"));
  out.provenance = provenance_of(trace);
  out.next =
      selection.dispatch
          ? std::vector<std::string>{"backtrace", "info dispatch",
                                     "timeline --around " + *out.get("dispatch")->as<std::string>()}
          : std::vector<std::string>{"info kernel", "whatif"};
  return out;
}

const std::vector<Column> kFrameColumns{
    {"frame", Type::integer, Unit::none, "0 is the selected dispatch, 1 what it waited for, …"},
    {"id", Type::id, Unit::none, "dispatch or copy"},
    {"kernel", Type::kernel, Unit::none, "what it runs"},
    {"at_ns", Type::integer, Unit::ns, "its begin, from the beginning of the trace"},
    {"duration_ns", Type::integer, Unit::ns, "how long it ran"},
    {"evidence", Type::string, Unit::none,
     "why it came after the next frame; null where the chain begins"},
    {"waited_ns", Type::integer, Unit::ns, "between the end of the next frame and its begin"},
    {"host_ns", Type::integer, Unit::ns, "of that, before the host launched it", InText::if_room},
    {"launch_ns", Type::integer, Unit::ns, "of that, after the host launched it", InText::if_room},
    {"idle_ns", Type::integer, Unit::ns, "of that, without explanation", InText::if_room},
};

Command walking(std::string path, std::string summary, std::string help) {
  return Command{.path = path,
                 .chapter = Class::walking,
                 .summary = std::move(summary),
                 .help = std::move(help),
                 .fields = kFrameColumns,
                 .scalar = "id",
                 .examples = {path + " --trace TRACE"},
                 .repeatable = true};
}

}  // namespace

void add_walk_commands(Registry& registry) {
  add(registry,
      command(Command{.path = "select",
                      .chapter = Class::walking,
                      .summary = "Select a dispatch or a kernel for the commands that follow.",
                      .help = "Takes d12, a kernel's id or name, /regex/ or @N, the Nth row of the "
                              "last table. What is selected "
                              "is the default of info dispatch, info kernel, backtrace and whatif, "
                              "and stands in "
                              "$dispatch and $kernel. Without a word it shows the selection.",
                      .fields = {{"trace", Type::id, Unit::none, "current trace"},
                                 {"kernel_id", Type::id, Unit::none, "selected kernel"},
                                 {"kernel", Type::kernel, Unit::none, "its name"},
                                 {"dispatch", Type::id, Unit::none, "selected dispatch"}},
                      .scalar = "kernel_id",
                      .examples = {"select d1 --trace TRACE"},
                      .changes_program = true},
              {arg("what", &SelectArgs::what, "dispatch or kernel").completes(Complete::kernel)},
              run_select));
  add(registry,
      command(Command{.path = "backtrace",
                      .chapter = Class::walking,
                      .summary = "Show the dependency chain that ends in a dispatch.",
                      .help = "Frame 0 is the selected dispatch (without one, the operation that "
                              "ends last), frame 1 the operation "
                              "it waited for, and so on. `evidence` says why one came after the "
                              "other, `waited` how "
                              "long after it.",
                      .columns = kFrameColumns,
                      .scalar = "id",
                      .aliases = {"bt", "where"},
                      .examples = {"backtrace --depth 3 --trace TRACE"}},
              {arg("dispatch", &BacktraceArgs::dispatch, "where the chain ends: d12")
                   .completes(Complete::dispatch),
               option("depth", &BacktraceArgs::depth, "at most so many frames; 0 shows all")},
              run_backtrace));
  Command frame = walking(
      "frame", "Show or select a frame of the dependency chain.",
      "Without a number it shows the current frame. The frame's kernel becomes the selected one.");
  add(registry,
      command(std::move(frame), {arg("number", &FrameArgs::number, "frame to go to")}, run_frame));
  Command up = walking("up", "Go to the operation that this one waited for.",
                       "COUNT steps towards the beginning of the chain.");
  add(registry,
      command(std::move(up), {arg("count", &WalkArgs::count, "how many frames")}, run_up));
  Command down = walking("down", "Go back to the operation that waited.",
                         "COUNT steps towards the selected dispatch.");
  down.examples = {"down 0 --trace TRACE"};
  add(registry,
      command(std::move(down), {arg("count", &WalkArgs::count, "how many frames")}, run_down));
}

}  // namespace rpl
