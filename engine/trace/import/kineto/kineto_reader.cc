// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "engine/arch/catalogue.h"
#include "engine/base/interrupt.h"
#include "engine/base/numbers.h"
#include "engine/trace/core/entity_lookup.h"
#include "engine/trace/core/reader.h"
#include "engine/trace/import/kineto/kineto_document.h"
#include "engine/trace/import/kineto/kineto_links.h"
#include "engine/trace/import/kineto/kineto_tables.h"

namespace rpl {
namespace {

std::int64_t later(std::int64_t time_ns, std::int64_t by_ns) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(time_ns) +
                                   static_cast<std::uint64_t>(by_ns));
}

/// "node7" of "runs/node7_4242.1712195518851.pt.trace.json", where 4242 is the process: torch.profiler names files so.
std::string host_of_file_name(std::string_view path, std::int64_t pid) {
  const std::string_view name = path.substr(path.find_last_of('/') + 1);
  const std::size_t at = name.find(fmt::format("_{}.", pid));
  return at == std::string_view::npos ? std::string() : std::string(name.substr(0, at));
}

/// The architecture of a product, by the words of its name; "" where none is known.
std::string arch_of_product(std::string_view product) {
  while (!product.empty()) {
    const std::size_t end = std::min(product.find_first_of(" _"), product.size());
    const auto found = arch::Catalogue::builtin().named(product.substr(0, end));
    if (end > 0 && found && !found->product.empty()) return found->arch;
    product.remove_prefix(std::min(end + 1, product.size()));
  }
  return {};
}

/// Work-items of workgroups; what 32 bits do not hold stays the largest.
std::uint32_t work_items(std::uint32_t groups, std::uint32_t size) {
  const std::uint64_t all = std::uint64_t{groups} * size;
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(all, std::numeric_limits<std::uint32_t>::max()));
}

/// Makes a RawTrace of a document.
class Builder {
 public:
  Builder(const ReadRequest& request, KinetoDocument document)
      : request_(request),
        document_(std::move(document)),
        rows_(document_.rows),
        links_(rows_),
        base_ns_(document_.base_ns.value_or(0)) {}

  Result<RawTrace> build() {
    out_.file.format = TraceFormat::kineto;
    out_.file.schema_version = document_.schema_version;
    add_processes();
    add_devices();
    TRY(add_dispatches());
    link_copies();
    note_document();
    note_rows();
    KinetoHeld kept = held();
    add_presence(kept);
    out_.tables = kineto_tables(std::move(kept));
    return std::move(out_);
  }

 private:
  void add_processes() {
    if (rows_.pids.empty()) {
      rows_.pids.push_back(0);
      rows_.process_names.emplace_back();
    }
    guid_ = document_.trace_id;
    // A request that reaches all ranks gives them one id.
    if (!guid_.empty() && document_.rank >= 0) guid_ += fmt::format("-{}", document_.rank);
    std::vector<std::uint64_t> calls(rows_.pids.size());
    for (std::size_t i = 0; i < rows_.calls.size(); ++i)
      ++calls[rows_.host_shapes[rows_.calls.shape(i)].process];
    main_ = static_cast<std::uint32_t>(std::ranges::max_element(calls) - calls.begin());
    // Python functions that had begun before the recording bear process 0.
    std::ranges::replace(rows_.pids, 0, rows_.pids[main_]);
    for (std::size_t i = 0; i < rows_.pids.size(); ++i) {
      Process process;
      process.pid = rows_.pids[i];
      process.guid = guid_;
      process.hostname = host_of_file_name(request_.path, process.pid);
      process.command = rows_.process_names[i];
      process.rank = document_.rank;
      process.world_size = document_.world_size;
      processes_.push_back(out_.process(std::move(process)));
    }
  }

  void add_devices() {
    for (const KinetoDevice& device : document_.devices) {
      Agent agent = gpu(processes_[main_], device.id);
      agent.product = device.name;
      agent.arch = arch_of_product(device.name);
      agent.details = device.details;
      out_.agent(std::move(agent));
    }
    for (const KinetoRows::Copied& row : rows_.copies) {
      const auto [process, thread] = owner(row.correlation);
      touch(process, rows_.places[row.place]);
    }
  }

  static Agent gpu(std::uint32_t process, std::int64_t id) {
    Agent agent;
    agent.process = process;
    agent.recorded_id = id;
    agent.gpu = true;
    agent.type_index = id;
    return agent;
  }

  /// Index in the trace and thread of who issued an operation.
  [[nodiscard]] std::pair<std::uint32_t, std::int64_t> owner(std::uint64_t correlation) const {
    const KinetoRows::HostShape* call = links_.call(correlation);
    if (call == nullptr) return {processes_[main_], 0};
    return {processes_[call->process], call->thread};
  }

  [[nodiscard]] std::string name_of(const KinetoRows::Place& place) const {
    const auto found = rows_.stream_names.find({place.device, place.stream});
    return found == rows_.stream_names.end() ? "" : found->second;
  }

  /// GPU and stream of a place, as entities of a process.
  std::pair<std::uint32_t, std::uint32_t> touch(std::uint32_t process,
                                                const KinetoRows::Place& place) {
    std::pair<std::uint32_t, std::uint32_t> out{kNone, kNone};
    if (place.device != KinetoRows::kNoPlace) out.first = out_.agent(gpu(process, place.device));
    if (place.stream != KinetoRows::kNoPlace)
      out.second = out_.stream({process, static_cast<std::uint64_t>(place.stream), name_of(place)});
    return out;
  }

  Status add_dispatches() {
    out_.reserve(rows_.dispatches.size());
    TupleTable<4> launches;
    TupleTable<3> lanes;
    for (std::size_t i = 0; i < rows_.dispatches.size(); ++i) {
      if (i % interrupt::kRowsBetweenChecks == 0) TRY(interrupt::check());
      const KinetoRows::Dispatch& row = rows_.dispatches[i];
      const KinetoRows::HostShape* call = links_.call(row.correlation);
      const KinetoRows::KernelShape& shape = rows_.kernel_shapes[row.shape];
      const KinetoGeometry geometry = geometry_of(shape, row.correlation);
      shapeless_ += geometry.known ? 0 : 1;
      callless_ += call == nullptr && row.correlation != 0 ? 1 : 0;
      RawDispatch dispatch;
      dispatch.start_ns = later(row.start_ns, base_ns_);
      dispatch.end_ns = later(row.end_ns, base_ns_);
      dispatch.event_id = static_cast<std::int64_t>(row.correlation);
      dispatch.launch = launch(launches, shape, geometry, call);
      dispatch.lane = lane(lanes, row);
      out_.add(dispatch);
    }
    note_overlaps();
    // The columns hold them now.
    rows_.dispatches = {};
    return {};
  }

  [[nodiscard]] KinetoGeometry geometry_of(const KinetoRows::KernelShape& shape,
                                           std::uint64_t correlation) const {
    if (shape.geometry.known) return shape.geometry;
    const KinetoRows::Given* given = links_.given(correlation);
    if (given == nullptr || !given->geometry.known) return shape.geometry;
    KinetoGeometry out = given->geometry;
    out.registers = shape.geometry.registers;
    out.lds_bytes = std::max(out.lds_bytes, shape.geometry.lds_bytes);
    return out;
  }

  std::uint32_t launch(TupleTable<4>& known, const KinetoRows::KernelShape& shape,
                       const KinetoGeometry& geometry, const KinetoRows::HostShape* call) {
    const bool items = call != nullptr && launches_work_items(rows_.names[call->name]);
    Launch launch;
    launch.workgroup = geometry.block;
    for (std::size_t i = 0; i < launch.grid.size(); ++i)
      launch.grid[i] = items ? geometry.grid[i] : work_items(geometry.grid[i], geometry.block[i]);
    launch.lds_bytes = geometry.lds_bytes;
    const auto pair = [](std::uint32_t a, std::uint32_t b) { return std::uint64_t{a} << 32 | b; };
    const TupleTable<4>::Key key{
        pair(shape.name, geometry.lds_bytes), pair(launch.grid[0], launch.grid[1]),
        pair(launch.grid[2], launch.workgroup[0]), pair(launch.workgroup[1], launch.workgroup[2])};
    if (const std::uint32_t* found = known.find(key)) return *found;
    Kernel kernel;
    kernel.name = rows_.names[shape.name];
    kernel.arch_vgprs = geometry.registers;
    launch.kernel = out_.kernel(std::move(kernel));
    const std::uint32_t number = out_.launch(launch);
    known.insert(key, number);
    return number;
  }

  std::uint32_t lane(TupleTable<3>& known, const KinetoRows::Dispatch& row) {
    const auto [process, thread] = owner(row.correlation);
    const TupleTable<3>::Key key{row.place, process, static_cast<std::uint64_t>(thread)};
    if (const std::uint32_t* found = known.find(key)) return *found;
    Lane lane;
    lane.process = process;
    lane.thread = thread;
    std::tie(lane.agent, lane.stream) = touch(process, rows_.places[row.place]);
    const std::uint32_t number = out_.lane(lane);
    known.insert(key, number);
    return number;
  }

  /// Streams are orders of work; kernels that ran beside each other on one of them were not in it, or their times are wrong.
  void note_overlaps() {
    const auto& all = rows_.dispatches;
    std::vector<std::uint32_t> order(all.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto less = [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(all[a].place, all[a].start_ns) < std::pair(all[b].place, all[b].start_ns);
    };
    if (!std::ranges::is_sorted(order, less)) std::ranges::stable_sort(order, less);
    std::uint64_t count = 0;
    std::int64_t most_ns = 0, end_ns = std::numeric_limits<std::int64_t>::min();
    for (std::size_t i = 0; i < order.size(); ++i) {
      const KinetoRows::Dispatch& row = all[order[i]];
      const bool same = i > 0 && all[order[i - 1]].place == row.place;
      if (!same) end_ns = std::numeric_limits<std::int64_t>::min();
      if (same && row.start_ns < end_ns) {
        ++count;
        most_ns = std::max(most_ns, end_ns - row.start_ns);
      }
      end_ns = std::max(end_ns, row.end_ns);
    }
    if (count == 0) return;
    note(count, "kernels begin before those before them on their stream ended, by {} at the most",
         format_ns(most_ns));
  }

  void link_copies() {
    std::uint64_t backwards = 0;
    for (KinetoRows::Copied& row : rows_.copies) {
      if (const KinetoRows::HostShape* call = links_.call(row.correlation)) {
        row.process = call->process;
        row.thread = call->thread;
      } else {
        row.process = main_;
      }
      const KinetoRows::Given* given = links_.given(row.correlation);
      if (row.bytes == kUnknownBytes && given != nullptr && given->bytes) row.bytes = *given->bytes;
      backwards += row.end_ns < row.start_ns ? 1 : 0;
      row.start_ns = later(row.start_ns, base_ns_);
      row.end_ns = later(row.end_ns, base_ns_);
    }
    if (backwards > 0)
      copy_notes_.push_back(
          fmt::format("{} copies end before they start; their durations are negative",
                      format_count(backwards)));
  }

  template <class... Args>
  void note(std::uint64_t count, fmt::format_string<Args...> text, Args&&... args) {
    if (count == 0) return;
    out_.notes.push_back(
        fmt::format("{} {}", format_count(count), fmt::format(text, std::forward<Args>(args)...)));
  }

  void note_document() {
    if (document_.cut_at) {
      out_.notes.push_back(fmt::format(
          "the file ends early, at byte {}{}: {} events are read, what came after them is missing",
          *document_.cut_at, document_.packed_cut ? " of its text, as its packed stream does" : "",
          format_count(rows_.events)));
    }
    // Until 2024 times were written whole; today's are what is left after the base.
    constexpr std::int64_t kYear2001Ns = 978'307'200'000'000'000;
    const bool whole = !out_.columns.start_ns.empty() && out_.columns.start_ns[0] > kYear2001Ns;
    if (!document_.base_ns && !out_.columns.start_ns.empty() && !whole) {
      out_.notes.emplace_back(
          "baseTimeNanoseconds is missing: times count from an unknown moment, and cannot be "
          "compared with those of other files");
    }
    if (const std::size_t count = out_.processes().size(); count > 1) {
      out_.notes.push_back(
          fmt::format("the file holds {} processes; what no call explains is counted to process {}",
                      count, rows_.pids[main_]));
    }
    for (const auto& [category, count] : rows_.unknown)
      note(count, "events of the category '{}' are not read", category);
  }

  void note_rows() {
    note(rows_.timeless, "events have no time that can be read and are left out");
    note(rows_.backwards, "calls and ranges end before they start");
    note(shapeless_, "kernels have neither grid nor workgroup, as in graphs; they are shown as 0");
    note(callless_,
         "kernels name a call that the file does not have: it was made before the "
         "recording began, or not recorded");
    note(rows_.without_correlation, "kernels have no correlation id; no call is known for them");
    std::uint64_t nowhere = 0;
    for (const Lane& lane : out_.lanes()) nowhere += lane.stream == kNone ? 1 : 0;
    if (nowhere > 0) out_.notes.emplace_back("some kernels name no stream");
  }

  void add_presence(const KinetoHeld& kept) {
    out_.presence.copies = !kept.rows.copies.empty();
    out_.presence.api = kept.rows.calls.size() > 0;
    out_.presence.api_args = std::ranges::any_of(
        kept.orders, [](const KinetoOrder& each) { return each.place.has_value(); });
    out_.presence.markers = kept.rows.ranges.size() + kept.rows.gpu_ranges.size() > 0;
  }

  KinetoHeld held() {
    KinetoHeld held;
    held.orders = kineto_orders(rows_, links_);
    for (KinetoOrder& each : held.orders) {
      each.order.start_ns = later(each.order.start_ns, base_ns_);
      each.order.end_ns = later(each.order.end_ns, base_ns_);
    }
    for (TimedRows* rows : {&rows_.calls, &rows_.ranges, &rows_.gpu_ranges}) rows->shift(base_ns_);
    // What they said is in the copies, launches and orders by now.
    rows_.given = {};
    rows_.orders = {};
    rows_.waits = {};
    held.guid = guid_;
    held.main = main_;
    held.notes = std::move(copy_notes_);
    held.rows = std::move(rows_);
    return held;
  }

  const ReadRequest& request_;
  KinetoDocument document_;
  KinetoRows& rows_;
  KinetoLinks links_;
  std::int64_t base_ns_;
  RawTrace out_;
  std::string guid_;
  std::uint32_t main_ = 0;                ///< of rows_.pids
  std::vector<std::uint32_t> processes_;  ///< of rows_.pids in the trace
  std::uint64_t shapeless_ = 0, callless_ = 0;
  std::vector<std::string> copy_notes_;
};

}  // namespace

Result<RawTrace> read_kineto(const ReadRequest& request) {
  Builder builder(request, TRY(read_kineto_document(request.path, request.monitor)));
  return builder.build();
}

}  // namespace rpl
