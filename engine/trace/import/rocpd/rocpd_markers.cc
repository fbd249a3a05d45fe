// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "engine/trace/import/rocpd/region_columns.h"
#include "engine/trace/import/rocpd/rocpd_tables.h"

namespace rpl {
namespace {

/// What an event is, as far as its category tells.
enum class EventKind : std::uint8_t { unknown, unnamed, marker, other };

/// One thread's share of the events: what each of them is, a byte each, and what recorders wrote about markers.
class EventSink {
 public:
  enum : int { kId, kCategory, kDetail };
  static constexpr std::array<WantedColumn, 3> kWanted{
      {{"id"}, {"category_id"}, {"extdata", ColumnKind::text}}};

  EventSink(const RocpdPart& part, std::size_t rows) : part_(&part) { kinds_.reserve(rows); }

  void row(const TableRow& row) {
    const std::int64_t id = row.integer(kId);
    const EventKind kind = kind_of(row.integer(kCategory));
    if (kind == EventKind::marker && row.text(kDetail).size() > kLeastDetail)
      details.emplace(id, row.text(kDetail));
    if (kinds_.empty()) first_ = id;
    const std::uint64_t slot = slot_of(id);
    // Ids that do not rise, or leave out many: a damaged one must not ask for gigabytes.
    if (slot < kinds_.size() || slot > 2 * ++rows_ + kHoleAllowance) {
      far_.emplace(id, kind);
      return;
    }
    kinds_.resize(slot, EventKind::unknown);
    kinds_.push_back(kind);
  }

  [[nodiscard]] EventKind kind(std::int64_t event) const {
    const std::uint64_t slot = slot_of(event);
    if (slot < kinds_.size() && kinds_[slot] != EventKind::unknown) return kinds_[slot];
    if (far_.empty()) return EventKind::unknown;
    const auto found = far_.find(event);
    return found == far_.end() ? EventKind::unknown : found->second;
  }

  static constexpr std::size_t kLeastDetail = 2;          ///< "{}"
  std::unordered_map<std::int64_t, std::string> details;  ///< by event

 private:
  static constexpr std::uint64_t kHoleAllowance = std::uint64_t{1} << 20;
  /// Of the ids of categories that came last: those of calls and dispatches come by turns.
  static constexpr std::size_t kRemembered = 16;

  EventKind kind_of(std::int64_t category) {
    auto& [known, kind] = remembered_[static_cast<std::uint64_t>(category) % kRemembered];
    if (kind == EventKind::unknown || known != category) {
      const std::string_view name = part_->scope.category(category);
      known = category;
      kind = name.empty()               ? EventKind::unnamed
             : is_marker_category(name) ? EventKind::marker
                                        : EventKind::other;
    }
    return kind;
  }
  [[nodiscard]] std::uint64_t slot_of(std::int64_t event) const {
    return static_cast<std::uint64_t>(event) - static_cast<std::uint64_t>(first_);
  }

  const RocpdPart* part_;
  std::array<std::pair<std::int64_t, EventKind>, kRemembered> remembered_{};
  std::int64_t first_ = 0;
  std::size_t rows_ = 0;
  ColumnVector<EventKind> kinds_;
  std::unordered_map<std::int64_t, EventKind> far_;
};

/// What the events say of markers, in one pass.
class MarkerEvents {
 public:
  Status load(const RocpdPart& part) {
    const PreparedTable table =
        TRY(part.reader.prepare("rocpd_event", part.scope.source().suffix, EventSink::kWanted));
    const std::size_t rows = part.reader.estimated_rows(table);
    // Ids that are no key may come twice, of which the first one counts.
    const unsigned parts = table.layout.rowid_column == 0 ? 2 : 1;
    sinks_ = TRY(part.reader.read(
        table, [&] { return EventSink(part, rows / part.reader.parts(table, parts)); }, parts));
    return part.scope.strings_read();
  }
  /// Never unknown.
  [[nodiscard]] EventKind kind(std::int64_t event) const {
    for (const EventSink& sink : sinks_) {
      const EventKind kind = sink.kind(event);
      if (kind != EventKind::unknown) return kind;
    }
    return EventKind::unnamed;
  }
  /// Of a marker; nullptr where nothing was written.
  [[nodiscard]] const std::string* detail(std::int64_t event) const {
    for (const EventSink& sink : sinks_) {
      if (const auto found = sink.details.find(event); found != sink.details.end())
        return &found->second;
    }
    return nullptr;
  }

 private:
  std::vector<EventSink> sinks_;
};

/// A marker whose text is still to be found.
struct Found {
  Marker marker;
  std::int64_t event = 0, name = 0;
  bool told = false;     ///< the marker has its text
  bool unnamed = false;  ///< its event has no category
};

/// Ranges, of the regions.
class RangeSink {
 public:
  RangeSink(const RocpdPart& part, const MarkerEvents& events)
      : part_(&part), events_(&events), owners_(part.scope) {}

  void row(const TableRow& row) {
    const std::int64_t event = row.integer(RegionColumns::kEvent);
    const EventKind kind = events_->kind(event);
    if (kind == EventKind::other) return;
    const std::int64_t name = row.integer(RegionColumns::kName);
    const bool unnamed = kind != EventKind::marker;
    if (unnamed && !is_marker_name(part_->scope.string(name))) return;
    const RocpdOwner& owner = owners_[owners_(row, RegionColumns::kOwner)];
    if (owner.process == kNone) return;
    found.push_back({{row.integer(RegionColumns::kStart),
                      row.integer(RegionColumns::kEnd),
                      owner.process,
                      owner.thread,
                      {}},
                     event,
                     name,
                     false,
                     unnamed});
  }

  std::vector<Found> found;

 private:
  const RocpdPart* part_;
  const MarkerEvents* events_;
  OwnerIndex owners_;
};

/// Marks, of the samples.
class MarkSink {
 public:
  enum : int { kTime, kEvent, kName, kOwner };
  static constexpr auto kWanted = with_owner<3>({{{"timestamp"}, {"event_id"}, {"name_id"}}});

  MarkSink(const RocpdPart& part, const MarkerEvents& events)
      : events_(&events), owners_(part.scope) {}

  void row(const TableRow& row) {
    const std::int64_t event = row.integer(kEvent);
    const EventKind kind = events_->kind(event);
    if (kind == EventKind::other) return;
    const RocpdOwner& owner = owners_[owners_(row, kOwner)];
    if (owner.process == kNone) return;
    const std::int64_t time_ns = row.integer(kTime);
    found.push_back({{time_ns, time_ns, owner.process, owner.thread, {}},
                     event,
                     row.integer(kName),
                     false,
                     kind != EventKind::marker});
  }

  std::vector<Found> found;

 private:
  const MarkerEvents* events_;
  OwnerIndex owners_;
};

/// What recorders wrote about some events.
class DetailSink {
 public:
  static constexpr std::array<WantedColumn, 2> kWanted{{{"id"}, {"extdata", ColumnKind::text}}};

  explicit DetailSink(const std::unordered_set<std::int64_t>& wanted) : wanted_(&wanted) {}

  void row(const TableRow& row) {
    const std::string_view text = row.text(1);
    if (text.size() <= EventSink::kLeastDetail || !wanted_->contains(row.integer(0))) return;
    found.emplace(row.integer(0), text);
  }

  std::unordered_map<std::int64_t, std::string> found;

 private:
  const std::unordered_set<std::int64_t>* wanted_;
};

template <class Sink>
Status read_into(const RocpdPart& part, const MarkerEvents& events, std::string_view base,
                 std::span<const WantedColumn> wanted, std::vector<Found>& found) {
  const PreparedTable table = TRY(part.reader.prepare(base, part.scope.source().suffix, wanted));
  for (Sink& sink : TRY(part.reader.read(table, [&] { return Sink(part, events); })))
    found.insert(found.end(), std::make_move_iterator(sink.found.begin()),
                 std::make_move_iterator(sink.found.end()));
  return {};
}

/// The text of {"message":"TEXT"} in which nothing stands for something else; nullopt of anything else.
std::optional<std::string_view> plain_message(std::string_view detail) {
  constexpr std::string_view kBefore = "{\"message\":\"", kBehind = "\"}";
  if (!detail.starts_with(kBefore) || !detail.ends_with(kBehind) ||
      detail.size() < kBefore.size() + kBehind.size())
    return std::nullopt;
  detail.remove_prefix(kBefore.size());
  detail.remove_suffix(kBehind.size());
  const auto plain = [](char c) {
    return c != '"' && c != '\\' && static_cast<unsigned char>(c) >= 0x20;
  };
  if (!std::ranges::all_of(detail, plain)) return std::nullopt;
  return detail;
}

/// Takes what the program called a range or mark out of what recorders wrote about it.
class Messages {
 public:
  static Result<Messages> prepare(const RocpdPart& part) {
    // The test for validity keeps one damaged text from ending the query.
    return Messages(TRY(part.scope.database().database().prepare(
        "SELECT json_extract(?1, '$.message') WHERE json_valid(?1)")));
  }

  Status tell(const std::string& detail, Found& one) {
    if (const auto plain = plain_message(detail)) {
      one.marker.text = *plain;
      one.told = true;
      return {};
    }
    TRY(message_.bind(detail));
    if (TRY(message_.step()) && !message_.is_null(0)) {
      one.marker.text = message_.text(0);
      one.told = true;
    }
    return {};
  }

 private:
  explicit Messages(Statement message) : message_(std::move(message)) {}

  Statement message_;
};

/// Those of events without a category, which were not looked at as markers.
Status add_unnamed_messages(const RocpdPart& part, Messages& messages, std::vector<Found>& found) {
  std::unordered_set<std::int64_t> events;
  for (const Found& one : found) {
    if (one.unnamed) events.insert(one.event);
  }
  if (events.empty()) return {};
  const PreparedTable table =
      TRY(part.reader.prepare("rocpd_event", part.scope.source().suffix, DetailSink::kWanted));
  if (table.layout.columns[1].at < 0) return {};
  std::vector<std::int64_t> ids(events.begin(), events.end());
  std::ranges::sort(ids);
  const auto details = TRY(part.reader.read_near(table, ids, [&] { return DetailSink(events); }));
  for (Found& one : found) {
    for (const DetailSink& sink : details) {
      const auto detail = sink.found.find(one.event);
      if (detail == sink.found.end()) continue;
      TRY(messages.tell(detail->second, one));
      break;
    }
  }
  return {};
}

/// What the program called its ranges and marks.
Status add_messages(const RocpdPart& part, const MarkerEvents& events, std::vector<Found>& found) {
  Messages messages = TRY(Messages::prepare(part));
  for (Found& one : found) {
    const std::string* detail = one.unnamed ? nullptr : events.detail(one.event);
    if (detail != nullptr) TRY(messages.tell(*detail, one));
  }
  return add_unnamed_messages(part, messages, found);
}

}  // namespace

Status read_rocpd_markers(const RocpdPart& part, MarkerTable& out) {
  MarkerEvents events;
  TRY(events.load(part));
  std::vector<Found> found;
  TRY(read_into<RangeSink>(part, events, "rocpd_region", RegionColumns::kWanted, found));
  TRY(read_into<MarkSink>(part, events, "rocpd_sample", MarkSink::kWanted, found));
  TRY(add_messages(part, events, found));
  for (Found& one : found) {
    if (!one.told) one.marker.text = part.scope.string(one.name);
    out.rows.push_back(std::move(one.marker));
  }
  return {};
}

}  // namespace rpl
