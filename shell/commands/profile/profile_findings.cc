// SPDX-License-Identifier: MIT
// What the options of `profile` ask for beyond times, as lines below them: from the document alone, so that both say the same.
#include <fmt/format.h>

#include "engine/base/text_layout.h"
#include "engine/base/units.h"
#include "shell/commands/profile/profile_run.h"

namespace rpl {
namespace {

/// A field of a record in the document: "roofline", "flops".
const Value* field(const Document& profile, std::string_view record, std::string_view name) {
  const Value* outer = profile.get(record);
  const Value* found = outer == nullptr ? nullptr : outer->find(name);
  return found == nullptr || found->is_null() ? nullptr : found;
}

std::optional<double> number(const Document& profile, std::string_view record,
                             std::string_view name) {
  const Value* found = field(profile, record, name);
  return found == nullptr ? std::nullopt : found->number();
}

std::string text(const Document& profile, std::string_view record, std::string_view name) {
  const Value* found = field(profile, record, name);
  const auto* held = found == nullptr ? nullptr : found->as<std::string>();
  return held == nullptr ? "unknown" : *held;
}

std::string kernel_name(const Document& profile) {
  constexpr std::size_t kName = 30;
  return elide_middle(short_kernel(text(profile, "kernel", "name")), kName);
}

constexpr double kPercentOf = 100;

std::string critical_line(const Document& profile) {
  const auto path = number(profile, "critical_path", "critical_path_ns"),
             share = number(profile, "critical_path", "fraction");
  if (!path || !share) return "critical path: no kernel is on it\n";
  return fmt::format("critical path: {} of kernels and copies, {:.0f} % of them {}\n",
                     format_ns(*path), *share * kPercentOf, kernel_name(profile));
}

std::string roofline_lines(const Document& profile) {
  const auto flops = number(profile, "roofline", "flops"),
             bytes = number(profile, "roofline", "bytes");
  if (!bytes) return "roofline: nothing was counted for " + kernel_name(profile) + "\n";
  const auto gflops = number(profile, "roofline", "achieved_gflops"),
             gbps = number(profile, "roofline", "achieved_bandwidth_gbps");
  const auto intensity = number(profile, "roofline", "arithmetic_intensity");
  std::string out = fmt::format("roofline of {}, a dispatch: ", kernel_name(profile));
  out += flops ? fmt::format("{} FLOP, ", format_count(static_cast<std::uint64_t>(*flops)))
               : std::string();
  out += fmt::format("{} to and from memory\n", format_bytes(static_cast<std::uint64_t>(*bytes)));
  if (gbps) out += fmt::format("  {:.4g} GB/s", *gbps);
  if (gflops) out += fmt::format(", {:.4g} GFLOP/s", *gflops);
  if (intensity) out += fmt::format(", {:.3g} FLOP/byte", *intensity);
  return out + fmt::format(": {} bound\n", text(profile, "roofline", "bound"));
}

std::string trace_line(const Document& profile) {
  if (field(profile, "att", "id") == nullptr) return {};
  const auto percent = [&](std::string_view name) {
    const auto value = number(profile, "att", name);
    return value ? fmt::format("{:.0f} %", *value * kPercentOf) : std::string("–");
  };
  return fmt::format("{}: thread trace of {}: {} of cycles stalled, {} idle\n",
                     text(profile, "att", "id"), kernel_name(profile), percent("stall_fraction"),
                     percent("idle_fraction"));
}

std::string conclusion(const Document& profile, std::size_t width) {
  std::string out = fmt::format("limited by: {}", text(profile, "bottleneck", "primary"));
  if (const auto confidence = number(profile, "bottleneck", "confidence"))
    out += fmt::format(" (confidence {:.2f})", *confidence);
  out += "\n";
  const Value* reasons = field(profile, "bottleneck", "reasoning");
  const List* list = reasons == nullptr ? nullptr : reasons->as<List>();
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    if (const auto* reason = (*list)[i].as<std::string>()) out += wrapped(*reason, 2, width);
  }
  const Value *low_value = profile.get("headroom_low"),
              *high_value = profile.get("headroom_fraction");
  const auto low = low_value == nullptr ? std::nullopt : low_value->number(),
             high = high_value == nullptr ? std::nullopt : high_value->number();
  if (low && high)
    out += fmt::format("headroom: {:.0f} to {:.0f} % of its time\n", *low * kPercentOf,
                       *high * kPercentOf);
  return out;
}

}  // namespace

std::string findings_text(const ProfileRunArgs& args, const Document& profile, bool traced,
                          std::size_t width) {
  std::string out;
  if (args.focus_critical || args.deep_analysis) out += critical_line(profile);
  if (args.roofline || args.deep_analysis) out += roofline_lines(profile);
  if (traced) out += trace_line(profile);
  if (args.roofline || args.deep_analysis) out += conclusion(profile, width);
  return out;
}

}  // namespace rpl
