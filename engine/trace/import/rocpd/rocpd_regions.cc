// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <array>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>

#include "engine/trace/core/entity_lookup.h"
#include "engine/trace/core/name_index.h"
#include "engine/trace/core/row_index.h"
#include "engine/trace/import/rocpd/region_columns.h"
#include "engine/trace/import/rocpd/rocpd_source.h"
#include "engine/trace/import/rocpd/rocpd_tables.h"

namespace rpl {
namespace {

/// Regions of one owner, name and category.
struct RegionShape {
  std::uint32_t owner = 0, category = 0;
  std::int64_t name = 0;
  bool call = false;  ///< neither a marker nor of an unknown process
  bool lost = false;
  std::optional<SyncKind> kind;
};

/// One thread's share of the regions.
class RegionSink {
 public:
  RegionSink(const RocpdPart& part, std::size_t rows)
      : owners(part.scope), part_(&part), marker_(part) {
    calls.reserve(rows);
  }

  void row(const TableRow& row) {
    const std::int64_t event = row.integer(RegionColumns::kEvent);
    const std::uint32_t number =
        shape_of(owners(row, RegionColumns::kOwner), part_->events.category(event),
                 row.integer(RegionColumns::kName));
    const RegionShape& shape = shapes[number];
    // A region's id is its correlation id where no event says so (rocpd.md §1.3).
    const std::uint64_t correlation =
        row.is_null(RegionColumns::kEvent)
            ? static_cast<std::uint64_t>(row.integer(RegionColumns::kId))
            : part_->events.correlation(event);
    const std::int64_t start_ns = row.integer(RegionColumns::kStart),
                       end_ns = row.integer(RegionColumns::kEnd);
    lost += shape.lost ? 1 : 0;
    if (shape.call) calls.add(start_ns, end_ns, number, correlation);
    if (shape.kind) add_order(shape, start_ns, end_ns, correlation, event);
  }

  OwnerIndex owners;
  std::vector<RegionShape> shapes;
  TimedRows calls;  ///< of these shapes
  ColumnVector<RocpdHostOp> orders;
  std::size_t lost = 0;

 private:
  std::uint32_t shape_of(std::uint32_t owner, std::uint32_t category, std::int64_t name) {
    const TupleTable<2>::Key key{std::uint64_t{owner} << 32 | category,
                                 static_cast<std::uint64_t>(name)};
    if (key == last_key_ && !shapes.empty()) return last_;
    const std::uint32_t* known = index_.find(key);
    last_ = known != nullptr ? *known : static_cast<std::uint32_t>(shapes.size());
    if (known == nullptr) {
      index_.insert(key, last_);
      add_shape(owner, category, name);
    }
    last_key_ = key;
    return last_;
  }

  void add_shape(std::uint32_t owner, std::uint32_t category, std::int64_t name) {
    RegionShape shape{owner, category, name, false, false, {}};
    const bool known = owners[owner].process != kNone;
    const bool call = !marker_(category, name);
    shape.call = call && known;
    shape.lost = call && !known;
    if (known) shape.kind = sync_kind(part_->scope.string(name));
    shapes.push_back(shape);
  }

  void add_order(const RegionShape& shape, std::int64_t start_ns, std::int64_t end_ns,
                 std::uint64_t correlation, std::int64_t event) {
    RocpdHostOp& order = orders.emplace_back();
    order.op.kind = *shape.kind;
    order.op.source = SyncSource::api_name;
    order.op.start_ns = start_ns;
    order.op.end_ns = end_ns;
    order.op.process = owners[shape.owner].process;
    order.op.thread = owners[shape.owner].thread;
    order.op.correlation = correlation;
    order.event = event;
  }

  const RocpdPart* part_;
  MarkerTest marker_;
  TupleTable<2> index_;
  TupleTable<2>::Key last_key_{};
  std::uint32_t last_ = 0;
};

/// What a recording may say: it is somebody else's.
constexpr std::size_t kMostSites = 1'000'000, kMostFrames = 64, kMostText = 4096;

std::optional<std::uint32_t> small(std::int64_t value) {
  if (value < 0 || value > std::numeric_limits<std::int32_t>::max()) return std::nullopt;
  return static_cast<std::uint32_t>(value);
}

class SiteReader {
 public:
  SiteReader(const RocpdPart& part, CallSiteTable& out) : part_(part), out_(out) {}

  Status read() {
    const auto& processes = part_.scope.processes();
    if (processes.size() != 1) return {};
    TRY(read_frames());
    TRY(read_calls(processes.front()));
    if (odd_ > 0)
      out_.notes.push_back(
          fmt::format("{} rows about where calls were made say nothing usable", odd_));
    return {};
  }

 private:
  Result<Statement> select(std::string_view base, std::initializer_list<std::string_view> columns,
                           std::string_view tail) {
    part_.reader.note_api_read(base);
    return select_columns(part_.scope.database(), part_.scope.source().table(base), columns, tail);
  }

  Status read_frames() {
    Statement rows = TRY(select(
        "rpl_site_frame",
        {"site_id", "file", "line", "column", "function", "module", "offset", "program", "depth"},
        "ORDER BY site_id, depth"));
    while (TRY(rows.step())) {
      if (!add_frame(rows)) ++odd_;
    }
    return {};
  }

  bool add_frame(const Statement& row) {
    const auto line = small(row.int64(2)), column = small(row.int64(3));
    for (const int text : {1, 4, 5}) {
      if (row.text(text).size() > kMostText) return false;
    }
    if (!line || !column || row.int64(6) < 0) return false;
    auto known = sites_.find(row.int64(0));
    if (known == sites_.end()) {
      if (sites_.size() >= kMostSites) return false;
      known = sites_.emplace(row.int64(0), static_cast<std::uint32_t>(out_.sites.size())).first;
      out_.sites.emplace_back();
    }
    std::vector<SiteFrame>& frames = out_.sites[known->second];
    if (frames.size() >= kMostFrames) return false;
    frames.push_back({.file = std::string(row.text(1)),
                      .line = *line,
                      .column = *column,
                      .function = std::string(row.text(4)),
                      .module = std::string(row.text(5)),
                      .offset = static_cast<std::uint64_t>(row.int64(6)),
                      .program = row.int64(7) != 0});
    return true;
  }

  Status read_calls(std::uint32_t process) {
    Statement rows = TRY(select("rpl_call_site", {"stack_id", "site_id", "again"}, ""));
    while (TRY(rows.step())) {
      CallSiteTable::Row row{.process = process,
                             .correlation = static_cast<std::uint64_t>(rows.int64(0))};
      const auto site = sites_.find(rows.int64(1));
      if (!rows.is_null(1) && site != sites_.end()) row.site = site->second;
      if (!rows.is_null(2)) row.again = rows.int64(2) != 0;
      const bool says = row.site != kNone || row.again.has_value();
      if (rows.is_null(0) || !says) {
        ++odd_;
        continue;
      }
      out_.rows.push_back(row);
    }
    return {};
  }

  const RocpdPart& part_;
  CallSiteTable& out_;
  std::unordered_map<std::int64_t, std::uint32_t> sites_ =
      {};  ///< by recorded id: index into out_.sites
  std::size_t odd_ = 0;
};

}  // namespace

Result<RocpdRegions> read_rocpd_regions(const RocpdPart& part) {
  const PreparedTable table =
      TRY(part.reader.prepare("rocpd_region", part.scope.source().suffix, RegionColumns::kWanted));
  const std::size_t rows = part.reader.estimated_rows(table) / part.reader.parts(table, 2);
  std::vector<RegionSink> sinks =
      TRY(part.reader.read(table, [&] { return RegionSink(part, rows); }));
  RocpdRegions out;
  NameIndex names(out.names);
  std::vector<std::uint32_t> categories;
  for (const std::string& category : part.events.category_names())
    categories.push_back(names(category));
  for (RegionSink& sink : sinks) {
    std::vector<std::uint32_t> moved;
    for (const RegionShape& shape : sink.shapes) {
      const RocpdOwner& owner = sink.owners[shape.owner];
      moved.push_back(shape.call ? out.calls.intern({owner.process, owner.thread,
                                                     names(part.scope.string(shape.name)),
                                                     categories[shape.category]})
                                 : 0);
    }
    out.calls.absorb(std::move(sink.calls), moved);
    out.lost += sink.lost;
    if (out.orders.empty()) {
      out.orders = std::move(sink.orders);
    } else {
      out.orders.insert(out.orders.end(), sink.orders.begin(), sink.orders.end());
    }
  }
  return out;
}

void link_rocpd_dispatches(const RocpdPart& part, Correlations& out) {
  std::vector<bool> own(part.trace.entities().processes.size());
  for (const std::uint32_t process : part.scope.processes()) own[process] = true;
  for_rows_of_file(part.trace, part.file, [&](std::uint32_t row) {
    if (own[part.trace.lane(row).process])
      out.set(row, part.events.correlation(part.trace.event_id(row)));
  });
}

Status read_rocpd_call_sites(const RocpdPart& part, CallSiteTable& out) {
  return SiteReader(part, out).read();
}

}  // namespace rpl
