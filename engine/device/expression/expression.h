// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/device/expression/datum.h"

/// Expressions as people type them to GDB: C, with registers as $v3 and $s[0:1], `@` for elements beside each other, and assignments.
namespace rpl::debug {

/// A part of an expression.
struct Expression {
  enum class Kind : std::uint8_t {
    value,
    variable,     ///< `text` with its "$"
    name,         ///< `text`
    member,       ///< `text` of the first part
    call,         ///< the first part with the others
    index,        ///< the first part at the second
    unary,        ///< operator `text`, also "&" and "*"
    binary,       ///< operator `text`, also "&&", "||", "@" and ","
    conditional,  ///< a ? b : c
    assign,       ///< `text` is the operator in front of "=", "" for none
    cast,  ///< to `value.type`; to the type of the source called `text`, with the pointers of that, where it is not ""
    size_of,  ///< of its part, or of `value.type` without one
  } kind = Kind::value;
  std::string text = {};
  Datum value = {};
  std::vector<Expression> parts = {};
};

/// Fails with Errc::usage, and says at which column.
Result<Expression> parse_expression(std::string_view text);

/// Calls `see` with each name that the expression needs from outside: names, and variables with their "$".
void each_name(const Expression& expression, const std::function<void(const Expression&)>& see);

/// Where an expression takes its names and memory from. Functions fail with not_found for a name that there is none of.
struct Scope {
  std::function<Result<Datum>(std::string_view name)> variable;  ///< "$v3", "$1", "$x"
  std::function<Result<Datum>(std::string_view name)> name;      ///< "lane", "columns", "threadIdx"
  std::function<Result<Datum>(std::string_view name, const std::vector<Datum>& arguments)>
      call;  ///< "f32", "v", "mem.f32"
  std::function<Result<std::vector<std::byte>>(const Watched& where)> read;
  std::function<Status(const Watched& where, const Datum& value, std::string text)> write;
  std::function<Status(std::string_view variable, const Datum& value)> set;
  std::function<Result<Type>(std::string_view name)> type =
      {};  ///< of the source: a structure, an enumeration; may be empty
};

/// What it comes to. Fails with usage for what does not fit together, and as the functions of the scope.
Result<Datum> evaluate(const Expression& expression, const Scope& scope);

/// A value of a type that lies in memory.
Result<Datum> read_datum(const Scope& scope, const Type& type, Watched where);

}  // namespace rpl::debug
