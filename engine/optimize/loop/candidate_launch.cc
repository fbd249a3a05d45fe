// SPDX-License-Identifier: MIT
#include "engine/optimize/loop/candidate_launch.h"

#include <fmt/format.h>

#include <numeric>

#include "engine/source/text/launch_edit.h"

namespace rpl {

namespace {

void add_axis(const AxisPlan& more, AxisPlan& to) {
  if (more.workgroup != 0) to.workgroup = more.workgroup;
  to.items *= more.items;
  to.per *= more.per;
  const std::uint32_t common = std::gcd(to.items, to.per);
  to.items /= common;
  to.per /= common;
}

bool has_one_dimension(const LaunchSize& size) {
  return size.workgroup[1] == 1 && size.workgroup[2] == 1;
}

}  // namespace

LaunchPlan both(const LaunchPlan& first, const LaunchPlan& more) {
  LaunchPlan out = first;
  add_axis(more.x, out.x);
  add_axis(more.y, out.y);
  add_axis(more.z, out.z);
  if (more.dynamic_lds_bytes) out.dynamic_lds_bytes = more.dynamic_lds_bytes;
  return out;
}

Result<LaunchedSource> launched_source(const Optimization& optimization, const Capture& capture,
                                       const std::string& source, const LaunchPlan& plan) {
  LaunchedSource out{.text = source};
  if (plan == optimization.launch) return out;
  const LaunchSize before = TRY(launch_size(capture, optimization.launch)),
                   after = TRY(launch_size(capture, plan));
  if (!has_one_dimension(before) || !has_one_dimension(after)) {
    out.why_not = "its workgroups have more than one dimension";
    return out;
  }
  LaunchEdit edit{.from = before.workgroup[0],
                  .workgroup = after.workgroup[0],
                  .items = plan.x.items * optimization.launch.x.per,
                  .per = plan.x.per * optimization.launch.x.items};
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
    std::uint64_t out = 1;
    for (std::size_t i = 0; i < 3; ++i)
      out *= (std::uint64_t{size.grid[i]} + size.workgroup[i] - 1) / size.workgroup[i];
    return out;
  };
  std::string out =
      before->workgroup == after->workgroup
          ? fmt::format("workgroups of {} work-items as before", sides_text(after->workgroup, 1))
          : fmt::format("workgroups of {} work-items instead of {}",
                        sides_text(after->workgroup, 1), sides_text(before->workgroup, 1));
  if (groups(*before) != groups(*after))
    out +=
        fmt::format(", {} instead of {} for the captured launch", groups(*after), groups(*before));
  if (before->dynamic_lds_bytes != after->dynamic_lds_bytes)
    out += fmt::format(", {} bytes of dynamic LDS instead of {}", after->dynamic_lds_bytes,
                       before->dynamic_lds_bytes);
  return out;
}

}  // namespace rpl
