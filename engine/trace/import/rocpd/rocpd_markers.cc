// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

#include "engine/trace/import/rocpd/region_columns.h"
#include "engine/trace/import/rocpd/rocpd_tables.h"

namespace rpl {
namespace {

/// A marker whose text is still to be found.
struct Found {
  Marker marker;
  std::int64_t event = 0, name = 0;
  bool told = false;  ///< the marker has its text
};

/// Ranges, of the regions.
class RangeSink {
 public:
  explicit RangeSink(const RocpdPart& part) : part_(&part), owners_(part.scope), marker_(part) {}

  void row(const TableRow& row) {
    const std::int64_t event = row.integer(RegionColumns::kEvent),
                       name = row.integer(RegionColumns::kName);
    if (!marker_(part_->events.category(event), name)) return;
    const RocpdOwner& owner = owners_[owners_(row, RegionColumns::kOwner)];
    if (owner.process == kNone) return;
    found.push_back({{row.integer(RegionColumns::kStart),
                      row.integer(RegionColumns::kEnd),
                      owner.process,
                      owner.thread,
                      {}},
                     event,
                     name});
  }

  std::vector<Found> found;

 private:
  const RocpdPart* part_;
  OwnerIndex owners_;
  MarkerTest marker_;
};

/// Marks, of the samples.
class MarkSink {
 public:
  enum : int { kTime, kEvent, kName, kOwner };
  static constexpr auto kWanted = with_owner<3>({{{"timestamp"}, {"event_id"}, {"name_id"}}});

  explicit MarkSink(const RocpdPart& part) : part_(&part), owners_(part.scope) {}

  void row(const TableRow& row) {
    const std::int64_t event = row.integer(kEvent);
    const std::string& category = part_->events.category_names()[part_->events.category(event)];
    if (!category.empty() && !category.starts_with("MARKER")) return;
    const RocpdOwner& owner = owners_[owners_(row, kOwner)];
    if (owner.process == kNone) return;
    const std::int64_t time_ns = row.integer(kTime);
    found.push_back(
        {{time_ns, time_ns, owner.process, owner.thread, {}}, event, row.integer(kName)});
  }

  std::vector<Found> found;

 private:
  const RocpdPart* part_;
  OwnerIndex owners_;
};

/// What recorders wrote about some events.
class DetailSink {
 public:
  static constexpr std::array<WantedColumn, 2> kWanted{{{"id"}, {"extdata", ColumnKind::text}}};

  explicit DetailSink(const std::unordered_set<std::int64_t>& wanted) : wanted_(&wanted) {}

  void row(const TableRow& row) {
    const std::string_view text = row.text(1);
    if (text.size() <= 2 || !wanted_->contains(row.integer(0))) return;
    found.emplace(row.integer(0), text);
  }

  std::unordered_map<std::int64_t, std::string> found;

 private:
  const std::unordered_set<std::int64_t>* wanted_;
};

template <class Sink>
Status read_into(const RocpdPart& part, std::string_view base, std::span<const WantedColumn> wanted,
                 std::vector<Found>& found) {
  const PreparedTable table = TRY(part.reader.prepare(base, part.scope.source().suffix, wanted));
  for (Sink& sink : TRY(part.reader.read(table, [&] { return Sink(part); })))
    found.insert(found.end(), std::make_move_iterator(sink.found.begin()),
                 std::make_move_iterator(sink.found.end()));
  return {};
}

/// What the program called its ranges and marks.
Status add_messages(const RocpdPart& part, std::vector<Found>& found) {
  std::unordered_set<std::int64_t> events;
  for (const Found& one : found) events.insert(one.event);
  const PreparedTable table =
      TRY(part.reader.prepare("rocpd_event", part.scope.source().suffix, DetailSink::kWanted));
  if (events.empty() || table.layout.columns[1].at < 0) return {};
  std::vector<std::int64_t> ids(events.begin(), events.end());
  std::ranges::sort(ids);
  const auto details = TRY(part.reader.read_near(table, ids, [&] { return DetailSink(events); }));
  // The test for validity keeps one damaged text from ending the query.
  Statement message = TRY(part.scope.database().database().prepare(
      "SELECT json_extract(?1, '$.message') WHERE json_valid(?1)"));
  for (Found& one : found) {
    for (const DetailSink& sink : details) {
      const auto detail = sink.found.find(one.event);
      if (detail == sink.found.end()) continue;
      TRY(message.bind(detail->second));
      if (TRY(message.step()) && !message.is_null(0)) {
        one.marker.text = message.text(0);
        one.told = true;
      }
      break;
    }
  }
  return {};
}

}  // namespace

Status read_rocpd_markers(const RocpdPart& part, MarkerTable& out) {
  std::vector<Found> found;
  TRY(read_into<RangeSink>(part, "rocpd_region", RegionColumns::kWanted, found));
  TRY(read_into<MarkSink>(part, "rocpd_sample", MarkSink::kWanted, found));
  TRY(add_messages(part, found));
  for (Found& one : found) {
    if (!one.told) one.marker.text = part.scope.string(one.name);
    out.rows.push_back(std::move(one.marker));
  }
  return {};
}

}  // namespace rpl
