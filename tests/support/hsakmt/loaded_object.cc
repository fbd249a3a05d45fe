// SPDX-License-Identifier: MIT
// ELF in memory: System V gABI, chapters 4 and 5; llvm.org/docs/AMDGPUUsage.html, "ELF Code Object".
#include <elf.h>

#include <algorithm>
#include <cstring>

#include "tests/support/hsakmt/loaded_kernel.h"

namespace rpl::hsakmt {
namespace {

constexpr std::uint64_t kElfPage = 4096;
constexpr std::uint64_t kFarthest = std::uint64_t{64}
                                    << 20;  ///< between the header and a descriptor
constexpr std::uint16_t kMachine = 224;     ///< EM_AMDGPU
constexpr std::uint16_t kMostSegments = 64;
constexpr std::uint32_t kMostSymbols = 1U << 20;

template <class T>
std::optional<T> peek_at(const DeviceView& view, std::uint64_t address) {
  const std::byte* at = view.at(address, sizeof(T));
  if (at == nullptr) return std::nullopt;
  T value;
  std::memcpy(&value, at, sizeof(value));
  return value;
}

bool is_header(const Elf64_Ehdr& header) {
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
         header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_machine == kMachine &&
         header.e_phentsize == sizeof(Elf64_Phdr) && header.e_phnum <= kMostSegments;
}

std::optional<LoadedObject> object_at(const DeviceView& view, std::uint64_t base,
                                      std::uint64_t descriptor, std::uint64_t entry) {
  const auto header = peek_at<Elf64_Ehdr>(view, base);
  if (!header || !is_header(*header)) return std::nullopt;
  LoadedObject found{.base = base};
  bool holds_descriptor = false;
  for (std::uint16_t i = 0; i < header->e_phnum; ++i) {
    const auto segment =
        peek_at<Elf64_Phdr>(view, base + header->e_phoff + std::uint64_t{i} * sizeof(Elf64_Phdr));
    if (!segment || segment->p_type != PT_LOAD) continue;
    const std::uint64_t begin = base + segment->p_vaddr;
    const bool executable = (segment->p_flags & PF_X) != 0;
    if (descriptor - begin < segment->p_memsz && !executable) holds_descriptor = true;
    if (entry - begin >= segment->p_memsz || !executable) continue;
    found.code_address = begin;
    found.code_bytes = segment->p_memsz;
  }
  if (!holds_descriptor || found.code_bytes == 0 ||
      view.at(found.code_address, found.code_bytes) == nullptr)
    return std::nullopt;
  return found;
}

struct Dynamic {
  std::uint64_t symbols = 0, names = 0, hash = 0;
};

Dynamic dynamic_of(const DeviceView& view, const LoadedObject& object) {
  Dynamic out;
  const auto header = peek_at<Elf64_Ehdr>(view, object.base);
  for (std::uint16_t i = 0; header && i < header->e_phnum; ++i) {
    const auto segment = peek_at<Elf64_Phdr>(
        view, object.base + header->e_phoff + std::uint64_t{i} * sizeof(Elf64_Phdr));
    if (!segment || segment->p_type != PT_DYNAMIC) continue;
    for (std::uint64_t at = 0; at + sizeof(Elf64_Dyn) <= segment->p_memsz;
         at += sizeof(Elf64_Dyn)) {
      const auto entry = peek_at<Elf64_Dyn>(view, object.base + segment->p_vaddr + at);
      if (!entry || entry->d_tag == DT_NULL) break;
      if (entry->d_tag == DT_SYMTAB) out.symbols = object.base + entry->d_un.d_ptr;
      if (entry->d_tag == DT_STRTAB) out.names = object.base + entry->d_un.d_ptr;
      if (entry->d_tag == DT_HASH) out.hash = object.base + entry->d_un.d_ptr;
    }
  }
  return out;
}

std::string text_at(const DeviceView& view, std::uint64_t address) {
  constexpr std::size_t kLongest = 1024;
  std::string out;
  while (out.size() < kLongest) {
    const auto letter = peek_at<char>(view, address + out.size());
    if (!letter || *letter == '\0') break;
    out += *letter;
  }
  return out;
}

}  // namespace

std::optional<LoadedObject> find_loaded_object(const DeviceView& view, std::uint64_t descriptor,
                                               std::uint64_t entry) {
  std::uint64_t base = descriptor / kElfPage * kElfPage;
  const std::uint64_t lowest = base - std::min(base, kFarthest);
  for (; base >= lowest && base != 0; base -= kElfPage) {
    if (view.at(base, 1) == nullptr) break;
    if (const auto found = object_at(view, base, descriptor, entry)) return found;
  }
  return std::nullopt;
}

std::string symbol_at(const DeviceView& view, const LoadedObject& object, std::uint64_t address) {
  const Dynamic dynamic = dynamic_of(view, object);
  if (dynamic.symbols == 0 || dynamic.names == 0 || dynamic.hash == 0) return {};
  // The hash table has as many chains as there are symbols.
  const std::uint32_t count = std::min(
      peek_at<std::uint32_t>(view, dynamic.hash + sizeof(std::uint32_t)).value_or(0), kMostSymbols);
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto symbol =
        peek_at<Elf64_Sym>(view, dynamic.symbols + std::uint64_t{i} * sizeof(Elf64_Sym));
    if (!symbol) return {};
    if (object.base + symbol->st_value != address || symbol->st_name == 0) continue;
    std::string name = text_at(view, dynamic.names + symbol->st_name);
    if (name.ends_with(".kd")) name.resize(name.size() - 3);
    return name;
  }
  return {};
}

}  // namespace rpl::hsakmt
