// SPDX-License-Identifier: MIT
// What the options of `profile` ask for beyond times, as lines below them: from profile.json alone, so that both say the same.
#include <fmt/format.h>

#include "engine/base/numbers.h"
#include "engine/base/text.h"
#include "shell/commands/profile/profile_run.h"

namespace rpl {
namespace {

std::string kernel_name(const Profile& profile) {
  constexpr std::size_t kName = 30;
  return elide_middle(short_kernel(profile.kernel ? profile.kernel->name : "unknown"), kName);
}

constexpr double kPercentOf = 100;

std::string critical_line(const Profile& profile) {
  if (!profile.path || !profile.path->fraction) return "critical path: no kernel is on it\n";
  return fmt::format("critical path: {} of kernels and copies, {:.0f} % of them {}\n",
                     format_ns(static_cast<double>(profile.path->critical_path_ns)),
                     *profile.path->fraction * kPercentOf, kernel_name(profile));
}

std::string roofline_lines(const Profile& profile) {
  if (!profile.roofline || !profile.roofline->at.bytes)
    return "roofline: nothing was counted for " + kernel_name(profile) + "\n";
  const RooflinePoint& at = profile.roofline->at;
  std::string out = fmt::format("roofline of {}, a dispatch: ", kernel_name(profile));
  out += at.flops ? fmt::format("{} FLOP, ", format_count(static_cast<std::uint64_t>(*at.flops)))
                  : std::string();
  out +=
      fmt::format("{} to and from memory\n", format_bytes(static_cast<std::uint64_t>(*at.bytes)));
  if (at.achieved_gbps) out += fmt::format("  {:.4g} GB/s", *at.achieved_gbps);
  if (at.achieved_gflops) out += fmt::format(", {:.4g} GFLOP/s", *at.achieved_gflops);
  if (at.arithmetic_intensity) out += fmt::format(", {:.3g} FLOP/byte", *at.arithmetic_intensity);
  return out + fmt::format(": {} bound\n", profile.roofline->bound_by().value_or("unknown"));
}

std::string trace_line(const Profile& profile) {
  if (!profile.att) return {};
  const auto percent = [](std::optional<double> value) {
    return value ? fmt::format("{:.0f} %", *value * kPercentOf) : std::string("–");
  };
  return fmt::format("{}: thread trace of {}: {} of cycles stalled, {} idle\n", profile.att->id,
                     kernel_name(profile), percent(profile.att->stall_fraction),
                     percent(profile.att->idle_fraction));
}

std::string conclusion(const Profile& profile, std::size_t width) {
  if (!profile.bottleneck) return "limited by: unknown\n";
  std::string out =
      fmt::format("limited by: {} (confidence {:.2f})\n", to_string(profile.bottleneck->primary),
                  profile.bottleneck->confidence);
  // What decides nothing does not speak against the roofline above it.
  if (profile.bottleneck->primary == diagnose::Label::insufficient) {
    const auto bound = profile.roofline ? profile.roofline->bound_by() : std::nullopt;
    out = bound ? fmt::format("limited by: {}, as far as its roofline tells\n", *bound)
                : std::string("limited by: nothing recorded decides it\n");
  }
  for (const std::string& reason : profile.bottleneck->reasoning) out += wrapped(reason, 2, width);
  if (profile.headroom_low && profile.headroom_high)
    out += fmt::format("headroom: {:.0f} to {:.0f} % of its time\n",
                       *profile.headroom_low * kPercentOf, *profile.headroom_high * kPercentOf);
  return out;
}

}  // namespace

std::string findings_text(const ProfileRunArgs& args, const Profile& profile, bool traced,
                          std::size_t width) {
  std::string out;
  if (args.focus_critical || args.deep_analysis) out += critical_line(profile);
  if (args.roofline || args.deep_analysis) out += roofline_lines(profile);
  if (traced) out += trace_line(profile);
  if (args.roofline || args.deep_analysis) out += conclusion(profile, width);
  return out;
}

}  // namespace rpl
