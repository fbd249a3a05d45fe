// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/document/json.h"
#include "shell/commands/debug/expressions.h"
#include "shell/core/command/define.h"
#include "shell/core/command/registry.h"
#include "shell/core/run/init_files.h"
#include "shell/core/session/face.h"
#include "shell/core/session/print_format.h"
#include "shell/core/session/script_host.h"
#include "shell/core/session/script_lines.h"
#include "shell/core/session/values.h"

namespace rpl {
namespace {

constexpr const char* kLuaHelp =
    "Runs Lua 5.4 in the interpreter of this session. An expression shows its value; statements "
    "run. The module `rpl` has the open traces (`rpl.trace`), every command (`rpl.cmd`) and more; "
    "`$name` and `$3` stand for variables and earlier results. A block that is not closed goes on "
    "in the next line. Ctrl-C stops whatever runs.";
constexpr const char* kPrintHelp =
    "Evaluates an expression and shows its value as `$N`, which later ones may use. While a kernel "
    "is stopped it is C over its registers ($v2, $s[0:1], $pc), parameters, threadIdx and memory: "
    "`print in[0]@8`, `print (float)$v6`, `print *(float*)$arg1`, `print $v2 = 5`; what is not C "
    "is Lua. Otherwise it is Lua, and C where it is not that: tables, traces, kernels and results "
    "are shown as tables. `=EXPR` is the same. Behind a slash stands a format of GDB, `print/x "
    "$pc`: x hexadecimal, d and u decimal, o octal, t binary, c character, a address, z "
    "hexadecimal with leading zeros, f the bits as a floating-point number, s text.";
constexpr const char* kOutputHelp = "Like `print`, but the value does not become `$N`.";
constexpr const char* kPrintfHelp =
    "Writes text in the manner of C: a format, then values, separated by commas; both are Lua. "
    "`%s` takes anything, `%d` whole numbers, `%.3f` numbers.";
constexpr const char* kSourceHelp =
    "Runs a file. A `.lua` file is a script: what it returns is shown, and the words behind `--` "
    "are its `rpl.args`. When it returns a command (as the scripts that come with rpl do) that "
    "command is added; it is also run with the words behind `--`, unless there are none at the "
    "prompt, or `--define` is given. Any other file holds commands, one a line, and stops at the "
    "first that fails. A name without a slash is also looked for in $RPL_SCRIPTS_DIR, among rpl's "
    "own scripts, and in .rpl/scripts.";

struct CodeArgs {
  std::string code;
};

Result<Document> run_lua(const CodeArgs& args, ScriptHost& scripts) {
  return scripts.evaluate(args.code);
}

struct PrintArgs : CodeArgs {
  std::string format;
};

Result<Document> print(const PrintArgs& args, Debugger debugger) {
  debugging(debugger);
  return evaluated(debugger, args.code.empty() ? "$" : args.code, args.format);
}

/// The arguments of a call, split at the commas that stand outside of brackets and quotes.
std::vector<std::string> split_arguments(std::string_view text) {
  std::vector<std::string> out(1);
  int depth = 0;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0 && c == '\\' && i + 1 < text.size()) {
      out.back() += c;
      out.back() += text[++i];
      continue;
    }
    if (quote != 0 && c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
    } else if (quote == 0) {
      if (c == '(' || c == '[' || c == '{') ++depth;
      if (c == ')' || c == ']' || c == '}') --depth;
      if (c == ',' && depth == 0) {
        out.emplace_back();
        continue;
      }
    }
    out.back() += c;
  }
  return out;
}

/// A value as Lua writes it.
std::string lua_literal(const Document& document, const std::string& otherwise) {
  const Value* value = document.get("value");
  if (value == nullptr) return otherwise;
  if (const auto* text = value->as<std::string>()) return to_json(Value(*text));
  if (const auto* real = value->as<double>()) return fmt::format("{:.17g}", *real);
  const std::string text = as_text(*value);
  return text.empty() ? otherwise : text;
}

/// A format of C as Lua takes it: without sizes of numbers ("%ld"), "%u" as "%d", "%p" as in C.
std::string lua_format(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] != '%') {
      out += text[i++];
      continue;
    }
    const std::size_t end = text.find_first_not_of("-+ #0123456789.", i + 1);
    out += text.substr(i, end == std::string_view::npos ? end : end - i);
    i = std::min(end, text.size());
    while (i < text.size() && std::string_view("hlzjt").find(text[i]) != std::string_view::npos)
      ++i;
    if (i == text.size()) break;
    const char letter = text[i++];
    out += letter == 'u' ? "d" : letter == 'p' ? "#x" : std::string(1, letter);
  }
  return out;
}

Result<Document> print_formatted(const CodeArgs& args, Debugger debugger) {
  const auto parts = split_arguments(args.code);
  std::string call = lua_format(parts[0]);
  if (stopped(debugger.state) == nullptr)
    return debugger.scripts.evaluate_expression(
        fmt::format("string.format({}\n)", call + args.code.substr(parts[0].size())));
  // Each value is an expression of C over the stopped kernel, which Lua then writes.
  for (std::size_t i = 1; i < parts.size(); ++i) {
    auto value = evaluated(debugger, parts[i]);
    if (!value && value.error().code == Errc::interrupted) return value;
    if (!value) return value;
    call += ", " + lua_literal(*value, parts[i]);
  }
  return debugger.scripts.evaluate_expression(fmt::format("string.format({}\n)", call));
}

struct SourceArgs {
  std::string file;
  bool define = false;
  std::vector<std::string> arguments;
};

Result<Document> run_command_file(Face& face, const std::string& path) {
  const auto text = read_text_file(path);
  if (!text)
    return fail(text.error().code, text.error().message, "give the path of a .lua or .rpl file");
  TRY(check_trusted(path, *text));
  const LinesRun run = run_numbered_lines(face, split_lines(*text));
  Document document;
  document.exit_code = run.status;
  if (run.status != 0) {
    document.notes.push_back(
        fmt::format("{}:{}: stopped here; later lines were not run", path, run.last_line));
  }
  return document;
}

Result<Document> source(const SourceArgs& args, Face& face, ScriptHost& scripts) {
  const bool is_script = args.file.ends_with(".lua");
  if (!is_script) {
    if (!args.arguments.empty()) {
      return fail(Errc::usage, "only Lua scripts take arguments", "usage: source FILE.lua -- ARGS");
    }
    return run_command_file(face, args.file);
  }
  if (args.define) return scripts.load_file(args.file);
  return args.arguments.empty() ? face.start_script(scripts, args.file)
                                : scripts.run_file(args.file, args.arguments);
}

Command raw_command(Label path, Label summary, Label help, Label example) {
  return {.path = path,
          .does = kKeeps,
          .may = kWhatItRuns,
          .chapter = Class::data,
          .summary = summary,
          .help = help,
          .fields = {{"value", Type::any, Unit::none, "what the expression gave"}},
          .scalar = "value",
          .examples = {example},
          .raw = true,
          .raw_text = RawText::expression};
}

}  // namespace

void add_lua_commands(Registry& registry) {
  const auto add = [&](Command command) {
    // A definition that the registry refuses is a mistake in this file; its test fails.
    if (!registry.add(std::move(command))) return;
  };
  Command lua = raw_command("lua", "Run Lua code.", kLuaHelp, "lua for i = 1, 2 do print(i) end");
  lua.chapter = Class::support;
  lua.raw_text = RawText::own;
  lua.changes_program = true;
  add(command<CodeArgs>(std::move(lua), {rest("code", &CodeArgs::code, "Lua code").required()},
                        run_lua));
  // What stands behind the slash of the name; on a line nothing else could be told from Lua.
  const auto format = [] {
    return option("format", static_cast<std::string PrintArgs::*>(&PrintArgs::format),
                  "x d u o t a z f; on a line it stands behind a slash: print/x");
  };
  const auto expression = [] {
    return rest("expression", static_cast<std::string PrintArgs::*>(&PrintArgs::code),
                "an expression; default: $, the last value")
        .completes(Complete::variable);
  };
  Command show =
      raw_command("print", "Show the value of an expression.", kPrintHelp, "print 1 + 1");
  show.examples.push_back("print/x 255");
  show.repeatable = true;
  show.suffix_option = "format";
  show.suffix_letters = kPrintFormats;
  show.numbered = true;
  show.aliases = {"inspect", "print-object"};
  add(command<PrintArgs>(std::move(show), {expression(), format()}, print));
  Command output =
      raw_command("output", "Show a value without keeping it.", kOutputHelp, "output 6 * 7");
  output.changes_program = true;
  output.suffix_option = "format";
  output.suffix_letters = kPrintFormats;
  add(command<PrintArgs>(std::move(output), {expression(), format()}, print));
  Command calling = raw_command(
      "call", "Evaluate an expression, and show its value unless it is nothing.",
      "As `print`. Functions of kernels cannot be called: they have no code of their own outside "
      "the kernel. `f32(v(3))`, `isnan($v3_f32)` and functions of Lua can.",
      "call 6 * 7");
  calling.suffix_option = "format";
  calling.suffix_letters = kPrintFormats;
  calling.numbered = true;
  add(command<PrintArgs>(std::move(calling), {expression(), format()}, print));
  Command formatted = raw_command("printf", "Write formatted text.", kPrintfHelp,
                                  "printf \"%d of %s\", 3, \"four\"");
  formatted.changes_program = true;
  add(command<CodeArgs>(std::move(formatted),
                        {rest("arguments", &CodeArgs::code, "a format and its values").required()},
                        print_formatted));
  Command file{.path = "source",
               .does = kKeeps,
               .may = kWhatItRuns,
               .chapter = Class::support,
               .summary = "Run a Lua script or a file of commands.",
               .help = kSourceHelp,
               .examples = {"source triage.lua --define"}};
  add(command<SourceArgs>(
      std::move(file),
      {arg("file", &SourceArgs::file, "a .lua or .rpl file").required().completes(Complete::file),
       flag("define", &SourceArgs::define, "add the command that a script returns, do not run it"),
       rest("arguments", &SourceArgs::arguments, "arguments of the script")},
      source));
}

}  // namespace rpl
