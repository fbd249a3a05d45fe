// SPDX-License-Identifier: MIT
#include "engine/isa/object/code_object.h"

#include "engine/base/text.h"
#include "engine/isa/object/function_names.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/files.h"
#include "engine/base/sha256.h"
#include "engine/isa/object/bundle.h"
#include "engine/isa/object/compressed_section.h"
#include "engine/isa/object/msgpack.h"

namespace rpl::isa {
namespace {

Result<Arch> arch_of(std::uint32_t flags) {
  constexpr std::uint32_t kMachineMask = 0xff;  // EF_AMDGPU_MACH of llvm.org/docs/AMDGPUUsage.html
  const std::uint32_t machine = flags & kMachineMask;
  for (const Arch arch : architectures()) {
    if (traits(arch).machine == machine) return arch;
  }
  return fail(Errc::unsupported,
              fmt::format("code object for machine 0x{:x} is neither {}", machine,
                          architecture_names(" nor ")),
              "compile with " + architecture_names(" or ", "--offload-arch="));
}

KernelArgument::Kind kind_of(std::string_view value_kind) {
  using Kind = KernelArgument::Kind;
  if (value_kind == "by_value") return Kind::by_value;
  if (value_kind == "global_buffer") return Kind::global_buffer;
  if (value_kind == "dynamic_shared_pointer") return Kind::dynamic_lds_pointer;
  return value_kind.starts_with("hidden_") ? Kind::hidden : Kind::other;
}

Result<KernelArgument> read_argument(const Msgpack& entry, std::uint32_t kernarg_bytes) {
  KernelArgument argument;
  argument.value_kind = entry[".value_kind"].text();
  argument.kind = kind_of(argument.value_kind);
  argument.name = entry[".name"].text();
  argument.offset = entry[".offset"].number();
  argument.size = entry[".size"].number();
  argument.access = entry[".actual_access"].text();
  if (argument.offset > kernarg_bytes || argument.size > kernarg_bytes - argument.offset) {
    return fail(Errc::corrupt, "a kernel argument is outside the kernarg segment");
  }
  return argument;
}

void read_resources(const Msgpack& entry, Kernel& kernel) {
  kernel.kernarg_bytes = entry[".kernarg_segment_size"].number();
  kernel.lds_bytes = entry[".group_segment_fixed_size"].number();
  kernel.scratch_bytes = entry[".private_segment_fixed_size"].number();
  kernel.vgprs = entry[".vgpr_count"].number();
  kernel.agprs = entry[".agpr_count"].number();
  kernel.sgprs = entry[".sgpr_count"].number();
  kernel.vgpr_spills = entry[".vgpr_spill_count"].number();
  kernel.sgpr_spills = entry[".sgpr_spill_count"].number();
  kernel.wave_size = entry[".wavefront_size"].number(kWaveSize);
  kernel.max_workgroup = entry[".max_flat_workgroup_size"].number(kMaxWorkgroup);
  kernel.dynamic_stack = entry[".uses_dynamic_stack"].flag();
}

}  // namespace

std::vector<KernelArgument> Kernel::explicit_arguments() const {
  std::vector<KernelArgument> result;
  for (const auto& argument : arguments) {
    if (argument.kind != KernelArgument::Kind::hidden) result.push_back(argument);
  }
  return result;
}

Result<std::shared_ptr<const CodeObject>> CodeObject::open(const std::string& path) {
  const auto [name, which] = split_choice(path);
  auto object = parse(TRY(read_binary_file(name)), which);
  if (object) return object;
  for (const std::string_view source : {".hip", ".cpp", ".cc", ".cu", ".cxx"}) {
    if (name.ends_with(source))
      return fail(Errc::unsupported, name + " is source, and not a code object",
                  fmt::format("'build {} --device-only' compiles its kernels", name));
  }
  return Failure(std::move(object).error().in(name));
}

Result<std::shared_ptr<const CodeObject>> CodeObject::parse(std::vector<std::byte> bytes,
                                                            std::string_view which) {
  const bool plain = !is_bundle(ByteView(bytes)) && !is_host_elf(ByteView(bytes));
  if (plain) {
    auto object = TRY(parse_plain(std::move(bytes)));
    const bool fits = which.empty() || which == to_string(object->arch()) || which == "1";
    if (fits) return object;
    return fail(
        Errc::not_found,
        fmt::format("the code object is for {}, not for {}", to_string(object->arch()), which),
        fmt::format("--arch {}", to_string(object->arch())));
  }
  // Programs of several source files have a code object for each, many of them without a kernel.
  std::vector<std::shared_ptr<const CodeObject>> with_kernels, without;
  std::string names;
  for (Embedded& embedded : TRY(chosen_objects(TRY(code_objects_in(ByteView(bytes))), which))) {
    auto object = TRY(parse_plain(std::move(embedded.bytes)));
    auto& kind = object->kernels().empty() ? without : with_kernels;
    for (const Kernel& kernel : object->kernels())
      names += fmt::format("{}{}", names.empty() ? "" : ", ", demangled(kernel.name));
    kind.push_back(std::move(object));
  }
  if (with_kernels.size() > 1) {
    return fail(Errc::ambiguous,
                fmt::format("the file holds {} code objects for {} with the kernels {}",
                            with_kernels.size(), to_string(with_kernels[0]->arch()), names),
                "name one by its number in the file, as in app#2; object contents shows them");
  }
  return with_kernels.empty() ? without.front() : with_kernels.front();
}

Result<std::shared_ptr<const CodeObject>> CodeObject::parse_plain(std::vector<std::byte> bytes) {
  auto object = std::shared_ptr<CodeObject>(new CodeObject());
  object->bytes_ = std::move(bytes);
  object->elf_ = TRY(read_elf(ByteView(object->bytes_)));
  object->arch_ = TRY(arch_of(object->elf_.flags));
  object->index_symbols();
  TRY(object->read_kernels());
  object->hash_ =
      sha256_hex({reinterpret_cast<const char*>(object->bytes_.data()), object->bytes_.size()});
  return object;
}

Result<std::shared_ptr<const CodeObject>> CodeObject::of_memory(KernelInMemory memory) {
  constexpr std::uint64_t kWord = 4;
  const std::uint64_t entry =
      memory.descriptor + static_cast<std::uint64_t>(memory.fields.entry_offset);
  const std::uint64_t offset = entry - memory.code_address, size = memory.code.size();
  const bool inside = size >= kWord && offset <= size - kWord;
  if (!inside || entry % kWord != 0 || memory.code_address % kWord != 0) {
    return fail(Errc::corrupt,
                fmt::format("the entry of '{}' at 0x{:x} is outside its code", memory.name, entry));
  }
  auto object = std::shared_ptr<CodeObject>(new CodeObject());
  object->arch_ = memory.arch;
  object->bytes_ = std::move(memory.code);
  object->elf_.segments.push_back(
      {.address = memory.code_address, .file_size = size, .memory_size = size, .executable = true});
  object->hash_ =
      sha256_hex({reinterpret_cast<const char*>(object->bytes_.data()), object->bytes_.size()});
  Kernel kernel;
  kernel.name = std::move(memory.name);
  kernel.symbol = kernel.name + ".kd";
  kernel.descriptor = memory.fields;
  kernel.scratch_bytes = memory.fields.scratch_bytes;
  kernel.vgprs = memory.fields.vgprs;
  kernel.dynamic_stack = memory.fields.dynamic_stack;
  kernel.wave_size = memory.fields.wave32 ? kWaveSize / 2 : kWaveSize;
  kernel.entry = entry;
  kernel.code_bytes = size - offset;
  object->kernels_.push_back(std::move(kernel));
  return object;
}

Status CodeObject::read_kernels() {
  for (const ByteView note : elf_.metadata_notes) {
    const Msgpack metadata = TRY(read_msgpack(note));
    for (const auto& entry : metadata["amdhsa.kernels"].array()) {
      kernels_.push_back(TRY(read_kernel(entry)));
    }
  }
  return {};
}

Result<Kernel> CodeObject::read_kernel(const Msgpack& entry) const {
  Kernel kernel;
  kernel.name = entry[".name"].text();
  kernel.symbol = entry[".symbol"].text();
  read_resources(entry, kernel);
  for (const auto& argument : entry[".args"].array()) {
    kernel.arguments.push_back(TRY(read_argument(argument, kernel.kernarg_bytes)));
  }
  const Symbol* descriptor = symbol(kernel.symbol);
  if (descriptor == nullptr) {
    return fail(Errc::corrupt, fmt::format("kernel '{}' has no descriptor", kernel.name));
  }
  const auto bytes = TRY(loaded(descriptor->address, KernelDescriptor::kSize));
  kernel.descriptor = TRY(read_kernel_descriptor(bytes, 0));
  kernel.entry = descriptor->address + static_cast<std::uint64_t>(kernel.descriptor.entry_offset);
  const Symbol* code = function_at(kernel.entry);
  if (code != nullptr) kernel.code_bytes = code->address + code->size - kernel.entry;
  TRY(loaded(kernel.entry, kernel.code_bytes));
  return kernel;
}

const Kernel* CodeObject::kernel_exactly(std::string_view name) const {
  const auto found = std::ranges::find(kernels_, name, &Kernel::name);
  return found == kernels_.end() ? nullptr : &*found;
}

void CodeObject::index_symbols() {
  const std::vector<Symbol>& all = elf_.symbols;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    by_name_.push_back(i);
    if (all[i].kind == Symbol::Kind::function) functions_.push_back({i, 0});
  }
  // Of equal names the first of the file stays the first.
  std::ranges::stable_sort(by_name_, {},
                           [&](std::uint32_t i) { return std::string_view(all[i].name); });
  std::ranges::stable_sort(functions_, {},
                           [&](const Function& f) { return all[f.symbol].address; });
  std::uint64_t end = 0;
  for (Function& function : functions_) {
    const Symbol& symbol = all[function.symbol];
    end = std::max(end, symbol.address + std::min(symbol.size, ~symbol.address));
    function.last_end = end;
  }
}

const Symbol* CodeObject::symbol(std::string_view name) const {
  const auto found = std::ranges::lower_bound(
      by_name_, name, {}, [&](std::uint32_t i) { return std::string_view(elf_.symbols[i].name); });
  if (found == by_name_.end() || elf_.symbols[*found].name != name) return nullptr;
  return &elf_.symbols[*found];
}

const Symbol* CodeObject::function_at(std::uint64_t address) const {
  auto after = std::ranges::upper_bound(functions_, address, {}, [&](const Function& function) {
    return elf_.symbols[function.symbol].address;
  });
  const Symbol* best = nullptr;
  while (after != functions_.begin() && std::prev(after)->last_end > address) {
    const Symbol& symbol = elf_.symbols[(--after)->symbol];
    if (best != nullptr && symbol.address != best->address) break;
    // Of those that begin at the same place, the first of the file.
    if (address - symbol.address < symbol.size) best = &symbol;
  }
  return best;
}

Result<SourceLines> CodeObject::source_lines() const {
  const PlainDebugSections plain = TRY(plain_sections(elf_.debug));
  return SourceLines::read(plain.sections);
}

Result<const Kernel*> CodeObject::kernel(std::string_view name) const {
  std::vector<const Kernel*> matches, named;
  std::string names;
  for (const auto& kernel : kernels_) {
    if (kernel.name == name) return &kernel;
    if (kernel.name.find(name) != std::string::npos) matches.push_back(&kernel);
    if (names_function(name, kernel.name)) named.push_back(&kernel);
    names += fmt::format("{}{}", names.empty() ? "" : ", ", demangled(kernel.name));
  }
  // What a person calls it counts more than a part of it.
  if (!named.empty()) matches = named;
  if (matches.empty()) {
    for (const auto& kernel : kernels_) {
      if (function_text(kernel.name).find(name) != std::string::npos) matches.push_back(&kernel);
    }
  }
  if (matches.size() == 1) return matches.front();
  if (matches.empty()) {
    return fail(
        Errc::not_found, fmt::format("no kernel named '{}'", name),
        names.empty() ? "the code object holds no kernels" : fmt::format("it has {}", names));
  }
  return fail(Errc::ambiguous,
              fmt::format("'{}' is {} {} kernels", name,
                          named.empty() ? "part of the names of" : "the name of", matches.size()),
              fmt::format("it has {}", names));
}

Result<ByteView> CodeObject::loaded(std::uint64_t address, std::uint64_t size) const {
  for (const auto& segment : elf_.segments) {
    const std::uint64_t offset = address - segment.address;
    if (address < segment.address || offset > segment.file_size ||
        size > segment.file_size - offset)
      continue;
    const auto part = ByteView(bytes_).part(segment.file_offset + offset, size);
    if (part) return *part;
  }
  return fail(Errc::corrupt,
              fmt::format("no segment of the code object holds address 0x{:x}", address));
}

}  // namespace rpl::isa
