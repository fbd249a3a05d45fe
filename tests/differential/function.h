// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "tests/differential/type.h"

namespace rpl::differential {

/// Room for one parameter or result of one work-item, and how many of each there may be.
inline constexpr unsigned kSlotBytes = 16, kMostParameters = 8, kMostResults = 8;
/// Per item: the results, then as much for atomics.
inline constexpr unsigned kInputBytes = kSlotBytes * kMostParameters;
inline constexpr unsigned kOutputBytes = 2 * kSlotBytes * kMostResults;
inline constexpr unsigned kTableBytes = 2048;  ///< readable by every function
inline constexpr unsigned kLanesOfGroup = 64;

/// A value of a function under construction: "%v7", or a constant.
struct Value {
  Type type;
  std::string name;
};

/// One step of a function, with the values that later steps may use.
struct Statement {
  int parent = -1;  ///< the statement it is nested in
  std::vector<Value> defines;
  std::string join;  ///< of control flow: the label that follows it; else empty
};

struct Line {
  int statement = -1;  ///< -1: belongs to the function as a whole and always stays
  std::string text;
};

struct Parameter {
  Type type;
  bool uniform = false;  ///< the same for all lanes of a workgroup
};

/// A function as data, so that statements can be left out of it. The text is LLVM IR in which $G, $P and $K stand for pointers to
/// global, private and constant memory, $A for what
/// an alloca says of its address space, $k for that of a constant, $c for a cast from private to generic pointers, $s for the scope of
/// atomics, $F for the fused multiply-add of f16.
struct Function {
  std::string name;
  std::vector<Parameter> parameters;
  std::vector<Value> results;
  std::vector<std::string> globals;  ///< definitions before it: tables, and functions that it calls
  std::vector<Statement> statements;
  std::vector<Line> lines;
  std::vector<std::string> attributes;  ///< of the kernel on a device
  std::uint64_t seed = 0;
  unsigned lanes_of_group = 64;  ///< few where all parameters are uniform
  [[nodiscard]] unsigned groups() const { return lanes_of_group == kLanesOfGroup ? 8 : 64; }
  [[nodiscard]] unsigned items() const { return groups() * lanes_of_group; }
};

enum class Target { host, gfx90a, gfx942 };
const char* to_string(Target target);

/// The functions as one module for `target`. `removed` (by statement, for the first function; may be empty) are replaced by zeros.
std::string module_text(const std::vector<Function>& functions, Target target,
                        const std::vector<bool>& removed = {});

}  // namespace rpl::differential
