// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/isa/object/byte_view.h"
#include "engine/isa/object/line_program.h"

namespace rpl::isa {

/// One PT_LOAD segment. Bytes past file_size up to memory_size are zero.
struct Segment {
  std::uint64_t address = 0;  ///< virtual, relative to the load base
  std::uint64_t file_offset = 0;
  std::uint64_t file_size = 0;
  std::uint64_t memory_size = 0;
  bool writable = false;
  bool executable = false;
};

/// One named entry of the symbol table.
struct Symbol {
  enum class Kind { object, function, other };
  std::string name;
  Kind kind = Kind::other;
  std::uint64_t address = 0;
  std::uint64_t size = 0;
};

/// A dynamic relocation with addend.
struct Relocation {
  std::uint64_t address = 0;
  std::uint32_t type = 0;  ///< R_AMDGPU_*
  std::string symbol;      ///< empty for none
  std::int64_t addend = 0;
};

/// An amdgpu ELF64 file, taken apart and checked: every offset in here lies inside the file.
/// Format: System V gABI, chapter 4; llvm.org/docs/AMDGPUUsage.html, "ELF Code Object".
struct Elf {
  std::uint32_t flags = 0;       ///< e_flags
  std::uint8_t abi_version = 0;  ///< e_ident[EI_ABIVERSION]
  std::vector<Segment> segments;
  std::vector<Symbol> symbols;  ///< defined ones of .symtab, or of .dynsym when that is missing
  std::vector<Relocation> relocations;
  std::vector<ByteView>
      metadata_notes;   ///< descriptors of NT_AMDGPU_METADATA; borrow the bytes parsed
  DebugSections debug;  ///< borrow the bytes parsed
};

/// Fails with corrupt for what breaks the format, with unsupported for another machine's ELF.
Result<Elf> read_elf(ByteView file);

/// Symbols and debug sections alone of a program or library of the host, whatever its machine. Fails with corrupt, and with unsupported for code of an AMD GPU.
Result<Elf> read_host_elf(ByteView file);

/// Whether it is a little-endian ELF64 file of another machine than an AMD GPU.
bool is_host_elf(ByteView file);

/// The bytes of a section of any little-endian ELF64 file; nothing when it has none of the name. Fails with corrupt.
Result<std::optional<ByteView>> elf_section(ByteView file, std::string_view name);

}  // namespace rpl::isa
