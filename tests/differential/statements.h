// SPDX-License-Identifier: MIT
#pragma once

#include "tests/differential/writer.h"

/// One random statement each, by what it exercises.
namespace rpl::differential {

/// Bytes of a function's local array.
inline constexpr unsigned kLocalBytes = 64;

void write_integer_statement(Writer& writer);
void write_float_statement(Writer& writer);
void write_conversion_statement(Writer& writer);
void write_choice_statement(Writer& writer);  ///< comparisons and selects
void write_vector_statement(Writer& writer);  ///< moves between elements
void write_memory_statement(Writer& writer);
void write_call_statement(Writer& writer);
void write_control_statement(Writer& writer);  ///< if, loop and switch, with statements inside

/// A comparison with a result for each element of `type`.
Value comparison(Writer& writer, Type type);

/// Any of them. Control flow only down to a depth.
void write_statement(Writer& writer);

/// A whole function. The same for equal seeds and features.
Function random_function(std::uint64_t seed, std::string name, const Features& features);

}  // namespace rpl::differential
