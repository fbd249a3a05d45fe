// SPDX-License-Identifier: MIT
#include "engine/optimize/loop/candidate_launch.h"

#include <fmt/format.h>

#include <numeric>

#include "engine/source/text/launch_edit.h"

namespace rpl {

LaunchPlan both(const LaunchPlan& first, const LaunchPlan& more) {
  LaunchPlan out = first;
  if (more.workgroup != 0) out.workgroup = more.workgroup;
  out.items *= more.items;
  out.per *= more.per;
  const std::uint32_t common = std::gcd(out.items, out.per);
  out.items /= common;
  out.per /= common;
  if (more.dynamic_lds_bytes) out.dynamic_lds_bytes = more.dynamic_lds_bytes;
  return out;
}

Result<LaunchedSource> launched_source(const Optimization& optimization, const Capture& capture,
                                       const std::string& source, const LaunchPlan& plan) {
  LaunchedSource out{.text = source};
  if (plan == optimization.launch) return out;
  const LaunchSize before = TRY(launch_size(capture, optimization.launch)),
                   after = TRY(launch_size(capture, plan));
  if (before.workgroup[1] != 1 || before.workgroup[2] != 1) {
    out.why_not = "its workgroups have more than one dimension";
    return out;
  }
  LaunchEdit edit{.from = before.workgroup[0],
                  .workgroup = after.workgroup[0],
                  .items = plan.items * optimization.launch.per,
                  .per = plan.per * optimization.launch.items};
  if (before.dynamic_lds_bytes != after.dynamic_lds_bytes)
    edit.dynamic_lds_bytes = after.dynamic_lds_bytes;
  auto edited = apply_launch_edit(source, optimization.kernel, edit);
  if (edited) {
    out.text = std::move(edited->source);
    out.lines = std::move(edited->lines);
  } else if (edited.error().code == Errc::unsupported) {
    out.why_not = edited.error().message;
  } else {
    return Failure(edited.error());
  }
  return out;
}

std::string launch_sentence(const Optimization& optimization, const Capture& capture,
                            const LaunchPlan& plan) {
  const auto before = launch_size(capture, optimization.launch), after = launch_size(capture, plan);
  if (!before || !after) return to_text(plan);
  const auto groups = [](const LaunchSize& size) {
    return (std::uint64_t{size.grid[0]} + size.workgroup[0] - 1) / size.workgroup[0];
  };
  std::string out = before->workgroup == after->workgroup
                        ? fmt::format("workgroups of {} work-items as before", after->workgroup[0])
                        : fmt::format("workgroups of {} work-items instead of {}",
                                      after->workgroup[0], before->workgroup[0]);
  if (groups(*before) != groups(*after))
    out +=
        fmt::format(", {} instead of {} for the captured launch", groups(*after), groups(*before));
  if (before->dynamic_lds_bytes != after->dynamic_lds_bytes)
    out += fmt::format(", {} bytes of dynamic LDS instead of {}", after->dynamic_lds_bytes,
                       before->dynamic_lds_bytes);
  return out;
}

}  // namespace rpl
