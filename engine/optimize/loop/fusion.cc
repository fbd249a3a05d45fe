// SPDX-License-Identifier: MIT
#include "engine/optimize/loop/fusion.h"

#include <fmt/format.h>

#include <algorithm>

namespace rpl {
namespace {

LaunchedPair pair_of(const Optimization& optimization, const Capture& capture) {
  return {.first = optimization.kernel, .second = capture.then.front().kernel};
}

FusionPlan plan_of(const FusedKernel& fused) {
  FusionPlan out{.kernel = fused.name, .arguments = {}};
  for (const FusedParameter& one : fused.parameters)
    out.arguments.push_back({one.launch, one.index});
  return out;
}

FusedKernel fused_of(const FusionPlan& plan) {
  FusedKernel out{.name = plan.kernel, .parameters = {}};
  for (const ArgumentPlace& place : plan.arguments) {
    FusedParameter parameter;
    parameter.launch = place.dispatch;
    parameter.index = place.argument;
    out.parameters.push_back(std::move(parameter));
  }
  return out;
}

/// The bytes of an argument of one of both dispatches; empty for one that was not captured.
std::vector<std::byte> argument_bytes(const std::vector<CapturedArgument>& arguments,
                                      const std::vector<std::byte>& kernarg, std::size_t index) {
  if (index >= arguments.size()) return {};
  const auto from = kernarg.begin() + static_cast<std::ptrdiff_t>(arguments[index].kernarg_offset);
  return {from, from + static_cast<std::ptrdiff_t>(arguments[index].kernarg_size)};
}

/// A parameter that stands for two arguments had the same value in both dispatches.
Status check_shared(const Capture& capture, const FusedKernel& fused) {
  const FollowingDispatch& next = capture.then.front();
  for (const FusedParameter& one : fused.parameters) {
    if (!one.also_second) continue;
    const auto first = argument_bytes(capture.arguments, capture.kernarg, one.index),
               second = argument_bytes(next.arguments, next.kernarg, *one.also_second);
    if (first.empty() || first != second)
      return fail(Errc::unsupported,
                  fmt::format("'{}' of {} was not '{}' of {} when they were captured", one.name,
                              next.kernel, one.name, capture.kernel),
                  fmt::format("name the parameter KERNEL_{0} for each of them: scale_{0}, add_{0}",
                              one.name));
  }
  return {};
}

Status check_launches(const Optimization& optimization, const Capture& capture) {
  if (capture.then.empty())
    return fail(Errc::unsupported, "the capture holds one dispatch, and two can become one",
                "'capture run --slice FROM..TO -- PROGRAM' captures several");
  if (!optimization.launch.empty())
    return fail(Errc::unsupported,
                fmt::format("{} is launched otherwise than it was captured", optimization.kernel),
                "'step --source FILE --capture DIR' begins anew, from the captured launches");
  const FollowingDispatch& next = capture.then.front();
  if (!next.steps.empty())
    return fail(
        Errc::unsupported,
        fmt::format("memory is copied or filled between {} and {}", capture.kernel, next.kernel),
        "two kernels with nothing between them can become one");
  if (next.grid != capture.grid || next.workgroup != capture.workgroup ||
      next.dynamic_lds_bytes != capture.dynamic_lds_bytes)
    return fail(Errc::unsupported,
                fmt::format("{} was launched with another grid, workgroup or dynamic LDS than {}",
                            next.kernel, capture.kernel),
                "launch both alike, and capture them again");
  return {};
}

/// Where the launches cannot be written, the text stays as it is.
LaunchedSource launched(const std::string& text, const LaunchedPair& pair,
                        const FusedKernel& fused) {
  LaunchedSource out{.text = text};
  auto edited = apply_fusion(text, pair, fused);
  if (edited) {
    out.text = std::move(edited->source);
    out.lines = std::move(edited->lines);
  } else {
    out.why_not = edited.error().message;
  }
  return out;
}

}  // namespace

std::string fusable_kernel(const Optimization& optimization, const Capture& capture) {
  return check_launches(optimization, capture) ? capture.then.front().kernel : std::string();
}

Result<std::string> second_kernel(const Proposal& proposal, const Capture& capture) {
  if (!capture.then.empty()) return capture.then.front().kernel;
  return fail(
      Errc::corrupt,
      fmt::format("{} makes one kernel of two, and the capture holds one dispatch", proposal.id()),
      "'propose edit FILE' makes it anew");
}

bool has_one_kernel_more(const std::string& base, const std::string& edited) {
  return find_kernels(edited).size() == find_kernels(base).size() + 1;
}

Result<FusedSource> fused_source(const Optimization& optimization, const Capture& capture,
                                 const std::string& base, const std::string& edited) {
  TRY(check_launches(optimization, capture));
  const LaunchedPair pair = pair_of(optimization, capture);
  const FusedKernel fused = TRY(find_fused_kernel(base, pair, edited));
  TRY(check_shared(capture, fused));
  return FusedSource{.plan = plan_of(fused), .source = launched(edited, pair, fused)};
}

Result<FusedVerdict> judge_fusion(const Proposal& proposal, const Optimization& optimization,
                                  const Capture& capture, const std::string& base,
                                  const std::string& candidate) {
  TRY(check_launches(optimization, capture));
  const LaunchedPair pair = pair_of(optimization, capture);
  FusedVerdict out{.verdict = {}, .launched = launched(base, pair, fused_of(proposal.fusion))};
  const FusedKernel found = TRY(find_fused_kernel(out.launched.text, pair, candidate));
  out.verdict = TRY(check_fused_kernel(out.launched.text, pair, candidate));
  if (plan_of(found) != proposal.fusion) {
    out.verdict.accept = false;
    out.verdict.reasons.push_back(
        {"parameters", "the parameters of the kernel are not those that were proposed", 0});
  }
  return out;
}

}  // namespace rpl
