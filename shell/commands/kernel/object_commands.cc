// SPDX-License-Identifier: MIT
// object list, meta and kernel: what code objects say of their kernels.
#include <fmt/format.h>

#include "engine/base/files.h"
#include "engine/document/bound.h"
#include "engine/isa/code/program_text.h"
#include "engine/isa/object/bundle.h"
#include "engine/isa/traits/architecture.h"
#include "engine/triton/metadata.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/session/inputs.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

struct ObjectArgs {
  std::string object, kernel;
};

using isa::CodeObject;
using isa::Kernel;
using isa::StaticFacts;
using OpenObject = Shelved<CodeObject>;

std::uint64_t kernels_in(const CodeObject& object) { return object.kernels().size(); }
std::uint64_t bytes_of(const CodeObject& object) { return object.bytes().size(); }

constexpr auto kArchitecture = column<&CodeObject::arch>("architecture", isa::kArchitectureNames);
constexpr auto kSize = column<&bytes_of>("size_bytes", "of the ELF file");
constexpr auto kHash = column<&CodeObject::hash>("code_hash", "SHA-256 of the ELF file");

constexpr auto kListedFields = bound_to<CodeObject>(
    kArchitecture, column<&kernels_in>("kernels", "kernels in it"), kSize, kHash.if_room());
constexpr auto kIdField = bound_to<OpenObject>(
    column<&OpenObject::id>("id", "name of the code object in this session").as(Type::id));
constexpr auto kPathField = bound_to<OpenObject>(column<&OpenObject::path>("path", "its file"));

struct ListRow {
  ObjectEntry entry;
  bool current = false;
};
constexpr auto kListColumns =
    bound_to<ListRow>(through<kIdField, &ListRow::entry>(),
                      column<&ListRow::current>("current", "whether commands work on it"),
                      through<kListedFields, &ListRow::entry, &OpenObject::value>(),
                      through<kPathField, &ListRow::entry>());

Result<Document> list_objects(const Workspace& workspace) {
  std::vector<ListRow> rows;
  for (const auto& entry : workspace.objects.all())
    rows.push_back({entry, entry == workspace.objects.current()});
  Document out;
  out.table(kListColumns, rows);
  if (rows.empty()) out.notes.emplace_back("no code object is open; open one: open FILE.co");
  out.provenance = Provenance::recorded;
  return out;
}

constexpr auto kObjectFields = bound_to<CodeObject>(kArchitecture, kSize, kHash);

struct MetaRow {
  const Kernel* kernel = nullptr;
  std::optional<StaticFacts> facts;  ///< none where the code cannot be read
};
std::uint64_t spills(const Kernel& kernel) {
  return std::uint64_t{kernel.vgpr_spills} + kernel.sgpr_spills;
}
std::uint64_t parameters(const Kernel& kernel) { return kernel.explicit_arguments().size(); }

// What the list of kernels and the page of one say in the same words.
constexpr auto kName = column<&Kernel::name>("kernel", "name in the code object").as(Type::kernel);
constexpr auto kVgprs = column<&Kernel::vgprs>("vgprs", "architectural vector registers of a wave");
constexpr auto kAgprs = column<&Kernel::agprs>("agprs", "accumulation registers");
constexpr auto kSgprs = column<&Kernel::sgprs>("sgprs", "scalar registers");
constexpr auto kLds = column<&Kernel::lds_bytes>("lds_bytes", "static LDS of a workgroup");
constexpr auto kScratch = column<&Kernel::scratch_bytes>("scratch_bytes", "scratch of a work-item");
constexpr auto kKernarg =
    column<&Kernel::kernarg_bytes>("kernarg_bytes", "size of the kernel argument segment");
constexpr auto kWorkgroup =
    column<&Kernel::max_workgroup>("max_workgroup", "work-items allowed in a workgroup");
constexpr auto kInstructions =
    column<&StaticFacts::instructions>("instructions", "machine instructions, padding left out");
constexpr auto kCodeBytes = column<&StaticFacts::code_bytes>("code_bytes", "their size");

constexpr auto kResources = bound_to<Kernel>(
    kName, kVgprs, kAgprs.if_room(), kSgprs,
    column<&spills>("spills", "registers spilled to scratch"), kLds, kScratch, kKernarg.if_room(),
    column<&parameters>("parameters", "explicit parameters").if_room(), kWorkgroup.if_room());
constexpr auto kCodeSize = bound_to<StaticFacts>(kInstructions, kCodeBytes);
constexpr auto kMetaColumns = bound_to<MetaRow>(through<kResources, &MetaRow::kernel>(),
                                                through<kCodeSize, &MetaRow::facts>());

/// What Triton wrote beside a code object.
struct BesideObject {
  std::optional<triton::Metadata> triton;
};
constexpr auto kBesideFields = bound_to<BesideObject>(
    column<&BesideObject::triton>("triton",
                                  "how Triton compiled it, where its metadata lies "
                                  "beside the code object")
        .if_known());

/// A file that cannot be trusted takes nothing from what the code object says itself.
void put_beside(const OpenObject& object, std::string_view kernel, Document& out) {
  auto metadata = triton::metadata_beside(object.path, *object.value);
  if (!metadata) out.notes.push_back(metadata.error().message);
  BesideObject beside;
  if (metadata && *metadata && (kernel.empty() || (*metadata)->kernel == kernel))
    beside.triton = *std::move(*metadata);
  out.put(kBesideFields, beside);
}

Result<Document> object_meta(const ObjectArgs& args, Inputs inputs) {
  const ObjectEntry entry = TRY(object_named(inputs, args.object));
  const isa::CodeObject& object = *entry->value;
  Document out;
  out.put(kIdField, *entry);
  out.put(kPathField, *entry);
  out.put(kObjectFields, object);
  put_beside(*entry, {}, out);
  std::vector<MetaRow> rows;
  for (const Kernel& kernel : object.kernels()) {
    auto facts = isa::static_facts(object, kernel);
    if (!facts) out.notes.push_back(fmt::format("{}: {}", kernel.name, facts.error().message));
    rows.push_back({&kernel, facts ? std::optional(*std::move(facts)) : std::nullopt});
  }
  out.table(kMetaColumns, rows);
  out.provenance = Provenance::recorded;
  if (!object.kernels().empty())
    out.next = {"object kernel " + entry->id + " " + object.kernels()[0].name};
  return out;
}

constexpr auto kKernelName = bound_to<Kernel>(kName);
constexpr auto kOwnerField =
    bound_to<OpenObject>(column<&OpenObject::id>("object", "the code object").as(Type::id));
constexpr auto kKernelFields = bound_to<Kernel>(
    kVgprs, kAgprs, kSgprs,
    column<&Kernel::vgpr_spills>("vgpr_spills", "vector registers spilled to scratch"),
    column<&Kernel::sgpr_spills>("sgpr_spills", "scalar registers spilled"), kLds, kScratch,
    kKernarg, kWorkgroup);
constexpr auto kCodeFields = bound_to<StaticFacts>(
    kInstructions,
    column<&StaticFacts::by_class, &by_name<isa::Class, decltype(StaticFacts::by_class)>>(
        "by_class", "the same by class")
        .in(Unit::count),
    column<&StaticFacts::atomics>("atomics", "atomic instructions among them"),
    column<&StaticFacts::scratch_accesses>("scratch_accesses", "scratch instructions among them"),
    kCodeBytes,
    column<&StaticFacts::code_hash>("code_hash", "SHA-256 of these bytes: equal for equal code"));

using isa::KernelArgument;
struct ArgumentRow {
  KernelArgument argument;
  std::optional<std::uint64_t> number;  ///< none for hidden ones
};
constexpr auto kArgumentColumns = bound_to<ArgumentRow>(
    column<&ArgumentRow::number>("argument", "its number, from 1; null for hidden ones"),
    column<&ArgumentRow::argument, &KernelArgument::offset>("offset_bytes", "in the segment"),
    column<&ArgumentRow::argument, &KernelArgument::size>("size_bytes", "its size"),
    column<&ArgumentRow::argument, &KernelArgument::value_kind>("kind", "as the metadata says"),
    column<&ArgumentRow::argument, &KernelArgument::access>("access",
                                                            "read_only, write_only or unknown")
        .if_room()
        .or_null(),
    column<&ArgumentRow::argument, &KernelArgument::name>("name", "where the compiler kept it")
        .if_room()
        .or_null());

Result<Document> object_kernel(const ObjectArgs& args, Inputs inputs) {
  const ObjectEntry entry = TRY(object_named(inputs, args.object));
  const Kernel& kernel = *TRY(entry->value->kernel(args.kernel));
  const StaticFacts facts = TRY(isa::static_facts(*entry->value, kernel));
  Document out;
  out.put(kKernelName, kernel);
  out.put(kOwnerField, *entry);
  out.put(kKernelFields, kernel);
  out.put(kCodeFields, facts);
  put_beside(*entry, kernel.name, out);
  std::vector<ArgumentRow> rows;
  std::uint64_t number = 0;
  for (const KernelArgument& argument : kernel.arguments) {
    rows.push_back({argument, {}});
    if (argument.kind != KernelArgument::Kind::hidden) rows.back().number = ++number;
  }
  out.table(kArgumentColumns, rows);
  out.provenance = Provenance::recorded;
  out.next = {fmt::format("disassemble {} {}", entry->id, kernel.name)};
  return out;
}

struct ContentsArgs {
  std::string file;
};

constexpr auto kFileField = bound_to<ContentsArgs>(column<&ContentsArgs::file>("path", "its file"));

/// A code object inside a file.
struct Content {
  std::string object, target, triple;
  std::optional<std::uint64_t> kernels;
  std::uint64_t size_bytes = 0;
  std::string names;
};
constexpr auto kContentColumns = bound_to<Content>(
    column<&Content::object>("object", "how to name it"),
    column<&Content::target>("architecture", "what it is for; null when unknown").or_null(),
    column<&Content::triple>("triple", "its name in the bundle; null outside of one")
        .if_room()
        .or_null(),
    column<&Content::kernels>("kernels",
                              "kernels in it; null for an architecture that is not known here"),
    column<&Content::size_bytes>("size_bytes", "of the ELF file"),
    column<&Content::names>("names", "of its kernels").if_room().or_null());

Result<Document> object_contents(const ContentsArgs& args) {
  const auto bytes = TRY(read_binary_file(args.file));
  const auto all = isa::code_objects_in(isa::ByteView(bytes));
  if (!all) return Failure(Error(all.error()).in(args.file));
  Document out;
  out.put(kFileField, args);
  std::vector<Content> rows;
  for (const isa::Embedded& embedded : *all) {
    const auto object = CodeObject::parse(embedded.bytes);
    Content& row = rows.emplace_back();
    row.object = fmt::format("{}#{}", args.file, rows.size());
    row.target = object ? to_string((*object)->arch()) : embedded.target();
    row.triple = embedded.triple;
    row.size_bytes = embedded.bytes.size();
    if (object) {
      row.kernels = kernels_in(**object);
      for (const Kernel& kernel : (*object)->kernels())
        row.names += (row.names.empty() ? "" : ", ") + kernel.name;
    } else {
      out.notes.push_back(fmt::format("#{}: {}", rows.size(), object.error().message));
    }
  }
  out.table(kContentColumns, rows);
  out.provenance = Provenance::recorded;
  if (!out.rows.empty()) out.next = {fmt::format("open {}#1", args.file)};
  return out;
}

Bound object_argument() {
  return arg("object", &ObjectArgs::object, "code object: a file or o1; the current one without")
      .completes(Complete::file);
}

void add_object_list(Registry& registry) {
  add(registry,
      command(Command{.path = "object list",
                      .does = kReads,
                      .chapter = Class::files,
                      .summary = "List the open code objects.",
                      .help = "Code objects are opened by `open` and by naming their file in any "
                              "command that takes one.",
                      .columns = described(kListColumns),
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
              .does = kReads,
              .chapter = Class::files,
              .summary = "List the code objects inside a bundle, program or library.",
              .help = "FILE is an offload bundle of clang, compressed or not, or a program or "
                      "library that HIP code was linked into; "
                      "a code object holds itself. Every command that takes a code object takes "
                      "the names listed here, or "
                      "`FILE#" +
                      isa::usual_architecture() + "` for the code of an architecture.",
              .fields = described(kFileField),
              .columns = described(kContentColumns),
              .scalar = "object",
              .examples = {"object contents OBJECT"}},
          {arg("file", &ContentsArgs::file, "bundle, program or library")
               .required()
               .completes(Complete::file)},
          object_contents));
}

void add_object_meta(Registry& registry) {
  add(registry,
      command(Command{.path = "object meta",
                      .does = kReads,
                      .chapter = Class::files,
                      .summary = "Show the kernels of a code object and what they need.",
                      .help = "Registers, LDS, scratch and arguments as the metadata of the code "
                              "object gives them; `object kernel` shows one kernel in full. For "
                              "the NAME.hsaco of Triton, also what the NAME.json beside it says.",
                      .fields = described({kIdField, kPathField, kObjectFields, kBesideFields}),
                      .columns = described(kMetaColumns),
                      .scalar = "id",
                      .examples = {"object meta OBJECT"}},
              {object_argument()}, object_meta));
}

void add_object_kernel(Registry& registry) {
  add(registry,
      command(
          Command{.path = "object kernel",
                  .does = kReads,
                  .chapter = Class::files,
                  .summary = "Show one kernel: resources, instruction mix, argument layout.",
                  .help = "The rows are the kernel argument segment, hidden arguments included, "
                          "which the runtime fills. The mix counts instructions in the code, "
                          "not executions.",
                  .fields = described(
                      {kKernelName, kOwnerField, kKernelFields, kCodeFields, kBesideFields}),
                  .columns = described(kArgumentColumns),
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
