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

}  // namespace

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
  return difference(**direct, **stepped);
}

}  // namespace rpl::test
