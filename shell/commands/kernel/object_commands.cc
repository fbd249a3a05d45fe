// SPDX-License-Identifier: MIT
// object list, meta and kernel: what code objects say of their kernels.
#include <fmt/format.h>

#include "engine/base/files.h"
#include "engine/isa/code/program_text.h"
#include "engine/isa/object/bundle.h"
#include "engine/isa/traits/architecture.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/session/inputs.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

struct ObjectArgs {
  std::string object, kernel;
};

Result<Document> list_objects(const Workspace& workspace) {
  Document out;
  for (const auto& entry : workspace.objects.all()) {
    out.rows.push_back({Value(entry->id), Value(entry == workspace.objects.current()),
                        Value(to_string(entry->value->arch())),
                        Value(std::uint64_t{entry->value->kernels().size()}),
                        Value(std::uint64_t{entry->value->bytes().size()}),
                        Value(entry->value->hash()), Value(entry->path)});
  }
  if (out.rows.empty()) out.notes.emplace_back("no code object is open; open one: open FILE.co");
  out.provenance = Provenance::recorded;
  return out;
}

Record mix_of(const isa::StaticFacts& facts) {
  Record mix;
  for (std::size_t i = 0; i < facts.by_class.size(); ++i) {
    if (facts.by_class[i] == 0) continue;
    mix.emplace_back(to_string(static_cast<isa::Class>(i)), Value(facts.by_class[i]));
  }
  return mix;
}

Result<Document> object_meta(const ObjectArgs& args, Inputs inputs) {
  const ObjectEntry entry = TRY(object_named(inputs, args.object));
  const isa::CodeObject& object = *entry->value;
  Document out;
  out.set("id", entry->id);
  out.set("path", entry->path);
  out.set("architecture", to_string(object.arch()));
  out.set("size_bytes", std::uint64_t{object.bytes().size()});
  out.set("code_hash", object.hash());
  for (const isa::Kernel& kernel : object.kernels()) {
    const auto facts = isa::static_facts(object, kernel);
    if (!facts) out.notes.push_back(fmt::format("{}: {}", kernel.name, facts.error().message));
    out.rows.push_back(
        {Value(kernel.name), Value(kernel.vgprs), Value(kernel.agprs), Value(kernel.sgprs),
         Value(std::uint64_t{kernel.vgpr_spills} + kernel.sgpr_spills), Value(kernel.lds_bytes),
         Value(kernel.scratch_bytes), Value(kernel.kernarg_bytes),
         Value(std::uint64_t{kernel.explicit_arguments().size()}), Value(kernel.max_workgroup),
         facts ? Value(facts->instructions) : Value(), facts ? Value(facts->code_bytes) : Value()});
  }
  out.provenance = Provenance::recorded;
  if (!object.kernels().empty())
    out.next = {"object kernel " + entry->id + " " + object.kernels()[0].name};
  return out;
}

Result<Document> object_kernel(const ObjectArgs& args, Inputs inputs) {
  const ObjectEntry entry = TRY(object_named(inputs, args.object));
  const isa::Kernel& kernel = *TRY(entry->value->kernel(args.kernel));
  const isa::StaticFacts facts = TRY(isa::static_facts(*entry->value, kernel));
  Document out;
  out.set("kernel", kernel.name);
  out.set("object", entry->id);
  out.set("vgprs", kernel.vgprs);
  out.set("agprs", kernel.agprs);
  out.set("sgprs", kernel.sgprs);
  out.set("vgpr_spills", kernel.vgpr_spills);
  out.set("sgpr_spills", kernel.sgpr_spills);
  out.set("lds_bytes", kernel.lds_bytes);
  out.set("scratch_bytes", kernel.scratch_bytes);
  out.set("kernarg_bytes", kernel.kernarg_bytes);
  out.set("max_workgroup", kernel.max_workgroup);
  out.set("instructions", facts.instructions);
  out.set("by_class", Value(mix_of(facts)));
  out.set("atomics", facts.atomics);
  out.set("scratch_accesses", facts.scratch_accesses);
  out.set("code_bytes", facts.code_bytes);
  out.set("code_hash", facts.code_hash);
  std::uint64_t number = 0;
  for (const auto& argument : kernel.arguments) {
    const bool hidden = argument.kind == isa::KernelArgument::Kind::hidden;
    out.rows.push_back({hidden ? Value() : Value(++number), Value(argument.offset),
                        Value(argument.size), Value(argument.value_kind),
                        argument.access.empty() ? Value() : Value(argument.access),
                        argument.name.empty() ? Value() : Value(argument.name)});
  }
  out.provenance = Provenance::recorded;
  out.next = {fmt::format("disassemble {} {}", entry->id, kernel.name)};
  return out;
}

const Column kObjectId{"id", Type::id, Unit::none, "name of the code object in this session"};
struct ContentsArgs {
  std::string file;
};

Result<Document> object_contents(const ContentsArgs& args) {
  const auto bytes = TRY(read_binary_file(args.file));
  const auto all = isa::code_objects_in(isa::ByteView(bytes));
  if (!all) return Failure(Error(all.error()).in(args.file));
  Document out;
  out.set("path", args.file);
  for (std::size_t i = 0; i < all->size(); ++i) {
    const isa::Embedded& embedded = (*all)[i];
    const auto object = isa::CodeObject::parse(embedded.bytes);
    std::string kernels;
    if (object) {
      for (const isa::Kernel& kernel : (*object)->kernels())
        kernels += (kernels.empty() ? "" : ", ") + kernel.name;
    }
    const std::string target =
        object ? std::string(to_string((*object)->arch())) : std::string(embedded.target());
    out.rows.push_back(
        {Value(fmt::format("{}#{}", args.file, i + 1)), target.empty() ? Value() : Value(target),
         embedded.triple.empty() ? Value() : Value(embedded.triple),
         object ? Value(std::uint64_t{(*object)->kernels().size()}) : Value(),
         Value(std::uint64_t{embedded.bytes.size()}), kernels.empty() ? Value() : Value(kernels)});
    if (!object) out.notes.push_back(fmt::format("#{}: {}", i + 1, object.error().message));
  }
  out.provenance = Provenance::recorded;
  if (!out.rows.empty()) out.next = {fmt::format("open {}#1", args.file)};
  return out;
}

const Column kObjectPath{"path", Type::string, Unit::none, "its file"};

Bound object_argument() {
  return arg("object", &ObjectArgs::object, "code object: a file or o1; the current one without")
      .completes(Complete::file);
}

const std::vector<Column> kMetaColumns{
    {"kernel", Type::kernel, Unit::none, "name in the code object"},
    {"vgprs", Type::integer, Unit::count, "architectural vector registers of a wave"},
    {"agprs", Type::integer, Unit::count, "accumulation registers", InText::if_room},
    {"sgprs", Type::integer, Unit::count, "scalar registers"},
    {"spills", Type::integer, Unit::count, "registers spilled to scratch"},
    {"lds_bytes", Type::integer, Unit::bytes, "static LDS of a workgroup"},
    {"scratch_bytes", Type::integer, Unit::bytes, "scratch of a work-item"},
    {"kernarg_bytes", Type::integer, Unit::bytes, "size of the kernel argument segment",
     InText::if_room},
    {"parameters", Type::integer, Unit::count, "explicit parameters"},
    {"max_workgroup", Type::integer, Unit::count, "work-items allowed in a workgroup",
     InText::if_room},
    {"instructions", Type::integer, Unit::count, "machine instructions, padding left out"},
    {"code_bytes", Type::integer, Unit::bytes, "their size"}};

std::vector<Column> kernel_fields() {
  return {{"kernel", Type::kernel, Unit::none, "name in the code object"},
          {"object", Type::id, Unit::none, "the code object"},
          {"vgprs", Type::integer, Unit::count, "architectural vector registers of a wave"},
          {"agprs", Type::integer, Unit::count, "accumulation registers"},
          {"sgprs", Type::integer, Unit::count, "scalar registers"},
          {"vgpr_spills", Type::integer, Unit::count, "vector registers spilled to scratch"},
          {"sgpr_spills", Type::integer, Unit::count, "scalar registers spilled"},
          {"lds_bytes", Type::integer, Unit::bytes, "static LDS of a workgroup"},
          {"scratch_bytes", Type::integer, Unit::bytes, "scratch of a work-item"},
          {"kernarg_bytes", Type::integer, Unit::bytes, "size of the kernel argument segment"},
          {"max_workgroup", Type::integer, Unit::count, "work-items allowed in a workgroup"},
          {"instructions", Type::integer, Unit::count, "machine instructions, padding left out"},
          {"by_class", Type::record, Unit::count, "the same by class"},
          {"atomics", Type::integer, Unit::count, "atomic instructions among them"},
          {"scratch_accesses", Type::integer, Unit::count, "scratch instructions among them"},
          {"code_bytes", Type::integer, Unit::bytes, "their size"},
          {"code_hash", Type::string, Unit::none, "SHA-256 of these bytes: equal for equal code"}};
}

void add_object_list(Registry& registry) {
  add(registry,
      command(
          Command{.path = "object list",
                  .chapter = Class::files,
                  .summary = "List the open code objects.",
                  .help = "Code objects are opened by `open` and by naming their file in any "
                          "command that takes one.",
                  .columns = {kObjectId,
                              {"current", Type::boolean, Unit::none, "whether commands work on it"},
                              {"architecture", Type::string, Unit::none, isa::architecture_names()},
                              {"kernels", Type::integer, Unit::count, "kernels in it"},
                              {"size_bytes", Type::integer, Unit::bytes, "of the ELF file"},
                              {"code_hash", Type::string, Unit::none, "SHA-256 of the ELF file",
                               InText::if_room},
                              kObjectPath},
                  .scalar = "id",
                  .aliases = {"info objects"},
                  .examples = {"object list"}},
          list_objects));
}

void add_object_contents(Registry& registry) {
  add(registry,
      command(
          Command{
              .path = "object contents",
              .chapter = Class::files,
              .summary = "List the code objects inside a bundle, program or library.",
              .help = "FILE is an offload bundle of clang, compressed or not, or a program or "
                      "library that HIP code was linked into; "
                      "a code object holds itself. Every command that takes a code object takes "
                      "the names listed here, or "
                      "`FILE#" +
                      isa::usual_architecture() + "` for the code of an architecture.",
              .fields = {kObjectPath},
              .columns = {{"object", Type::string, Unit::none, "how to name it"},
                          {"architecture", Type::string, Unit::none,
                           "what it is for; null when unknown"},
                          {"triple", Type::string, Unit::none,
                           "its name in the bundle; null outside of one", InText::if_room},
                          {"kernels", Type::integer, Unit::count,
                           "kernels in it; null for an architecture that is not known here"},
                          {"size_bytes", Type::integer, Unit::bytes, "of the ELF file"},
                          {"names", Type::string, Unit::none, "of its kernels", InText::if_room}},
              .scalar = "object",
              .examples = {"object contents OBJECT"}},
          {arg("file", &ContentsArgs::file, "bundle, program or library")
               .required()
               .completes(Complete::file)},
          object_contents));
}

void add_object_meta(Registry& registry) {
  add(registry,
      command(
          Command{.path = "object meta",
                  .chapter = Class::files,
                  .summary = "Show the kernels of a code object and what they need.",
                  .help = "Registers, LDS, scratch and arguments as the metadata of the code "
                          "object gives them; `object kernel` shows one kernel in full.",
                  .fields = {kObjectId,
                             kObjectPath,
                             {"architecture", Type::string, Unit::none, isa::architecture_names()},
                             {"size_bytes", Type::integer, Unit::bytes, "of the ELF file"},
                             {"code_hash", Type::string, Unit::none, "SHA-256 of the ELF file"}},
                  .columns = kMetaColumns,
                  .scalar = "id",
                  .examples = {"object meta OBJECT"}},
          {object_argument()}, object_meta));
}

void add_object_kernel(Registry& registry) {
  add(registry,
      command(
          Command{.path = "object kernel",
                  .chapter = Class::files,
                  .summary = "Show one kernel: resources, instruction mix, argument layout.",
                  .help = "The rows are the kernel argument segment, hidden arguments included, "
                          "which the runtime fills. The mix counts instructions in the code, "
                          "not executions.",
                  .fields = kernel_fields(),
                  .columns = {{"argument", Type::integer, Unit::count,
                               "its number, from 1; null for hidden ones"},
                              {"offset_bytes", Type::integer, Unit::bytes, "in the segment"},
                              {"size_bytes", Type::integer, Unit::bytes, "its size"},
                              {"kind", Type::string, Unit::none, "as the metadata says"},
                              {"access", Type::string, Unit::none,
                               "read_only, write_only or unknown", InText::if_room},
                              {"name", Type::string, Unit::none, "where the compiler kept it",
                               InText::if_room}},
                  .scalar = "vgprs",
                  .examples = {"object kernel OBJECT vector_add"}},
          {object_argument(),
           arg("kernel", &ObjectArgs::kernel,
               "kernel: a name or unique part of one; needed when there are several")},
          object_kernel));
}

}  // namespace

void add_object_commands(Registry& registry) {
  add_object_list(registry);
  add_object_contents(registry);
  add_object_meta(registry);
  add_object_kernel(registry);
}

}  // namespace rpl
