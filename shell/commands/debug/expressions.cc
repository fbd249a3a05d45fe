// SPDX-License-Identifier: MIT
// What print, display, x, watch, conditions and set evaluate: C over the stopped kernel, then Lua.
#include "shell/commands/debug/expressions.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "engine/base/numbers.h"
#include "engine/document/bound.h"
#include "engine/isa/object/function_names.h"
#include "shell/commands/debug/source_variables.h"
#include "shell/core/inputs/capture_memory.h"
#include "shell/core/session/debug_state.h"
#include "shell/core/session/print_format.h"
#include "shell/core/session/script_host.h"
#include "shell/core/session/values.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

using debug::Datum, debug::Session, debug::Watched;
using Base = debug::Type::Base;

/// A name that C knows nothing of may be one of Lua.
Failure unknown(std::string_view name) {
  return fail(
      Errc::not_found, fmt::format("no variable '{}' here", name),
      "'info args', 'info locals', 'info registers' list what there is; $arg1, $v2, lane and "
      "threadIdx.x are always there");
}

Result<Datum> datum_of_value(const Value& value, std::string_view name) {
  if (const auto* whole = value.as<std::int64_t>()) {
    const bool fits = *whole >= INT32_MIN && *whole <= INT32_MAX;
    return debug::integer_datum(*whole, fits ? Base::i32 : Base::i64);
  }
  if (const auto* real = value.as<double>()) return debug::real_datum(*real);
  if (const auto* state = value.as<bool>())
    return debug::integer_datum(*state ? 1 : 0, Base::boolean);
  if (const auto* text = value.as<std::string>())
    return Datum{.type = {.base = Base::text}, .text = *text, .variable = std::string(name)};
  return unknown(name);
}

Result<Datum> kernel_variable(const Debugger& debugger, std::string_view text) {
  const std::string_view name = text.substr(text.starts_with('$') ? 1 : 0);
  Session* session = debugged(debugger.state);
  if (session == nullptr) {
    const CaptureEntry capture = debugger.workspace.captures.current();
    const auto value = capture ? captured_value(*capture->value, name) : std::nullopt;
    if (value) return datum_of_value(*value, name);
    TRY(needs_debugged(debugger.state));
  }
  Debugging& all = debugging(debugger);
  if (name == "wave") return debug::integer_datum(session->selected_wave.wave, Base::i32);
  if (name == "workgroup") return debug::integer_datum(session->selected_wave.workgroup, Base::i32);
  if (name == "lane") {
    all.lane_asked = true;
    return debug::integer_datum(session->selected_lane, Base::i32);
  }
  if (!name.starts_with("arg")) return register_in_frame(debugger, *session, name);
  const auto parameters = parameters_of(debugger, *session);
  const std::size_t number = static_cast<std::size_t>(std::stoul(std::string(name.substr(3))));
  if (number > parameters.size())
    return fail(Errc::not_found, fmt::format("there is no argument {}", number), "info args");
  Datum out = TRY(argument_datum(*session, parameters[number - 1]));
  // "$arg1" is an address, to which bytes are added; "arg1" and a parameter's name count elements.
  if (text.starts_with('$') && out.type.is_pointer())
    out.type = {.base = Base::nothing, .pointers = 1};
  return out;
}

Result<Datum> variable(const Debugger& debugger, std::string_view text) {
  const std::string_view name = text.substr(1);
  if (debug::is_kernel_name(name)) return kernel_variable(debugger, text);
  // Convenience variables of GDB and rocgdb; one that a person set goes before.
  if (!debugger.values.variable(name) && debugged(debugger.state) != nullptr) {
    if (name == "_lane") return kernel_variable(debugger, "$lane");
    if (name == "_wave" || name == "_thread" || name == "_thread_workgroup_pos")
      return kernel_variable(debugger, "$wave");
    if (name == "_wg") return kernel_variable(debugger, "$workgroup");
    if (name == "_inferior") return debug::integer_datum(1, Base::i32);
  }
  if (auto kept = kept_value(debugger, text)) return std::move(*kept);
  if (!debugger.values.variable(name) && is_cpu_register(name))
    return fail(Errc::not_found, fmt::format("a GPU has no register {}", name),
                "$pc is the program counter, $exec the lanes that execute; functions that are "
                "called keep their stack at $s32 and their return address in $s[30:31]; 'info "
                "registers' lists all");
  return datum_of_value(TRY(debugger.values.lookup(text)), text);
}

Result<Datum> name_of(const Debugger& debugger, std::string_view name) {
  Session* session = debugged(debugger.state);
  if (session == nullptr) return unknown(name);
  Debugging& all = debugging(debugger);
  // Of one that has ended there is its memory, and what it was launched with.
  if (session->selected() == nullptr) {
    for (const KernelParameter& parameter : parameters_of(debugger, *session)) {
      if (parameter.name == name) return argument_datum(*session, parameter);
    }
    return unknown(name);
  }
  if (name == "executed") return debug::integer_datum(static_cast<std::int64_t>(session->time()));
  if (name == "warpSize") return debug::integer_datum(emu::kLanes, Base::i32);
  // A variable of the source goes before what is always there, unless it is optimized out.
  auto variable = source_datum(debugger, *session, name);
  if (variable && !variable->missing) return variable;
  if (!variable && variable.error().code != Errc::not_found) return variable;
  for (const KernelParameter& parameter : parameters_of(debugger, *session)) {
    if (!variable && parameter.name == name) return argument_datum(*session, parameter);
  }
  for (const std::string_view known :
       {"exec", "vcc", "scc", "m0", "pc", "lane", "wave", "workgroup"}) {
    if (name == known) return kernel_variable(debugger, name);
  }
  if (variable) return variable;
  if (name.starts_with("arg") && debug::is_kernel_name(name))
    return kernel_variable(debugger, name);
  if (name == "threadIdx") all.lane_asked = true;
  if (auto datum = grid_datum(*session, name)) return datum;
  if (auto datum = global_datum(debugger, *session, name)) return datum;
  if (auto datum = function_datum(*session, name)) {
    datum->signature = function_type(debugger, name).value_or("<text variable, no debug info>");
    return datum;
  }
  if (is_variable_name(debugger, *session, name))
    return fail(Errc::not_found, fmt::format("'{}' is a variable of another place", name),
                "'info locals' lists those that are in scope here; 'info scope PLACE' those of "
                "another place");
  return unknown(name);
}

Result<std::vector<std::byte>> read_memory(const Debugger& debugger, const Watched& asked) {
  using Space = debug::Address::Space;
  Session* session = debugged(debugger.state);
  const Watched where = session == nullptr ? asked : debug::placed(*session, asked);
  const Space space = where.space == Watched::Space::lds       ? Space::lds
                      : where.space == Watched::Space::scratch ? Space::scratch
                                                               : Space::global;
  if (session == nullptr) {
    const CaptureEntry capture = debugger.workspace.captures.current();
    if (capture == nullptr) TRY(needs_debugged(debugger.state));
    const auto bytes = TRY(read_captured(*capture->value, where.address, where.bytes, false));
    return std::vector<std::byte>(bytes.begin(), bytes.end());
  }
  if (space == Space::scratch) debugging(debugger).lane_asked = true;
  const auto bytes = TRY(read_of(*session, {space, where.address}, where.bytes));
  return std::vector<std::byte>(bytes.begin(), bytes.end());
}

Result<std::int64_t> whole(const std::vector<Datum>& arguments, std::size_t at,
                           std::string_view name) {
  if (at < arguments.size() && (arguments[at].type.is_integer() || arguments[at].type.is_pointer()))
    return arguments[at].integer;
  return fail(Errc::usage, fmt::format("{} takes a whole number", name), "v(3), s(4), v(3, 17)");
}

/// v(3), a(3, 17), s(4), s64(4)
Result<Datum> register_call(const Debugger& debugger, Session& session, std::string_view name,
                            const std::vector<Datum>& arguments) {
  const std::int64_t number = TRY(whole(arguments, 0, name));
  const unsigned before = session.selected_lane;
  const bool in_lane = arguments.size() > 1 && (name == "v" || name == "a");
  if (in_lane)
    session.selected_lane = static_cast<unsigned>(TRY(whole(arguments, 1, name))) % emu::kLanes;
  Debugging& all = debugging(debugger);
  const bool asked = all.lane_asked;
  auto out = register_in_frame(debugger, session,
                               name == "s64" ? fmt::format("s[{}:{}]", number, number + 1)
                                             : fmt::format("{}{}", name, number));
  if (in_lane) all.lane_asked = asked;
  session.selected_lane = before;
  return out;
}

Result<Datum> call(const Debugger& debugger, std::string_view name,
                   const std::vector<Datum>& arguments) {
  Session* session = debugged(debugger.state);
  const auto bits_as = [&](Base base) -> Result<Datum> {
    if (arguments.size() != 1)
      return fail(Errc::usage, fmt::format("{} takes one value", name), "f32(v(3))");
    return debug::datum_of({.base = base}, debug::bytes_of(arguments[0], {.base = Base::u64}));
  };
  if (name == "f32") return bits_as(Base::f32);
  if (name == "i32") return bits_as(Base::i32);
  if (name == "u32") return bits_as(Base::u32);
  if (name == "isnan" && arguments.size() == 1)
    return debug::integer_datum(std::isnan(arguments[0].number()) ? 1 : 0, Base::boolean);
  if (name == "f64" && arguments.size() == 2)
    return debug::real_datum(
        std::bit_cast<double>((static_cast<std::uint64_t>(arguments[0].integer) & 0xffffffffU) |
                              static_cast<std::uint64_t>(arguments[1].integer) << 32));
  if (session == nullptr) return unknown(name);
  if (name == "v" || name == "a" || name == "s" || name == "s64")
    return register_call(debugger, *session, name, arguments);
  if (name == "arg")
    return kernel_variable(debugger, fmt::format("$arg{}", TRY(whole(arguments, 0, name))));
  const bool lds = name.starts_with("lds.");
  if (!lds && !name.starts_with("mem.")) {
    if (!function_datum(*session, name)) return unknown(name);
    return fail(Errc::unsupported, fmt::format("{} cannot be called from here", name),
                fmt::format("a wave executes only its own code: 'break {}' stops where it is "
                            "called, 'jump PLACE' goes on elsewhere",
                            name));
  }
  std::string_view type = name.substr(4);
  const debug::Type wanted = type == "u8"    ? debug::Type{.base = Base::u8}
                             : type == "i8"  ? debug::Type{.base = Base::i8}
                             : type == "u16" ? debug::Type{.base = Base::u16}
                             : type == "i16" ? debug::Type{.base = Base::i16}
                                             : TRY(debug::parse_type(type));
  const auto address = static_cast<std::uint64_t>(TRY(whole(arguments, 0, name)));
  return debug::read_datum(scope_of(debugger), wanted,
                           {.space = lds ? Watched::Space::lds : Watched::Space::memory,
                            .address = address,
                            .wave = session->selected_wave});
}

/// Conversions of the value to what lies there: the pc is an operation, a register takes its bits.
Status write(const Debugger& debugger, const Watched& asked, const Datum& value, std::string text) {
  Session& session = *TRY(needs_stopped(debugger.state));
  const Watched where = debug::placed(session, asked);
  const bool pc =
      where.space == Watched::Space::registers && where.name.kind == debug::RegisterName::Kind::pc;
  std::vector<std::byte> bytes;
  if (pc) {
    const auto ops = TRY(session.find({.kind = debug::Place::Kind::address,
                                       .address = static_cast<std::uint64_t>(value.integer)}));
    bytes.resize(sizeof(std::uint32_t));
    std::memcpy(bytes.data(), &ops.front(), bytes.size());
  } else if (where.space == Watched::Space::registers &&
             where.name.kind == debug::RegisterName::Kind::scc) {
    bytes = {std::byte{value.integer != 0}};
  } else {
    bytes = debug::bytes_of(value, value.type);
    // A register takes its dwords, with the sign of what is smaller.
    const bool negative = value.type.is_integer() && value.integer < 0;
    if (where.space == Watched::Space::registers)
      bytes.resize(std::size_t{where.name.count} * sizeof(std::uint32_t),
                   negative ? std::byte{0xff} : std::byte{0});
  }
  TRY(session.write(where, bytes, std::move(text)));
  debugging(debugger).written_note = argument_note(session, where);
  if (stopped(debugger.state)) mark_place(debugger);
  return {};
}

/// With what is to be said about a write that the expression made.
Document noted(const Debugger& debugger, Document out) {
  std::string note = std::exchange(debugging(debugger).written_note, "");
  if (!note.empty()) out.notes.push_back(std::move(note));
  return out;
}

/// Documents of single values, as those of Lua.
struct Evaluated {
  Value value;
};
constexpr auto kEvaluatedFields =
    bound_to<Evaluated>(column<&Evaluated::value>("value", "what the expression gave"));

/// A number shown in hexadecimal and the like is text for programs, too; a plain one is itself.
Value shown_value(const Datum& datum, const std::string& text, char format) {
  if (datum.missing) return Value(text);
  if (datum.type.count > 0 || datum.type.is_structure()) {
    if (format == 0) return plain_value(datum);
    List list;
    for (const auto& [name, part] : datum.parts)
      list.emplace_back(debug::text_of(part, format).value_or(""));
    return Value(std::move(list));
  }
  if (format == 0) return plain_value(datum);
  if (format == 'd' && datum.type.is_integer()) {
    const auto number = whole_number<std::int64_t>(text);
    if (number) return Value(*number);
  }
  if (format == 'f') {
    const double number = std::strtod(text.c_str(), nullptr);
    return std::isfinite(number) ? Value(number) : Value(text);
  }
  return Value(text);
}

Result<Document> document_of(const Debugger& debugger, Datum datum, const std::string& format) {
  if (format.size() > 1 && format != "rx" && format != "xr")
    return fail(Errc::usage, fmt::format("'{}' is not a format of print", format),
                "x d u o t a z f c s, as in GDB: print/x $pc; x/8xw ADDRESS shows memory");
  keep_printed(debugger, datum);
  const char letter = format.empty() || format == "r" ? 0 : format == "rx" ? 'x' : format[0];
  const Session* session = debugged(debugger.state);
  if (session != nullptr && datum.text.empty() && letter == 'a' && !datum.missing)
    datum.text = code_symbol(*session, static_cast<std::uint64_t>(datum.integer));
  if (session != nullptr && datum.text.empty() && datum.type.is_pointer())
    datum.text = debug::symbol_of(
        *session, {debug::Address::Space::global, static_cast<std::uint64_t>(datum.integer)});
  const std::string text = TRY(debug::text_of(datum, letter));
  Document out;
  out.fields = described(kEvaluatedFields);
  out.put(kEvaluatedFields, Evaluated{shown_value(datum, text, letter)});
  out.scalar = "value";
  out.text = text + "\n";
  return out;
}

}  // namespace

Result<std::span<const std::byte>> read_of(const Session& session, const debug::Address& address,
                                           std::uint64_t bytes) {
  auto found = debug::read(session, address, bytes);
  const bool code = !found && address.space == debug::Address::Space::global &&
                    !code_symbol(session, address.offset).empty();
  if (!code) return found;
  return debug::read(session, {address.space, address.offset + session.prepared().load_base},
                     bytes);
}

std::string code_symbol(const Session& session, std::uint64_t address) {
  const emu::Program& program = session.program();
  const std::uint64_t base = session.prepared().load_base;
  const std::uint64_t relative = address >= base ? address - base : address;
  if (relative < program.ops.front().address ||
      relative >= program.ops.back().address + program.ops.back().instruction->bytes)
    return {};
  // A function that the kernel calls has its own name.
  const isa::Symbol* symbol = session.launch().object->function_at(relative);
  const std::uint64_t entry =
      symbol == nullptr ? program.ops[program.entry].address : symbol->address;
  const std::string name = isa::function_text(symbol == nullptr ? program.kernel : symbol->name);
  if (relative == entry) return name;
  return relative > entry ? fmt::format("{}+0x{:x}", name, relative - entry)
                          : fmt::format("{}-0x{:x}", name, entry - relative);
}

Datum code_datum(const Session& session, std::uint64_t address) {
  Datum out{
      .type = {.base = Base::nothing, .pointers = 1, .name = std::string(debug::kCodePointer)},
      .integer = static_cast<std::int64_t>(address)};
  out.text = code_symbol(session, address);
  return out;
}

debug::Scope scope_of(const Debugger& debugger) {
  return {.variable = [&debugger](std::string_view name) { return variable(debugger, name); },
          .name = [&debugger](std::string_view name) { return name_of(debugger, name); },
          .call =
              [&debugger](std::string_view name, const std::vector<Datum>& arguments) {
                return call(debugger, name, arguments);
              },
          .read = [&debugger](const Watched& where) { return read_memory(debugger, where); },
          .write = [&debugger](
                       const Watched& where, const Datum& value,
                       std::string text) { return write(debugger, where, value, std::move(text)); },
          .set = [&debugger](std::string_view name, const Datum& value) -> Status {
            TRY(debugger.values.assign(std::string(name), plain_value(value)));
            keep_type(debugger, std::string(name), value);
            return {};
          },
          .type = [&debugger](std::string_view name) { return source_type(debugger, name); }};
}

Result<Datum> datum_of(const Debugger& debugger, const std::string& text) {
  const debug::Expression parsed = TRY(debug::parse_expression(text));
  Datum out = TRY(debug::evaluate(parsed, scope_of(debugger)));
  const Session* session = debugged(debugger.state);
  // Arithmetic with an address of code gives one.
  if (session != nullptr && out.type.name == debug::kCodePointer)
    out.text = code_symbol(*session, static_cast<std::uint64_t>(out.integer));
  return out;
}

/// Whether something is named that only a stopped kernel has: $v2, $pc, $arg1.
static bool names_a_kernel(const std::string& text) {
  const auto parsed = debug::parse_expression(text);
  bool found = false;
  if (!parsed) return false;
  debug::each_name(*parsed, [&](const debug::Expression& part) {
    found = found || (part.kind == debug::Expression::Kind::variable &&
                      debug::is_kernel_name(std::string_view(part.text).substr(1)));
  });
  return found;
}

Result<Document> evaluated(const Debugger& debugger, const std::string& text,
                           const std::string& format) {
  // "row /lanes": the whole wave.
  constexpr std::string_view kLanes = "/lanes";
  if (stopped(debugger.state) != nullptr && text.ends_with(kLanes)) {
    std::string inner = text.substr(0, text.size() - kLanes.size());
    while (inner.ends_with(' ')) inner.pop_back();
    return document_of(debugger, TRY(datum_of_lanes(debugger, inner)), format);
  }
  const bool kernel_first = stopped(debugger.state) != nullptr || names_a_kernel(text);
  const auto in_lua = [&]() -> Result<Document> {
    Document document = TRY(debugger.scripts.evaluate_expression(text));
    return format.empty() ? Result<Document>(std::move(document))
                          : formatted_document(std::move(document), format);
  };
  if (!kernel_first) {
    auto lua = in_lua();
    if (lua || lua.error().code == Errc::interrupted) return lua;
    const auto datum = datum_of(debugger, text);
    if (datum) return document_of(debugger, *datum, format);
    return lua;
  }
  auto datum = datum_of(debugger, text);
  if (datum) return noted(debugger, TRY(document_of(debugger, std::move(*datum), format)));
  const Error error = datum.error();
  // A register, an address or a type that is wrong is wrong in Lua as well.
  if (error.code != Errc::not_found && error.code != Errc::usage) return Failure(error);
  // Lua has an infinity for it, which nobody means.
  const bool parsed = debug::parse_expression(text).has_value();
  if (parsed && error.message == debug::kDivisionByZero) return Failure(error);
  auto lua = in_lua();
  if (lua || lua.error().code == Errc::interrupted || !(parsed || stopped(debugger.state)))
    return lua;
  return Failure(error);
}

Result<Document> assigned(const Debugger& debugger, const std::string& text) {
  TRY(datum_of(debugger, text));
  return noted(debugger, Document{});
}

Result<ScriptHost::Condition> condition_of(const Debugger& debugger, const std::string& text,
                                           const debug::Place* place) {
  const auto parsed = debug::parse_expression(text);
  if (!parsed) {
    auto lua = debugger.scripts.condition(text);
    // What is neither is told in the words of C, which is what people of GDB write.
    if (!lua) return Failure(parsed.error());
    return lua;
  }
  const bool standing =
      stopped(debugger.state) != nullptr && stopped(debugger.state)->selected() != nullptr;
  Status known;
  debug::each_name(*parsed, [&](const debug::Expression& part) {
    if (!known) return;
    const bool variable = part.kind == debug::Expression::Kind::variable;
    const bool of_kernel = variable && debug::is_kernel_name(std::string_view(part.text).substr(1));
    if (!standing && (of_kernel || !variable)) return;
    const auto scope = scope_of(debugger);
    const auto found = variable ? scope.variable(part.text) : scope.name(part.text);
    // It is one where the breakpoint is, if not here.
    if (!found && !variable &&
        is_variable_name(debugger, *stopped(debugger.state), part.text, place))
      return;
    if (!found && !(debugger.scripts.evaluate_expression(part.text)))
      known = Failure(found.error());
    // One of where the wave stands is none where the breakpoint is.
    const Session& session = *stopped(debugger.state);
    const bool only_here = found && !variable && place != nullptr &&
                           !debug::is_kernel_name(part.text) &&
                           source_datum(debugger, session, part.text).has_value() &&
                           !is_variable_name(debugger, session, part.text, place);
    if (only_here) known = unknown(part.text);
  });
  TRY(std::move(known));
  auto lua = std::make_shared<ScriptHost::Condition>();
  return ScriptHost::Condition(
      [context = &debugger.shell, expression = *parsed, text, lua]() -> Result<bool> {
        const Debugger now(*context);
        auto datum = debug::evaluate(expression, scope_of(now));
        if (datum) return datum->is_true();
        // A variable of Lua.
        if (datum.error().code != Errc::not_found) return Failure(datum.error());
        if (!*lua) {
          auto compiled = now.scripts.condition(text);
          if (!compiled) return Failure(datum.error());
          *lua = std::move(*compiled);
        }
        auto holds = (*lua)();
        if (!holds) return Failure(datum.error());
        return holds;
      });
}

}  // namespace rpl
