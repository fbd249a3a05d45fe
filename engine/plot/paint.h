// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/base/text.h"
#include "engine/graph/critical_path.h"
#include "engine/graph/graph.h"

namespace rpl {

/// How a kernel's name is shown in a picture; exporters fall back to the full name without it.
using NameShortener = std::function<std::string(std::string_view name)>;

/// A colour for a kernel, the same in every picture and run: "#4e79a7".
std::string_view kernel_color(std::string_view mangled_name);

/// The hues that kernel_color() chooses from, for who gives the first kernels one each.
std::span<const std::string_view> kernel_hues();

/// The colours of the kernels of a timeline, by their index: the ten with most time have a hue each, the others kOtherKernelsColor.
std::vector<std::string_view> colors_by_time(const Graph& graph);
inline constexpr std::string_view kOtherKernelsColor = "#b9bfc6";

/// Memory copies, and what has no kernel.
inline constexpr std::string_view kCopyColor = "#7a828a";

/// The colour in which a letter on `fill` ("#88ccee") is read: dark on what is light.
std::string_view ink_on(std::string_view fill);

/// The colour of a kind of segment of the critical path in pictures; no kernel's.
std::string_view segment_color(SegmentKind kind);

/// The colour and dash pattern of an edge class in pictures.
std::string_view edge_color(EdgeClass edge_class);

/// The kernel's name, or what the copy does ("MEMORY_COPY_HOST_TO_DEVICE"), of an operation.
std::string_view operation_name(const Graph& graph, NodeId operation);

}  // namespace rpl
