// SPDX-License-Identifier: MIT
#include "engine/isa/object/elf.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace rpl::isa {
namespace {

constexpr std::uint16_t kMachineAmdgpu = 224;
constexpr std::uint32_t kLoad = 1, kNote = 4;
constexpr std::uint32_t kSymbolTable = 2, kRelocations = 4, kDynamicSymbols = 11;
constexpr std::uint32_t kMetadataNote = 32;
constexpr std::uint32_t kExecutable = 1, kWritable = 2;
// Symbols, sections and relocations of real objects stay below (rocBLAS has 1.8 million symbols of labels in one); a forged count must not take the memory.
constexpr std::uint64_t kMaxEntries = std::uint64_t{1} << 22;

constexpr std::uint32_t kNoBytes = 8;         // SHT_NOBITS
constexpr std::uint64_t kCompressed = 0x800;  // SHF_COMPRESSED

using DebugName = std::pair<std::string_view, ByteView DebugSections::*>;
constexpr std::array kDebugSections = {
    DebugName{".debug_line", &DebugSections::line},
    DebugName{".debug_line_str", &DebugSections::line_str},
    DebugName{".debug_str", &DebugSections::str},
    DebugName{".debug_info", &DebugSections::info},
    DebugName{".debug_abbrev", &DebugSections::abbrev},
    DebugName{".debug_addr", &DebugSections::addr},
    DebugName{".debug_rnglists", &DebugSections::rnglists},
    DebugName{".debug_ranges", &DebugSections::ranges},
    DebugName{".debug_str_offsets", &DebugSections::str_offsets},
    DebugName{".debug_loclists", &DebugSections::loclists},
    DebugName{".debug_loc", &DebugSections::loc},
};

struct Header {
  std::array<std::uint8_t, 16> ident;
  std::uint16_t type, machine;
  std::uint32_t version;
  std::uint64_t entry, program_offset, section_offset;
  std::uint32_t flags;
  std::uint16_t header_size, program_size, program_count, section_size, section_count, names;
};

struct ProgramHeader {
  std::uint32_t type, flags;
  std::uint64_t offset, address, physical, file_size, memory_size, align;
};

struct SectionHeader {
  std::uint32_t name, type;
  std::uint64_t flags, address, offset, size;
  std::uint32_t link, info;
  std::uint64_t align, entry_size;
};

struct SymbolEntry {
  std::uint32_t name;
  std::uint8_t info, other;
  std::uint16_t section;
  std::uint64_t value, size;
};

struct RelocationEntry {
  std::uint64_t offset, info;
  std::int64_t addend;
};

Failure corrupt(std::string_view what) {
  return fail(Errc::corrupt, fmt::format("code object: {}", what), "build or extract it again");
}

bool has_magic(const Header& header) {
  constexpr std::array<std::uint8_t, 4> magic = {0x7f, 'E', 'L', 'F'};
  return std::equal(magic.begin(), magic.end(), header.ident.begin());
}

bool is_64_bit(const Header& header) {
  constexpr std::uint8_t kClass64 = 2, kLittleEndian = 1;
  return header.ident[4] == kClass64 && header.ident[5] == kLittleEndian;
}

class ElfReader {
 public:
  explicit ElfReader(ByteView file) : file_(file) {}

  /// What is told of programs of the host.
  Result<Elf> read_names() {
    const auto header = file_.read<Header>(0);
    if (!header || !has_magic(*header)) return corrupt("no ELF file");
    if (!is_64_bit(*header) || header->machine == kMachineAmdgpu)
      return fail(Errc::unsupported, "no ELF file of a host of 64 bits");
    header_ = *header;
    TRY(read_sections());
    TRY(read_symbols());
    find_debug_sections();
    return std::move(elf_);
  }

  Result<Elf> read() {
    TRY(read_header());
    TRY(read_segments());
    TRY(read_sections());
    TRY(read_symbols());
    TRY(read_relocations());
    find_debug_sections();
    return std::move(elf_);
  }

 private:
  Status read_header() {
    const auto header = file_.read<Header>(0);
    if (!header || !has_magic(*header)) return corrupt("no ELF file");
    if (!is_64_bit(*header) || header->machine != kMachineAmdgpu) {
      return fail(Errc::unsupported, "an ELF file, but not of an AMD GPU",
                  "give the device code object, not the host program");
    }
    header_ = *header;
    elf_.flags = header->flags;
    elf_.abi_version = header->ident[8];
    return {};
  }

  Status read_segments() {
    for (std::uint64_t i = 0; i < header_.program_count; ++i) {
      const auto program =
          file_.read<ProgramHeader>(header_.program_offset + i * sizeof(ProgramHeader));
      if (!program) return corrupt("program headers are outside the file");
      if (program->type != kLoad && program->type != kNote) continue;
      const auto bytes = file_.part(program->offset, program->file_size);
      if (!bytes) return corrupt("a segment is outside the file");
      if (program->type == kNote) TRY(read_notes(*bytes));
      if (program->type == kLoad) TRY(add_segment(*program));
    }
    return {};
  }

  Status add_segment(const ProgramHeader& program) {
    constexpr std::uint64_t kHighest = std::uint64_t{1} << 32;
    if (program.memory_size < program.file_size || program.memory_size > kHighest ||
        program.address > kHighest) {
      return corrupt("a segment has an impossible size or address");
    }
    elf_.segments.push_back({.address = program.address,
                             .file_offset = program.offset,
                             .file_size = program.file_size,
                             .memory_size = program.memory_size,
                             .writable = (program.flags & kWritable) != 0,
                             .executable = (program.flags & kExecutable) != 0});
    return {};
  }

  Status read_notes(ByteView notes) {
    std::uint64_t at = 0;
    while (at < notes.size()) {
      const auto head = notes.read<std::array<std::uint32_t, 3>>(at);
      if (!head) return corrupt("a note is cut short");
      const std::uint64_t name_at = at + sizeof(*head);
      const std::uint64_t descriptor_at =
          name_at + (((*head)[0] + std::uint64_t{3}) & ~std::uint64_t{3});
      const auto descriptor = notes.part(descriptor_at, (*head)[1]);
      if (!descriptor) return corrupt("a note is cut short");
      if ((*head)[2] == kMetadataNote && notes.text(name_at) == "AMDGPU") {
        elf_.metadata_notes.push_back(*descriptor);
      }
      at = descriptor_at + (((*head)[1] + std::uint64_t{3}) & ~std::uint64_t{3});
    }
    return {};
  }

  Status read_sections() {
    for (std::uint64_t i = 0; i < header_.section_count; ++i) {
      const auto section =
          file_.read<SectionHeader>(header_.section_offset + i * sizeof(SectionHeader));
      if (!section) return corrupt("section headers are outside the file");
      sections_.push_back(*section);
    }
    return {};
  }

  Result<ByteView> contents(const SectionHeader& section) const {
    const auto bytes = file_.part(section.offset, section.size);
    if (!bytes) return corrupt("a section is outside the file");
    return *bytes;
  }

  [[nodiscard]] const SectionHeader* find(std::uint32_t type) const {
    const auto found = std::ranges::find(sections_, type, &SectionHeader::type);
    return found == sections_.end() ? nullptr : &*found;
  }

  Status read_symbols() {
    const SectionHeader* table = find(kSymbolTable);
    if (table == nullptr) table = find(kDynamicSymbols);
    if (table == nullptr) return {};
    elf_.symbols = TRY(symbols_of(*table, true));
    std::erase_if(elf_.symbols, [](const Symbol& symbol) { return symbol.name.empty(); });
    return {};
  }

  /// All of a table, by their number, or without those that are neither functions nor objects.
  Result<std::vector<Symbol>> symbols_of(const SectionHeader& table, bool without_others) const {
    const ByteView bytes = TRY(contents(table));
    if (table.link >= sections_.size()) return corrupt("the symbol table names no strings");
    const ByteView names = TRY(contents(sections_[table.link]));
    const std::uint64_t count = bytes.size() / sizeof(SymbolEntry);
    if (count > kMaxEntries) return corrupt("too many symbols");
    std::vector<Symbol> symbols;
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto entry = bytes.read<SymbolEntry>(i * sizeof(SymbolEntry));
      const auto name = names.text(entry->name);
      if (!name) return corrupt("a symbol's name is outside the strings");
      if (without_others && kind_of(*entry) == Symbol::Kind::other) continue;
      symbols.push_back({std::string(*name), kind_of(*entry), entry->value, entry->size});
    }
    return symbols;
  }

  static Symbol::Kind kind_of(const SymbolEntry& entry) {
    if (entry.section == 0) return Symbol::Kind::other;
    if ((entry.info & 0xf) == 1) return Symbol::Kind::object;
    return (entry.info & 0xf) == 2 ? Symbol::Kind::function : Symbol::Kind::other;
  }

  Status read_relocations() {
    for (const auto& section : sections_) {
      if (section.type != kRelocations) continue;
      const ByteView bytes = TRY(contents(section));
      const std::uint64_t count = bytes.size() / sizeof(RelocationEntry);
      if (count > kMaxEntries || section.link >= sections_.size()) {
        return corrupt("a relocation section is malformed");
      }
      const auto symbols = TRY(symbols_of(sections_[section.link], false));
      for (std::uint64_t i = 0; i < count; ++i) {
        const auto entry = bytes.read<RelocationEntry>(i * sizeof(RelocationEntry));
        const std::uint64_t symbol = entry->info >> 32;
        if (symbol >= symbols.size()) return corrupt("a relocation names no symbol");
        elf_.relocations.push_back({entry->offset, static_cast<std::uint32_t>(entry->info),
                                    symbols[static_cast<std::size_t>(symbol)].name, entry->addend});
      }
    }
    return {};
  }

  /// What is wrong with them is no reason not to run the code.
  void find_debug_sections() {
    if (header_.names >= sections_.size()) return;
    const auto names = file_.part(sections_[header_.names].offset, sections_[header_.names].size);
    if (!names) return;
    for (const SectionHeader& section : sections_) {
      const auto name = names->text(section.name);
      if (!name || !name->starts_with(".debug_")) continue;
      const auto place = std::ranges::find(kDebugSections, *name, &DebugName::first);
      if (place == kDebugSections.end() || section.type == kNoBytes) continue;
      const ByteView bytes = file_.part(section.offset, section.size).value_or(ByteView());
      const bool fresh =
          std::ranges::find(elf_.debug.compressed, place->second,
                            &DebugSections::Compressed::place) == elf_.debug.compressed.end();
      if ((section.flags & kCompressed) == 0) {
        elf_.debug.*place->second = bytes;
      } else if (fresh) {
        elf_.debug.compressed.push_back({place->second, bytes});
      }
    }
  }

  ByteView file_;
  Header header_{};
  std::vector<SectionHeader> sections_;
  Elf elf_;
};

}  // namespace

Result<Elf> read_elf(ByteView file) { return ElfReader(file).read(); }

Result<Elf> read_host_elf(ByteView file) { return ElfReader(file).read_names(); }

bool is_host_elf(ByteView file) {
  const auto header = file.read<Header>(0);
  return header && has_magic(*header) && is_64_bit(*header) && header->machine != kMachineAmdgpu;
}

Result<std::optional<ByteView>> elf_section(ByteView file, std::string_view name) {
  const auto header = file.read<Header>(0);
  if (!header || !has_magic(*header) || !is_64_bit(*header))
    return corrupt("no ELF file of 64 bits");
  const auto section = [&](std::uint64_t i) {
    return file.read<SectionHeader>(header->section_offset + i * sizeof(SectionHeader));
  };
  if (header->section_count == 0) return std::nullopt;
  const auto names_section = section(header->names);
  const auto names =
      names_section ? file.part(names_section->offset, names_section->size) : std::nullopt;
  if (!names) return corrupt("section names are outside the file");
  for (std::uint64_t i = 0; i < header->section_count; ++i) {
    const auto found = section(i);
    if (!found) return corrupt("section headers are outside the file");
    if (names->text(found->name) != name || found->type == kNoBytes) continue;
    const auto bytes = file.part(found->offset, found->size);
    if (!bytes) return corrupt("a section is outside the file");
    return *bytes;
  }
  return std::nullopt;
}

}  // namespace rpl::isa
