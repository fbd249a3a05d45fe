// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/element.h"
#include "engine/base/result.h"

/// What a kernel is called with, as its user declares it: verification draws inputs from that, and from nothing outside of it.
namespace rpl {

/// What one argument may be: a scalar, or the elements of a buffer.
struct ArgumentRule {
  std::string argument;  ///< a parameter's name, or its position from 1
  bool as_captured = false;
  std::optional<double> low, high;  ///< both or none, both included
  std::int64_t step = 1;            ///< whole numbers: multiples of it
  std::vector<double> values;       ///< one of these; empty: as the range has it
  std::size_t line = 0;             ///< of the file, from 1

  /// Whether a number keeps the rule. What is as captured is asked elsewhere.
  [[nodiscard]] bool allows(double value) const;
  /// Numbers that show most: the ends of the range, or the values.
  [[nodiscard]] std::vector<double> ends() const;
  /// The number nearest to this one, folded into the range, that the rule allows. Not of what is as captured.
  [[nodiscard]] double nearest(double value) const;
};
/// As a file has it: "n in 1..4096 step 64", "mode one of 0 1 3", "x as captured".
std::string to_text(const ArgumentRule& rule);

/// The contract of one kernel.
struct Contract {
  std::vector<ArgumentRule> arguments;
  bool launch_as_captured = false;

  [[nodiscard]] bool empty() const { return arguments.empty() && !launch_as_captured; }
  /// The rule of the argument at this position, from 0; null: none.
  [[nodiscard]] const ArgumentRule* rule_at(std::size_t position) const;
  /// The rule of a variable of the module, by its name in the code object; null: none.
  [[nodiscard]] const ArgumentRule* rule_of_variable(std::string_view name) const;
  /// Gives every rule its argument's position by the names of the kernel's parameters; the others are of these variables. Fails with not_found for a name that none has, with
  /// usage for two rules of one argument.
  Status resolve(const std::vector<std::string>& parameters,
                 const std::vector<std::string>& variables = {});

 private:
  static constexpr std::size_t kVariables = std::size_t{1}
                                            << 32;  ///< positions of variables begin here
  std::vector<std::size_t> positions_;              ///< of `arguments`
};
/// The lines of to_text(), and of the launch.
std::vector<std::string> lines_of(const Contract& contract);

/// A line of a contract's text: what it is about, "n", "launch", and whether that is the kernel asked for. A remark, an empty line and `kernel NAME` are about nothing.
struct ContractLine {
  std::string text;
  std::vector<std::string> words = {};  ///< without the remark
  bool ours = false;
};
std::vector<ContractLine> contract_lines(std::string_view text, std::string_view kernel);
/// The text with this rule, a line, in place of that of the same argument, else behind the kernel's last line; an empty rule takes out that of `what`. Nothing where there is none to take out.
std::optional<std::string> with_rule(std::string_view text, std::string_view kernel,
                                     std::string_view what, std::string_view rule);

/// Reads what a file says of a kernel: lines "n in 1..4096", "launch as captured"; `kernel NAME` before those of one kernel, where several share the file; `#` begins a remark. Fails with
/// corrupt, naming the line, and with limit beyond 64 KiB.
Result<Contract> parse_contract(std::string_view text, std::string_view kernel);

/// Brings the elements of a buffer into the rule: what lies outside is moved into it, numbers that are none become ends. Bytes of unknown type stay as they are.
void keep_rule(const ArgumentRule& rule, Element element, std::vector<std::byte>& bytes);

}  // namespace rpl
