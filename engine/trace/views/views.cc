// SPDX-License-Identifier: MIT
#include "engine/trace/views/views.h"

#include <algorithm>
#include <array>
#include <utility>

namespace rpl::views {
namespace {

constexpr CellType kInteger = CellType::integer, kReal = CellType::real, kText = CellType::text;
constexpr bool kRepeats = true;

Cell number(std::uint64_t value) { return static_cast<std::int64_t>(value); }
Cell number(std::int64_t value) { return value; }
/// An index; NULL for none.
Cell index(std::uint32_t value) {
  return value == kNone ? Cell() : Cell(static_cast<std::int64_t>(value));
}
/// A number that is unknown where it is 0.
Cell known(std::uint64_t value) { return value == 0 ? Cell() : number(value); }
/// A text that is unknown where it is empty.
Cell text(std::string_view value) { return value.empty() ? Cell() : Cell(value); }

// Names of the tables of a trace: Source and row in, the row's record out.
const TraceEntities& entities(const Source& s) { return s.trace->entities(); }
const Process& process(const Source& s, std::size_t i) { return entities(s).processes[i]; }
const Agent& agent(const Source& s, std::size_t i) { return entities(s).agents[i]; }
const Kernel& kernel(const Source& s, std::size_t i) { return entities(s).kernels[i]; }
const Kernel& kernel_of(const Source& s, std::size_t row) {
  return s.trace->kernels()[s.trace->kernel_of(row)];
}
Copy copy(const Source& s, std::size_t i) { return s.facts.copies->rows[i]; }
ApiCall call(const Source& s, std::size_t i) { return s.facts.calls->rows[i]; }
const Marker& marker(const Source& s, std::size_t i) { return s.facts.markers->rows[i]; }
const CounterSample& sample(const Source& s, std::size_t i) { return s.facts.counters->rows[i]; }

std::int64_t duration(std::int64_t start_ns, std::int64_t end_ns) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(end_ns) -
                                   static_cast<std::uint64_t>(start_ns));
}

using S = const Source&;
using R = std::size_t;

constexpr std::array kProcesses{
    ViewColumn{"id", kInteger, "number of the process in the trace, from 0",
               [](S, R i) -> Cell { return number(i); }},
    ViewColumn{"pid", kInteger, "of the operating system",
               [](S s, R i) { return number(process(s, i).pid); }},
    ViewColumn{"hostname", kText, "the host that it ran on",
               [](S s, R i) { return text(process(s, i).hostname); }},
    ViewColumn{"command", kText, "its command line",
               [](S s, R i) { return text(process(s, i).command); }},
    ViewColumn{
        "rank", kInteger, "of a distributed program",
        [](S s, R i) { return process(s, i).rank < 0 ? Cell() : number(process(s, i).rank); }},
    ViewColumn{
        "ranks", kInteger, "how many ranks there are",
        [](S s, R i) { return known(static_cast<std::uint64_t>(process(s, i).world_size)); }},
    ViewColumn{
        "clock_shift_ns", kInteger, "what was added to all of its times",
        [](S s, R i) { return number(entities(s).files[process(s, i).file].clock_shift_ns); }},
    ViewColumn{"file", kText, "the file that it was read from",
               [](S s, R i) { return text(entities(s).files[process(s, i).file].path); }},
};

constexpr std::array kAgents{
    ViewColumn{"id", kInteger, "N of aN", [](S, R i) -> Cell { return number(i); }},
    ViewColumn{"process", kInteger, "rpl_processes.id",
               [](S s, R i) { return index(agent(s, i).process); }},
    ViewColumn{"type", kText, "GPU or CPU",
               [](S s, R i) { return Cell(agent(s, i).gpu ? "GPU" : "CPU"); }, kRepeats},
    ViewColumn{"recorded_id", kInteger, "the recorder's number",
               [](S s, R i) { return number(agent(s, i).recorded_id); }},
    ViewColumn{"type_index", kInteger, "GPUs and CPUs counted from 0",
               [](S s, R i) {
                 return agent(s, i).type_index < 0 ? Cell() : number(agent(s, i).type_index);
               }},
    ViewColumn{"arch", kText, "architecture", [](S s, R i) { return text(agent(s, i).arch); }},
    ViewColumn{"product", kText, "product", [](S s, R i) { return text(agent(s, i).product); }},
};

constexpr std::array kQueues{
    ViewColumn{"id", kInteger, "N of qN", [](S, R i) -> Cell { return number(i); }},
    ViewColumn{"process", kInteger, "rpl_processes.id",
               [](S s, R i) { return index(entities(s).queues[i].process); }},
    ViewColumn{"handle", kInteger, "the recorder's number",
               [](S s, R i) { return number(entities(s).queues[i].handle); }},
    ViewColumn{"name", kText, "as recorded",
               [](S s, R i) { return text(entities(s).queues[i].name); }},
};

constexpr std::array kStreams{
    ViewColumn{"id", kInteger, "N of sN", [](S, R i) -> Cell { return number(i); }},
    ViewColumn{"process", kInteger, "rpl_processes.id",
               [](S s, R i) { return index(entities(s).streams[i].process); }},
    ViewColumn{"handle", kInteger, "the recorder's number",
               [](S s, R i) { return number(entities(s).streams[i].handle); }},
    ViewColumn{"name", kText, "as recorded",
               [](S s, R i) { return text(entities(s).streams[i].name); }},
};

constexpr std::array kKernels{
    ViewColumn{"id", kText, "k7f3a2c, as other commands call it",
               [](S s, R i) { return text(kernel(s, i).id); }},
    ViewColumn{"name", kText, "with its types", [](S s, R i) { return text(kernel(s, i).name); }},
    ViewColumn{"mangled", kText, "the symbol, where it was recorded",
               [](S s, R i) { return text(kernel(s, i).mangled); }},
    ViewColumn{"arch_vgprs", kInteger, "vector registers",
               [](S s, R i) { return known(kernel(s, i).arch_vgprs); }},
    ViewColumn{"accum_vgprs", kInteger, "accumulation registers",
               [](S s, R i) { return known(kernel(s, i).accum_vgprs); }},
    ViewColumn{"sgprs", kInteger, "scalar registers",
               [](S s, R i) { return known(kernel(s, i).sgprs); }},
    ViewColumn{"static_lds_bytes", kInteger, "LDS that the code declares",
               [](S s, R i) { return known(kernel(s, i).static_lds_bytes); }},
    ViewColumn{"kernarg_bytes", kInteger, "of its arguments",
               [](S s, R i) { return known(kernel(s, i).kernarg_bytes); }},
};

template <std::size_t kAxis>
Cell grid(S s, R i) {
  return number(std::uint64_t{s.trace->launch(i).grid[kAxis]});
}
template <std::size_t kAxis>
Cell workgroup(S s, R i) {
  return number(std::uint64_t{s.trace->launch(i).workgroup[kAxis]});
}

constexpr std::array kDispatches{
    ViewColumn{"id", kInteger, "N of dN", [](S, R i) -> Cell { return number(i + 1); }},
    ViewColumn{"dispatch_id", kInteger, "the recorder's number, of its process alone",
               [](S s, R i) { return number(s.trace->dispatch_id(i)); }},
    ViewColumn{"kernel", kText, "rpl_kernels.id", [](S s, R i) { return text(kernel_of(s, i).id); },
               kRepeats},
    ViewColumn{"name", kText, "of the kernel, with its types",
               [](S s, R i) { return text(kernel_of(s, i).name); }, kRepeats},
    ViewColumn{"process", kInteger, "rpl_processes.id",
               [](S s, R i) { return index(s.trace->lane(i).process); }},
    ViewColumn{"agent", kInteger, "rpl_agents.id",
               [](S s, R i) { return index(s.trace->lane(i).agent); }},
    ViewColumn{"queue", kInteger, "rpl_queues.id",
               [](S s, R i) { return index(s.trace->lane(i).queue); }},
    ViewColumn{"stream", kInteger, "rpl_streams.id",
               [](S s, R i) { return index(s.trace->lane(i).stream); }},
    ViewColumn{"thread", kInteger, "that launched it",
               [](S s, R i) { return known(static_cast<std::uint64_t>(s.trace->lane(i).thread)); }},
    ViewColumn{"start_ns", kInteger, "as recorded",
               [](S s, R i) { return number(s.trace->start_ns(i)); }},
    ViewColumn{"end_ns", kInteger, "as recorded",
               [](S s, R i) { return number(s.trace->end_ns(i)); }},
    ViewColumn{"duration_ns", kInteger, "end - start",
               [](S s, R i) { return number(s.trace->duration_ns(i)); }},
    ViewColumn{"grid_x", kInteger, "work-items", grid<0>},
    ViewColumn{"grid_y", kInteger, "work-items", grid<1>},
    ViewColumn{"grid_z", kInteger, "work-items", grid<2>},
    ViewColumn{"workgroup_x", kInteger, "work-items", workgroup<0>},
    ViewColumn{"workgroup_y", kInteger, "work-items", workgroup<1>},
    ViewColumn{"workgroup_z", kInteger, "work-items", workgroup<2>},
    ViewColumn{"lds_bytes", kInteger, "of a workgroup",
               [](S s, R i) { return number(std::uint64_t{s.trace->launch(i).lds_bytes}); }},
    ViewColumn{"scratch_bytes", kInteger, "of a work-item",
               [](S s, R i) { return number(std::uint64_t{s.trace->launch(i).scratch_bytes}); }},
    ViewColumn{"correlation",
               kInteger,
               "rpl_calls.correlation of the call that launched it",
               [](S s, R i) {
                 return s.facts.calls == nullptr || i >= s.facts.calls->dispatch_correlation.size()
                            ? Cell()
                            : known(s.facts.calls->dispatch_correlation[i]);
               },
               !kRepeats,
               {Fact::calls}},
};

constexpr std::array kCopies{
    ViewColumn{"id", kInteger, "N of copyN", [](S, R i) -> Cell { return number(i + 1); }},
    ViewColumn{"kind", kText, "MEMORY_COPY_HOST_TO_DEVICE, ...",
               [](S s, R i) { return text(s.facts.copies->names[copy(s, i).name]); }, kRepeats},
    ViewColumn{"process", kInteger, "rpl_processes.id",
               [](S s, R i) { return index(copy(s, i).process); }},
    ViewColumn{"from_agent", kInteger, "rpl_agents.id",
               [](S s, R i) { return index(copy(s, i).src_agent); }},
    ViewColumn{"to_agent", kInteger, "rpl_agents.id",
               [](S s, R i) { return index(copy(s, i).dst_agent); }},
    ViewColumn{"queue", kInteger, "rpl_queues.id",
               [](S s, R i) { return index(copy(s, i).queue); }},
    ViewColumn{"stream", kInteger, "rpl_streams.id",
               [](S s, R i) { return index(copy(s, i).stream); }},
    ViewColumn{"thread", kInteger, "that issued it",
               [](S s, R i) { return known(static_cast<std::uint64_t>(copy(s, i).thread)); }},
    ViewColumn{"start_ns", kInteger, "as recorded",
               [](S s, R i) { return number(copy(s, i).start_ns); }},
    ViewColumn{"end_ns", kInteger, "as recorded",
               [](S s, R i) { return number(copy(s, i).end_ns); }},
    ViewColumn{"duration_ns", kInteger, "end - start",
               [](S s, R i) { return number(duration(copy(s, i).start_ns, copy(s, i).end_ns)); }},
    ViewColumn{"bytes", kInteger, "that were moved",
               [](S s, R i) {
                 return copy(s, i).bytes == kUnknownBytes ? Cell() : number(copy(s, i).bytes);
               }},
    ViewColumn{"correlation", kInteger, "rpl_calls.correlation of the call that issued it",
               [](S s, R i) { return known(copy(s, i).correlation); }},
};

constexpr std::array kCalls{
    ViewColumn{"id", kInteger, "number, by process, thread and start",
               [](S, R i) -> Cell { return number(i + 1); }},
    ViewColumn{"function", kText, "hipLaunchKernel, ...",
               [](S s, R i) { return text(s.facts.calls->names[call(s, i).name]); }, kRepeats},
    ViewColumn{"category", kText, "the recorder's word for the interface",
               [](S s, R i) { return text(s.facts.calls->names[call(s, i).category]); }, kRepeats},
    ViewColumn{"process", kInteger, "rpl_processes.id",
               [](S s, R i) { return index(call(s, i).process); }},
    ViewColumn{"thread", kInteger, "of the operating system",
               [](S s, R i) { return number(call(s, i).thread); }},
    ViewColumn{"start_ns", kInteger, "as recorded",
               [](S s, R i) { return number(call(s, i).start_ns); }},
    ViewColumn{"end_ns", kInteger, "as recorded",
               [](S s, R i) { return number(call(s, i).end_ns); }},
    ViewColumn{"duration_ns", kInteger, "end - start",
               [](S s, R i) { return number(duration(call(s, i).start_ns, call(s, i).end_ns)); }},
    ViewColumn{"correlation", kInteger, "the same of what it launched, within its process",
               [](S s, R i) { return known(call(s, i).correlation); }},
};

constexpr std::array kMarkers{
    ViewColumn{"id", kInteger, "number, by start", [](S, R i) -> Cell { return number(i + 1); }},
    ViewColumn{"text", kText, "what the program wrote",
               [](S s, R i) { return Cell(std::string_view(marker(s, i).text)); }, kRepeats},
    ViewColumn{"process", kInteger, "rpl_processes.id",
               [](S s, R i) { return index(marker(s, i).process); }},
    ViewColumn{"thread", kInteger, "of the operating system",
               [](S s, R i) { return number(marker(s, i).thread); }},
    ViewColumn{"start_ns", kInteger, "as recorded",
               [](S s, R i) { return number(marker(s, i).start_ns); }},
    ViewColumn{"end_ns", kInteger, "as recorded; the start of a mark",
               [](S s, R i) { return number(marker(s, i).end_ns); }},
    ViewColumn{
        "duration_ns", kInteger, "end - start",
        [](S s, R i) { return number(duration(marker(s, i).start_ns, marker(s, i).end_ns)); }},
};

constexpr std::array kCounters{
    ViewColumn{"dispatch", kInteger, "rpl_dispatches.id",
               [](S s, R i) { return number(std::uint64_t{sample(s, i).dispatch} + 1); }},
    ViewColumn{"counter", kText, "SQ_WAVES, ...",
               [](S s, R i) { return text(s.facts.counters->names[sample(s, i).counter]); },
               kRepeats},
    ViewColumn{"sum", kReal, "over all instances", [](S s, R i) { return Cell(sample(s, i).sum); }},
    ViewColumn{"max", kReal, "of the largest instance",
               [](S s, R i) { return Cell(sample(s, i).max); }},
    ViewColumn{"instances", kInteger, "how many were added",
               [](S s, R i) { return number(std::uint64_t{sample(s, i).instances}); }},
};

const std::array kViews{
    View{"rpl_dispatches",
         "Kernels that ran, by start.",
         kDispatches,
         {},
         [](S s) { return s.trace->size(); }},
    View{"rpl_kernels",
         "Kernels that were launched.",
         kKernels,
         {},
         [](S s) { return s.trace->kernels().size(); }},
    View{"rpl_copies",
         "Copies and fills, by start.",
         kCopies,
         {Fact::copies},
         [](S s) { return s.facts.copies == nullptr ? 0 : s.facts.copies->rows.size(); }},
    View{"rpl_calls",
         "API calls of the host.",
         kCalls,
         {Fact::calls},
         [](S s) { return s.facts.calls == nullptr ? 0 : s.facts.calls->rows.size(); }},
    View{"rpl_markers",
         "Ranges and marks of the program.",
         kMarkers,
         {Fact::markers},
         [](S s) { return s.facts.markers == nullptr ? 0 : s.facts.markers->rows.size(); }},
    View{"rpl_counters",
         "Hardware counters, a row for each dispatch and counter.",
         kCounters,
         {Fact::counters},
         [](S s) { return s.facts.counters == nullptr ? 0 : s.facts.counters->rows.size(); }},
    View{"rpl_streams",
         "HIP streams.",
         kStreams,
         {},
         [](S s) { return entities(s).streams.size(); }},
    View{"rpl_queues",
         "Hardware queues.",
         kQueues,
         {},
         [](S s) { return entities(s).queues.size(); }},
    View{
        "rpl_agents", "GPUs and CPUs.", kAgents, {}, [](S s) { return entities(s).agents.size(); }},
    View{"rpl_processes",
         "Processes.",
         kProcesses,
         {},
         [](S s) { return entities(s).processes.size(); }},
};

}  // namespace

std::string_view to_string(CellType type) {
  switch (type) {
    case CellType::integer:
      return "INTEGER";
    case CellType::real:
      return "REAL";
    case CellType::text:
      return "TEXT";
  }
  return "TEXT";
}

std::span<const View> all_views() { return kViews; }

Result<Source> source_of(const View& view, std::shared_ptr<const Trace> trace,
                         std::uint64_t columns) {
  constexpr std::size_t kBits = 64;
  FactSet needs = view.needs;
  for (std::size_t i = 0; i < view.columns.size(); ++i)
    if ((columns >> std::min(i, kBits - 1) & 1U) != 0) needs.add(view.columns[i].needs);
  Source out;
  out.facts = TRY(trace->ask(needs));
  out.trace = std::move(trace);
  return out;
}

}  // namespace rpl::views
