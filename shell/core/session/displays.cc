// SPDX-License-Identifier: MIT
#include "shell/core/session/displays.h"

#include <fmt/format.h>

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

std::int64_t Displays::add(std::string expression) {
  expressions_[++added_] = std::move(expression);
  return added_;
}

Status Displays::remove(std::int64_t number) {
  if (number == 0) {
    expressions_.clear();
    return {};
  }
  if (expressions_.erase(number) == 1) return {};
  return fail(Errc::not_found, fmt::format("no display {}", number), "info display");
}

Result<Document> Displays::evaluate(ScriptHost& scripts, std::int64_t only) const {
  TRY(scripts.available());
  Document document;
  std::vector<DisplayRow> rows;
  for (const auto& [number, expression] : expressions_) {
    if (only != 0 && number != only) continue;
    auto result = scripts.evaluate_expression(expression);
    if (!result && result.error().code == Errc::interrupted) {
      return std::move(result).failure();
    }
    if (!result) document.notes.push_back(fmt::format("{}: {}", number, result.error().message));
    Value value;
    if (result) value = TRY(plain_value(*result));
    rows.push_back({number, expression, std::move(value)});
  }
  document.table(kDisplayColumns, rows);
  return document;
}

}  // namespace rpl
