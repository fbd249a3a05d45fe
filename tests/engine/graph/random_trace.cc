// SPDX-License-Identifier: MIT
#include "tests/engine/graph/random_trace.h"

namespace rpl::testing {
namespace {

class Maker {
 public:
  Maker(std::uint32_t seed, const RandomShape& shape) : random_(seed), shape_(shape) {}

  TinyTrace make() {
    for (std::size_t i = 0; i < shape_.ops; ++i) add_op();
    for (std::size_t i = 0; i < shape_.copies; ++i) add_copy();
    return std::move(tiny_);
  }

 private:
  std::int64_t pick(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random_);
  }

  std::pair<std::int64_t, std::int64_t> interval() {
    const std::int64_t reach = static_cast<std::int64_t>(shape_.ops) * (shape_.weird ? 3 : 12);
    const std::int64_t start = pick(0, reach);
    return {start, start + pick(shape_.weird ? -5 : 0, 20)};
  }

  std::uint64_t launch(std::int64_t start, std::uint32_t process) {
    if (!shape_.host || pick(0, 9) == 0) return 0;
    const std::int64_t called = std::max<std::int64_t>(0, start - pick(shape_.weird ? -5 : 0, 60));
    tiny_.calls.push_back({pick(1, 2), called, called + 1, ++correlation_, process});
    const std::uint64_t correlation = correlation_;
    if (pick(0, 3) == 0) add_sync(called, process);
    return correlation;
  }

  void add_sync(std::int64_t around, std::uint32_t process) {
    SyncOp op;
    op.kind = static_cast<SyncKind>(pick(0, 5));
    op.start_ns = std::max<std::int64_t>(0, around - pick(0, 30));
    op.end_ns = op.start_ns + pick(shape_.weird ? -3 : 0, 40);
    op.process = process;
    op.stream = pick(0, 5) == 0 ? kNone : static_cast<std::uint32_t>(pick(0, shape_.streams - 1));
    op.thread = pick(1, 2);
    op.event = static_cast<std::uint64_t>(pick(0, 3));
    op.correlation = ++correlation_;
    tiny_.syncs.push_back(op);
  }

  void add_op() {
    const auto [start, end] = interval();
    TinyOp op;
    op.kernel = std::string(1, static_cast<char>('a' + pick(0, 4)));
    op.process = static_cast<std::uint32_t>(pick(0, shape_.processes - 1));
    op.agent = static_cast<std::uint32_t>(pick(0, shape_.agents - 1));
    op.stream = shape_.unknown_streams ? -1 : static_cast<int>(pick(0, shape_.streams - 1));
    op.queue = static_cast<int>(pick(0, shape_.queues - 1));
    op.start_ns = start;
    op.end_ns = end;
    op.correlation = launch(start, op.process);
    tiny_.ops.push_back(op);
  }

  void add_copy() {
    const auto [start, end] = interval();
    const auto stream = static_cast<int>(pick(0, shape_.streams - 1));
    tiny_.copies.push_back({stream, start, end, launch(start, 0), 0});
  }

  std::mt19937 random_;
  RandomShape shape_;
  TinyTrace tiny_;
  std::uint64_t correlation_ = 0;
};

}  // namespace

TinyTrace random_trace(std::uint32_t seed, const RandomShape& shape) {
  return Maker(seed, shape).make();
}

}  // namespace rpl::testing
