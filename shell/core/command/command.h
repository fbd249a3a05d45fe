// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/policy.h"
#include "engine/document/document.h"

namespace rpl {

/// What handlers work on: open traces, selection, settings. Defined in shell/core/session/context.h; this folder only passes it on.
class Context;

/// The chapters of `help` (design §3, the command tree).
enum class Class {
  files,
  running,
  status,
  walking,
  data,
  analysis,
  capture,
  stepping,
  proposals,
  tuning,
  exporting,
  support,
  user,
};
std::string_view to_string(Class chapter);
std::string_view description(Class chapter);

/// What can be completed in a parameter's place.
enum class Complete {
  none,
  file,
  kernel,
  dispatch,
  stream,
  trace,
  command,
  setting,
  variable,  ///< an expression: variables, and the names of a stopped kernel
  place,     ///< of a program, as `break` takes it
  point,     ///< a breakpoint or watchpoint
  reg,       ///< a register of the stopped kernel
  wave,
  lane,
  display,
  argument,  ///< a kernel's argument: f32:zero:1024
  capture,   ///< a folder, or the id of an open one
  counters,  ///< of any architecture, and sets of them
  proposal,
};
/// Whether a path may stand there: then a word that could be opened is not opened.
constexpr bool takes_path(Complete complete) {
  return complete == Complete::file || complete == Complete::capture;
}

enum class ParamKind {
  positional,
  option,  ///< --name VALUE
  flag,    ///< --name, or --no-name to say no
  rest,    ///< everything after `--`, or the rest of the line of a raw command, unparsed
};
enum class ParamType { string, integer, number, boolean };
/// As JSON Schema and Lua call it.
std::string_view to_string(ParamType type);

/// What the text of a raw command is, which decides what of it is still the shell's.
enum class RawText {
  own,         ///< anything: echo, shell, lua
  expression,  ///< it begins with neither `/` nor `|`, so that a form suffix or a pipe in front is one; a later `|` is its own
  words,       ///< words of this shell: a pipe anywhere is one
};

/// One parameter of a command, whatever face it is used through. `name` is spelled with dashes in the shell (`top-k`) and
/// with underscores in Lua (`top_k`).
/// What a number may be, ends included; an infinite end: any. Checked wherever a value comes from, and told by help, messages, docs and the
/// schemas of tools.
struct Range {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();

  [[nodiscard]] bool holds(double number) const { return number >= least && number <= most; }
  [[nodiscard]] bool any() const { return std::isinf(least) && std::isinf(most); }
  /// "0 or more", "1 to 64"
  [[nodiscard]] std::string text() const;
};
constexpr Range at_least(double least) { return {.least = least}; }
constexpr Range within(double least, double most) { return {.least = least, .most = most}; }

struct Param {
  Label name = {};
  ParamKind kind = ParamKind::option;
  ParamType type = ParamType::string;
  Label help = {};
  Label placeholder = {};  ///< "NAME" in usage lines; upper-case name when empty
  char letter = 0;         ///< also accepted as `-o`; 0: none
  bool required = false;
  bool repeated = false;  ///< may be given several times; its value is a List
  bool phrase =
      false;  ///< a positional that takes all words up to the next option, as they were typed: a query
  /// A bare word is this name, though a file be called the same; so is what is required and completes to no file.
  bool bare_name = false;
  std::vector<Label> choices = {};
  Range range = {};  ///< of a number
  Complete complete = Complete::none;
  Capabilities needs = {};   ///< beyond those of the command, when it is given
  Value default_value = {};  ///< null: none
};

/// Parsed arguments by parameter name; a parameter that was not given has no entry.
using Arguments = std::map<std::string, Value, std::less<>>;
using Handler = std::function<Result<Document>(Context&, const Arguments&)>;

/// Exit statuses of commands that ended with an answer other than the one hoped for; what fails has that of its error (exit_status()).
inline constexpr int kRegression = 3, kGateNotPassed = 3, kNothingAccepted = 4,
                     kVerificationFailed = 5;

/// One definition from which shell command, completion, help, subcommand, JSON, Lua function, stub, manual page and
/// documentation page come.
struct Command {
  Label path = {};  ///< "info kernels"
  Capabilities does =
      {};  ///< what it always needs; dispatch() refuses it where the session may not
  Capabilities may =
      {};  ///< what it needs in part, which is refused where that happens: what a setting, a line or a file asks for
  Class chapter = Class::support;
  Label summary = {};  ///< imperative, at most 70 characters, ends with a period
  Label help = {};     ///< a few sentences of Markdown: what it computes, what the numbers mean
  std::vector<Param> params = {};
  std::vector<Column> fields = {};   ///< the record it returns
  std::vector<Column> columns = {};  ///< the table it returns
  Label scalar = {};                 ///< what `/q` prints: a field, or a column of the first row
  std::vector<Label> aliases = {};   ///< other full spellings: "cp", "info critpath"
  std::vector<Label>
      examples;  ///< each is run by a test; `TRACE` stands for a small recording, `OBJECT`, `CAPTURE`, `ATT`, `ATT_AFTER` for examples
  bool repeatable = false;  ///< an empty line at the prompt runs it again
  Label suffix_option =
      {};  ///< the option that takes what stands behind a slash at its name (x/8xw); empty: that is a form suffix
  Label suffix_letters =
      {};  ///< the letters, and digits before them, that it takes there, as GDB does (print/c); what has others is a form suffix. Empty: it takes everything
  bool numbered = false;  ///< its text is shown to people behind the number of its value: $3 = 7
  bool keeps_place =
      false;         ///< of one that changes_program: what `display` shows is the same behind it
  bool raw = false;  ///< takes the rest of the line as it is: lua, echo, !
  RawText raw_text = RawText::own;
  bool changes_program =
      false;  ///< has effects beyond the result (set, open): not repeated by `repeat`, no value number
  bool changes_sources =
      false;  ///< writes into the user's sources, which is a person's decision (shell/core/inputs/approval.h)
  bool destroys = false;         ///< takes something away that cannot be had again
  bool is_user_defined = false;  ///< made by `define` or rpl.command
  bool hidden = false;           ///< works, but is not listed
  int version = 1;               ///< major version of its document
  Handler run = {};

  /// "rpl.info.kernels/1"
  [[nodiscard]] std::string schema() const;
  /// `info kernels [TRACE] [--limit N]`
  [[nodiscard]] std::string usage() const;
  [[nodiscard]] const Param* param(std::string_view name) const;
};

/// `top_k` and `top-k` are the same parameter: the spelling with dashes.
std::string dashed(std::string_view name);
/// The spelling with underscores, for Lua and JSON.
std::string underscored(std::string_view name);

/// Checks and converts the text of one value to the type of `param`; the error names the parameter and what it takes.
Result<Value> parse_value(const Param& param, std::string_view text);

/// Checks a typed value (from Lua or JSON) against `param`: type, choices, range; numbers given as text are parsed.
Result<Value> check_value(const Param& param, const Value& value);

}  // namespace rpl
