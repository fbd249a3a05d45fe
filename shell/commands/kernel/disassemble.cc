// SPDX-License-Identifier: MIT
// disassemble and object diff: machine code beside its source, and what another build made of it.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "engine/base/text.h"
#include "engine/document/bound.h"
#include "engine/isa/code/program_text.h"
#include "engine/isa/traits/architecture.h"
#include "engine/optimize/rules/diff.h"
#include "shell/commands/debug/debugging.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/inputs/run_costs.h"
#include "shell/core/session/debug_state.h"
#include "shell/core/session/inputs.h"

namespace rpl {
namespace {

struct DisassembleArgs {
  std::string object, kernel, format;
  std::int64_t lines = 0;  ///< around the stop; 0: as many as usual
};

/// A name for each address that a branch goes to: "L1", in the order of addresses.
std::map<std::uint64_t, std::string> labels_of(const std::vector<isa::Located>& code) {
  std::map<std::uint64_t, std::string> labels;
  for (const auto& [address, instruction] : code) {
    const auto target = isa::branch_target(address, instruction);
    const bool inside = target && *target >= code.front().address && *target <= code.back().address;
    if (inside) labels[*target];
  }
  std::size_t number = 0;
  for (auto& [address, label] : labels) label = fmt::format("L{}", ++number);
  return labels;
}

std::string label_of(const std::map<std::uint64_t, std::string>& labels, std::uint64_t address) {
  const auto found = labels.find(address);
  return found == labels.end() ? std::string() : found->second;
}

std::string words_text(const isa::Instruction& instruction) {
  std::string text = fmt::format("{:08x}", instruction.words[0]);
  if (instruction.bytes > 4) text += fmt::format(" {:08x}", instruction.words[1]);
  return text;
}

/// Where the code comes from, or why that is not known, as a note.
isa::SourceLines lines_of(const isa::CodeObject& object, Document& out) {
  auto lines = object.source_lines();
  if (!lines) {
    out.notes.push_back("no source lines: " + lines.error().message);
    return {};
  }
  if (lines->empty())
    out.notes.emplace_back(
        "no source lines: built without -gline-tables-only, which leaves the code as it is");
  return std::move(*lines);
}

struct ListingFacts {
  std::string kernel, object;
  isa::Arch architecture{};
  std::uint64_t instructions = 0;
};
constexpr auto kListingFields = bound_to<ListingFacts>(
    column<&ListingFacts::kernel>("kernel", "name in the code object").as(Type::kernel),
    column<&ListingFacts::object>("object", "the code object").as(Type::id),
    column<&ListingFacts::architecture>("architecture", isa::kArchitectureNames),
    column<&ListingFacts::instructions>("instructions", "in the listing"));

struct ListingRow {
  std::uint64_t address = 0;
  std::string label, instruction, target;
  isa::Class unit{};
  std::string encoding, source;
  std::optional<std::uint64_t> executed = {}, stall_caused = {};
  std::optional<double> share = {};
  std::string cause = {};
};
constexpr auto kAddressColumn =
    column<&ListingRow::address>("address", "relative to where the code object is loaded")
        .as(Type::address);
constexpr auto kLabelColumn =
    column<&ListingRow::label>("label", "name of a place that a branch goes to").or_null();
constexpr auto kInstructionColumn =
    column<&ListingRow::instruction>("instruction", "as llvm-objdump writes it").whole();
constexpr auto kTargetColumn =
    column<&ListingRow::target>("target", "label that the branch goes to; null outside the listing")
        .or_null();
constexpr auto kExecutedColumn = column<&ListingRow::executed>(
    "executed", "times, by waves, in the last kernel run of this code; null without");
constexpr auto kShareColumn =
    column<&ListingRow::share>(
        "stall_share", "of all cycles that waves of that run waited: because of it, modelled")
        .in(Unit::share);
constexpr auto kCauseColumn =
    column<&ListingRow::cause>("cause", "of the first finding of that run that names it").or_null();
constexpr auto kCausedColumn =
    column<&ListingRow::stall_caused>("stall_caused", "these wave-cycles").in(Unit::cycles).never();
constexpr auto kUnitColumn = column<&ListingRow::unit>("class", "the unit it keeps busy").never();
constexpr auto kEncodingColumn =
    column<&ListingRow::encoding>("encoding", "its words, in hexadecimal");
constexpr auto kSourceColumn =
    column<&ListingRow::source>("source", "where it comes from, then what it was inlined at")
        .if_room()
        .or_null();
constexpr auto kListingColumns =
    bound_to<ListingRow>(kAddressColumn, kLabelColumn, kInstructionColumn, kTargetColumn,
                         kExecutedColumn.never(), kShareColumn.never(), kCauseColumn.never(),
                         kCausedColumn, kUnitColumn, kSourceColumn, kEncodingColumn.if_room());
/// The same of code that ran, for people: the encoding makes room.
constexpr auto kCostedColumns =
    bound_to<ListingRow>(kAddressColumn, kLabelColumn, kInstructionColumn.whole(), kTargetColumn,
                         kExecutedColumn.if_room(), kShareColumn.if_room(), kCauseColumn.if_room(),
                         kCausedColumn, kUnitColumn, kSourceColumn, kEncodingColumn.never());

/// How a listing of the stopped kernel is written: with encodings, with source lines between the instructions.
struct ListingForm {
  bool raw = false, source = false;
};

/// The source line of an instruction where it is another one than before.
std::string source_between(Debugging& all, const std::vector<isa::SourcePlace>& chain,
                           std::pair<std::string, std::uint32_t>& before) {
  for (const isa::SourcePlace& place : chain) {
    const auto& lines = source_lines_of(all, place.file, all.path);
    if (place.line == 0 || place.line > lines.size()) continue;
    const std::pair here(place.file, place.line);
    if (here == before) return "";
    before = here;
    const std::string name = place.file.substr(place.file.rfind('/') + 1);
    return fmt::format("{}:{}  {}\n", name, place.line, lines[place.line - 1]);
  }
  return "";
}

/// Instructions [first, last) of the kernel that is debugged; "=>" is the label of the one that comes next.
Document listing_of(Debugging& all, std::uint32_t first, std::uint32_t last,
                    const ListingForm& form) {
  constexpr std::size_t kSourceAt = 52;
  const debug::Session& session = *all.session;
  const emu::Wave* wave = session.selected();
  const auto& ops = session.program().ops;
  Document out;
  std::vector<ListingRow> rows;
  std::pair<std::string, std::uint32_t> shown;
  for (std::uint32_t op = first; op < ops.size() && op < last; ++op) {
    const emu::Op& one = ops[op];
    const auto target = isa::branch_target(one.address, *one.instruction);
    const auto chain = session.lines().chain(one.address);
    // Line 0: code that the compiler cannot give to one line.
    const bool known = !chain.empty() && chain.front().line != 0;
    const ListingRow& row = rows.emplace_back(ListingRow{
        one.address, wave != nullptr && op == wave->pc ? "=>" : "",
        isa::disassemble(session.program().arch, *one.instruction), target ? hex(*target) : "",
        one.kind, words_text(*one.instruction), known ? isa::place_text(chain) : ""});
    if (form.source) out.text += source_between(all, chain, shown);
    const std::string encoding = form.raw ? fmt::format("{:<17}  ", row.encoding) : "";
    const std::string line =
        fmt::format("{:<2} 0x{:x}  {}{}", row.label, one.address, encoding, row.instruction);
    const std::string where = form.source ? "" : row.source.substr(0, row.source.find(" in "));
    out.text += where.empty() ? line + "\n" : fmt::format("{:<{}}  {}\n", line, kSourceAt, where);
  }
  out.put(kListingFields,
          ListingFacts{session.program().kernel, all.of, session.program().arch, rows.size()});
  out.table(kListingColumns, rows);
  out.provenance = Provenance::recorded;
  return out;
}

/// The function around an operation: a kernel as a whole.
std::pair<std::uint32_t, std::uint32_t> function_around(const debug::Session& session,
                                                        std::uint32_t op) {
  const auto& ops = session.program().ops;
  const isa::Symbol* symbol = session.launch().object->function_at(ops[op].address);
  if (symbol == nullptr) return {0, static_cast<std::uint32_t>(ops.size())};
  std::uint32_t first = op, last = op;
  while (first > 0 && ops[first - 1].address >= symbol->address) --first;
  while (last < ops.size() && ops[last].address < symbol->address + symbol->size) ++last;
  return {first, last};
}

/// "0x1900", "0x1900,0x1920", "0x1900,+16", a place of `break`: which operations.
Result<std::pair<std::uint32_t, std::uint32_t>> operations_named(const Debugger& debugger,
                                                                 const std::string& text) {
  const debug::Session& session = *debugged(debugger.state);
  const std::size_t comma =
      text.find('<') == std::string::npos ? text.find(',') : std::string::npos;
  const std::string begin = text.substr(0, comma);
  const bool address = begin.find_first_of("0123456789$*") == 0;
  debug::Place place{.kind = debug::Place::Kind::address};
  if (address) {
    place.address = TRY(address_of(debugger, begin.substr(begin[0] == '*' ? 1 : 0))).offset;
  } else {
    place = TRY(debug::parse_place(begin));
    place.at_entry = true;
  }
  const auto ops = TRY(session.find(place));
  if (comma == std::string::npos) return function_around(session, ops.front());
  std::string end = text.substr(comma + 1);
  while (end.starts_with(' ')) end.erase(0, 1);
  const bool length = end.starts_with('+');
  const std::uint64_t first = session.program().ops[ops.front()].address;
  const std::uint64_t last = TRY(address_of(debugger, end.substr(length ? 1 : 0))).offset;
  const std::uint64_t base = session.prepared().load_base;
  const std::uint64_t stop = length ? first + last : last >= base ? last - base : last;
  std::uint32_t op = ops.front();
  while (op < session.program().ops.size() && session.program().ops[op].address < stop) ++op;
  return std::pair(ops.front(), op);
}

/// The instructions around where a wave of the stopped kernel stands.
Document around_the_stop(Debugging& all, const ListingForm& form, std::int64_t lines) {
  constexpr std::int64_t kUsual = 16, kBefore = 6;
  const std::int64_t count = lines > 0 ? lines : kUsual, pc = all.session->selected()->pc;
  const std::int64_t first = std::max<std::int64_t>(pc - count * kBefore / kUsual, 0);
  const std::int64_t last = lines > 0 ? first + count : pc + kUsual - kBefore;
  return listing_of(all, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last), form);
}

/// The last kernel run with the cycle model, when it was of this code object; else null.
const EmulatedRun* run_of(const Inputs& inputs, const isa::CodeObject& object) {
  const EmulatedRun* run = inputs.workspace.last_run.get();
  const bool is_of_it = run != nullptr && run->executed.modelled && run->executed.program &&
                        run->object.get() == &object;
  return is_of_it ? run : nullptr;
}

void add_costs(const RunCosts& costs, std::vector<ListingRow>& rows) {
  for (ListingRow& row : rows) {
    const PlaceCost* cost = costs.at(row.address);
    row.executed = cost == nullptr ? 0 : cost->executed;
    if (cost == nullptr) continue;
    row.stall_caused = cost->stall_caused;
    row.share = cost->share;
    row.cause = cost->cause;
  }
}

/// Whether the first word names a code object, and not a place in one.
bool names_object(const Inputs& inputs, const std::string& text) {
  return inputs.workspace.objects.find(text) != nullptr || openable(text) != Openable::nothing ||
         text.find('/') != std::string::npos || text.ends_with(".co");
}

Result<Document> run_disassemble(const DisassembleArgs& given, Inputs inputs, Debugger debugger) {
  DisassembleArgs args = given;
  const debug::Session* session = stopped(debugger.state);
  const ListingForm form{.raw = args.format.find('r') != std::string::npos,
                         .source = args.format.find_first_of("sm") != std::string::npos};
  const bool place = !args.object.empty() && !names_object(inputs, args.object);
  const std::string named = args.object + (args.kernel.empty() ? "" : " " + args.kernel);
  if (session != nullptr && session->selected() != nullptr && (args.object.empty() || place)) {
    if (args.object.empty()) return around_the_stop(debugging(debugger), form, args.lines);
    auto ops = operations_named(debugger, named);
    if (ops) return listing_of(debugging(debugger), ops->first, ops->second, form);
    // Another kernel of the same code object.
    if (!session->launch().object->kernel(named)) return std::move(ops).failure();
  }
  if (place && inputs.workspace.objects.current()) {
    args.object.clear();
    args.kernel = named;
  }
  const ObjectEntry entry = TRY(object_named(inputs, args.object));
  const isa::CodeObject& object = *entry->value;
  const EmulatedRun* run = run_of(inputs, object);
  const bool of_run = run != nullptr && args.kernel.empty();
  const isa::Kernel& kernel = *TRY(object.kernel(of_run ? run->kernel : args.kernel));
  const auto code = TRY(isa::decode_body(object, kernel));
  Document out;
  out.put(kListingFields, ListingFacts{kernel.name, entry->id, object.arch(), code.size()});
  const isa::SourceLines lines = lines_of(object, out);
  const auto labels = labels_of(code);
  std::vector<ListingRow> rows;
  for (const auto& [address, instruction] : code) {
    const auto target = isa::branch_target(address, instruction);
    rows.push_back(
        {address, label_of(labels, address), isa::disassemble(object.arch(), instruction),
         target ? label_of(labels, *target) : std::string(), isa::class_of(*instruction.opcode),
         words_text(instruction), isa::place_text(lines.chain(address))});
  }
  out.provenance = Provenance::recorded;
  if (run == nullptr || run->kernel != kernel.name) {
    out.table(kListingColumns, rows);
    return out;
  }
  add_costs(TRY(RunCosts::of(*run)), rows);
  out.table(kCostedColumns, rows);
  out.provenance = Provenance::modelled;
  out.next = {"list", "findings run"};
  return out;
}

struct ObjectDiffArgs {
  std::string before, after, kernel;
};

struct Build {
  ObjectEntry entry;
  const isa::Kernel* kernel = nullptr;
  isa::StaticFacts facts;
  std::string text;  ///< one instruction a line, without addresses
};

Result<Build> build_of(const Inputs& inputs, const std::string& reference,
                       const std::string& kernel) {
  Build out;
  out.entry = TRY(object_named(inputs, reference));
  out.kernel = TRY(out.entry->value->kernel(kernel));
  out.facts = TRY(isa::static_facts(*out.entry->value, *out.kernel));
  for (const auto& located : TRY(isa::decode_body(*out.entry->value, *out.kernel)))
    out.text += isa::disassemble(out.entry->value->arch(), located.instruction) + '\n';
  return out;
}

struct Compared {
  std::string what;
  std::uint64_t before = 0, after = 0;

  [[nodiscard]] std::int64_t change() const {
    return static_cast<std::int64_t>(after) - static_cast<std::int64_t>(before);
  }
};
constexpr auto kComparedColumns =
    bound_to<Compared>(column<&Compared::what>("what", "a resource, or a class of instructions"),
                       column<&Compared::before>("before", "in the first"),
                       column<&Compared::after>("after", "in the second"),
                       column<&Compared::change>("change", "after - before"));

std::vector<Compared> compared(const Build& before, const Build& after) {
  std::vector<Compared> rows;
  const auto row = [&](std::string_view what, std::uint64_t a, std::uint64_t b) {
    if (a == 0 && b == 0) return;
    rows.push_back({std::string(what), a, b});
  };
  const isa::Kernel &a = *before.kernel, &b = *after.kernel;
  row("vgprs", a.vgprs, b.vgprs);
  row("agprs", a.agprs, b.agprs);
  row("sgprs", a.sgprs, b.sgprs);
  row("spills", std::uint64_t{a.vgpr_spills} + a.sgpr_spills,
      std::uint64_t{b.vgpr_spills} + b.sgpr_spills);
  row("lds_bytes", a.lds_bytes, b.lds_bytes);
  row("scratch_bytes", a.scratch_bytes, b.scratch_bytes);
  row("kernarg_bytes", a.kernarg_bytes, b.kernarg_bytes);
  row("code_bytes", before.facts.code_bytes, after.facts.code_bytes);
  row("instructions", before.facts.instructions, after.facts.instructions);
  for (std::size_t i = 0; i < before.facts.by_class.size(); ++i)
    row(to_string(static_cast<isa::Class>(i)), before.facts.by_class[i], after.facts.by_class[i]);
  return rows;
}

struct DiffFacts {
  std::string kernel, before, after;
  bool same_code = false;
  std::string diff;
};
constexpr auto kDiffFields = bound_to<DiffFacts>(
    column<&DiffFacts::kernel>("kernel", "name in the first code object").as(Type::kernel),
    column<&DiffFacts::before>("before", "the first code object").as(Type::id),
    column<&DiffFacts::after>("after", "the second").as(Type::id),
    column<&DiffFacts::same_code>("same_code", "whether the machine code is the same"),
    column<&DiffFacts::diff>("diff", "of the instructions; null for equal ones").or_null());

Result<Document> object_diff(const ObjectDiffArgs& args, Inputs inputs) {
  const Build before = TRY(build_of(inputs, args.before, args.kernel));
  const Build after =
      TRY(build_of(inputs, args.after, args.kernel.empty() ? before.kernel->name : args.kernel));
  Document out;
  const std::string diff =
      unified_diff(before.text, after.text, before.entry->path, after.entry->path);
  out.put(kDiffFields, DiffFacts{before.kernel->name, before.entry->id, after.entry->id,
                                 before.facts.code_hash == after.facts.code_hash, diff});
  out.table(kComparedColumns, compared(before, after));
  out.heading = diff.empty() ? fmt::format("{}: {} and {} hold the same instructions",
                                           short_kernel(before.kernel->name), before.entry->id,
                                           after.entry->id)
                             : diff;
  out.provenance = Provenance::recorded;
  return out;
}

}  // namespace

void add_disassemble_commands(Registry& registry) {
  add(registry,
      command(
          Command{
              .path = "disassemble",
              .does = kReads,
              .chapter = Class::data,
              .summary = "Show the machine code of a kernel, with source lines.",
              .help =
                  "From the kernel's entry to its last s_endpgm. `att insts` shows the "
                  "same beside the "
                  "cycles of a thread trace. Alone, with a kernel stopped on the "
                  "emulated device: the instructions "
                  "around the one that comes next, `=>`. Of the kernel that ran last on "
                  "the emulated device also how often each ran, and how much waves waited "
                  "because of it. While a kernel is stopped also a function, an address "
                  "(its function), or addresses: 0x1900,0x1920 or 0x1900,+16. `/r` adds "
                  "encodings, `/s` the source between the instructions. Source lines need a code "
                  "object built with "
                  "-gline-tables-only or -g.",
              .fields = described(kListingFields),
              .columns = described(kListingColumns),
              .scalar = "instructions",
              .aliases = {"disas"},
              .examples = {"disassemble OBJECT vector_add"},
              .suffix_option = "format",
              .suffix_letters = "mrs"},
          {arg("object", &DisassembleArgs::object,
               "code object: a file or o1; or a kernel of the current one, or of a stopped kernel "
               "a "
               "function, an address, or 0x1900,+16")
               .completes(Complete::file),
           arg("kernel", &DisassembleArgs::kernel,
               "kernel: a name or unique part of one; needed when there are several and none of "
               "them ran "
               "last"),
           option("format", &DisassembleArgs::format,
                  "r: encodings, s: source; on a line behind a slash"),
           option("lines", &DisassembleArgs::lines,
                  "instructions to show around the one that comes next in a stopped kernel")
               .in(at_least(1))},
          run_disassemble));
  add(registry,
      command(
          Command{.path = "object diff",
                  .does = kReads,
                  .chapter = Class::files,
                  .summary = "Compare the machine code that two builds made of a kernel.",
                  .help = "Registers, memory and instructions by class, then the instructions that "
                          "differ, as "
                          "`diff -u` shows them. Addresses are left out, so that code that only "
                          "moved is equal; "
                          "branch distances count.",
                  .fields = described(kDiffFields),
                  .columns = described(kComparedColumns),
                  .scalar = "same_code",
                  .examples = {"object diff OBJECT OBJECT"}},
          {arg("before", &ObjectDiffArgs::before, "code object: a file or o1")
               .required()
               .completes(Complete::file),
           arg("after", &ObjectDiffArgs::after, "code object: a file or o2")
               .required()
               .completes(Complete::file),
           arg("kernel", &ObjectDiffArgs::kernel,
               "kernel: a name or unique part of one; needed when there are several")},
          object_diff));
}

}  // namespace rpl
