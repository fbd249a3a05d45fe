// SPDX-License-Identifier: MIT
#include <array>
#include <unordered_map>
#include <utility>

#include "engine/trace/core/entity_lookup.h"
#include "engine/trace/core/name_index.h"
#include "engine/trace/core/row_index.h"
#include "engine/trace/import/rocpd/region_columns.h"
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

}  // namespace rpl
