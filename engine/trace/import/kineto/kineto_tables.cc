// SPDX-License-Identifier: MIT
#include "engine/trace/import/kineto/kineto_tables.h"

#include <string_view>
#include <utility>

#include "engine/trace/core/entity_lookup.h"
#include "engine/trace/core/name_index.h"
#include "engine/trace/core/row_index.h"
#include "engine/trace/core/trace.h"

namespace rpl {
namespace {

/// Which ends of a copy are on the GPU, by the name that Kineto gives it: "Memcpy HtoD (Host -> Device)", "Memset (Device)".
struct Ends {
  bool from = false, to = false;
};
Ends ends_of(std::string_view name) {
  const auto has = [&](std::string_view one, std::string_view other) {
    return name.find(one) != std::string_view::npos || name.find(other) != std::string_view::npos;
  };
  if (name.starts_with("Memset") || has("HtoD", "HostToDevice")) return {false, true};
  if (has("DtoH", "DeviceToHost")) return {true, false};
  if (has("HtoH", "HostToHost")) return {};
  return {true, true};
}

class KinetoTables : public FileTables {
 public:
  explicit KinetoTables(KinetoHeld held) : held_(std::move(held)) {}

  Status copies(const Trace& trace, std::uint32_t file, Fact, CopyTable& out) override;
  Status api(const Trace& trace, std::uint32_t file, ApiTable& out) override;
  Status markers(const Trace& trace, std::uint32_t file, MarkerTable& out) override;
  Status syncs(const Trace& trace, std::uint32_t file, SyncTable& out) override;

 private:
  /// Numbers of the merged trace for those of the file.
  [[nodiscard]] std::vector<std::uint32_t> processes(const EntityLookup& lookup) const {
    std::vector<std::uint32_t> out;
    for (const std::int64_t pid : held_.rows.pids) out.push_back(lookup.process(held_.guid, pid));
    return out;
  }

  KinetoHeld held_;
};

Status KinetoTables::copies(const Trace& trace, std::uint32_t file, Fact, CopyTable& out) {
  const EntityLookup lookup(trace.entities(), file);
  const std::vector<std::uint32_t> owners = processes(lookup);
  NameIndex names(out.names);
  for (const KinetoRows::Copied& row : held_.rows.copies) {
    const KinetoRows::Place& place = held_.rows.places[row.place];
    const std::string& name = held_.rows.names[row.name];
    const Ends ends = ends_of(name);
    Copy copy;
    copy.start_ns = row.start_ns;
    copy.end_ns = row.end_ns;
    copy.process = owners[row.process];
    copy.thread = row.thread;
    copy.stream = lookup.stream(copy.process, static_cast<std::uint64_t>(place.stream));
    copy.name = names(name);
    const std::uint32_t agent = lookup.agent(copy.process, place.device);
    if (ends.from) copy.src_agent = agent;
    if (ends.to) copy.dst_agent = agent;
    copy.bytes = row.bytes;
    copy.correlation = row.correlation;
    out.rows.push_back(copy);
  }
  out.notes.insert(out.notes.end(), held_.notes.begin(), held_.notes.end());
  return {};
}

Status KinetoTables::api(const Trace& trace, std::uint32_t file, ApiTable& out) {
  for_rows_of_file(trace, file, [&](std::uint32_t row) {
    out.dispatch_correlation.set(row, static_cast<std::uint64_t>(trace.event_id(row)));
  });
  const EntityLookup lookup(trace.entities(), file);
  const std::vector<std::uint32_t> owners = processes(lookup);
  NameIndex names(out.names);
  // Ranges of the program have shapes of the same list.
  const KinetoRows& rows = held_.rows;
  std::vector<bool> used(rows.host_shapes.size());
  for (std::size_t i = 0; i < rows.calls.size(); ++i) used[rows.calls.shape(i)] = true;
  std::vector<std::uint32_t> shapes(used.size());
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) continue;
    const KinetoRows::HostShape& shape = rows.host_shapes[i];
    shapes[i] = out.rows.intern({owners[shape.process], shape.thread, names(rows.names[shape.name]),
                                 names(rows.names[shape.category])});
  }
  out.rows.absorb(std::move(held_.rows.calls), shapes);
  return {};
}

Status KinetoTables::markers(const Trace& trace, std::uint32_t file, MarkerTable& out) {
  const EntityLookup lookup(trace.entities(), file);
  const std::vector<std::uint32_t> owners = processes(lookup);
  const KinetoRows& rows = held_.rows;
  out.rows.reserve(out.rows.size() + rows.ranges.size() + rows.gpu_ranges.size());
  for (std::size_t i = 0; i < rows.ranges.size(); ++i) {
    const KinetoRows::HostShape& shape = rows.host_shapes[rows.ranges.shape(i)];
    out.rows.push_back({rows.ranges.start_ns(i), rows.ranges.end_ns(i), owners[shape.process],
                        shape.thread, rows.names[shape.name]});
  }
  for (std::size_t i = 0; i < rows.gpu_ranges.size(); ++i)
    out.rows.push_back({rows.gpu_ranges.start_ns(i), rows.gpu_ranges.end_ns(i), owners[held_.main],
                        0, rows.gpu_range_names[rows.gpu_ranges.shape(i)]});
  return {};
}

Status KinetoTables::syncs(const Trace& trace, std::uint32_t file, SyncTable& out) {
  const EntityLookup lookup(trace.entities(), file);
  const std::vector<std::uint32_t> owners = processes(lookup);
  for (const KinetoOrder& each : held_.orders) {
    SyncOp op;
    op.kind = each.order.kind;
    op.source = each.place ? SyncSource::api_arguments : SyncSource::api_name;
    op.start_ns = each.order.start_ns;
    op.end_ns = each.order.end_ns;
    op.process = owners[each.order.process];
    op.thread = each.order.thread;
    op.correlation = each.order.correlation;
    op.event = each.event;
    if (each.place)
      op.stream = lookup.stream(op.process, static_cast<std::uint64_t>(each.place->stream));
    out.rows.push_back(op);
  }
  return {};
}

}  // namespace

std::unique_ptr<FileTables> kineto_tables(KinetoHeld held) {
  return std::make_unique<KinetoTables>(std::move(held));
}

}  // namespace rpl
