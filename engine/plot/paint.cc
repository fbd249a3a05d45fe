// SPDX-License-Identifier: MIT
#include "engine/plot/paint.h"

#include <array>

namespace rpl {
namespace {

// Ten hues that stay apart for the common kinds of colour blindness when their neighbours differ in lightness.
constexpr std::array<std::string_view, 10> kHues{"#4e79a7", "#f28e2b", "#59a14f", "#b07aa1",
                                                 "#76b7b2", "#edc948", "#9c755f", "#ff9da7",
                                                 "#86bcb6", "#d37295"};

}  // namespace

std::string_view kernel_color(std::string_view mangled_name) {
  std::uint32_t hash = 2166136261U;  // FNV-1a
  for (const char c : mangled_name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return kHues[hash % kHues.size()];
}

std::string_view edge_color(EdgeClass edge_class) {
  switch (edge_class) {
    case EdgeClass::stream_order:
      return "#333333";
    case EdgeClass::queue_order:
      return "#4e79a7";
    case EdgeClass::event:
      return "#59a14f";
    case EdgeClass::host_sync:
      return "#b07aa1";
    case EdgeClass::launch:
      return "#f28e2b";
    case EdgeClass::inferred:
      return "#999999";
  }
  return "#999999";
}

std::string_view operation_name(const Graph& graph, NodeId operation) {
  if (operation < graph.dispatches()) {
    const std::uint32_t kernel = graph.kernel_of(operation);
    return kernel == kNone ? std::string_view("(no kernel)") : graph.trace().kernels()[kernel].name;
  }
  const CopyTable& copies = *graph.copies();
  return copies.names[copies.rows.shape(operation - graph.dispatches()).name];
}

}  // namespace rpl
