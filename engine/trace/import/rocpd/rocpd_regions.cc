// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <set>

#include "engine/base/interrupt.h"
#include "engine/trace/core/name_index.h"
#include "engine/trace/core/row_index.h"
#include "engine/trace/import/rocpd/rocpd_tables.h"

namespace rpl {

namespace {

/// Categories differ between releases in their ends ("MARKER_CORE_API", "MARKER_CORE_RANGE_API").
bool is_marker(std::string_view category, std::string_view name) {
  return category.empty() ? name.starts_with("roctx") : category.starts_with("MARKER");
}

/// Whether a region is a marker, by its category, or by its name where it has none.
class MarkerTest {
 public:
  explicit MarkerTest(const RocpdPart& part) : part_(part) {}

  bool operator()(std::uint32_t category, std::int64_t name) {
    if (category != 0) return is_marker(part_.events.category_names()[category], {});
    return is_marker({}, part_.scope.string(name));
  }

 private:
  const RocpdPart& part_;
};

Result<Statement> select_regions(const RocpdPart& part) {
  return select_columns(part.scope.database(), part.scope.source().table("rocpd_region"),
                        {"start", "end", "name_id", "event_id", "id", "pid", "tid", "track_id",
                         "agent_id", "queue_id", "stream_id"});
}

/// A region's id is its correlation id where no event says so (rocpd.md §1.3).
std::uint64_t correlation_of(const RocpdPart& part, const Statement& region) {
  if (region.is_null(3)) return static_cast<std::uint64_t>(region.int64(4));
  return part.events.correlation(region.int64(3));
}

using Messages = std::unordered_map<std::int64_t, std::string>;

/// What the program called its ranges and marks, by event.
Result<Messages> read_messages(const RocpdPart& part) {
  Messages messages;
  const std::string table = part.scope.source().table("rocpd_event");
  const std::vector<std::string> columns = TRY(part.scope.database().columns(table));
  if (std::find(columns.begin(), columns.end(), "extdata") == columns.end()) return messages;
  // The test for validity keeps one damaged text from ending the query.
  Statement rows = TRY(part.scope.database().database().prepare(
      fmt::format("SELECT id, json_extract(extdata, '$.message') FROM {} WHERE extdata <> '{{}}' "
                  "AND json_valid(extdata)",
                  sql_name(table))));
  while (TRY(rows.step())) {
    if (!rows.is_null(1)) messages.emplace(rows.int64(0), rows.text(1));
  }
  return messages;
}

std::string text_of(const Messages& messages, std::int64_t event, std::string_view name) {
  const auto found = messages.find(event);
  return found != messages.end() ? found->second : std::string(name);
}

Status read_ranges(const RocpdPart& part, const Messages& messages, MarkerTable& out) {
  MarkerTest marker(part);
  Statement rows = TRY(select_regions(part));
  std::size_t count = 0;
  while (TRY(rows.step())) {
    if (++count % interrupt::kRowsBetweenChecks == 0) TRY(interrupt::check());
    if (!marker(part.events.category(rows.int64(3)), rows.int64(2))) continue;
    const RocpdOwner owner = part.scope.owner(rows, 5);
    if (owner.process == kNone) continue;
    out.rows.push_back({rows.int64(0), rows.int64(1), owner.process, owner.thread,
                        text_of(messages, rows.int64(3), part.scope.string(rows.int64(2)))});
  }
  return {};
}

Status read_marks(const RocpdPart& part, const Messages& messages, MarkerTable& out) {
  Statement rows =
      TRY(select_columns(part.scope.database(), part.scope.source().table("rocpd_sample"),
                         {"timestamp", "event_id", "name_id", "pid", "tid", "track_id", "agent_id",
                          "queue_id", "stream_id"}));
  while (TRY(rows.step())) {
    const std::string_view category =
        part.events.category_names()[part.events.category(rows.int64(1))];
    if (!category.empty() && !is_marker(category, {})) continue;
    const RocpdOwner owner = part.scope.owner(rows, 3);
    if (owner.process == kNone) continue;
    out.rows.push_back({rows.int64(0), rows.int64(0), owner.process, owner.thread,
                        text_of(messages, rows.int64(1), part.scope.string(rows.int64(2)))});
  }
  return {};
}

}  // namespace

Status read_rocpd_api(const RocpdPart& part, ApiTable& out) {
  const std::set<std::uint32_t> own(part.scope.processes().begin(), part.scope.processes().end());
  for_rows_of_file(part.trace, part.file, [&](std::uint32_t row) {
    if (!own.contains(part.trace.lane(row).process)) return;
    out.dispatch_correlation[row] = part.events.correlation(part.trace.event_id(row));
  });
  NameIndex names(out.names);
  std::unordered_map<std::int64_t, std::uint32_t> name_of;
  std::vector<std::uint32_t> category_of;
  for (const std::string& category : part.events.category_names()) {
    category_of.push_back(names(category));
  }
  MarkerTest marker(part);
  Statement rows = TRY(select_regions(part));
  std::size_t count = 0, lost = 0;
  while (TRY(rows.step())) {
    if (++count % interrupt::kRowsBetweenChecks == 0) TRY(interrupt::check());
    const std::uint32_t category = part.events.category(rows.int64(3));
    if (marker(category, rows.int64(2))) continue;
    const RocpdOwner owner = part.scope.owner(rows, 5);
    if (owner.process == kNone) {
      ++lost;
      continue;
    }
    auto name = name_of.find(rows.int64(2));
    if (name == name_of.end()) {
      name = name_of.emplace(rows.int64(2), names(part.scope.string(rows.int64(2)))).first;
    }
    out.rows.push_back({rows.int64(0), rows.int64(1), owner.process, owner.thread, name->second,
                        category_of[category], correlation_of(part, rows), rows.int64(3)});
  }
  if (lost > 0) out.notes.push_back(fmt::format("{} API calls name no known process", lost));
  return {};
}

Status read_rocpd_markers(const RocpdPart& part, MarkerTable& out) {
  const Messages messages = TRY(read_messages(part));
  TRY(read_ranges(part, messages, out));
  return read_marks(part, messages, out);
}

}  // namespace rpl
