// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <array>
#include <unordered_map>

#include "engine/trace/core/counter_fold.h"
#include "engine/trace/core/name_index.h"
#include "engine/trace/core/row_index.h"
#include "engine/trace/import/rocpd/rocpd_tables.h"

namespace rpl {
namespace {

/// One thread's share of the values; counters by their recorded id.
class CounterSink {
 public:
  enum : int { kEvent, kCounter, kValue, kSample };
  static constexpr std::array<WantedColumn, 4> kWanted{
      {{"event_id"}, {"pmc_id"}, {"value", ColumnKind::real}, {"sample_id"}}};

  CounterSink(const RocpdPart& part, const RowIndex& index) : part_(&part), index_(&index) {}

  void row(const TableRow& row) {
    if (!row.is_null(kSample)) {
      ++streaming;
      return;
    }
    const std::int64_t event = row.integer(kEvent);
    if (row_ == kNone || event != event_) {
      event_ = event;
      row_ = row_of(event);
    }
    if (row_ == kNone) {
      ++lost;
      return;
    }
    const double value = row.real(kValue);
    add_sample(samples, {row_, number_of(row.integer(kCounter)), 1, value, value});
  }

  std::vector<CounterSample> samples;  ///< counters by their place in `ids`
  std::vector<std::int64_t> ids;
  std::size_t streaming = 0, lost = 0;

 private:
  [[nodiscard]] std::uint32_t row_of(std::int64_t event) const {
    for (const std::uint32_t process : part_->scope.processes()) {
      if (const std::uint32_t row = index_->find(process, event); row != kNone) return row;
    }
    return kNone;
  }
  std::uint32_t number_of(std::int64_t id) {
    const auto [known, fresh] = numbers_.try_emplace(id, static_cast<std::uint32_t>(ids.size()));
    if (fresh) ids.push_back(id);
    return known->second;
  }

  const RocpdPart* part_;
  const RowIndex* index_;
  std::unordered_map<std::int64_t, std::uint32_t> numbers_;
  std::int64_t event_ = 0;
  std::uint32_t row_ = kNone;
};

}  // namespace

Status read_rocpd_counters(const RocpdPart& part, CounterTable& out) {
  ForeignDatabase& database = part.scope.database();
  const RocpdSource& source = part.scope.source();
  NameIndex names(out.names);
  std::unordered_map<std::int64_t, std::uint32_t> counters;
  Statement infos =
      TRY(select_columns(database, source.table("rocpd_info_pmc"), {"id", "name", "symbol"}));
  while (TRY(infos.step())) {
    counters[infos.int64(0)] = names(infos.text(infos.text(1).empty() ? 2 : 1));
  }
  const PreparedTable table =
      TRY(part.reader.prepare("rocpd_pmc_event", source.suffix, CounterSink::kWanted));
  const RowIndex index(part.trace, part.file, RowIndex::Key::event_id);
  std::size_t streaming = 0, lost = 0;
  for (CounterSink& sink : TRY(part.reader.read(table, [&] { return CounterSink(part, index); }))) {
    streaming += sink.streaming;
    lost += sink.lost;
    std::vector<std::uint32_t> moved;
    for (const std::int64_t id : sink.ids) {
      auto counter = counters.find(id);
      if (counter == counters.end())
        counter = counters.emplace(id, names(fmt::format("counter {}", id))).first;
      moved.push_back(counter->second);
    }
    for (CounterSample& sample : sink.samples) sample.counter = moved[sample.counter];
    if (out.rows.empty()) {
      out.rows = std::move(sink.samples);
    } else {
      out.rows.insert(out.rows.end(), sink.samples.begin(), sink.samples.end());
    }
  }
  if (streaming > 0) {
    out.notes.push_back(fmt::format(
        "{} streaming counter samples belong to no dispatch and were left out", streaming));
  }
  if (lost > 0) {
    out.notes.push_back(fmt::format("{} counter values belong to no dispatch of the trace", lost));
  }
  return {};
}

}  // namespace rpl
