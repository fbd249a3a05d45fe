// SPDX-License-Identifier: MIT
#include "engine/graph/graph_arrays.h"

#include <map>
#include <tuple>

namespace rpl {
namespace {

using Pair = std::pair<std::uint32_t, std::uint32_t>;

std::uint32_t interned(std::map<Pair, std::uint32_t>& known, Pair value) {
  return known.try_emplace(value, static_cast<std::uint32_t>(known.size())).first->second;
}

bool is_gpu(const Trace& trace, std::uint32_t agent) {
  const auto& agents = trace.entities().agents;
  return agent < agents.size() && agents[agent].gpu;
}

/// The device that a copy occupies, as far as its own row says.
std::uint32_t device_of(const Trace& trace, const CopyRows::Shape& copy) {
  if (is_gpu(trace, copy.dst_agent) && !is_gpu(trace, copy.src_agent)) return copy.dst_agent;
  if (is_gpu(trace, copy.src_agent)) return copy.src_agent;
  return copy.dst_agent != kNone ? copy.dst_agent : copy.src_agent;
}

}  // namespace

class LaneKeys::Builder {
 public:
  explicit Builder(LaneKeys& keys) : keys_(keys) {}

  void add_dispatch_lane(const Lane& lane) {
    add(lane.process, lane.agent, lane.stream, lane.queue);
    if (lane.stream == kNone) return;
    const auto [at, fresh] = agent_of_stream_.try_emplace(lane.stream, lane.agent);
    if (!fresh && at->second != lane.agent) at->second = kNone;
  }

  /// The lane of the copies of one shape.
  std::uint32_t add_copies(const Trace& trace, const CopyRows::Shape& copy) {
    const std::uint32_t device = device_of(trace, copy);
    const auto identity = std::tuple(copy.process, copy.stream, copy.queue, device);
    const auto [at, fresh] =
        copy_lanes_.try_emplace(identity, static_cast<std::uint32_t>(keys_.keys_.size()));
    // A stream belongs to one device, so a copy in it takes part in that device's order whichever way it copies.
    const auto known = agent_of_stream_.find(copy.stream);
    const bool settled = known != agent_of_stream_.end() && known->second != kNone;
    if (fresh) add(copy.process, settled ? known->second : device, copy.stream, copy.queue);
    return at->second;
  }

  void finish() {
    keys_.streams_.resize(streams_.size());
    for (const auto& [pair, key] : streams_) {
      keys_.streams_[key].stream = pair.first;
    }
    keys_.scopes_.resize(scopes_.size());
    for (const auto& [pair, key] : scopes_) {
      keys_.scopes_[key].process = pair.first;
      keys_.scopes_[key].agent = pair.second;
    }
    keys_.queue_count_ = queues_.size();
  }

 private:
  void add(std::uint32_t process, std::uint32_t agent, std::uint32_t stream, std::uint32_t queue) {
    LaneKey key;
    key.scope = interned(scopes_, {process, agent});
    // The default stream exists on every agent, so a stream alone is not an order.
    if (stream != kNone) key.stream = interned(streams_, {stream, key.scope});
    if (queue != kNone) key.queue = interned(queues_, {queue, key.scope});
    keys_.keys_.push_back(key);
  }

  LaneKeys& keys_;
  std::map<Pair, std::uint32_t> streams_, queues_, scopes_;
  std::map<std::uint32_t, std::uint32_t> agent_of_stream_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t>
      copy_lanes_;
};

LaneKeys::LaneKeys(const Trace& trace, const CopyRows& copies) {
  Builder builder(*this);
  for (const Lane& lane : trace.entities().lanes) builder.add_dispatch_lane(lane);
  copies_ = &copies;
  lane_of_shape_.assign(copies.shapes(), kNone);
  // Lanes are numbered as their first copies began.
  for (std::size_t copy = 0; copy < copies.size(); ++copy) {
    std::uint32_t& lane = lane_of_shape_[copies.shape_number(copy)];
    if (lane == kNone) lane = builder.add_copies(trace, copies.shape(copy));
  }
  builder.finish();
  mark_shared();
}

void LaneKeys::mark_shared() {
  constexpr std::uint32_t kUnseen = kNone - 1;
  std::vector<std::uint32_t> stream_of_queue(queue_count_, kUnseen);
  std::vector<std::uint32_t> queue_of_stream(streams_.size(), kUnseen);
  std::vector<bool> shared(queue_count_);
  std::vector<Pair> lane_of_scope(scopes_.size(), {kUnseen, kUnseen});
  for (const LaneKey& key : keys_) {
    Pair& lane = lane_of_scope[key.scope];
    const Pair own{key.stream, key.queue};
    if (lane.first == kUnseen) lane = own;
    if (lane != own || (key.stream == kNone && key.queue == kNone)) {
      scopes_[key.scope].several_lanes = true;
    }
    if (key.stream != kNone && key.queue != kNone) {
      std::uint32_t& queue = queue_of_stream[key.stream];
      if (queue != kUnseen && queue != key.queue) streams_[key.stream].several_queues = true;
      queue = key.queue;
    }
    if (key.queue == kNone) continue;
    std::uint32_t& stream = stream_of_queue[key.queue];
    if (key.stream == kNone || (stream != kUnseen && stream != key.stream))
      shared[key.queue] = true;
    stream = key.stream;
  }
  for (LaneKey& key : keys_) key.queue_matters = key.queue != kNone && shared[key.queue];
}

void LaneKeys::distrust(const std::vector<bool>& stream_keys) {
  for (LaneKey& key : keys_) {
    if (key.stream != kNone && stream_keys[key.stream]) key.stream = kNone;
  }
  mark_shared();
}

}  // namespace rpl
