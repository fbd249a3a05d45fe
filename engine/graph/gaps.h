// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/graph/graph.h"

namespace rpl {

enum class GapCause : std::uint8_t {
  launch,  ///< the next operation was already enqueued, or being enqueued, for most of the gap
  host,    ///< the host had not called the launch yet for most of the gap
  idle,    ///< the recording has no call to tell
};
inline constexpr std::size_t kGapCauses = 3;
/// "launch" …
std::string_view to_string(GapCause cause);

/// A time in which a device ran nothing that was recorded.
struct Gap {
  std::int64_t start_ns = 0, end_ns = 0;
  std::uint32_t agent = kNone;  ///< index into TraceEntities::agents
  NodeId before = kNoNode;      ///< the operation that ended the busy time before it
  NodeId after = kNoNode;       ///< the operation that ended the gap
  GapCause cause = GapCause::idle;
  std::int64_t host_ns = 0, launch_ns = 0;  ///< host, then launch; both 0 when idle
};

struct GapOptions {
  std::int64_t min_ns = 1;
  std::size_t limit = 0;        ///< keep the longest so many; 0 keeps all
  std::uint32_t agent = kNone;  ///< one agent only
};

struct Gaps {
  std::vector<Gap> rows;      ///< by falling length, then start, then agent
  std::uint64_t count = 0;    ///< of at least min_ns, whether kept or not
  std::int64_t total_ns = 0;  ///< of these
  std::array<std::int64_t, kGapCauses>
      by_cause_ns{};         ///< splits total_ns into launch, host, idle time
  std::int64_t busy_ns = 0;  ///< union of the operations, summed over agents
};

/// Idle intervals between the first start and the last end of each agent, the complement of the union of its operations.
/// Copies count for the agent whose stream they are in. Linear; fails with `interrupted` only.
Result<Gaps> find_gaps(const Graph& graph, const GapOptions& options = {},
                       const Monitor& monitor = {});

}  // namespace rpl
