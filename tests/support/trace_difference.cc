// SPDX-License-Identifier: MIT
#include "tests/support/trace_difference.h"

#include <fmt/format.h>

#include <array>

namespace rpl::test {
namespace {

std::string describe(const Trace& trace, std::size_t row) {
  const Launch& launch = trace.launch(row);
  const Lane& lane = trace.lane(row);
  const TraceEntities& all = trace.entities();
  const auto handle = [](const auto& table, std::uint32_t index) {
    return index == kNone ? std::string("-") : fmt::format("{}", table[index].handle);
  };
  return fmt::format(
      "{} {} id {} event {} kernel {} grid {},{},{} group {},{},{} lds {} scratch {} pid {} tid {} "
      "agent {} queue {} stream {}",
      trace.start_ns(row), trace.duration_ns(row), trace.dispatch_id(row), trace.event_id(row),
      trace.kernels()[launch.kernel].mangled, launch.grid[0], launch.grid[1], launch.grid[2],
      launch.workgroup[0], launch.workgroup[1], launch.workgroup[2], launch.lds_bytes,
      launch.scratch_bytes, all.processes[lane.process].pid, lane.thread,
      lane.agent == kNone ? -1 : all.agents[lane.agent].recorded_id, handle(all.queues, lane.queue),
      handle(all.streams, lane.stream));
}

std::string describe(const Trace& trace, const CopyTable& table, std::size_t row) {
  const Copy copy = table.rows[row];
  return fmt::format(
      "{} {} process {} stream {} queue {} thread {} {} agents {} {} bytes {} by {} {:x} {:x}",
      copy.start_ns, copy.end_ns, trace.entities().processes[copy.process].pid, copy.stream,
      copy.queue, copy.thread, table.names[copy.name], copy.src_agent, copy.dst_agent, copy.bytes,
      copy.correlation, copy.from_address, copy.to_address);
}

std::string describe(const Trace&, const ApiTable& table, std::size_t row) {
  const ApiCall call = table.rows[row];
  return fmt::format("{} {} process {} thread {} {} {} {}", call.start_ns, call.end_ns,
                     call.process, call.thread, table.names[call.name], table.names[call.category],
                     call.correlation);
}

std::string describe(const Trace&, const MarkerTable& table, std::size_t row) {
  const Marker& marker = table.rows[row];
  return fmt::format("{} {} process {} thread {} '{}'", marker.start_ns, marker.end_ns,
                     marker.process, marker.thread, marker.text);
}

std::string describe(const Trace&, const SyncTable& table, std::size_t row) {
  const SyncOp& op = table.rows[row];
  return fmt::format(
      "kind {} from {} {} {} process {} stream {} queue {} {} thread {} event {:x} by {}",
      static_cast<int>(op.kind), static_cast<int>(op.source), op.start_ns, op.end_ns, op.process,
      op.stream, op.queue, op.source_queue, op.thread, op.event, op.correlation);
}

std::string describe(const Trace&, const CounterTable& table, std::size_t row) {
  const CounterSample& sample = table.rows[row];
  return fmt::format("d{} {} {} {} {}", sample.dispatch, table.names[sample.counter],
                     sample.instances, sample.sum, sample.max);
}

template <class Table>
std::string table_difference(const char* what, const Trace& a, const Trace& b,
                             Result<const Table*> left, Result<const Table*> right) {
  if (!left || !right) {
    const std::string one = left ? "" : left.error().message,
                      other = right ? "" : right.error().message;
    return one == other ? "" : fmt::format("{}: {} | {}", what, one, other);
  }
  const Table &one = **left, &other = **right;
  if (one.rows.size() != other.rows.size())
    return fmt::format("{}: {} rows, {} rows", what, one.rows.size(), other.rows.size());
  for (std::size_t row = 0; row < one.rows.size(); ++row) {
    const std::string x = describe(a, one, row), y = describe(b, other, row);
    if (x != y) return fmt::format("{} row {}: {} | {}", what, row, x, y);
  }
  return one.notes == other.notes ? "" : fmt::format("{}: notes", what);
}

}  // namespace

std::string fact_difference(const Trace& a, const Trace& b) {
  std::string found = table_difference("copies", a, b, a.copies(), b.copies());
  if (found.empty()) found = table_difference("calls", a, b, a.api(), b.api());
  if (found.empty()) found = table_difference("markers", a, b, a.markers(), b.markers());
  if (found.empty()) found = table_difference("orders", a, b, a.syncs(), b.syncs());
  if (found.empty()) found = table_difference("counters", a, b, a.counters(), b.counters());
  if (!found.empty() || !a.api() || !b.api()) return found;
  for (std::size_t row = 0; row < a.size(); ++row) {
    if ((*a.api())->dispatch_correlation[row] != (*b.api())->dispatch_correlation[row])
      return fmt::format("correlation of row {}", row);
  }
  return found;
}

std::string difference(const Trace& a, const Trace& b) {
  if (a.size() != b.size()) return fmt::format("{} rows, {} rows", a.size(), b.size());
  for (std::size_t row = 0; row < a.size(); ++row) {
    const std::string left = describe(a, row), right = describe(b, row);
    if (left != right) return fmt::format("row {}: {} | {}", row, left, right);
  }
  if (a.extent_ns() != b.extent_ns()) return "extents";
  const auto& notes = a.entities().notes;
  const auto& others = b.entities().notes;
  for (std::size_t i = 0; i < std::max(notes.size(), others.size()); ++i) {
    const std::string left = i < notes.size() ? notes[i] : "",
                      right = i < others.size() ? others[i] : "";
    if (left != right) return fmt::format("note: {} | {}", left, right);
  }
  return {};
}

std::string decoder_difference(const std::string& path, bool& decoded) {
  const std::array paths = {path};
  const auto direct = open_trace(paths, {});
  OpenOptions options;
  options.api_only = true;
  const auto stepped = open_trace(paths, options);
  decoded = direct && (*direct)->entities().files.at(0).direct_decoder;
  if (!direct || !stepped) {
    const std::string left = direct ? "" : direct.error().message,
                      right = stepped ? "" : stepped.error().message;
    return left == right ? "" : fmt::format("error: {} | {}", left, right);
  }
  const std::string found = difference(**direct, **stepped);
  return found.empty() ? fact_difference(**direct, **stepped) : found;
}

}  // namespace rpl::test
