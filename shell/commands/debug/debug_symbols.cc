// SPDX-License-Identifier: MIT
// info address, symbol, functions, sources, sharedlibrary, files, target: what the stopped kernel's code object says.
#include <fmt/format.h>

#include <ranges>
#include <set>

#include "engine/base/text.h"
#include "engine/document/bound.h"
#include "engine/isa/object/function_names.h"
#include "engine/pattern/pattern.h"
#include "shell/commands/debug/expressions.h"
#include "shell/commands/debug/point_text.h"
#include "shell/commands/debug/source_variables.h"
#include "shell/core/command/define.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

using debug::Session;

struct TextArgs {
  std::string text;
};

struct SymbolFacts {
  std::string address, symbol, place;
};
constexpr auto kSymbolFields = bound_to<SymbolFacts>(
    column<&SymbolFacts::address>("address", "as `disassemble` shows it, or of the device")
        .as(Type::address)
        .or_null(),
    column<&SymbolFacts::symbol>("symbol", "the function or allocation, and how far into it"),
    column<&SymbolFacts::place>("place", "its source line").or_null());

Document symbol_document(const Session& session, std::uint64_t address) {
  SymbolFacts facts{hex(address), code_symbol(session, address), ""};
  const bool code = !facts.symbol.empty();
  if (code) {
    const std::uint64_t base = session.prepared().load_base;
    facts.place =
        isa::place_text(session.lines().chain(address >= base ? address - base : address));
  } else {
    facts.symbol = debug::symbol_of(session, {debug::Address::Space::global, address});
  }
  Document out;
  out.put(kSymbolFields, facts);
  out.text = facts.symbol.empty() ? fmt::format("No symbol matches {}.\n", facts.address)
                                  : fmt::format("{} in {}{}\n", facts.symbol,
                                                code ? "section .text" : "device memory",
                                                facts.place.empty() ? "" : ", " + facts.place);
  return out;
}

Result<Document> info_symbol(const TextArgs& args, Debugger debugger) {
  const Session& session = *TRY(needs_debugged(debugger.state));
  return symbol_document(session, TRY(address_of(debugger, args.text)).offset);
}

/// Where a name of the source is kept.
Result<Document> info_address(const TextArgs& args, Debugger debugger) {
  const Session& session = *TRY(needs_debugged(debugger.state));
  if (isa::names_function(args.text, session.program().kernel))
    return symbol_document(session, session.program().ops[session.program().entry].address);
  const debug::Datum datum = TRY(datum_of(debugger, args.text));
  if (datum.in_caller)
    return fail(Errc::not_found,
                fmt::format("{} was in a register when this function called another", args.text),
                "'print' shows what it held; 'finish' goes back to where it is in one");
  if (!datum.where && datum.type.name == debug::kCodePointer)
    return symbol_document(session, static_cast<std::uint64_t>(datum.integer));
  if (!datum.where)
    return fail(Errc::not_found,
                datum.missing ? fmt::format("{} is optimized out here", args.text)
                              : fmt::format("{} has no address", args.text),
                "info args, info locals, info registers");
  using Space = debug::Watched::Space;
  const Space space = datum.where->space;
  const std::string where = debug::place_text(*datum.where);
  Document out;
  out.put(kSymbolFields, SymbolFacts{space == Space::memory ? where : "", where, ""});
  out.text = fmt::format("Symbol \"{}\" is {}.\n", args.text,
                         space == Space::registers ? "the register " + where
                         : space == Space::lds     ? "at " + where + " in the LDS of the workgroup"
                         : space == Space::scratch
                             ? "at " + where + " in the private memory of the lane"
                             : "at " + where + " in the kernarg segment or device memory");
  return out;
}

struct FunctionRow {
  std::string name, kind, symbol;
  std::optional<std::uint64_t> address = {};
  std::uint64_t copies = 0;
  std::string object;
};
constexpr auto kFunctionColumns = bound_to<FunctionRow>(
    column<&FunctionRow::name>("function", "as people say it"),
    column<&FunctionRow::kind>("kind", "kernel, function or inlined"),
    column<&FunctionRow::address>("address", "of its first instruction").as(Type::address),
    column<&FunctionRow::copies>("copies", "how often it was inlined").in(Unit::none),
    column<&FunctionRow::object>("object", "the code object").as(Type::id),
    column<&FunctionRow::symbol>("symbol", "of a kernel, mangled").never());

void add_functions(const std::string& id, const isa::CodeObject& object,
                   std::vector<FunctionRow>& rows) {
  std::set<std::string> kernels;
  for (const isa::Kernel& kernel : object.kernels()) {
    rows.push_back({isa::function_text(kernel.name), "kernel", kernel.name, kernel.entry, 0, id});
    kernels.insert(kernel.name);
    kernels.insert(rows.back().name);
  }
  const auto lines = object.source_lines();
  if (!lines) return;
  std::map<std::string, FunctionRow> others;
  for (const auto& function : lines->functions()) {
    if (!function.inlined && kernels.contains(function.name)) continue;
    const bool is_kernel =
        !function.inlined && std::ranges::any_of(object.kernels(), [&](const isa::Kernel& kernel) {
          return isa::names_function(function.name, kernel.name);
        });
    if (is_kernel || function.ranges.empty()) continue;
    FunctionRow& row = others[function.name];
    row.name = isa::function_text(function.name);
    row.kind = function.inlined ? "inlined" : "function";
    row.object = id;
    if (function.inlined) ++row.copies;
    const std::uint64_t begin = std::ranges::min(function.ranges).first;
    row.address = row.address ? std::min(*row.address, begin) : begin;
  }
  for (auto& [name, row] : others) rows.push_back(std::move(row));
}

/// The open code objects, and that of the kernel that is debugged.
std::vector<std::pair<std::string, std::shared_ptr<const isa::CodeObject>>> open_objects(
    const Debugger& debugger) {
  std::vector<std::pair<std::string, std::shared_ptr<const isa::CodeObject>>> out;
  for (const auto& object : debugger.workspace.objects.all())
    out.emplace_back(object->id, object->value);
  const Session* session = debugged(debugger.state);
  if (session == nullptr) return out;
  const bool listed = std::ranges::any_of(
      out, [&](const auto& one) { return one.second == session->launch().object; });
  if (!listed) out.emplace_back(debugging(debugger).of, session->launch().object);
  return out;
}

Failure nothing_open() {
  return fail(Errc::not_found, "no code object is open",
              "'file OBJECT' opens one, 'kernel run OBJECT … --stop' runs one of its kernels");
}

Result<Document> info_functions(const TextArgs& args, Debugger debugger) {
  const auto objects = open_objects(debugger);
  if (objects.empty()) return nothing_open();
  std::vector<FunctionRow> rows;
  for (const auto& [id, object] : objects) add_functions(id, *object, rows);
  std::string_view text = args.text;
  // GDB's flags: -q, -n (none without debug information).
  while (text.size() > 1 && text[0] == '-') {
    text.remove_prefix(std::min(text.find(' '), text.size()));
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  }
  if (!text.empty()) {
    const Pattern wanted = TRY(Pattern::of(std::string(text)));
    std::erase_if(rows, [&](const FunctionRow& row) {
      return !wanted.in(row.name) && !wanted.in(row.symbol);
    });
  }
  Document out;
  out.table(kFunctionColumns, rows);
  out.provenance = Provenance::recorded;
  out.next = {"break FUNCTION", "list FUNCTION", "disassemble"};
  return out;
}

/// "float const*" as GDB writes it: "const float *".
std::string spelt(std::string type) {
  const std::size_t mark = type.find_first_of("*&");
  if (mark == std::string::npos || type.find_first_of("<(") < mark) return type;
  std::string of = type.substr(0, mark);
  constexpr std::string_view kConst = " const";
  if (of.ends_with(kConst)) of = "const " + of.substr(0, of.size() - kConst.size());
  return of + ' ' + type.substr(mark);
}

/// "(const float *, int)" of a symbol that names its parameters; "" for others.
std::string parameters_of_symbol(const std::string& symbol) {
  const std::string whole = demangled(symbol);
  if (whole == symbol || !whole.ends_with(')')) return {};
  std::vector<std::string> parameters(1);
  int depth = 0;
  for (std::size_t i = whole.size(); i-- > 0;) {
    const char c = whole[i];
    if (c == '(' && depth == 1) break;
    const bool between = c == ',' && depth == 1;
    if (between) parameters.emplace_back();
    if (!between && depth > 0) parameters.back().insert(0, 1, c);
    depth += c == ')' || c == '>' ? 1 : c == '(' || c == '<' ? -1 : 0;
  }
  std::string out;
  for (std::string& one : std::ranges::reverse_view(parameters)) {
    one.erase(0, one.find_first_not_of(' '));
    out += (out.empty() ? "" : ", ") + spelt(one);
  }
  return "(" + (out.empty() ? "void" : out) + ")";
}

/// Where there is no debug information but lines: kernels by their source, else what their symbols say.
std::string type_without_variables(const Debugger& debugger, const isa::CodeObject& object,
                                   std::string_view name) {
  const Session* session = debugged(debugger.state);
  // The source of a template does not say of which types it was made.
  if (session != nullptr && session->launch().object.get() == &object &&
      isa::names_function(name, session->program().kernel) &&
      isa::function_text(session->program().kernel).find('<') == std::string::npos) {
    std::string parameters;
    for (const KernelParameter& one : parameters_of(debugger, *session))
      parameters += (parameters.empty() ? "" : ", ") + one.type_text;
    return fmt::format("void ({})", parameters.empty() ? "void" : parameters);
  }
  const auto kernel = std::ranges::find_if(object.kernels(), [&](const isa::Kernel& one) {
    return isa::names_function(name, one.name);
  });
  if (kernel != object.kernels().end()) {
    const std::string parameters = parameters_of_symbol(kernel->name);
    return parameters.empty() ? "" : "void " + parameters;
  }
  const auto symbol = std::ranges::find_if(object.elf().symbols, [&](const isa::Symbol& one) {
    return one.kind == isa::Symbol::Kind::function && isa::names_function(name, one.name);
  });
  const std::string parameters =
      symbol == object.elf().symbols.end() ? "" : parameters_of_symbol(symbol->name);
  return parameters.empty() ? "" : "<unknown return type> " + parameters;
}

struct DemangleArgs {
  std::vector<std::string> names;
};
struct DemangledRow {
  std::string name, mangled;
};
constexpr auto kDemangledColumns =
    bound_to<DemangledRow>(column<&DemangledRow::name>("name", "as the source has it"),
                           column<&DemangledRow::mangled>("mangled", "the symbol"));

Result<Document> demangle(const DemangleArgs& args) {
  std::vector<DemangledRow> rows;
  Document out;
  for (const std::string& mangled : args.names) {
    rows.push_back({demangled(mangled), mangled});
    if (rows.back().name == mangled)
      return fail(Errc::usage, fmt::format("'{}' is not a mangled name", mangled),
                  "demangle _Z5scalePfi");
    out.text += rows.back().name + "\n";
  }
  out.table(kDemangledColumns, rows);
  return out;
}

struct SourceRow {
  std::string file, object;
  bool found = false;
};
constexpr auto kSourceColumns =
    bound_to<SourceRow>(column<&SourceRow::file>("file", "as the code object names it"),
                        column<&SourceRow::found>("found", "whether list can show it"),
                        column<&SourceRow::object>("object", "the code object").as(Type::id));

Result<Document> info_sources(Debugger debugger) {
  const auto objects = open_objects(debugger);
  if (objects.empty()) return nothing_open();
  std::vector<SourceRow> rows;
  for (const auto& [id, object] : objects) {
    const auto lines = object->source_lines();
    if (!lines) continue;
    std::set<std::string> files(lines->files().begin(), lines->files().end());
    const auto entry = debugger.workspace.objects.find(id);
    files.erase("");
    for (const std::string& file : files)
      rows.push_back({file, id,
                      !source_lines_of(debugging(debugger), file,
                                       entry ? entry->path : debugging(debugger).path)
                           .empty()});
  }
  Document out;
  out.table(kSourceColumns, rows);
  out.provenance = Provenance::recorded;
  return out;
}

struct ObjectRow {
  std::string object, path;
  isa::Arch architecture{};
  std::uint64_t kernels = 0;
  std::optional<std::uint64_t> loaded = {};
};
constexpr auto kObjectColumns = bound_to<ObjectRow>(
    column<&ObjectRow::loaded>("loaded_at", "device address; null while it is not debugged")
        .as(Type::address),
    column<&ObjectRow::object>("object", "its id").as(Type::id),
    column<&ObjectRow::kernels>("kernels", "it holds"),
    column<&ObjectRow::architecture>("architecture", isa::kArchitectureNames),
    column<&ObjectRow::path>("path", "where it is"));

Result<Document> info_sharedlibrary(Debugger debugger) {
  const auto objects = open_objects(debugger);
  if (objects.empty()) return nothing_open();
  const Session* session = debugged(debugger.state);
  std::vector<ObjectRow> rows;
  for (const auto& [id, object] : objects) {
    ObjectRow& row = rows.emplace_back();
    row.object = id;
    const auto entry = debugger.workspace.objects.find(id);
    row.path = entry ? entry->path : debugging(debugger).path;
    row.kernels = object->kernels().size();
    row.architecture = object->arch();
    if (session != nullptr && session->launch().object == object)
      row.loaded = session->prepared().load_base;
  }
  Document out;
  out.table(kObjectColumns, rows);
  out.provenance = Provenance::recorded;
  return out;
}

struct RegionRow {
  std::string begin, end, name;
  std::uint64_t size = 0;
  bool writable = false;
};
constexpr auto kRegionColumns =
    bound_to<RegionRow>(column<&RegionRow::begin>("begin", "device address").as(Type::address),
                        column<&RegionRow::end>("end", "behind the last byte").as(Type::address),
                        column<&RegionRow::size>("size_bytes", "of it"),
                        column<&RegionRow::writable>("writable", "whether kernels may store there"),
                        column<&RegionRow::name>("name", "what it is"));

Result<Document> info_files(Debugger debugger) {
  const Session& session = *TRY(needs_debugged(debugger.state));
  std::vector<RegionRow> rows;
  for (const emu::Region* region : session.memory().regions())
    rows.push_back({hex(region->base), hex(region->base + region->size), region->name, region->size,
                    region->writable});
  Document out;
  out.table(kRegionColumns, rows);
  out.heading = fmt::format(
      "{} from {}, on the emulated device; code is shown by its address in the file, which lies at "
      "0x{:x}",
      session.program().kernel, debugging(debugger).path, session.prepared().load_base);
  out.provenance = Provenance::modelled;
  return out;
}

struct TargetFacts {
  std::string state, kernel, object, path;
};
constexpr auto kTargetFields =
    bound_to<TargetFacts>(column<&TargetFacts::state>("state", "stopped, ended or nothing"),
                          column<&TargetFacts::kernel>("kernel", "its name").or_null(),
                          column<&TargetFacts::object>("object", "its code object").or_null(),
                          column<&TargetFacts::path>("path", "where that is").or_null());

Result<Document> info_target(Debugger debugger) {
  const Session* session = debugged(debugger.state);
  if (session == nullptr) TRY(needs_debugged(debugger.state));
  const Debugging& all = debugging(debugger);
  TargetFacts facts{session->ended() ? "ended" : "stopped", session->program().kernel, all.of,
                    all.path};
  Document out;
  out.put(kTargetFields, facts);
  out.text = fmt::format("{} of {} ({}) on the emulated device: {}, {} wave-instructions so far\n",
                         facts.kernel, facts.path, facts.object, facts.state, session->time());
  out.provenance = Provenance::modelled;
  return out;
}

Bound text_param(Label what) {
  return arg("text", &TextArgs::text, what).takes_phrase().completes(Complete::variable);
}

}  // namespace

Result<std::string> function_type(const Debugger& debugger, std::string_view name) {
  const bool pointer = name.starts_with('&');
  name.remove_prefix(pointer || name.starts_with('*') ? 1 : 0);
  std::string text;
  for (const auto& [id, object] : open_objects(debugger)) {
    const Session* session = debugged(debugger.state);
    const bool is_debugged = session != nullptr && session->launch().object == object;
    std::shared_ptr<isa::Variables> read;
    isa::Variables* variables = nullptr;
    if (is_debugged) {
      variables = variables_of(debugger, *session).value_or(nullptr);
    } else if (auto others = isa::Variables::read(object)) {
      read = std::move(*others);
      variables = read.get();
    }
    const auto found = variables == nullptr
                           ? std::vector<std::pair<std::string, const isa::SourceType*>>()
                           : variables->functions(name);
    std::string here = found.empty() ? type_without_variables(debugger, *object, name)
                                     : isa::declared_text(found.front().second);
    // What is debugged goes before what else is open.
    if (!here.empty() && (text.empty() || is_debugged)) text = std::move(here);
  }
  if (text.empty())
    return fail(Errc::not_found, fmt::format("no function '{}' with a known type", name),
                "'info functions' lists those of the open code objects; -g records their types");
  const std::size_t open = text.find(" (");
  if (pointer && open != std::string::npos) text.insert(open + 1, "(*)");
  return text;
}

void add_debug_symbol_commands(Registry& registry) {
  add(registry, command(Command{.path = "demangle",
                                .does = kReads,
                                .chapter = Class::data,
                                .summary = "Say what mangled names are in the source.",
                                .help = "Tables show names so, unless `set print demangle off`.",
                                .columns = described(kDemangledColumns),
                                .scalar = "name",
                                .examples = {"demangle _Z5scaleIfLi4EEvPKT_PS0_i"}},
                        {arg("name", &DemangleArgs::names, "mangled names").required()}, demangle));
  Command symbol =
      showing_stopped("info symbol", "Say what lies at an address.",
                      "The function of an address of code, the allocation of one of the device.",
                      described(kSymbolFields), {}, "symbol");
  symbol.examples = {"info symbol $pc"};
  add(registry, command(std::move(symbol),
                        {text_param("an address: 0x1968, $pc, $arg1").required()}, info_symbol));
  Command address = showing_stopped(
      "info address", "Say where a parameter or a function is.",
      "A parameter's value lies in the kernarg segment; a register's is no address.",
      described(kSymbolFields), {}, "address");
  address.examples = {"info address $v2"};
  add(registry, command(std::move(address), {text_param("a name").required()}, info_address));
  add(registry,
      command(
          showing_stopped(
              "info functions", "List kernels and functions of the open code objects.",
              "Also those that were inlined, with how many copies: `break` stops at all of them. "
              "With a regular expression those that match.",
              {}, described(kFunctionColumns), "function"),
          {text_param("a regular expression")}, info_functions));
  add(registry,
      command(showing_stopped(
                  "info sources", "List the source files of the open code objects.",
                  "And whether they are to be found: as they are named, in the working folder or "
                  "beside the code object.",
                  {}, described(kSourceColumns), "file"),
              info_sources));
  add(registry, command(showing_stopped("info sharedlibrary", "List the open code objects.",
                                        "With where the one that is debugged is loaded.", {},
                                        described(kObjectColumns), "object"),
                        info_sharedlibrary));
  add(registry,
      command(showing_stopped("info files", "List what lies where in the debugged kernel's memory.",
                              "Code, kernarg segment and buffers, by device address.", {},
                              described(kRegionColumns), "begin"),
              info_files));
  add(registry, command(showing_stopped(
                            "info target", "Say what is being debugged.",
                            "The kernel, its code object, and whether it is stopped or has ended.",
                            described(kTargetFields), {}, "state", {"info program"}),
                        info_target));
}

}  // namespace rpl
