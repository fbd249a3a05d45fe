// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shell/core/command/line.h"

namespace rpl {

/// What every command takes, beside its own parameters, to say what it works on: an id or a path.
inline constexpr std::array<std::string_view, 3> kOpeners{"trace", "att", "capture"};

/// What was given of that, and how many rows are wanted.
struct StandingArguments {
  std::string trace;                   ///< id or path; "" when not given
  std::vector<std::string> others;     ///< thread traces and captures, in the order given
  std::optional<std::uint64_t> limit;  ///< at most so many rows
};

/// Takes the argument `name` when every command has it and `command` has no parameter of that name; false leaves it to the command.
/// Fails with usage for a value of the wrong kind.
Result<bool> take_standing(const Command& command, std::string_view name, const Value& value,
                           StandingArguments& out);

/// Adds to an invocation what is to be opened first, the trace before the others, and sets its limit when one was given.
void apply(const StandingArguments& given, Invocation& out);

}  // namespace rpl
