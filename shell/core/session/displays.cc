// SPDX-License-Identifier: MIT
#include "shell/core/session/displays.h"

#include <fmt/format.h>

#include "shell/core/session/debug_state.h"
#include "shell/core/session/script_host.h"
#include "shell/core/session/values.h"

namespace rpl {
namespace {

/// A document that holds one thing is that thing.
Result<Value> plain_value(const Document& document) {
  Value value = TRY(as_value(document));
  const Record* record = value.as<Record>();
  if (record != nullptr && record->size() == 1) return record->front().second;
  return value;
}

}  // namespace

std::string with_format(const Displays::Display& display) {
  return display.format.empty() ? display.expression
                                : fmt::format("/{} {}", display.format, display.expression);
}

std::int64_t Displays::add(Display display) {
  displays_[++added_] = std::move(display);
  return added_;
}

Status Displays::enable(std::int64_t number, bool enabled) {
  if (number != 0 && !displays_.contains(number))
    return fail(Errc::not_found, fmt::format("no display {}", number), "info display");
  for (auto& [one, display] : displays_) {
    if (number == 0 || number == one) display.enabled = enabled;
  }
  return {};
}

Status Displays::remove(std::int64_t number) {
  if (number == 0) {
    displays_.clear();
    return {};
  }
  if (displays_.erase(number) == 1) return {};
  return fail(Errc::not_found, fmt::format("no display {}", number), "info display");
}

Result<Document> Displays::evaluate(const DebugState& debug, ScriptHost& scripts,
                                    std::int64_t only) const {
  Document document;
  std::vector<DisplayRow> rows;
  for (const auto& [number, display] : displays_) {
    if (only != 0 ? number != only : !display.enabled) continue;
    auto result = debug.expression ? debug.expression(display.expression, display.format)
                                   : scripts.evaluate_expression(display.expression);
    if (!result && result.error().code == Errc::interrupted) {
      return std::move(result).failure();
    }
    // As in GDB: one of another place is shown again where it is there again.
    const bool elsewhere = !result && only == 0 && result.error().code == Errc::not_found;
    if (elsewhere) {
      rows.push_back({number, with_format(display), display.enabled, {}});
      continue;
    }
    if (!result) document.notes.push_back(fmt::format("{}: {}", number, result.error().message));
    Value value;
    if (result) value = TRY(plain_value(*result));
    std::string text = result ? result->text : "?";
    while (text.ends_with('\n')) text.pop_back();
    if (text.empty()) text = as_text(value);
    const bool block = text.find('\n') != std::string::npos ||
                       display.format.find_first_of("0123456789ibhwg") != std::string::npos;
    document.text +=
        fmt::format("{}: {}{}{}\n", number, with_format(display), block ? "\n" : " = ", text);
    rows.push_back({number, with_format(display), display.enabled, std::move(value)});
  }
  document.table(kDisplayColumns, rows);
  return document;
}

}  // namespace rpl
