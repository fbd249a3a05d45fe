// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "engine/base/result.h"
#include "engine/document/bound.h"
#include "engine/document/document.h"

namespace rpl {

class ScriptHost;

/// Expressions that are shown again whenever what is looked at has changed (`display`). Numbered from 1, never renumbered.
struct DisplayRow {
  std::int64_t number = 0;
  std::string expression;
  Value value = {};
};
inline constexpr BoundColumn
    kDisplayNumber = column<&DisplayRow::number>("number", "of the display").in(Unit::none),
    kDisplayed = column<&DisplayRow::expression>("expression", "what is evaluated");
inline constexpr auto kDisplayColumns = bound_to<DisplayRow>(
    kDisplayNumber, kDisplayed,
    column<&DisplayRow::value>("value", "what it is now; unknown when it fails"));

class Displays {
 public:
  std::int64_t add(std::string expression);
  /// Removes one, or all for 0; not_found for a number that is none.
  Status remove(std::int64_t number);
  [[nodiscard]] const std::map<std::int64_t, std::string>& all() const { return expressions_; }

  /// Rows (number, expression, value) of all, or of one. An expression that fails has its error as a note and null as its value.
  [[nodiscard]] Result<Document> evaluate(ScriptHost& scripts, std::int64_t only = 0) const;

 private:
  std::map<std::int64_t, std::string> expressions_;
  std::int64_t added_ = 0;
};

}  // namespace rpl
