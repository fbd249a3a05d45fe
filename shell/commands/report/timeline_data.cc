// SPDX-License-Identifier: MIT
#include "shell/commands/report/timeline_data.h"

#include <algorithm>
#include <unordered_map>

#include "engine/base/interrupt.h"
#include "engine/base/numbers.h"
#include "engine/base/text.h"
#include "engine/plot/paint.h"
#include "engine/plot/path_stretches.h"

namespace rpl {
namespace {

void append_number(std::string& out, std::uint64_t number) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  constexpr unsigned kBits = 5, kMore = 1U << kBits;
  do {
    unsigned digit = number % kMore;
    number >>= kBits;
    if (number > 0) digit |= kMore;
    out += kDigits[digit];
  } while (number > 0);
}

struct Block {
  bool open = false, on_path = false;
  std::int64_t start_ns = 0, end_ns = 0, longest_ns = -1;
  std::uint64_t operations = 0;
  std::uint32_t kernel = kNone;
};

/// The blocks of all rows, with gaps of at most `together_ns` closed.
class Blocks {
 public:
  Blocks(const Graph& graph, const CriticalPath* path, const Timeline& timeline,
         const TimelineData& options, std::int64_t together_ns)
      : graph_(graph), path_(path), options_(options), together_ns_(together_ns) {
    for (std::size_t i = 0; i < timeline.rows.size(); ++i) row_of_[timeline.rows[i].entity] = i;
    rows_.resize(timeline.rows.size());
  }

  /// False where there are more than the options allow.
  Result<bool> run() {
    OperationsInWindow operations(graph_, options_.from_ns, options_.to_ns);
    std::uint64_t seen = 0;
    for (NodeId node = operations.next(); node != kNoNode; node = operations.next()) {
      if (++seen % 65536 == 0) TRY(interrupt::check());
      const auto row = row_of_.find(timeline_entity(graph_, node, options_.by));
      if (row == row_of_.end()) continue;
      add(rows_[row->second], node);
      if (count_ > options_.most) return false;
    }
    for (Row& row : rows_) close(row);
    return true;
  }

  [[nodiscard]] const std::string& operations(std::size_t row) const { return rows_[row].text; }
  [[nodiscard]] const std::vector<std::uint32_t>& kernels() const { return kernels_; }

 private:
  struct Row {
    Block block;
    std::int64_t last_ns = 0;
    bool began = false;
    std::string text;
  };

  void add(Row& row, NodeId node) {
    const std::int64_t start = graph_.start_ns(node), end = graph_.end_ns(node);
    Block& block = row.block;
    // A long operation stays by itself, whatever is near.
    constexpr std::int64_t kLong = 8;
    const bool near =
        together_ns_ > 0 && block.open && start - block.end_ns <= together_ns_ &&
        end - start <= kLong * together_ns_ &&
        (block.operations > 1 || block.end_ns - block.start_ns <= kLong * together_ns_);
    if (!near) {
      close(row);
      block = Block{.open = true, .start_ns = start, .end_ns = end};
      ++count_;
    }
    block.end_ns = std::max(block.end_ns, end);
    ++block.operations;
    if (end - start > block.longest_ns) {
      block.longest_ns = end - start;
      block.kernel = node < graph_.dispatches() ? graph_.kernel_of(node) : kNone;
    }
    block.on_path |= path_ != nullptr && path_->on_path[node];
  }

  void close(Row& row) {
    const Block& block = row.block;
    if (!block.open) return;
    const std::int64_t origin = row.began ? row.last_ns : graph_.span_ns().first;
    append_number(row.text,
                  static_cast<std::uint64_t>(std::max<std::int64_t>(block.start_ns - origin, 0)));
    append_number(row.text, static_cast<std::uint64_t>(block.end_ns - block.start_ns));
    const std::uint64_t several = block.operations > 1 ? 2 : 0;
    append_number(row.text, 4 * local(block.kernel) + several + (block.on_path ? 1 : 0));
    if (several != 0) append_number(row.text, block.operations);
    row.last_ns = std::max(block.start_ns, origin);
    row.began = true;
    row.block.open = false;
  }

  /// The kernel's place in the list of those that are drawn, from 1 on.
  std::uint64_t local(std::uint32_t kernel) {
    if (kernel == kNone) return 0;
    const auto [found, is_new] = local_.try_emplace(kernel, kernels_.size() + 1);
    if (is_new) kernels_.push_back(kernel);
    return found->second;
  }

  const Graph& graph_;
  const CriticalPath* path_;
  const TimelineData& options_;
  std::int64_t together_ns_;
  std::unordered_map<std::uint32_t, std::size_t> row_of_;
  std::unordered_map<std::uint32_t, std::uint64_t> local_;
  std::vector<std::uint32_t> kernels_;
  std::vector<Row> rows_;
  std::size_t count_ = 0;
};

/// The path within the window, as triples of numbers.
Result<std::string> path_text(const Graph& graph, const TimelineData& options) {
  constexpr std::int64_t kParts = 4000;
  const std::int64_t least = (options.to_ns - options.from_ns) / kParts;
  std::string out;
  std::int64_t last = graph.span_ns().first;
  for (const PathStretch& one : TRY(path_stretches(graph, options.from_ns, options.to_ns, least))) {
    append_number(out, static_cast<std::uint64_t>(std::max<std::int64_t>(one.start_ns - last, 0)));
    append_number(out, static_cast<std::uint64_t>(one.end_ns - one.start_ns));
    append_number(out, static_cast<std::uint64_t>(one.kind));
    last = std::max(one.start_ns, last);
  }
  return out;
}

}  // namespace

Result<JsonText> timeline_data(const Graph& graph, const CriticalPath* path,
                               const Timeline& timeline, const TimelineData& options) {
  const std::int64_t origin = graph.span_ns().first;
  std::int64_t together = 0;
  const std::int64_t first = std::max<std::int64_t>((options.to_ns - options.from_ns) >> 22, 1);
  while (true) {
    Blocks blocks(graph, path, timeline, options, together);
    if (!TRY(blocks.run())) {
      together = together == 0 ? first : 2 * together;
      continue;
    }
    List rows, kernels;
    const auto span =
        static_cast<double>(std::max<std::int64_t>(timeline.to_ns - timeline.from_ns, 1));
    for (std::size_t i = 0; i < timeline.rows.size(); ++i) {
      rows.push_back(Value(Record{
          {"id", Value(timeline_row_id(options.by, timeline.rows[i].entity))},
          {"busy", Value(format_share(static_cast<double>(timeline.rows[i].busy_ns) / span))},
          {"ops", Value(blocks.operations(i))}}));
    }
    constexpr std::size_t kNameWidth = 60;
    for (const std::uint32_t kernel : blocks.kernels()) {
      const Kernel& one = graph.trace().kernels()[kernel];
      kernels.push_back(
          Value(List{Value(one.id), Value(elide_middle(short_kernel(one.name), kNameWidth)),
                     Value(options.colors[kernel])}));
    }
    std::string segments;
    if (path != nullptr) segments = TRY(path_text(graph, options));
    Record out{{"from", Value(options.from_ns - origin)}, {"to", Value(options.to_ns - origin)},
               {"rows", Value(std::move(rows))},          {"kernels", Value(std::move(kernels))},
               {"path", Value(std::move(segments))},      {"together_ns", Value(together)}};
    return json_text(Value(std::move(out)), JsonStyle::compact);
  }
}

}  // namespace rpl
