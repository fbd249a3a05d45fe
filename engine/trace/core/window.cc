// SPDX-License-Identifier: MIT
#include "engine/trace/core/trace.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/interrupt.h"
#include "engine/trace/core/secondary.h"

namespace rpl {
namespace {

/// Serves the tables of another trace, cut to a window.
class WindowTables : public FileTables {
 public:
  WindowTables(std::shared_ptr<const Trace> whole, std::int64_t from_ns, std::int64_t to_ns,
               std::vector<std::uint32_t> rows)
      : whole_(std::move(whole)), from_(from_ns), to_(to_ns), rows_(std::move(rows)) {}

  Status copies(const Trace&, std::uint32_t, Fact depth, CopyTable& out) override {
    const CopyTable& all = *TRY(whole_->ask({depth})).copies;
    out.names = all.names;
    return keep(all.rows, from_, out.rows);
  }

  Status api(const Trace&, std::uint32_t, ApiTable& out) override {
    const ApiTable& all = *TRY(whole_->api());
    out.names = all.names;
    // The launch of an operation in the window may lie before it, and explains it.
    TRY(keep(all.rows, INT64_MIN, out.rows));
    for (std::size_t i = 0; i < rows_.size() && i < out.dispatch_correlation.size(); ++i) {
      if (rows_[i] < all.dispatch_correlation.size()) {
        out.dispatch_correlation.set(i, all.dispatch_correlation[rows_[i]]);
      }
    }
    return {};
  }

  Status markers(const Trace&, std::uint32_t, MarkerTable& out) override {
    return keep(TRY(whole_->markers())->rows, from_, out.rows);
  }

  Status syncs(const Trace&, std::uint32_t, SyncTable& out) override {
    return keep(TRY(whole_->syncs())->rows, from_, out.rows);
  }

  Status counters(const Trace&, std::uint32_t, CounterTable& out) override {
    const CounterTable& all = *TRY(whole_->counters());
    out.names = all.names;
    for (const CounterSample& sample : all.rows) {
      const auto found = std::ranges::lower_bound(rows_, sample.dispatch);
      if (found == rows_.end() || *found != sample.dispatch) continue;
      out.rows.push_back(sample);
      out.rows.back().dispatch = static_cast<std::uint32_t>(found - rows_.begin());
    }
    return {};
  }

  Status call_sites(const Trace&, std::uint32_t, CallSiteTable& out) override {
    out = *TRY(whole_->call_sites());
    return {};
  }

  [[nodiscard]] std::vector<std::string> damage() const override { return whole_->damage(); }

 private:
  template <class Rows>
  Status keep(const Rows& all, std::int64_t from_ns, Rows& out) const {
    std::size_t count = 0;
    for (const auto& row : all) {
      if (++count % 65536 == 0) TRY(interrupt::check());
      const bool touches = row.start_ns < to_ && (row.end_ns > from_ns || row.start_ns >= from_ns);
      if (touches) out.push_back(row);
    }
    return {};
  }

  std::shared_ptr<const Trace> whole_;
  std::int64_t from_, to_;
  std::vector<std::uint32_t> rows_;  // of the whole trace, ascending
};

Result<std::vector<std::uint32_t>> rows_within(const Trace& whole, std::int64_t from_ns,
                                               std::int64_t to_ns) {
  std::vector<std::uint32_t> rows;
  for (std::size_t row = 0; row < whole.size() && whole.start_ns(row) < to_ns; ++row) {
    if (row % 65536 == 0) TRY(interrupt::check());
    if (whole.start_ns(row) >= from_ns || whole.end_ns(row) > from_ns) {
      rows.push_back(static_cast<std::uint32_t>(row));
    }
  }
  return rows;
}

TraceColumns pick(const TraceColumns& all, const std::vector<std::uint32_t>& rows) {
  TraceColumns out;
  out.start_ns.reserve(rows.size());
  out.launch.reserve(rows.size());
  out.lane.reserve(rows.size());
  for (const std::uint32_t row : rows) {
    out.start_ns.push_back(all.start_ns[row]);
    out.launch.push_back(all.launch[row]);
    out.lane.push_back(all.lane[row]);
    out.duration_ns.push_back(all.duration_ns.get(row));
    out.dispatch_id.push_back(all.dispatch_id.get(row));
    out.event_id.push_back(all.event_id.get(row));
  }
  return out;
}

}  // namespace

Result<std::shared_ptr<const Trace>> window_of(std::shared_ptr<const Trace> whole,
                                               std::int64_t from_ns, std::int64_t to_ns) {
  if (to_ns <= from_ns) {
    return fail(Errc::usage, "the window ends before it begins",
                "name its beginning first: trace window 10ms 20ms");
  }
  auto rows = TRY(rows_within(*whole, from_ns, to_ns));
  if (rows.empty()) {
    return fail(Errc::not_found, "no dispatch ran in this window",
                "'timeline' shows what ran when; times count from the beginning of the trace");
  }
  TraceColumns columns = pick(whole->columns(), rows);
  TraceEntities entities = whole->entities();
  entities.damage.clear();  // the whole says it
  std::vector<std::unique_ptr<FileTables>> tables(entities.files.size());
  if (!tables.empty()) {
    tables[0] = std::make_unique<WindowTables>(std::move(whole), from_ns, to_ns, std::move(rows));
  }
  return std::make_shared<const Trace>(std::move(columns), std::move(entities),
                                       std::make_unique<SecondarySource>(std::move(tables)));
}

}  // namespace rpl
