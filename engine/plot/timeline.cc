// SPDX-License-Identifier: MIT
#include "engine/plot/timeline.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cstddef>
#include <unordered_map>
#include "engine/base/interrupt.h"

namespace rpl {
namespace {

/// Splits intervals over equal cells.
class Cells {
 public:
  Cells(std::int64_t from_ns, std::int64_t to_ns, std::size_t count)
      : from_(from_ns), span_(to_ns - from_ns), count_(count) {}

  [[nodiscard]] std::size_t at(std::int64_t ns) const {
    const auto position = static_cast<double>(ns - from_) / static_cast<double>(span_);
    const auto cell = static_cast<std::size_t>(position * static_cast<double>(count_));
    return std::min(cell, count_ - 1);
  }

  [[nodiscard]] std::int64_t edge(std::size_t cell) const {
    return from_ +
           static_cast<std::int64_t>(static_cast<double>(span_) * static_cast<double>(cell) /
                                     static_cast<double>(count_));
  }

  /// Calls visit(cell, ns) for each cell that [begin, end) touches; an interval of no length counts with 0 ns.
  template <class Visit>
  void spread(std::int64_t begin, std::int64_t end, Visit visit) const {
    begin = std::max(begin, from_);
    end = std::min(end, from_ + span_);
    if (end < begin) return;
    const std::size_t first = at(begin);
    const std::size_t last = end > begin ? at(end - 1) : first;
    for (std::size_t cell = first; cell <= last; ++cell) {
      const std::int64_t low = std::max(begin, edge(cell));
      const std::int64_t high = std::min(end, edge(cell + 1));
      visit(cell, std::max<std::int64_t>(high - low, 0));
    }
  }

  [[nodiscard]] double width_ns() const {
    return static_cast<double>(span_) / static_cast<double>(count_);
  }

 private:
  std::int64_t from_, span_;
  std::size_t count_;
};

struct Total {
  std::uint64_t operations = 0;
  std::int64_t busy_ns = 0, last_end_ns = INT64_MIN;
};

/// The part of [start, end) that the row has not been busy with yet; operations come in the order of their starts.
std::pair<std::int64_t, std::int64_t> fresh_part(std::int64_t start, std::int64_t end,
                                                 std::int64_t& last_end) {
  if (end <= last_end) return {start, start};
  const std::int64_t begin = std::max(start, last_end);
  last_end = end;
  return {begin, end};
}

std::int64_t clipped_length(std::pair<std::int64_t, std::int64_t> part, const Timeline& window) {
  const std::int64_t begin = std::max(part.first, window.from_ns);
  const std::int64_t end = std::min(part.second, window.to_ns);
  return std::max<std::int64_t>(end - begin, 0);
}

bool wanted(const TimelineOptions& options, std::uint32_t entity) {
  return options.only.empty() || std::ranges::find(options.only, entity) != options.only.end();
}

class Builder {
 public:
  Builder(const Graph& graph, const CriticalPath* path, const TimelineOptions& options)
      : graph_(graph), path_(path), options_(options) {}

  Result<Timeline> run() {
    const auto [first, last] = graph_.span_ns();
    out_.from_ns = options_.from_ns.value_or(first);
    out_.to_ns = options_.to_ns.value_or(last);
    if (graph_.operations() == 0 || options_.cells == 0) return std::move(out_);
    if (out_.to_ns == out_.from_ns && !options_.to_ns) ++out_.to_ns;
    if (out_.to_ns <= out_.from_ns) {
      return fail(Errc::usage, "the window ends before it begins",
                  "--from and --to count from the beginning of the trace");
    }
    TRY(total());
    choose();
    TRY(fill());
    if (path_) TRY(fill_path());
    return std::move(out_);
  }

 private:
  template <class Visit>
  Status each(Visit visit) const {
    OperationsInWindow operations(graph_, out_.from_ns, out_.to_ns);
    std::uint64_t count = 0;
    for (NodeId node = operations.next(); node != kNoNode; node = operations.next()) {
      if (++count % 65536 == 0) TRY(interrupt::check());
      const std::uint32_t entity = timeline_entity(graph_, node, options_.by);
      if (wanted(options_, entity)) visit(node, entity);
    }
    return {};
  }

  Status total() {
    std::int64_t last_end = INT64_MIN;
    return each([&](NodeId node, std::uint32_t entity) {
      Total& row = totals_[entity];
      ++row.operations;
      ++out_.operations;
      const std::int64_t start = graph_.start_ns(node), end = graph_.end_ns(node);
      row.busy_ns += clipped_length(fresh_part(start, end, row.last_end_ns), out_);
      out_.busy_ns += clipped_length(fresh_part(start, end, last_end), out_);
    });
  }

  void choose() {
    std::vector<std::pair<std::uint32_t, Total>> all(totals_.begin(), totals_.end());
    std::ranges::sort(all, [](const auto& a, const auto& b) {
      return a.second.busy_ns != b.second.busy_ns ? a.second.busy_ns > b.second.busy_ns
                                                  : a.first < b.first;
    });
    out_.hidden_rows = all.size() - std::min(all.size(), options_.rows);
    all.resize(std::min(all.size(), options_.rows));
    for (const auto& [entity, total] : all) {
      TimelineRow row;
      row.entity = entity;
      row.operations = total.operations;
      row.busy_ns = total.busy_ns;
      row.busy.resize(options_.cells);
      row.on_path.resize(options_.cells);
      row_of_[entity] = out_.rows.size();
      out_.rows.push_back(std::move(row));
    }
  }

  Status fill() {
    const Cells cells(out_.from_ns, out_.to_ns, options_.cells);
    std::vector<std::int64_t> last_end(out_.rows.size(), INT64_MIN);
    return each([&](NodeId node, std::uint32_t entity) {
      const auto found = row_of_.find(entity);
      if (found == row_of_.end()) return;
      TimelineRow& row = out_.rows[found->second];
      const std::int64_t start = graph_.start_ns(node), end = graph_.end_ns(node);
      const auto [begin, stop] = fresh_part(start, end, last_end[found->second]);
      cells.spread(begin, stop, [&](std::size_t cell, std::int64_t ns) {
        // What is too short to see still leaves a trace in its cell.
        row.busy[cell] += std::max(static_cast<double>(ns) / cells.width_ns(), 1e-9);
        row.busy[cell] = std::min(row.busy[cell], 1.0);
      });
      if (path_ && path_->on_path[node]) {
        cells.spread(start, end, [&](std::size_t cell, std::int64_t) { row.on_path[cell] = true; });
      }
    });
  }

  Status fill_path() {
    const Cells cells(out_.from_ns, out_.to_ns, options_.cells);
    std::vector<std::array<std::int64_t, kSegmentKinds>> spent(options_.cells);
    SegmentCursor cursor(graph_);
    PathSegment segment;
    for (std::uint64_t count = 1; cursor.next(segment); ++count) {
      if (count % 65536 == 0) TRY(interrupt::check());
      if (segment.end_ns <= out_.from_ns) break;  // the cursor goes backwards
      if (segment.start_ns >= out_.to_ns) continue;
      cells.spread(segment.start_ns, segment.end_ns, [&](std::size_t cell, std::int64_t ns) {
        spent[cell][static_cast<std::size_t>(segment.kind)] += ns;
      });
    }
    for (const auto& cell : spent) {
      const auto most = std::ranges::max_element(cell);
      const auto kind = static_cast<SegmentKind>(most - cell.begin());
      out_.path.push_back(*most > 0 ? std::optional(kind) : std::nullopt);
    }
    return {};
  }

  const Graph& graph_;
  const CriticalPath* path_;
  const TimelineOptions& options_;
  Timeline out_;
  std::unordered_map<std::uint32_t, Total> totals_;
  std::unordered_map<std::uint32_t, std::size_t> row_of_;
};

}  // namespace

Result<Timeline> build_timeline(const Graph& graph, const CriticalPath* path,
                                const TimelineOptions& options) {
  return Builder(graph, path, options).run();
}

std::string timeline_row_id(TimelineBy by, std::uint32_t entity) {
  if (entity == kNone) return "-";
  const char letter = by == TimelineBy::stream ? 's' : by == TimelineBy::queue ? 'q' : 'a';
  return fmt::format("{}{}", letter, entity);
}

std::uint32_t timeline_entity(const Graph& graph, NodeId operation, TimelineBy by) {
  if (operation < graph.dispatches()) {
    const Lane& lane = graph.trace().lane(operation);
    if (by == TimelineBy::stream) return lane.stream;
    return by == TimelineBy::queue ? lane.queue : lane.agent;
  }
  const CopyRows::Shape& copy = graph.copies()->rows.shape(operation - graph.dispatches());
  if (by == TimelineBy::stream) return copy.stream;
  if (by == TimelineBy::queue) return copy.queue;
  const auto& agents = graph.trace().entities().agents;
  const bool to_gpu = copy.dst_agent < agents.size() && agents[copy.dst_agent].gpu;
  return to_gpu ? copy.dst_agent : copy.src_agent;
}

OperationsInWindow::OperationsInWindow(const Graph& graph, std::int64_t from_ns, std::int64_t to_ns,
                                       NodeId first_dispatch, NodeId first_copy)
    : graph_(graph),
      from_ns_(from_ns),
      to_ns_(to_ns),
      dispatch_(first_dispatch == kNoNode ? 0 : first_dispatch),
      copy_(first_copy == kNoNode ? graph.dispatches() : first_copy) {}

NodeId OperationsInWindow::earliest() {
  const bool has_dispatch = dispatch_ < graph_.dispatches();
  const bool has_copy = copy_ < graph_.operations();
  if (!has_dispatch && !has_copy) return kNoNode;
  if (!has_copy) return dispatch_++;
  if (!has_dispatch) return copy_++;
  return graph_.start_ns(dispatch_) <= graph_.start_ns(copy_) ? dispatch_++ : copy_++;
}

NodeId OperationsInWindow::next() {
  for (NodeId node = earliest(); node != kNoNode; node = earliest()) {
    if (graph_.start_ns(node) >= to_ns_) return kNoNode;
    const bool at_from = graph_.start_ns(node) >= from_ns_;
    if (at_from || graph_.end_ns(node) > from_ns_) return node;
  }
  return kNoNode;
}

namespace {

/// The smallest of 1, 2, 5, 10, 20, … that is at least `ns`.
std::int64_t round_step(std::int64_t ns) {
  std::int64_t decade = 1;
  while (decade < INT64_MAX / 100 && decade * 10 <= ns) decade *= 10;
  for (const std::int64_t factor : {1, 2, 5}) {
    if (decade * factor >= ns) return decade * factor;
  }
  return decade * 10;
}

}  // namespace

std::vector<std::int64_t> round_ticks(std::int64_t from_ns, std::int64_t to_ns,
                                      std::int64_t origin_ns, std::size_t most) {
  std::vector<std::int64_t> ticks;
  if (to_ns <= from_ns || most == 0) return ticks;
  const std::int64_t span = to_ns - from_ns;
  const std::int64_t step = round_step((span - 1) / static_cast<std::int64_t>(most) + 1);
  const std::int64_t offset = from_ns - origin_ns;
  std::int64_t first = offset / step * step;
  if (first < offset) first += step;
  const std::int64_t last = offset + span;
  for (std::int64_t tick = first; tick <= last && ticks.size() < most; tick += step) {
    ticks.push_back(origin_ns + tick);
    // The next one may lie beyond the largest number.
    if (last - tick < step) break;
  }
  if (ticks.empty()) ticks.push_back(from_ns);
  return ticks;
}

}  // namespace rpl
