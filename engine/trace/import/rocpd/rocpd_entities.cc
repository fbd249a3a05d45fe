// SPDX-License-Identifier: MIT
#include "engine/trace/import/rocpd/rocpd_entities.h"

#include <fmt/format.h>

#include <limits>

namespace rpl {
namespace {

using enum DispatchField;

std::int64_t first_known(const Statement& row, int column, int otherwise) {
  return row.is_null(column) ? row.int64(otherwise) : row.int64(column);
}

std::uint32_t narrow(std::int64_t value) {
  constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max();
  return value < 0 || value > kMost ? 0 : static_cast<std::uint32_t>(value);
}

std::string list_ids(const std::set<std::int64_t>& ids) {
  constexpr std::size_t kShown = 5;
  std::string text;
  std::size_t shown = 0;
  for (const std::int64_t id : ids) {
    if (shown++ == kShown) return fmt::format("{} and {} more", text, ids.size() - kShown);
    text += fmt::format("{}{}", text.empty() ? "" : ", ", id);
  }
  return text;
}

template <std::size_t N>
typename TupleTable<N>::Key key_of(const DispatchRow& row, DispatchField first,
                                   std::uint32_t nulls) {
  typename TupleTable<N>::Key key;
  for (std::size_t i = 0; i + 1 < N; ++i) {
    key[i] = static_cast<std::uint64_t>(row.values[static_cast<std::size_t>(first) + i]);
  }
  key[N - 1] = row.nulls & nulls;
  return key;
}

constexpr std::uint32_t bits(DispatchField first, DispatchField last) {
  const unsigned to = static_cast<unsigned>(last) + 1;
  return ((1U << to) - 1) & ~((1U << static_cast<unsigned>(first)) - 1);
}

}  // namespace

RocpdEntities::RocpdEntities(ForeignDatabase& database, const RocpdSource& source, RawTrace& raw)
    : database_(database), source_(source), raw_(raw) {}

Status RocpdEntities::load() {
  TRY(load_processes());
  TRY(load_threads());
  TRY(load_agents());
  TRY(load_queues());
  TRY(load_streams());
  TRY(load_tracks());
  symbol_ = TRY(select_columns(
      database_, source_.table("rocpd_info_kernel_symbol"),
      {"kernel_name", "display_name", "arch_vgpr_count", "accum_vgpr_count", "sgpr_count",
       "group_segment_size", "private_segment_size", "kernarg_segment_size"},
      "WHERE id = ?"));
  return {};
}

Status RocpdEntities::load_processes() {
  std::unordered_map<std::int64_t, std::string> hosts;
  Statement nodes =
      TRY(select_columns(database_, source_.table("rocpd_info_node"), {"id", "hostname"}));
  while (TRY(nodes.step())) hosts[nodes.int64(0)] = nodes.text(1);
  Statement rows =
      TRY(select_columns(database_, source_.table("rocpd_info_process"),
                         {"id", "guid", "pid", "nid", "start", "init", "end", "fini", "command"}));
  while (TRY(rows.step())) {
    Process process;
    process.guid = rows.is_null(1) ? source_.guid : std::string(rows.text(1));
    process.pid = first_known(rows, 2, 0);
    process.hostname = hosts[rows.int64(3)];
    process.start_ns = first_known(rows, 4, 5);
    process.end_ns = first_known(rows, 6, 7);
    process.command = rows.text(8);
    processes_[first_known(rows, 0, 2)] = raw_.process(process);
  }
  if (processes_.size() == 1) only_process_ = processes_.begin()->second;
  return {};
}

Status RocpdEntities::load_threads() {
  Statement rows =
      TRY(select_columns(database_, source_.table("rocpd_info_thread"), {"id", "tid"}));
  while (TRY(rows.step())) threads_[rows.int64(0)] = first_known(rows, 1, 0);
  return {};
}

Status RocpdEntities::load_agents() {
  Statement rows = TRY(select_columns(database_, source_.table("rocpd_info_agent"),
                                      {"id", "pid", "type", "type_index", "name", "product_name",
                                       "model_name", "extdata", "absolute_index"}));
  while (TRY(rows.step())) {
    Agent agent;
    agent.process = process(rows.int64(1));
    agent.recorded_id = first_known(rows, 0, 8);
    agent.gpu = rows.text(2) == "GPU";
    agent.type_index = rows.is_null(3) ? -1 : rows.int64(3);
    agent.arch = rows.text(4);
    agent.product = rows.text(rows.text(5).empty() ? 6 : 5);
    agent.details = rows.text(7);
    agents_[agent.recorded_id] = raw_.agent(agent);
  }
  return {};
}

Status RocpdEntities::load_queues() {
  Statement rows =
      TRY(select_columns(database_, source_.table("rocpd_info_queue"), {"id", "pid", "name"}));
  while (TRY(rows.step())) {
    const std::int64_t id = rows.int64(0);
    queues_[id] = raw_.queue(
        {process(rows.int64(1)), static_cast<std::uint64_t>(id), std::string(rows.text(2))});
  }
  return {};
}

Status RocpdEntities::load_streams() {
  Statement rows =
      TRY(select_columns(database_, source_.table("rocpd_info_stream"), {"id", "pid", "name"}));
  while (TRY(rows.step())) {
    const std::int64_t id = rows.int64(0);
    streams_[id] = raw_.stream(
        {process(rows.int64(1)), static_cast<std::uint64_t>(id), std::string(rows.text(2))});
  }
  return {};
}

Status RocpdEntities::load_tracks() {
  Statement rows = TRY(select_columns(database_, source_.table("rocpd_track"),
                                      {"id", "pid", "tid", "agent_id", "queue_id", "stream_id"}));
  while (TRY(rows.step())) {
    Track track{rows.int64(1), rows.int64(2), rows.int64(3), rows.int64(4), rows.int64(5)};
    for (int column = 0; column < 5; ++column) {
      if (rows.is_null(column + 1)) track.nulls |= 1U << column;
    }
    tracks_.emplace(rows.int64(0), track);
  }
  return {};
}

std::uint32_t RocpdEntities::process(std::int64_t id) {
  const auto found = processes_.find(id);
  if (found != processes_.end()) return found->second;
  missing_["process"].insert(id);
  Process process;
  process.guid = source_.guid;
  process.pid = id;
  return processes_[id] = raw_.process(process);
}

/// The row with its track's process, agent, queue and stream (schema 4).
DispatchRow RocpdEntities::through_track(const DispatchRow& row) {
  constexpr std::uint32_t kOwned = bits(pid, stream);
  DispatchRow resolved = row;
  const auto found = tracks_.find(row[track]);
  if (found == tracks_.end()) {
    missing_["track"].insert(row[track]);
    resolved.nulls |= kOwned;
    return resolved;
  }
  const Track& at = found->second;
  const std::array<std::int64_t, 5> values = {at.pid, at.tid, at.agent, at.queue, at.stream};
  std::copy(values.begin(), values.end(), resolved.values.begin());
  resolved.nulls = (row.nulls & ~kOwned) | at.nulls;
  return resolved;
}

Lane RocpdEntities::make_lane(const DispatchRow& row) {
  Lane lane;
  lane.process = row.is_null(pid) && only_process_ ? *only_process_ : process(row[pid]);
  if (!row.is_null(tid)) {
    const auto found = threads_.find(row[tid]);
    if (found == threads_.end()) missing_["thread"].insert(row[tid]);
    lane.thread = found == threads_.end() ? row[tid] : found->second;
  }
  const auto resolve = [&](DispatchField field, const char* kind, auto& known, auto create) {
    if (row.is_null(field)) return kNone;
    const auto found = known.find(row[field]);
    if (found != known.end()) return found->second;
    missing_[kind].insert(row[field]);
    return known[row[field]] = create(row[field]);
  };
  lane.agent = resolve(agent, "agent", agents_, [&](std::int64_t id) {
    Agent unknown;
    unknown.process = lane.process;
    unknown.recorded_id = id;
    unknown.gpu = true;  // it ran a kernel
    return raw_.agent(unknown);
  });
  lane.queue = resolve(queue, "queue", queues_, [&](std::int64_t id) {
    return raw_.queue({lane.process, static_cast<std::uint64_t>(id), {}});
  });
  lane.stream = resolve(stream, "stream", streams_, [&](std::int64_t id) {
    return raw_.stream({lane.process, static_cast<std::uint64_t>(id), {}});
  });
  return lane;
}

Result<std::uint32_t> RocpdEntities::lane(const DispatchRow& row) {
  const auto key = key_of<7>(row, pid, bits(pid, track));
  if (const std::uint32_t* known = lane_memo_.find(key)) return *known;
  const Lane made = make_lane(row.is_null(track) ? row : through_track(row));
  const std::uint32_t index = raw_.lane(made);
  lane_memo_.insert(key, index);
  return index;
}

Result<std::uint32_t> RocpdEntities::kernel(const DispatchRow& row) {
  Kernel made;
  if (row.is_null(DispatchField::kernel)) {
    made.name = "(unknown kernel)";
    return raw_.kernel(made);
  }
  const std::int64_t id = row[DispatchField::kernel];
  const auto known = kernels_.find(id);
  if (known != kernels_.end()) return known->second;
  TRY(symbol_.bind(id));
  if (TRY(symbol_.step())) {
    made.mangled = symbol_.text(0);
    made.name = symbol_.text(1);
    made.arch_vgprs = narrow(symbol_.int64(2));
    made.accum_vgprs = narrow(symbol_.int64(3));
    made.sgprs = narrow(symbol_.int64(4));
    made.static_lds_bytes = narrow(symbol_.int64(5));
    made.scratch_bytes = narrow(symbol_.int64(6));
    made.kernarg_bytes = static_cast<std::uint64_t>(symbol_.int64(7));
  }
  if (made.mangled.empty() && made.name.empty()) {
    missing_["kernel symbol"].insert(id);
    made.name = fmt::format("(kernel {} without a symbol)", id);
  }
  TRY(symbol_.reset());
  std::string_view mangled = made.mangled;
  if (mangled.ends_with(".kd")) mangled.remove_suffix(3);
  const auto band = source_.bands.find(mangled);
  if (band != source_.bands.end()) {
    made.time_low = band->second.low;
    made.time_high = band->second.high;
    made.ratio_band = band->second.ratio;
  }
  const auto found = source_.findings.find(mangled);
  if (found != source_.findings.end()) made.findings = found->second;
  return kernels_[id] = raw_.kernel(made);
}

std::uint32_t RocpdEntities::size32(std::int64_t value) {
  if (value >= 0 && value <= std::int64_t{std::numeric_limits<std::uint32_t>::max()}) {
    return static_cast<std::uint32_t>(value);
  }
  ++oversized_;
  return 0;
}

Result<std::uint32_t> RocpdEntities::launch(const DispatchRow& row) {
  const auto key =
      key_of<10>(row, DispatchField::kernel, bits(DispatchField::kernel, DispatchField::kernel));
  if (const std::uint32_t* known = launch_memo_.find(key)) return *known;
  Launch made;
  made.kernel = TRY(kernel(row));
  made.grid = {size32(row[grid_x]), size32(row[grid_y]), size32(row[grid_z])};
  made.workgroup = {size32(row[workgroup_x]), size32(row[workgroup_y]), size32(row[workgroup_z])};
  made.lds_bytes = size32(row[lds]);
  made.scratch_bytes = size32(row[scratch]);
  const std::uint32_t index = raw_.launch(made);
  launch_memo_.insert(key, index);
  if (row.is_null(DispatchField::kernel)) {
    kernelless_launches_.insert(index);
  } else if (missing_.contains("kernel symbol") &&
             missing_["kernel symbol"].contains(row[DispatchField::kernel])) {
    nameless_launches_.insert(index);
  }
  return index;
}

void RocpdEntities::add_notes() {
  for (const auto& [kind, ids] : missing_) {
    raw_.notes.push_back(
        fmt::format("{} {}{} not in the file, dispatches point to {}: {}", ids.size(), kind,
                    ids.size() == 1 ? " is" : (kind == "process" ? "es are" : "s are"),
                    ids.size() == 1 ? "it" : "them", list_ids(ids)));
  }
  const auto count_rows = [&](const std::set<std::uint32_t>& launches) {
    if (launches.empty()) return std::size_t{0};
    std::vector<std::size_t> flagged(raw_.launches().size());
    for (const std::uint32_t index : launches) flagged[index] = 1;
    std::size_t rows = 0;
    for (const std::uint32_t index : raw_.columns.launch) rows += flagged[index];
    return rows;
  };
  if (const auto rows = count_rows(kernelless_launches_); rows != 0) {
    raw_.notes.push_back(
        fmt::format("{} dispatches name no kernel; they are shown as (unknown kernel)", rows));
  }
  if (const auto rows = count_rows(nameless_launches_); rows != 0) {
    raw_.notes.push_back(fmt::format("{} dispatches are of kernels without a symbol", rows));
  }
  if (oversized_ != 0) {
    raw_.notes.push_back(
        fmt::format("{} launch sizes do not fit 32 bits and are shown as 0", oversized_));
  }
}

}  // namespace rpl
