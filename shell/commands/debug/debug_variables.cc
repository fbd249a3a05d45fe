// SPDX-License-Identifier: MIT
// info args, info locals, info scope, whatis, ptype: variables of the source and their types.
#include <fmt/format.h>

#include "engine/document/bound.h"
#include "engine/isa/object/function_names.h"
#include "shell/commands/debug/expressions.h"
#include "shell/commands/debug/source_variables.h"
#include "shell/core/command/define.h"

namespace rpl {
namespace {

using debug::Session;

struct ExpressionArgs {
  std::string text, format = {};
};

struct ValueRow {
  std::string name, type, value;
  std::string where = {};
};
constexpr auto kValueColumns = bound_to<ValueRow>(
    column<&ValueRow::name>("name", "in the source; arg1, arg2, … where that is not known"),
    column<&ValueRow::type>("type", "as it is declared"),
    column<&ValueRow::value>("value", "what it holds in the selected lane"),
    column<&ValueRow::where>("where", "the register or address; null where it has none").or_null());

ValueRow row_of(const Session& session, std::string name, std::string type,
                const Result<debug::Datum>& value) {
  ValueRow row{std::move(name), std::move(type), shown_text(session, value)};
  if (value && value->where) row.where = debug::place_text(*value->where);
  return row;
}

/// As GDB lists them.
Document values_document(const Session& session, const std::vector<ValueRow>& rows) {
  Document out;
  out.table(kValueColumns, rows);
  for (const ValueRow& row : rows) out.text += fmt::format("{} = {}\n", row.name, row.value);
  out.provenance = Provenance::modelled;
  const emu::Wave* wave = session.selected();
  if (wave != nullptr && (wave->exec() >> session.selected_lane & 1) == 0)
    out.notes.push_back(
        fmt::format("lane {} does not execute here: its registers hold what they held when it did",
                    session.selected_lane));
  return out;
}

std::string how_to_build(const Session& session) {
  return fmt::format(
      "{} was built without variables: 'rpl build SOURCE --device-only --flag=-g', or -g for "
      "another compiler, records them; Triton writes lines alone",
      isa::function_text(session.program().kernel));
}

/// Whether there are variables to show, and in which frame.
Result<std::optional<std::size_t>> described_frame(const Debugger& debugger,
                                                   const Session& session) {
  TRY(variables_of(debugger, session));
  const std::size_t frame = debugging(debugger).frame;
  const bool known = is_described(debugger, session, frame);
  return known ? std::optional(frame) : std::nullopt;
}

/// Whether the selected frame is that of the kernel: what was passed to others is only in their variables.
bool is_kernel_frame(const Debugger& debugger, const Session& session) {
  const auto frames = standing_frames(session);
  const std::size_t frame = debugging(debugger).frame;
  return frame >= frames.size() || frames[frame].level == frames.back().level;
}

Result<Document> info_args(Debugger debugger) {
  const Session& session = *TRY(needs_stopped(debugger.state));
  std::vector<ValueRow> rows;
  const auto frame = described_frame(debugger, session);
  if (frame && *frame) {
    for (const isa::SourceVariable& one : variable_frames(debugger, session)[**frame].parameters)
      rows.push_back(row_of(session, one.name, debug::to_string(debug::type_of(one.type)),
                            frame_datum(debugger, session, **frame, one)));
  } else if (is_kernel_frame(debugger, session)) {
    for (const KernelParameter& parameter : parameters_of(debugger, session))
      rows.push_back(
          row_of(session, parameter.name, parameter.type_text, argument_datum(session, parameter)));
  }
  Document out = values_document(session, rows);
  if (rows.empty()) out.text = "No arguments.\n";
  if (rows.empty() && !is_kernel_frame(debugger, session))
    out.notes.push_back(how_to_build(session));
  const bool named = rows.empty() || rows.front().name != "arg1";
  if (!named)
    out.notes.emplace_back(
        "the source is not at hand, which names them: put it into the working folder, or beside "
        "the code object");
  return out;
}

Result<Document> info_locals(Debugger debugger) {
  const Session& session = *TRY(needs_stopped(debugger.state));
  TRY(selected_wave(session));
  const auto frame = TRY(described_frame(debugger, session));
  std::vector<ValueRow> rows;
  if (frame) {
    for (const isa::SourceVariable& one : variable_frames(debugger, session)[*frame].locals) {
      if (!one.in_scope) continue;
      rows.push_back(row_of(session, one.name, debug::to_string(debug::type_of(one.type)),
                            frame_datum(debugger, session, *frame, one)));
    }
  }
  Document out = values_document(session, rows);
  if (rows.empty()) out.text = "No locals.\n";
  if (!frame)
    out.notes.push_back(how_to_build(session) +
                        "; 'info args' has the parameters, 'disassemble/s' shows in which "
                        "registers values are");
  return out;
}

struct ScopeRow {
  std::string name, kind, type, function;
  std::optional<std::uint32_t> line = {};
};
constexpr auto kScopeColumns =
    bound_to<ScopeRow>(column<&ScopeRow::name>("name", "in the source"),
                       column<&ScopeRow::kind>("kind", "parameter or local"),
                       column<&ScopeRow::type>("type", "as it is declared"),
                       column<&ScopeRow::line>("line", "where it is declared").in(Unit::none),
                       column<&ScopeRow::function>("function", "whose it is"));

/// What `info locals` and `info args` would have there.
Result<Document> info_scope(const ExpressionArgs& args, Debugger debugger) {
  const Session& session = *TRY(needs_debugged(debugger.state));
  isa::Variables& variables = *TRY(variables_of(debugger, session));
  if (variables.empty()) return fail(Errc::not_found, "no variables", how_to_build(session));
  const debug::Place place = TRY(place_here(debugger, args.text));
  const auto ops = TRY(session.find(place));
  std::vector<ScopeRow> rows;
  const auto add = [&](const isa::VariableFrame& frame, const isa::SourceVariable& variable) {
    ScopeRow& row = rows.emplace_back();
    row.name = variable.name;
    row.kind = variable.is_parameter ? "parameter" : "local";
    row.type = debug::to_string(debug::type_of(variable.type));
    row.function = frame.function;
    if (variable.line != 0) row.line = variable.line;
  };
  for (const isa::VariableFrame& frame :
       variables.frames(session.program().ops[ops.front()].address)) {
    for (const isa::SourceVariable& variable : frame.locals) {
      if (variable.in_scope) add(frame, variable);
    }
    for (const isa::SourceVariable& variable : frame.parameters) add(frame, variable);
  }
  Document out;
  out.table(kScopeColumns, rows);
  out.provenance = Provenance::recorded;
  return out;
}

struct TypeFact {
  std::string type;
};
constexpr auto kTypeFields =
    bound_to<TypeFact>(column<&TypeFact::type>("type", "of the expression"));

/// A type of C or of the source, or that of an expression.
Result<debug::Type> type_asked(const Debugger& debugger, const std::string& text) {
  if (auto type = debug::parse_type(text)) return type;
  auto datum = datum_of(debugger, text);
  if (datum) return datum->type;
  const Session* session = debugged(debugger.state);
  const auto variables = session == nullptr ? Result<isa::Variables*>(Failure(datum.error()))
                                            : variables_of(debugger, *session);
  std::string_view name = text;
  for (const std::string_view word : {"struct ", "class ", "union ", "enum "}) {
    if (name.starts_with(word)) name.remove_prefix(word.size());
  }
  const isa::SourceType* named = variables ? (*variables)->type(name) : nullptr;
  if (named != nullptr) return debug::type_of(named);
  if (name.size() < text.size())
    return fail(Errc::not_found, fmt::format("no {} in the open code object", text),
                "types are there where the code was built with -g; 'info args' and 'info locals' "
                "show those of variables");
  return Failure(datum.error());
}

Document type_document(const std::string& text) {
  Document out;
  out.put(kTypeFields, TypeFact{text});
  out.text = fmt::format("type = {}\n", text);
  return out;
}

/// The type of the function that `text` names; nothing where it is an expression or a type.
std::optional<std::string> function_asked(const Debugger& debugger, const std::string& text) {
  if (text.starts_with('$') || debug::parse_type(text)) return std::nullopt;
  const auto datum = datum_of(debugger, text);
  if (datum && datum->type.name != debug::kCodePointer) return std::nullopt;
  auto type = function_type(debugger, text);
  return type ? std::optional(std::move(*type)) : std::nullopt;
}

Result<Document> what_is(const ExpressionArgs& args, Debugger debugger) {
  debugging(debugger);
  if (const auto function = function_asked(debugger, args.text)) return type_document(*function);
  return type_document(debug::to_string(TRY(type_asked(debugger, args.text))));
}

Result<Document> print_type(const ExpressionArgs& args, Debugger debugger) {
  debugging(debugger);
  const auto function = function_asked(debugger, args.text);
  if (function && args.format.empty()) return type_document(*function);
  const debug::Type type = TRY(type_asked(debugger, args.text));
  if (args.format == "o") {
    const std::string text = debug::layout_text(type);
    Document out;
    out.put(kTypeFields, TypeFact{text});
    out.text = text + "\n";
    return out;
  }
  if (!args.format.empty())
    return fail(Errc::usage, fmt::format("'{}' is no format of ptype", args.format),
                "ptype/o shows offsets and sizes");
  const auto datum = datum_of(debugger, args.text);
  Document out = type_document(debug::type_text(type));
  // threadIdx and its like are of no type of the source.
  if (!datum || !type.is_structure() || type.source != nullptr) return out;
  std::string text = fmt::format("struct {} {{ ", type.name);
  for (const auto& [name, part] : datum->parts)
    text += fmt::format("{} {}; ", debug::to_string(part.type), name);
  out.put(kTypeFields, TypeFact{text + "}"});
  out.text = fmt::format("type = {}}}\n", text);
  return out;
}

Command about_types(Label path, Label summary, Label help, Label example) {
  return Command{.path = path,
                 .does = kReads,
                 .chapter = Class::data,
                 .summary = summary,
                 .help = help,
                 .fields = described(kTypeFields),
                 .scalar = "type",
                 .examples = {example}};
}

Bound expression_param(Label what) {
  return arg("text", &ExpressionArgs::text, what)
      .required()
      .takes_phrase()
      .completes(Complete::variable);
}

}  // namespace

void add_debug_variable_commands(Registry& registry) {
  add(registry,
      command(
          showing_stopped(
              "info args", "Show the parameters of the selected frame.",
              "Of the kernel: what was passed in the kernarg segment, where the code does not keep "
              "it elsewhere. Names and types come from debug information made with -g, or from the "
              "source where that is at hand, else they are arg1, arg2, … with what they were "
              "launched with.",
              {}, described(kValueColumns), "value"),
          info_args));
  add(registry,
      command(showing_stopped(
                  "info locals", "Show the variables of the selected frame.",
                  "In the selected lane, those of inner blocks first. `frame N` and `up` select "
                  "what a function was inlined into. A variable that is in no register and no "
                  "memory at this instruction is `<optimized out>`. Needs a code object made with "
                  "-g.",
                  {}, described(kValueColumns), "value"),
              info_locals));
  Command scope = showing_stopped("info scope", "List the variables that a place has.",
                                  "A place as `break` takes it: a line, a function, an address. "
                                  "`info locals` shows what they hold where the wave stands.",
                                  {}, described(kScopeColumns), "name");
  scope.examples = {"info scope *+0x0"};
  add(registry, command(std::move(scope),
                        {arg("place", &ExpressionArgs::text, "FILE:LINE, a function, *ADDRESS")
                             .required()
                             .takes_phrase()
                             .completes(Complete::place)},
                        info_scope));
  add(registry,
      command(about_types(
                  "whatis", "Show the type of an expression.",
                  "An expression as `print` takes it, a type of C or of the source, or a function.",
                  "whatis 6 * 7"),
              {expression_param("an expression, a type or a function")}, what_is));
  Command ptype = about_types(
      "ptype", "Show the type of an expression, and what it is made of.",
      "As `whatis`; of structures and enumerations with their members. `ptype/o` shows the offset "
      "and the size of each in bytes, and holes between them.",
      "ptype 6 * 7");
  ptype.suffix_option = "format";
  ptype.suffix_letters = "o";
  add(registry, command(std::move(ptype),
                        {expression_param("an expression, a type or a function"),
                         option("format", &ExpressionArgs::format,
                                "o: with offsets and sizes; on a line behind a slash")},
                        print_type));
}

}  // namespace rpl
