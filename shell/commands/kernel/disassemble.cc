// SPDX-License-Identifier: MIT
// disassemble and object diff: machine code beside its source, and what another build made of it.
#include <fmt/format.h>

#include <map>

#include "engine/isa/code/program_text.h"
#include "engine/isa/traits/architecture.h"
#include "engine/optimize/rules/diff.h"
#include "shell/commands/debug/debug_data.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/session/debug_state.h"
#include "shell/core/session/inputs.h"

namespace rpl {
namespace {

struct DisassembleArgs {
  std::string object, kernel;
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

Value label_of(const std::map<std::uint64_t, std::string>& labels, std::uint64_t address) {
  const auto found = labels.find(address);
  return found == labels.end() ? Value() : Value(found->second);
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

/// The instructions around where the stopped kernel stands.
Document around_the_stop(const DebugState& debug, const debug::Session& session) {
  Document out = listing_around(session, *session.selected());
  out.set("kernel", session.program().kernel);
  out.set("object", debug.debugging->of);
  out.set("architecture", to_string(session.program().arch));
  out.set("instructions", std::uint64_t{out.rows.size()});
  out.provenance = Provenance::recorded;
  return out;
}

Result<Document> run_disassemble(const DisassembleArgs& args, Inputs inputs,
                                 const DebugState& debug) {
  const debug::Session* session = args.object.empty() ? stopped(debug) : nullptr;
  if (session != nullptr && session->selected() != nullptr) return around_the_stop(debug, *session);
  const ObjectEntry entry = TRY(object_named(inputs, args.object));
  const isa::CodeObject& object = *entry->value;
  const isa::Kernel& kernel = *TRY(object.kernel(args.kernel));
  const auto code = TRY(isa::decode_body(object, kernel));
  Document out;
  out.set("kernel", kernel.name);
  out.set("object", entry->id);
  out.set("architecture", to_string(object.arch()));
  out.set("instructions", std::uint64_t{code.size()});
  const isa::SourceLines lines = lines_of(object, out);
  const auto labels = labels_of(code);
  for (const auto& [address, instruction] : code) {
    const auto target = isa::branch_target(address, instruction);
    const std::string place = isa::place_text(lines.chain(address));
    out.rows.push_back({Value(hex(address)), label_of(labels, address),
                        Value(isa::disassemble(object.arch(), instruction)),
                        target ? label_of(labels, *target) : Value(),
                        Value(to_string(isa::class_of(*instruction.opcode))),
                        Value(words_text(instruction)), place.empty() ? Value() : Value(place)});
  }
  out.provenance = Provenance::recorded;
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

void compare_numbers(const Build& before, const Build& after, Document& out) {
  const auto row = [&](std::string_view what, std::uint64_t a, std::uint64_t b) {
    if (a == 0 && b == 0) return;
    out.rows.push_back({Value(what), Value(a), Value(b),
                        Value(static_cast<std::int64_t>(b) - static_cast<std::int64_t>(a))});
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
}

Result<Document> object_diff(const ObjectDiffArgs& args, Inputs inputs) {
  const Build before = TRY(build_of(inputs, args.before, args.kernel));
  const Build after =
      TRY(build_of(inputs, args.after, args.kernel.empty() ? before.kernel->name : args.kernel));
  Document out;
  out.set("kernel", before.kernel->name);
  out.set("before", before.entry->id);
  out.set("after", after.entry->id);
  out.set("same_code", before.facts.code_hash == after.facts.code_hash);
  const std::string diff =
      unified_diff(before.text, after.text, before.entry->path, after.entry->path);
  out.set("diff", diff.empty() ? Value() : Value(diff));
  out.heading = diff.empty() ? fmt::format("{}: {} and {} hold the same instructions",
                                           before.kernel->name, before.entry->id, after.entry->id)
                             : diff;
  compare_numbers(before, after, out);
  out.provenance = Provenance::recorded;
  return out;
}

std::vector<Column> listing_columns() {
  return {{"address", Type::address, Unit::none, "relative to where the code object is loaded"},
          {"label", Type::string, Unit::none, "name of a place that a branch goes to"},
          {"instruction", Type::string, Unit::none, "as llvm-objdump writes it"},
          {"target", Type::string, Unit::none,
           "label that the branch goes to; null outside the listing"},
          {"class", Type::string, Unit::none, "the unit it keeps busy", InText::never},
          {"encoding", Type::string, Unit::none, "its words, in hexadecimal", InText::if_room},
          {"source", Type::string, Unit::none, "where it comes from, then what it was inlined at",
           InText::if_room}};
}

}  // namespace

void add_disassemble_commands(Registry& registry) {
  add(registry,
      command(
          Command{.path = "disassemble",
                  .chapter = Class::data,
                  .summary = "Show the machine code of a kernel, with source lines.",
                  .help = "From the kernel's entry to its last s_endpgm. `att insts` shows the "
                          "same beside the "
                          "cycles of a thread trace. Alone, with a kernel stopped on the "
                          "emulated device: the instructions "
                          "around the one that comes next, `=>`. Source lines need a code "
                          "object built with "
                          "-gline-tables-only or -g.",
                  .fields = {{"kernel", Type::kernel, Unit::none, "name in the code object"},
                             {"object", Type::id, Unit::none, "the code object"},
                             {"architecture", Type::string, Unit::none, isa::architecture_names()},
                             {"instructions", Type::integer, Unit::count, "in the listing"}},
                  .columns = listing_columns(),
                  .scalar = "instructions",
                  .aliases = {"disas"},
                  .examples = {"disassemble OBJECT vector_add"}},
          {arg("object", &DisassembleArgs::object,
               "code object: a file or o1; the current one without")
               .completes(Complete::file),
           arg("kernel", &DisassembleArgs::kernel,
               "kernel: a name or unique part of one; needed when there are several")},
          run_disassemble));
  add(registry,
      command(
          Command{.path = "object diff",
                  .chapter = Class::files,
                  .summary = "Compare the machine code that two builds made of a kernel.",
                  .help = "Registers, memory and instructions by class, then the instructions that "
                          "differ, as "
                          "`diff -u` shows them. Addresses are left out, so that code that only "
                          "moved is equal; "
                          "branch distances count.",
                  .fields = {{"kernel", Type::kernel, Unit::none, "name in the first code object"},
                             {"before", Type::id, Unit::none, "the first code object"},
                             {"after", Type::id, Unit::none, "the second"},
                             {"same_code", Type::boolean, Unit::none,
                              "whether the machine code is the same"},
                             {"diff", Type::string, Unit::none,
                              "of the instructions; null for equal ones"}},
                  .columns = {{"what", Type::string, Unit::none,
                               "a resource, or a class of instructions"},
                              {"before", Type::integer, Unit::count, "in the first"},
                              {"after", Type::integer, Unit::count, "in the second"},
                              {"change", Type::integer, Unit::count, "after - before"}},
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
