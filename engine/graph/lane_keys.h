// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/result.h"
#include "engine/trace/core/trace.h"

namespace rpl {

/// Where an operation stands for ordering. Operations of one stream key are in stream order, of one queue key in queue order; edges by
/// time stay within one scope (an agent as one process sees it). kNone = unknown.
struct LaneKey {
  std::uint32_t stream = kNone, queue = kNone, scope = 0;
  /// Several streams share the queue, or its operations have none: queue order can add something.
  bool queue_matters = false;
};

struct Scope {
  std::uint32_t process = 0, agent = kNone;
  bool several_lanes =
      false;  ///< more than one stream or queue, so that time can tell more than their order
};

struct StreamKey {
  std::uint32_t stream = kNone;  ///< index into TraceEntities::streams
  bool several_queues = false;
};

/// The ordering keys of every lane of a trace and of its copies.
class LaneKeys {
 public:
  LaneKeys() = default;
  LaneKeys(const Trace& trace, std::span<const Copy> copies);

  [[nodiscard]] const LaneKey& of_dispatch(std::uint32_t lane) const { return keys_[lane]; }
  [[nodiscard]] const LaneKey& of_copy(std::uint32_t copy) const { return keys_[copy_lane_[copy]]; }
  [[nodiscard]] std::size_t streams() const { return streams_.size(); }
  [[nodiscard]] std::size_t queues() const { return queue_count_; }
  [[nodiscard]] const std::vector<Scope>& scopes() const { return scopes_; }
  [[nodiscard]] const StreamKey& stream(std::uint32_t key) const { return streams_[key]; }
  [[nodiscard]] std::size_t bytes() const {
    return keys_.capacity() * sizeof(LaneKey) + copy_lane_.capacity() * sizeof(std::uint32_t);
  }

  /// Takes these stream keys for unknown: their operations overlap so much that the recorded stream cannot be a real one.
  void distrust(const std::vector<bool>& stream_keys);

 private:
  class Builder;
  void mark_shared();

  std::vector<LaneKey> keys_;  ///< lanes of the trace, then lanes of copies
  std::vector<std::uint32_t> copy_lane_;
  std::vector<StreamKey> streams_;
  std::vector<Scope> scopes_;
  std::size_t queue_count_ = 0;
};

}  // namespace rpl
