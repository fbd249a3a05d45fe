// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/base/elide_apart.h"
#include "engine/base/numbers.h"
#include "engine/base/text.h"
#include "engine/pattern/pattern.h"
#include "shell/core/command/nearest.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

Result<std::string> row_reference(const Workspace& workspace, std::string_view reference) {
  const auto number = whole_number<std::size_t>(reference.substr(1));
  if (!number || *number == 0 || *number > workspace.last_rows.size()) {
    return fail(Errc::not_found, fmt::format("no row {}", reference),
                workspace.last_rows.empty()
                    ? "show a table first: info kernels"
                    : fmt::format("the last table has {} rows", workspace.last_rows.size()));
  }
  return workspace.last_rows[*number - 1];
}

bool is_regex(std::string_view text) {
  return text.size() > 2 && text.front() == '/' && text.back() == '/';
}

template <class Test>
std::vector<std::uint32_t> kernels_where(const Trace& trace, Test test) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < trace.kernels().size(); ++i) {
    if (test(trace.kernels()[i])) found.push_back(i);
  }
  return found;
}

Result<std::vector<std::uint32_t>> by_text(const Trace& trace, std::string_view text) {
  const auto exact = kernels_where(trace, [&](const Kernel& kernel) {
    return kernel.id == text || kernel.name == text || kernel.mangled == text;
  });
  if (!exact.empty()) return exact;
  if (is_regex(text)) {
    const auto pattern = TRY(Pattern::of(text.substr(1, text.size() - 2)));
    return kernels_where(trace, [&](const Kernel& kernel) { return pattern.in(kernel.name); });
  }
  const auto by_id = kernels_where(
      trace, [&](const Kernel& kernel) { return text.size() >= 2 && kernel.id.starts_with(text); });
  if (by_id.size() == 1) return by_id;
  return kernels_where(
      trace, [&](const Kernel& kernel) { return kernel.name.find(text) != std::string::npos; });
}

Failure no_kernel(const Trace& trace, std::string_view reference) {
  std::vector<std::string> names;
  for (const Kernel& kernel : trace.kernels()) names.push_back(kernel.name);
  const std::string hint = did_you_mean(nearest(reference, names));
  return fail(Errc::not_found, fmt::format("no kernel '{}'", reference),
              hint.empty() ? "'info kernels' lists them" : hint);
}

}  // namespace

Result<std::vector<std::uint32_t>> resolve_kernels(const Workspace& workspace, const Trace& trace,
                                                   std::string_view reference) {
  if (reference.empty()) {
    if (workspace.selection.kernel) return std::vector{*workspace.selection.kernel};
    return fail(Errc::usage, "no kernel is selected", "name one, or: select K");
  }
  std::string text(reference);
  if (text.starts_with('@')) text = TRY(row_reference(workspace, text));
  if (text.starts_with('d') && whole_number<std::size_t>(std::string_view(text).substr(1))) {
    const std::uint32_t row = TRY(resolve_dispatch(workspace, trace, text));
    return std::vector{trace.kernel_of(row)};
  }
  auto found = TRY(by_text(trace, text));
  if (found.empty()) return no_kernel(trace, reference);
  return found;
}

Result<std::uint32_t> resolve_kernel(const Workspace& workspace, const Trace& trace,
                                     std::string_view reference) {
  const auto found = TRY(resolve_kernels(workspace, trace, reference));
  if (found.size() == 1) return found[0];
  constexpr std::size_t kShown = 5;
  std::vector<std::string> names;
  for (const std::uint32_t index : found)
    names.push_back(short_kernel(trace.kernels()[index].name));
  constexpr std::size_t kNameWidth = 60;
  const std::vector<std::string> shown = elide_apart(names, kNameWidth);
  std::vector<std::string> candidates;
  for (std::size_t i = 0; i < std::min(found.size(), kShown); ++i)
    candidates.push_back(fmt::format("{} {}", trace.kernels()[found[i]].id, shown[i]));
  const std::string more =
      found.size() > kShown ? fmt::format(", and {} more", found.size() - kShown) : "";
  return fail(Errc::ambiguous, fmt::format("'{}' matches {} kernels", reference, found.size()),
              fmt::format("use an id: {}{}; for all of them: /{}/", fmt::join(candidates, ", "),
                          more, reference));
}

Result<std::uint32_t> resolve_dispatch(const Workspace& workspace, const Trace& trace,
                                       std::string_view reference) {
  if (reference.empty()) {
    if (workspace.selection.dispatch) return *workspace.selection.dispatch;
    return fail(Errc::usage, "no dispatch is selected", "name one: d1, or: select d1");
  }
  std::string text(reference);
  if (text.starts_with('@')) text = TRY(row_reference(workspace, text));
  const std::string_view digits = text.starts_with('d') ? std::string_view(text).substr(1) : text;
  const auto number = whole_number<std::size_t>(digits);
  if (!number) {
    return fail(Errc::usage, fmt::format("'{}' is not a dispatch", reference),
                "dispatches are written d1, d2, …; 'info dispatches' lists them");
  }
  if (*number == 0 || *number > trace.size()) {
    return fail(Errc::not_found, fmt::format("no dispatch d{}", *number),
                fmt::format("the trace has d1 to d{}", trace.size()));
  }
  return static_cast<std::uint32_t>(*number - 1);
}

}  // namespace rpl
