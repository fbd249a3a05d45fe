// SPDX-License-Identifier: MIT
#include "engine/intercept/settings.h"

#include <fmt/format.h>

#include <limits>
#include <string_view>

#include "engine/base/numbers.h"

namespace rpl::intercept {
namespace {

using Lookup = std::function<const char*(const char*)>;

std::string text_of(const Lookup& variable, const char* name) {
  const char* value = variable(name);
  return value == nullptr ? std::string() : value;
}

Result<std::uint64_t> number_of(const Lookup& variable, const char* name, std::uint64_t otherwise) {
  const std::string text = text_of(variable, name);
  if (text.empty()) return otherwise;
  if (const auto number = whole_number<std::uint64_t>(text)) return *number;
  return fail(Errc::usage, fmt::format("{}={}: no whole number", name, text));
}

}  // namespace

Result<Settings> settings_from(const Lookup& variable) {
  Settings out;
  out.wish.kernel = text_of(variable, "RPL_CAPTURE_KERNEL");
  out.wish.dispatch = TRY(number_of(variable, "RPL_CAPTURE_DISPATCH", 1));
  out.wish.folder = text_of(variable, "RPL_CAPTURE_FOLDER");
  const std::string scope = text_of(variable, "RPL_CAPTURE_SCOPE");
  if (!scope.empty() && scope != "all" && scope != "reachable")
    return fail(Errc::usage, fmt::format("RPL_CAPTURE_SCOPE={}: neither all nor reachable", scope));
  out.wish.all_memory = scope == "all";
  out.wish.most_bytes = TRY(number_of(variable, "RPL_CAPTURE_LIMIT", 0));
  const std::string grid = text_of(variable, "RPL_CAPTURE_GRID");
  if (!grid.empty()) out.wish.grid = parse_grid(grid);
  if (!grid.empty() && !out.wish.grid)
    return fail(Errc::usage,
                fmt::format("RPL_CAPTURE_GRID={}: not one to three numbers of work-items", grid));
  out.wish.longer_us = TRY(number_of(variable, "RPL_CAPTURE_LONGER_US", 0));
  constexpr std::uint64_t kMost = std::numeric_limits<std::int32_t>::max();
  const auto drain = TRY(number_of(variable, "RPL_CAPTURE_DRAIN_MS",
                                   static_cast<std::uint64_t>(out.patience.drain.count())));
  const auto dispatch = TRY(number_of(variable, "RPL_CAPTURE_DISPATCH_MS",
                                      static_cast<std::uint64_t>(out.patience.dispatch.count())));
  out.patience = {std::chrono::milliseconds(std::min(drain, kMost)),
                  std::chrono::milliseconds(std::min(dispatch, kMost))};
  out.reports = text_of(variable, "RPL_CAPTURE_REPORTS");
  out.control = text_of(variable, "RPL_CAPTURE_CONTROL");
  if (out.wish.dispatch == 0) return fail(Errc::usage, "RPL_CAPTURE_DISPATCH counts from 1");
  if (!out.wish.kernel.empty() && out.wish.folder.empty())
    return fail(Errc::usage, "RPL_CAPTURE_FOLDER is not set");
  return out;
}

}  // namespace rpl::intercept
