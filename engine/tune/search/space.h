// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
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
  /// What the text calculates, for a text that is no condition: "-(-ROWS // BLOCK_M)". Fails as holds() does, and for what is not a finite number.
  [[nodiscard]] Result<double> calculated(std::span<const Value* const> values) const;
  /// Parameters that it names, ascending.
  [[nodiscard]] const std::vector<std::size_t>& parameters() const { return parameters_; }
  [[nodiscard]] const std::string& text() const { return text_; }

  struct Node;

 private:
  std::string text_;
  std::shared_ptr<const Node> root_;
  std::vector<std::size_t> parameters_;
};

/// One thing that can be chosen: a tile size, an unroll factor, a flag.
struct Parameter {
  std::string name;
  std::vector<Value> values;  ///< numbers, texts or truths, each once, in the order of the file
  /// All values are numbers: they have an order, and neighbours.
  [[nodiscard]] bool ordered() const;
};

/// A condition that is not a text: a function of Lua. Gets a configuration as a record of its parameters.
using Predicate = std::function<Result<bool>(const Record&)>;

/// The configurations among which tuning chooses: points, counted from 0 in a fixed order. Immutable.
class Space {
 public:
  /// All combinations for which constraints and predicate hold, the last parameter varying fastest. A constraint is asked as soon as its
  /// parameters have values. Fails with usage for no or doubled parameters and values, with what Constraint and predicate fail with, limit
  /// above 5 million points or 100 million combinations looked at, interrupted.
  static Result<Space> product(std::vector<Parameter> parameters,
                               const std::vector<std::string>& constraints,
                               const Predicate& predicate = {});
  /// These configurations, which name the same parameters, each once. Fails with usage.
  static Result<Space> listed(const std::vector<Record>& configurations);
  /// What a file holds: a list of configurations, `{"configurations": […]}`, or `{"parameters": {NAME: [VALUE, …]}, "constraints": [TEXT, …]}`, each
  /// with an optional "default": a configuration. `{"parameters": …, "points": [[I, …], …]}` names values by place. Fails with usage as above, naming the key.
  static Result<Space> from_value(const Value& value, const Predicate& predicate = {});
  /// The same for the text of a JSON file. Fails with corrupt for what is not JSON.
  static Result<Space> parse(std::string_view json);

  [[nodiscard]] std::size_t size() const {
    return parameters_.empty() ? 0 : places_.size() / parameters_.size();
  }
  [[nodiscard]] const std::vector<Parameter>& parameters() const { return parameters_; }
  [[nodiscard]] const std::vector<std::string>& constraints() const { return constraints_; }
  /// Which value each parameter has at a point, as indices into Parameter::values.
  [[nodiscard]] std::span<const std::uint16_t> places(std::size_t point) const {
    return {places_.data() + point * parameters_.size(), parameters_.size()};
  }
  [[nodiscard]] Record configuration(std::size_t point) const;
  /// "BLOCK=16 UNROLL=2"
  [[nodiscard]] std::string label(std::size_t point) const;
  /// The point of a configuration; numbers are equal by value. Fails with not_found, naming the parameter or value that the space lacks.
  [[nodiscard]] Result<std::size_t> find(const Record& configuration) const;
  [[nodiscard]] std::optional<std::size_t> find(std::span<const std::uint16_t> places) const;
  /// What is measured first: "default" of the file, else the first point.
  [[nodiscard]] std::size_t default_point() const { return default_; }
  Status set_default(const Record& configuration);
  /// `count` different points (all when there are fewer), equally likely; equal seeds give equal ones.
  [[nodiscard]] std::vector<std::size_t> sample(std::size_t count, std::uint64_t seed) const;
  /// Points that differ in one parameter: the next smaller or larger value of an ordered one, any other value of the rest.
  [[nodiscard]] std::vector<std::size_t> neighbours(std::size_t point) const;
  /// The points of this space alone, in their order; the default stays where it is among them.
  [[nodiscard]] Space restricted_to(const std::vector<std::size_t>& points) const;
  /// What from_value() reads again as the same points in the same order: parameters with constraints, or with points where these came from a
  /// list or a predicate.
  [[nodiscard]] Value to_value() const;
  /// SHA-256 of parameters and points, 16 hex digits: two spaces with equal ones number their points alike.
  [[nodiscard]] std::string digest() const;

 private:
  Status check_parameters() const;
  Status index();

  std::vector<Parameter> parameters_;
  std::vector<std::string> constraints_;
  bool by_rule_ = true;  ///< constraints say everything
  std::vector<std::uint16_t> places_;
  std::vector<std::pair<std::uint64_t, std::uint32_t>>
      ranks_;  ///< number of the combination and point, ascending
  std::size_t default_ = 0;
};

/// Whether two values are the same choice: numbers by value, everything else exactly.
bool same_choice(const Value& a, const Value& b);
/// "16", "fast", "true": as it stands in command lines and -D.
std::string choice_text(const Value& value);

}  // namespace rpl::tune
