// SPDX-License-Identifier: MIT
#include "engine/graph/end_scout.h"

#include <limits>

#include "engine/graph/node_order.h"
#include "engine/graph/pending_ends.h"

namespace rpl {
namespace {

constexpr std::uint64_t kBlock = 1 << 15;

}  // namespace

EndScout::EndScout(GraphArrays& graph) : graph_(graph), thread_([this] { run(); }) {}

void EndScout::run() {
  std::vector<PendingEnds> scopes(graph_.keys.scopes().size());
  std::uint64_t found = 0;
  const auto publish = [&](std::uint64_t count) {
    done_.store(count, std::memory_order_release);
    done_.notify_one();
  };
  const auto find = [&](NodeId v) {
    PendingEnds& scope = scopes[graph_.key(v).scope];
    const std::int64_t start_ns = graph_.start(v);
    graph_.inferred_pred[v] = scope.settle(start_ns).node;
    scope.add({start_ns + graph_.duration(v), v});
    if (++found % kBlock == 0) publish(found);
  };
  // An interruption is reported by the pass that asks; here it only must not leave that pass waiting.
  if (!NodeOrder::forwards(graph_, find, [](std::uint32_t) {})) found = 0;
  publish(std::numeric_limits<std::uint64_t>::max());
}

void EndScout::wait() {
  const std::uint64_t needed = asked_;
  for (available_ = done_.load(std::memory_order_acquire); available_ < needed;
       available_ = done_.load(std::memory_order_acquire)) {
    done_.wait(available_, std::memory_order_acquire);
  }
}

}  // namespace rpl
