// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace rpl {

/// An arithmetic formula over names: + - * / ( ), numbers, identifiers, and at the top a comparison with `=`. Parsed once, evaluated
/// often. Immutable.
class Expression {
 public:
  using Lookup = std::function<std::optional<double>(std::string_view name)>;

  /// Fails with usage for what is not a formula ("… at column N"), limit for nesting deeper than 64 or more than 1000 nodes.
  static Result<Expression> parse(std::string_view text);

  /// The value; a comparison gives 1 or 0. Null when an input is unknown or something is divided by zero.
  [[nodiscard]] std::optional<double> evaluate(const Lookup& lookup) const;
  /// The names in it, in the order of their first occurrence.
  [[nodiscard]] const std::vector<std::string>& inputs() const { return inputs_; }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  struct Node {
    char kind = 0;  ///< 'n' number, 'i' input, else the operator
    double number = 0;
    std::size_t left = 0, right = 0;  ///< nodes; of an input `left` is its place in inputs_
  };
  class Parser;

  [[nodiscard]] std::optional<double> value_of(
      std::size_t node, const std::vector<std::optional<double>>& inputs) const;

  std::string text_;
  std::vector<Node> nodes_;  ///< operands before operators, the root last
  std::vector<std::string> inputs_;
};

}  // namespace rpl
