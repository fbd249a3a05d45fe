// SPDX-License-Identifier: MIT
#include "engine/graph/critical_path.h"
#include "engine/graph/gaps.h"
#include "engine/graph/graph.h"

namespace rpl {
namespace {

template <class Enum, std::size_t kCount>
std::string_view name_of(Enum value, const std::array<std::string_view, kCount>& names) {
  const auto index = static_cast<std::size_t>(value);
  return index < kCount ? names[index] : std::string_view("unknown");
}

constexpr std::array<std::string_view, kEdgeClasses> kEdgeNames = {
    "stream_order", "queue_order", "event", "host_sync", "launch", "inferred"};
constexpr std::array<std::string_view, 4> kNodeNames = {"dispatch", "copy", "host_sync",
                                                        "launch_call"};
constexpr std::array<std::string_view, kSegmentKinds> kSegmentNames = {"kernel", "copy", "launch",
                                                                       "host", "idle"};
constexpr std::array<std::string_view, kGapCauses> kCauseNames = {"launch", "host", "idle"};

}  // namespace

std::string_view to_string(EdgeClass edge_class) { return name_of(edge_class, kEdgeNames); }
std::string_view to_string(NodeKind kind) { return name_of(kind, kNodeNames); }
std::string_view to_string(SegmentKind kind) { return name_of(kind, kSegmentNames); }
std::string_view to_string(GapCause cause) { return name_of(cause, kCauseNames); }

}  // namespace rpl
