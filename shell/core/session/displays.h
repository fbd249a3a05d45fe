// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "engine/base/result.h"
#include "engine/document/bound.h"
#include "engine/document/document.h"

namespace rpl {

struct DebugState;
class ScriptHost;

/// Expressions that are shown again whenever what is looked at has changed (`display`). Numbered from 1, never renumbered.
struct DisplayRow {
  std::int64_t number = 0;
  std::string expression;  ///< with its format: "/x $exec"
  bool enabled = true;
  Value value = {};
};
inline constexpr BoundColumn
    kDisplayNumber = column<&DisplayRow::number>("number", "of the display").in(Unit::none),
    kDisplayed =
        column<&DisplayRow::expression>("expression", "what is evaluated, behind its format");
inline constexpr auto kDisplayColumns = bound_to<DisplayRow>(
    kDisplayNumber, kDisplayed,
    column<&DisplayRow::value>("value", "what it is now; unknown when it fails"));

class Displays {
 public:
  struct Display {
    std::string expression, format;
    bool enabled = true;
  };
  std::int64_t add(Display display);
  /// Removes one, or all for 0; not_found for a number that is none.
  Status remove(std::int64_t number);
  /// Shows it again after each stop, or no longer; all for 0.
  Status enable(std::int64_t number, bool enabled);
  [[nodiscard]] const std::map<std::int64_t, Display>& all() const { return displays_; }

  /// Rows (number, expression, value) of all that are enabled, or of one. An expression that fails has its error as a note and null as its value; of all,
  /// one whose names are not there (not_found) has no line and no note.
  [[nodiscard]] Result<Document> evaluate(const DebugState& debug, ScriptHost& scripts,
                                          std::int64_t only = 0) const;

 private:
  std::map<std::int64_t, Display> displays_;
  std::int64_t added_ = 0;
};

/// "/x $exec", or the expression alone.
std::string with_format(const Displays::Display& display);

}  // namespace rpl
