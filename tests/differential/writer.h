// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include "tests/differential/function.h"
#include "tests/differential/random.h"

namespace rpl::differential {

/// Which kinds of values and statements a generator may use.
struct Features {
  bool half_arithmetic = true;  ///< without it f16 is only stored, compared and converted
  bool calls = true;
};

/// Writes one function, statement by statement. Everything it writes is defined by the language reference of LLVM on every input, but for
/// the bits of NaNs, which therefore never reach an integer.
class Writer {
 public:
  Writer(Function& function, Random& random, const Features& features)
      : function_(function), random_(random), features_(features) {}

  /// All steps between begin() and end() are one statement, which can be removed as a whole.
  class Scope {
   public:
    explicit Scope(Writer& writer) : writer_(writer), outer_(writer.statement_) {
      writer.function_.statements.push_back({outer_, {}, {}});
      writer.statement_ = static_cast<int>(writer.function_.statements.size()) - 1;
    }
    ~Scope() { writer_.statement_ = outer_; }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Writer& writer_;
    int outer_;
  };

  Random& random() { return random_; }
  [[nodiscard]] const Features& features() const { return features_; }
  Function& function() { return function_; }

  /// A line of the current statement; formatted as fmt does.
  template <class... T>
  void line(fmt::format_string<T...> form, T&&... arguments) {
    function_.lines.push_back({statement_, fmt::format(form, std::forward<T>(arguments)...)});
  }
  /// "  %vN = TEXT", a value that only this statement uses until define() offers it.
  template <class... T>
  Value step(Type type, fmt::format_string<T...> form, T&&... arguments) {
    Value value{type, fresh("%v")};
    line("  {} = {}", value.name, fmt::format(form, std::forward<T>(arguments)...));
    return value;
  }
  /// Makes `value` the result of the current statement, for any later one in this block.
  void define(const Value& value);
  void set_join(const std::string& label);
  std::string fresh(std::string_view prefix) { return fmt::format("{}{}", prefix, next_++); }
  /// A value of the function's own lines, as an index.
  void offer(const Value& value) { pool_.push_back(value); }
  void offer_parameter(const Value& value) {
    parameters_.push_back(value);
    pool_.push_back(value);
  }

  /// How many values are visible; given back to forget(), which ends a block.
  [[nodiscard]] std::size_t visible() const { return pool_.size(); }
  void forget(std::size_t count) { pool_.resize(count); }

  /// A visible value of `type`, preferring recent ones; at times a constant. Converts one of another type where there is none.
  Value any(Type type);
  /// The same, but never a constant as long as there is a value.
  Value variable(Type type);
  Value constant(Type type);
  /// Made of a parameter, so that no compiler knows what it is.
  Value unknown(Type type);
  /// A type from which results of this feature set may be.
  Type any_type();
  Type any_integer();
  Type any_float();

  /// `index` as a value of i32 that is below `count`, a power of two.
  Value index_below(unsigned count);
  /// The bits of a float as an integer, NaN as `of_nan`; and a float without NaN and infinities from any bits.
  Value bits_of(const Value& value);
  Value float_of(const Value& bits, Type type);
  /// `value` unless it is a NaN: then `instead`.
  Value without_nan(const Value& value, std::uint64_t instead);

  /// A float in fewer bits, zeros positive where LLVM 19 is wrong about their sign.
  Value narrowed(const Value& value, Type type);

  int block_depth = 0;
  std::string local_array;  ///< of 64 bytes, private; empty: none
  std::vector<std::string>
      helpers;                   ///< functions (i32, i64, float, double) -> i32 that may be called
  std::size_t direct_calls = 0;  ///< how many of them have been called by name
  bool is_helper = false;        ///< has no global memory at hand

 private:
  Value convert(const Value& from, Type type);
  Value resize(const Value& from, Type type);

  Function& function_;
  Random& random_;
  Features features_;
  std::vector<Value> pool_, parameters_;
  int statement_ = -1;
  unsigned next_ = 0;
};

/// A random number with many in the corners: 0, 1, -1, extremes, powers of two; floats without signalling NaNs.
std::uint64_t corner_bits(Random& random, Type element);

}  // namespace rpl::differential
