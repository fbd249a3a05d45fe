// SPDX-License-Identifier: MIT
#include "engine/plot/paint.h"

#include <algorithm>
#include <array>

#include "engine/base/numbers.h"

namespace rpl {
namespace {

// Ten hues that stay apart for the common kinds of colour blindness: each differs from the others in lightness or along blue to yellow.
constexpr std::array<std::string_view, 10> kHues{"#332288", "#ddaa33", "#44aa99", "#cc6677",
                                                 "#88ccee", "#117733", "#aa4499", "#999933",
                                                 "#661100", "#4477aa"};

}  // namespace

std::string_view kernel_color(std::string_view mangled_name) {
  std::uint32_t hash = 2166136261U;  // FNV-1a
  for (const char c : mangled_name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return kHues[hash % kHues.size()];
}

std::span<const std::string_view> kernel_hues() { return kHues; }

std::vector<std::string_view> colors_by_time(const Graph& graph) {
  const auto kernels = graph.trace().kernels();
  std::vector<std::int64_t> total(kernels.size(), 0);
  for (NodeId node = 0; node < graph.dispatches(); ++node) {
    const std::uint32_t kernel = graph.kernel_of(node);
    if (kernel < total.size()) total[kernel] += graph.end_ns(node) - graph.start_ns(node);
  }
  std::vector<std::uint32_t> order(kernels.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order,
                           [&](std::uint32_t a, std::uint32_t b) { return total[a] > total[b]; });
  const auto hues = kernel_hues();
  std::vector<std::string_view> out(kernels.size(), kOtherKernelsColor);
  for (std::size_t i = 0; i < std::min(order.size(), hues.size()); ++i) out[order[i]] = hues[i];
  return out;
}

std::string_view ink_on(std::string_view fill) {
  constexpr std::size_t kLength = 7;
  if (fill.size() != kLength) return "white";
  const auto channel = [&](std::size_t at) {
    std::string_view digits = fill.substr(at, 2);
    return take_number<int>(digits, 16).value_or(0) / 255.0;
  };
  // Of ITU-R BT.709, of the values as they are stored.
  constexpr double kRed = 0.2126, kGreen = 0.7152, kBlue = 0.0722, kLight = 0.55;
  const double light = kRed * channel(1) + kGreen * channel(3) + kBlue * channel(5);
  return light > kLight ? "#1c2126" : "white";
}

std::string_view segment_color(SegmentKind kind) {
  switch (kind) {
    case SegmentKind::kernel:
      return "#3b3f45";
    case SegmentKind::copy:
      return "#8a9099";
    case SegmentKind::launch:
      return "#d55e00";
    case SegmentKind::host:
      return "#f3c08a";
    case SegmentKind::idle:
      return "#e6e8ea";
  }
  return "#e6e8ea";
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
