// SPDX-License-Identifier: MIT
#include "engine/capture/fusion_plan.h"

#include <fmt/format.h>

#include "engine/base/numbers.h"

namespace rpl {
namespace {

/// More arguments are no kernel that somebody wrote.
constexpr std::size_t kMostArguments = 1024;

bool read_place(std::string_view text, ArgumentPlace& place) {
  const std::size_t dot = text.find('.');
  if (dot == std::string_view::npos) return false;
  const auto dispatch = whole_number<std::size_t>(text.substr(0, dot)),
             argument = whole_number<std::size_t>(text.substr(dot + 1));
  if (!dispatch || !argument || *dispatch >= kFused || *argument >= kMostArguments) return false;
  place = {*dispatch, *argument};
  return true;
}

bool read_plan(std::string_view text, FusionPlan& plan) {
  const std::size_t open = text.rfind('(');
  if (open == 0 || open == std::string_view::npos || !text.ends_with(')')) return false;
  plan.kernel = text.substr(0, open);
  text = text.substr(open + 1, text.size() - open - 2);
  while (!text.empty()) {
    const std::size_t end = text.find(", ");
    if (plan.arguments.size() == kMostArguments ||
        !read_place(text.substr(0, end), plan.arguments.emplace_back()))
      return false;
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 2);
  }
  return true;
}

}  // namespace

std::string to_text(const FusionPlan& plan) {
  if (plan.empty()) return {};
  std::string out = plan.kernel + "(";
  for (std::size_t i = 0; i < plan.arguments.size(); ++i)
    out += fmt::format("{}{}.{}", i == 0 ? "" : ", ", plan.arguments[i].dispatch,
                       plan.arguments[i].argument);
  return out + ")";
}

Result<FusionPlan> fusion_plan_from(std::string_view text) {
  FusionPlan out;
  if (!text.empty() && !read_plan(text, out))
    return fail(Errc::corrupt, fmt::format("'{}' is no fusion of two dispatches", text),
                "a session holds \"scale_add(0.0, 0.1, 1.1)\"");
  return out;
}

}  // namespace rpl
