// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/document/value.h"

namespace rpl::tune {

/// A condition over the parameters of a space: "BLOCK_M * BLOCK_N <= 4096 and (UNROLL == 1 or VEC > 1)". Numbers, quoted strings, true and
/// false; + - * / % // (floored), unary - and not; == != < <= > >=, chained as in mathematics; and, or (also && || !); min(a, b), max(a, b),
/// log2(a). Arithmetic is that of doubles; % has the sign of the divisor.
class Constraint {
 public:
  /// `names`: the parameters, whose places in the values to come they tell. Fails with usage, naming the column and what was expected, for
  /// text that is not a condition, names an unknown parameter or nests deeper than 64.
  static Result<Constraint> parse(std::string_view text, std::span<const std::string> names);

  /// Whether it holds; `values` by parameter. Fails with usage where it compares a text with a number by order, calculates with texts or
  /// divides by zero.
  [[nodiscard]] Result<bool> holds(std::span<const Value* const> values) const;
  /// Parameters that it names, ascending.
  [[nodiscard]] const std::vector<std::size_t>& parameters() const { return parameters_; }
  [[nodiscard]] const std::string& text() const { return text_; }

  struct Node;

 private:
  std::string text_;
  std::shared_ptr<const Node> root_;
  std::vector<std::size_t> parameters_;
};

}  // namespace rpl::tune
