// SPDX-License-Identifier: MIT
#include "engine/plot/timeline_index.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "engine/base/interrupt.h"

namespace rpl {
namespace {

constexpr std::size_t kMostBins = 16384, kLeastBins = 512;
/// Bins of all rows together; each takes 16 bytes.
constexpr std::size_t kMostSums = std::size_t{4} << 20U;

template <class Sums>
void add_up(Sums& sums) {
  typename Sums::value_type total = 0;
  for (auto& one : sums) {
    const auto here = one;
    one = total;
    total += here;
  }
}

std::size_t entities_of(const Graph& graph, TimelineBy by) {
  const auto& entities = graph.trace().entities();
  if (by == TimelineBy::stream) return entities.streams.size() + 1;
  return by == TimelineBy::queue ? entities.queues.size() + 1 : entities.agents.size() + 1;
}

}  // namespace

class TimelineIndex::Filler {
 public:
  Filler(TimelineIndex& index, const Graph& graph, const CriticalPath* path,
         const TimelineIndex* coarser)
      : index_(index), graph_(graph), path_(path), coarser_(coarser) {}

  Status run() {
    const std::size_t entities = std::max<std::size_t>(entities_of(graph_, index_.by_), 1);
    index_.bins_ = std::clamp(kMostSums / entities, kLeastBins, kMostBins);
    index_.busy_ns_.resize(index_.bins_ + 1);
    index_.first_dispatch_.assign(index_.bins_, kNoNode);
    index_.first_copy_.assign(index_.bins_, kNoNode);
    if (path_ != nullptr) {
      for (auto& sums : index_.path_ns_) sums.resize(index_.bins_ + 1);
    }
    TRY(operations());
    if (path_ != nullptr) TRY(coarser_ == nullptr ? segments() : gaps_of_path());
    for (Row& row : index_.rows_) {
      add_up(row.busy_ns);
      add_up(row.operations);
      add_up(row.on_path);
    }
    add_up(index_.busy_ns_);
    for (auto& sums : index_.path_ns_) add_up(sums);
    return {};
  }

 private:
  [[nodiscard]] std::size_t bin(std::int64_t ns) const {
    const double at = std::clamp(index_.position(ns), 0.0, static_cast<double>(index_.bins_ - 1));
    return static_cast<std::size_t>(at);
  }
  [[nodiscard]] std::int64_t edge(std::size_t bin) const {
    return index_.from_ns_ + static_cast<std::int64_t>(index_.bin_ns() * static_cast<double>(bin));
  }

  /// Adds an interval to the bins that it touches.
  void spread(std::vector<std::int64_t>& sums, std::int64_t begin, std::int64_t end) const {
    begin = std::max(begin, index_.from_ns_);
    end = std::min(end, index_.to_ns_);
    if (end <= begin) return;
    const std::size_t first = bin(begin), last = bin(end - 1);
    if (first == last) {
      sums[first] += end - begin;
      return;
    }
    sums[first] += edge(first + 1) - begin;
    for (std::size_t one = first + 1; one < last; ++one) sums[one] += edge(one + 1) - edge(one);
    sums[last] += end - edge(last);
  }

  Row& row_of(std::uint32_t entity) {
    const auto [found, is_new] = at_.try_emplace(entity, index_.rows_.size());
    if (is_new) {
      Row row;
      row.entity = entity;
      row.busy_ns.resize(index_.bins_ + 1);
      row.operations.resize(index_.bins_ + 1);
      row.on_path.resize(index_.bins_ + 1);
      index_.rows_.push_back(std::move(row));
      busy_until_.push_back(INT64_MIN);
    }
    return index_.rows_[found->second];
  }

  /// The first that touches each bin: later ones that begin earlier do not exist.
  void touch(std::vector<NodeId>& firsts, std::size_t& filled, NodeId node,
             std::size_t last) const {
    for (; filled <= last; ++filled) firsts[filled] = node;
  }

  Status operations() {
    const auto hint = [&](const std::vector<NodeId> TimelineIndex::* firsts) {
      return coarser_ == nullptr ? kNoNode : coarser_->first_from(firsts, index_.from_ns_);
    };
    OperationsInWindow operations(graph_, index_.from_ns_, index_.to_ns_,
                                  hint(&TimelineIndex::first_dispatch_),
                                  hint(&TimelineIndex::first_copy_));
    std::int64_t busy_until = INT64_MIN;
    std::size_t dispatches_filled = 0, copies_filled = 0;
    std::uint64_t count = 0;
    for (NodeId node = operations.next(); node != kNoNode; node = operations.next()) {
      if (++count % 65536 == 0) TRY(interrupt::check());
      const std::int64_t start = graph_.start_ns(node), end = graph_.end_ns(node);
      const std::size_t first = bin(start), last = end > start ? bin(end - 1) : first;
      const bool is_dispatch = node < graph_.dispatches();
      auto& firsts = is_dispatch ? index_.first_dispatch_ : index_.first_copy_;
      std::size_t& filled = is_dispatch ? dispatches_filled : copies_filled;
      touch(firsts, filled, node, last);
      Row& row = row_of(timeline_entity(graph_, node, index_.by_));
      std::int64_t& row_until = busy_until_[static_cast<std::size_t>(&row - index_.rows_.data())];
      ++row.operations[first];
      spread(row.busy_ns, std::max(start, row_until), end);
      spread(index_.busy_ns_, std::max(start, busy_until), end);
      row_until = std::max(row_until, end);
      busy_until = std::max(busy_until, end);
      if (path_ != nullptr && path_->on_path[node]) on_path(row, node, first, last);
    }
    return {};
  }

  void on_path(Row& row, NodeId node, std::size_t first, std::size_t last) {
    for (std::size_t one = first; one <= last; ++one) ++row.on_path[one];
    if (coarser_ == nullptr) return;
    const auto kind = node < graph_.dispatches() ? SegmentKind::kernel : SegmentKind::copy;
    spread(index_.path_ns_[static_cast<std::size_t>(kind)], graph_.start_ns(node),
           graph_.end_ns(node));
  }

  Status segments() {
    SegmentCursor cursor(graph_);
    PathSegment segment;
    for (std::uint64_t count = 1; cursor.next(segment); ++count) {
      if (count % 65536 == 0) TRY(interrupt::check());
      if (segment.end_ns <= index_.from_ns_) break;  // the cursor goes backwards
      spread(index_.path_ns_[static_cast<std::size_t>(segment.kind)], segment.start_ns,
             segment.end_ns);
    }
    return {};
  }

  /// Where no operation of the path runs, it did what the coarser index says of there.
  Status gaps_of_path() {
    for (std::size_t one = 0; one < index_.bins_; ++one) {
      std::int64_t known = 0;
      for (const auto& sums : index_.path_ns_) known += sums[one];
      const std::int64_t left = edge(one + 1) - edge(one) - known;
      if (left <= 0) continue;
      const auto kind = static_cast<std::size_t>(coarser_->gap_kind_at(edge(one)));
      index_.path_ns_[kind][one] += left;
    }
    return {};
  }

  TimelineIndex& index_;
  const Graph& graph_;
  const CriticalPath* path_;
  const TimelineIndex* coarser_;
  std::unordered_map<std::uint32_t, std::size_t> at_;
  std::vector<std::int64_t> busy_until_;
};

Result<std::shared_ptr<const TimelineIndex>> TimelineIndex::build(
    const Graph& graph, const CriticalPath* path, TimelineBy by, std::int64_t from_ns,
    std::int64_t to_ns, const TimelineIndex* coarser) {
  auto out = std::make_shared<TimelineIndex>();
  out->by_ = by;
  out->from_ns_ = from_ns;
  out->to_ns_ = std::max(to_ns, from_ns + 1);
  TRY(Filler(*out, graph, path, coarser).run());
  return std::shared_ptr<const TimelineIndex>(std::move(out));
}

double TimelineIndex::bin_ns() const {
  return static_cast<double>(to_ns_ - from_ns_) / static_cast<double>(bins_);
}

double TimelineIndex::position(std::int64_t ns) const {
  return static_cast<double>(ns - from_ns_) / bin_ns();
}

bool TimelineIndex::serves(TimelineBy by, std::int64_t from_ns, std::int64_t to_ns,
                           std::size_t cells) const {
  return covers(by, from_ns, to_ns) &&
         static_cast<double>(to_ns - from_ns) / static_cast<double>(cells) >= bin_ns();
}

NodeId TimelineIndex::first_from(const std::vector<NodeId> TimelineIndex::* firsts,
                                 std::int64_t ns) const {
  const auto& all = this->*firsts;
  const double at = std::clamp(position(ns), 0.0, static_cast<double>(bins_ - 1));
  for (auto bin = static_cast<std::size_t>(at); bin < bins_; ++bin) {
    if (all[bin] != kNoNode) return all[bin];
  }
  return kNoNode;
}

SegmentKind TimelineIndex::gap_kind_at(std::int64_t ns) const {
  const double at = std::clamp(position(ns), 0.0, static_cast<double>(bins_ - 1));
  const auto bin = static_cast<std::size_t>(at);
  SegmentKind most = SegmentKind::idle;
  std::int64_t longest = 0;
  for (const SegmentKind kind : {SegmentKind::launch, SegmentKind::host, SegmentKind::idle}) {
    const auto& sums = path_ns_[static_cast<std::size_t>(kind)];
    if (sums.empty() || sums[bin + 1] - sums[bin] <= longest) continue;
    longest = sums[bin + 1] - sums[bin];
    most = kind;
  }
  return most;
}

/// What lies between two places, which may be within bins.
template <class Sums>
double TimelineIndex::sum(const Sums& sums, double from, double to) const {
  const auto up_to = [&](double at) {
    const double held = std::clamp(at, 0.0, static_cast<double>(bins_));
    const auto bin = std::min(static_cast<std::size_t>(held), bins_ - 1);
    const double before = static_cast<double>(sums[bin]);
    return before +
           (static_cast<double>(sums[bin + 1]) - before) * (held - static_cast<double>(bin));
  };
  return up_to(to) - up_to(from);
}

Timeline TimelineIndex::picture(const TimelineOptions& options) const {
  Timeline out;
  out.from_ns = *options.from_ns;
  out.to_ns = *options.to_ns;
  const double from = position(out.from_ns), to = position(out.to_ns);
  const double step = (to - from) / static_cast<double>(options.cells);
  const auto at = [&](std::size_t cell) { return from + step * static_cast<double>(cell); };
  out.busy_ns = std::llround(sum(busy_ns_, from, to));
  std::vector<std::pair<double, const Row*>> all;
  for (const Row& row : rows_) {
    const bool wanted =
        options.only.empty() || std::ranges::find(options.only, row.entity) != options.only.end();
    const double operations = sum(row.operations, from, to);
    const double busy = sum(row.busy_ns, from, to);
    if (!wanted || (operations < 0.5 && busy <= 0)) continue;
    out.operations += static_cast<std::uint64_t>(std::llround(operations));
    all.emplace_back(busy, &row);
  }
  std::ranges::sort(all, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second->entity < b.second->entity;
  });
  out.hidden_rows = all.size() - std::min(all.size(), options.rows);
  all.resize(std::min(all.size(), options.rows));
  for (const auto& [busy, row] : all) {
    TimelineRow drawn;
    drawn.entity = row->entity;
    drawn.operations = static_cast<std::uint64_t>(std::llround(sum(row->operations, from, to)));
    drawn.busy_ns = std::llround(busy);
    for (std::size_t cell = 0; cell < options.cells; ++cell) {
      const double share = sum(row->busy_ns, at(cell), at(cell + 1)) / (step * bin_ns());
      // What is too short to see still leaves a trace in its cell.
      const bool any = sum(row->operations, at(cell), at(cell + 1)) > 0;
      drawn.busy.push_back(std::clamp(share, any ? 1e-9 : 0.0, 1.0));
      drawn.on_path.push_back(sum(row->on_path, at(cell), at(cell + 1)) > 0);
    }
    out.rows.push_back(std::move(drawn));
  }
  if (path_ns_[0].empty()) return out;
  for (std::size_t cell = 0; cell < options.cells; ++cell) {
    double longest = 0;
    std::optional<SegmentKind> kind;
    for (std::size_t one = 0; one < kSegmentKinds; ++one) {
      const double spent = sum(path_ns_[one], at(cell), at(cell + 1));
      if (spent <= longest) continue;
      longest = spent;
      kind = static_cast<SegmentKind>(one);
    }
    out.path.push_back(kind);
  }
  return out;
}

}  // namespace rpl
