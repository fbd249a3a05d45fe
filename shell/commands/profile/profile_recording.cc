// SPDX-License-Identifier: MIT
// What profiles have in common wherever the program ran: the lines and files of a recording.
#include <fmt/format.h>

#include <filesystem>

#include "engine/base/text_layout.h"
#include "engine/base/units.h"
#include "engine/target/capabilities.h"
#include "shell/commands/profile/profile_files.h"
#include "shell/commands/profile/profile_run.h"

namespace rpl {

namespace fs = std::filesystem;

namespace {

fs::path link_in(const std::string& folder) { return fs::path(folder) / ".rocpd_profile"; }

}  // namespace

void link_recording(const std::string& folder, const std::string& database) {
  std::error_code ignored;
  const fs::path link = link_in(folder);
  fs::remove(link, ignored);
  fs::create_symlink(fs::relative(database, folder, ignored), link, ignored);
}

std::string linked_recording(const std::string& folder) {
  std::error_code ignored;
  const fs::path target = fs::read_symlink(link_in(folder), ignored);
  return target.empty() ? std::string() : (fs::path(folder) / target).string();
}

std::string kernel_lines(const Loaded& now, const TraceStats& stats) {
  std::string text;
  constexpr std::size_t kShown = 6, kName = 36;
  for (std::size_t i = 0; i < std::min(kShown, stats.kernels.size()); ++i) {
    const KernelStats& row = stats.kernels[i];
    const Kernel& kernel = now.trace->kernels()[row.kernel];
    text += fmt::format("  {}  {:<{}}  {:>5} x  {:>10}  {:>5.1f} %\n", kernel.id,
                        elide_middle(short_kernel(kernel.name), kName), kName, row.duration.calls,
                        format_ns(static_cast<double>(row.duration.total_ns)), row.share * 100);
  }
  if (stats.kernels.size() > kShown)
    text += fmt::format("  and {} more: info kernels\n", stats.kernels.size() - kShown);
  return text;
}

void note_untraced(const ProfileRunArgs& args, bool traced, Document& out) {
  if (args.att.empty() || traced) return;
  out.notes.push_back(fmt::format(
      "no thread trace: no kernel that ran has '{}' in its name; 'info kernels' lists them",
      args.att));
}

Status write_profile_documents(Context& context, const RooflineArgs& analysis,
                               const ProfilePlan& plan, const Document& out) {
  TRY(write_profile_files(context, analysis, plan.folder));
  Document kept = out;
  kept.set("emulation_s", Value());
  return write_profile_document(kept, plan.folder);
}

std::vector<std::string> disturbances() {
  std::vector<std::string> out;
  for (const profile::Capability& one : profile::capabilities(profile::this_machine(), "")) {
    if (one.target != "measuring" || one.state != profile::CapabilityState::disturbing) continue;
    out.push_back(fmt::format("{}: {}; {}", one.name, one.detail, one.fix));
  }
  return out;
}

}  // namespace rpl
