// SPDX-License-Identifier: MIT
#include "engine/device/hip/address_space.h"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>

#include "engine/base/files.h"

namespace rpl::emu::hip {
namespace {

// What the emulator needs for itself lies below the areas.
constexpr std::uint64_t kOwnFirst = 0x0c00'0000'0000;
constexpr std::uint32_t kHostArea = 64;

/// Whether the address lies where only HIP allocates: what no allocation holds there is not mapped.
bool is_in_areas(std::uint64_t address) {
  return address >= PageArea::kFirst &&
         address < PageArea::kFirst + (kHostArea + 1) * PageArea::kBytes;
}

/// Neighbouring mappings of this process that are alike.
struct Mapping {
  std::uint64_t begin = 0, end = 0;
  bool writable = false;
};

/// The readable memory of this process around an address, as /proc/self/maps has it.
std::optional<Mapping> mapping_at(std::uint64_t address) {
  // Beyond what Linux gives to programs on x86-64, where also the apertures of LDS and scratch lie.
  if (address >> 47 != 0) return std::nullopt;
  const UniqueFd file(::open("/proc/self/maps", O_RDONLY | O_CLOEXEC));
  std::string text;
  std::array<char, std::size_t{1} << 16> part;
  for (ssize_t got = 0; (got = ::read(file.get(), part.data(), part.size())) > 0;)
    text.append(part.data(), static_cast<std::size_t>(got));
  std::optional<Mapping> now;
  for (const char* line = text.c_str(); *line != '\0';) {
    char* at = nullptr;
    const std::uint64_t begin = std::strtoull(line, &at, 16);
    if (at == line || *at != '-') break;
    const std::uint64_t end = std::strtoull(at + 1, &at, 16);
    const bool readable = at[1] == 'r', writable = at[2] == 'w';
    if (now && (now->end != begin || now->writable != writable || !readable)) {
      if (address < now->end) return now;
      now.reset();
    }
    if (now)
      now->end = end;
    else if (readable && address < end)
      now = {begin, end, writable};
    if (now && now->begin > address) return std::nullopt;
    line = std::strchr(at, '\n');
    if (line == nullptr) break;
    ++line;
  }
  return now && address >= now->begin && address < now->end ? now : std::nullopt;
}

const char* name_of(Allocation::Kind kind) {
  switch (kind) {
    case Allocation::Kind::device:
      return "device allocation";
    case Allocation::Kind::host:
      return "pinned host allocation";
    case Allocation::Kind::managed:
      return "managed allocation";
    case Allocation::Kind::registered:
      return "registered host memory";
  }
  return "";
}

}  // namespace

AddressSpace::AddressSpace(HostMemory host_memory, Bounds bounds)
    : bounds_(bounds), memory_(kOwnFirst) {
  if (host_memory == HostMemory::all) {
    memory_.on_unknown = [this](std::uint64_t address) { reach_host_memory(address); };
    return;
  }
  memory_.name_unknown = [](std::uint64_t address) -> std::string {
    if (is_in_areas(address) || !mapping_at(address)) return {};
    return "memory of the host that HIP does not know: with HSA_XNACK=1 kernels may use it; else "
           "allocate it with HIP or register it";
  };
}

void AddressSpace::reach_host_memory(std::uint64_t address) {
  if (is_in_areas(address)) return;
  std::optional<Mapping> mapping = mapping_at(address);
  if (!mapping) return;
  // What HIP knows keeps its own bounds, also where the kernel of the operating system shows it as one mapping with its neighbours.
  for (const Region* region : memory_.regions()) {
    if (region->base > address)
      mapping->end = std::min(mapping->end, region->base);
    else
      mapping->begin = std::max(mapping->begin, region->base + region->size);
  }
  auto region = memory_.adopt(mapping->begin, mapping->end - mapping->begin,
                              reinterpret_cast<std::byte*>(mapping->begin), "memory of the host");
  if (!region) return;
  (*region)->writable = mapping->writable;
  reached_.push_back(mapping->begin);
}

void AddressSpace::forget_host_memory() {
  for (const std::uint64_t base : reached_) memory_.release(base);
  reached_.clear();
}

AddressSpace::~AddressSpace() {
  for (const auto& [base, allocation] : allocations_) {
    if (allocation.mapped_bytes != 0)
      ::munmap(reinterpret_cast<void*>(base), allocation.mapped_bytes);
  }
}

const Allocation* AddressSpace::allocate(Allocation::Kind kind, std::uint64_t bytes,
                                         std::uint32_t device, unsigned flags) {
  const std::uint32_t area = kind == Allocation::Kind::device ? device : kHostArea;
  const std::uint64_t base = areas_.try_emplace(area, area).first->second.map(bytes);
  if (base == 0) return nullptr;
  const std::uint64_t mapped = round_up_to(bytes, PageArea::kPage);
  const auto region = memory_.adopt(base, bounds_ == Bounds::page ? mapped : bytes,
                                    reinterpret_cast<std::byte*>(base),
                                    fmt::format("{} {}", name_of(kind), named_ + 1));
  if (!region) {
    ::munmap(reinterpret_cast<void*>(base), mapped);
    return nullptr;
  }
  ++named_;
  return &(allocations_[base] = {.kind = kind,
                                 .base = base,
                                 .bytes = bytes,
                                 .device = device,
                                 .flags = flags,
                                 .mapped_bytes = mapped});
}

const Allocation* AddressSpace::adopt(void* host, std::uint64_t bytes, unsigned flags) {
  const auto base = reinterpret_cast<std::uint64_t>(host);
  const auto region =
      memory_.adopt(base, bytes, static_cast<std::byte*>(host),
                    fmt::format("{} {}", name_of(Allocation::Kind::registered), named_ + 1));
  if (!region) return nullptr;
  ++named_;
  return &(allocations_[base] = {
               .kind = Allocation::Kind::registered, .base = base, .bytes = bytes, .flags = flags});
}

bool AddressSpace::release(std::uint64_t base) {
  const auto found = allocations_.find(base);
  if (found == allocations_.end()) return false;
  memory_.release(base);
  if (found->second.mapped_bytes != 0)
    ::munmap(reinterpret_cast<void*>(base), found->second.mapped_bytes);
  allocations_.erase(found);
  return true;
}

const Allocation* AddressSpace::find(std::uint64_t address) const {
  auto after = allocations_.upper_bound(address);
  if (after == allocations_.begin()) return nullptr;
  const Allocation& found = std::prev(after)->second;
  return address - found.base < found.bytes ? &found : nullptr;
}

std::uint64_t AddressSpace::used(std::uint32_t device) const {
  std::uint64_t sum = 0;
  for (const auto& [base, allocation] : allocations_) {
    if (allocation.kind == Allocation::Kind::device && allocation.device == device)
      sum += allocation.mapped_bytes;
  }
  return sum;
}

std::byte* AddressSpace::host_of(std::uint64_t address, std::uint64_t bytes) const {
  const Region* region = memory_.find(address);
  if (region == nullptr || !region->contains(address, bytes)) return nullptr;
  return region->host + (address - region->base);
}

namespace {

struct Segment {
  std::uint64_t address = 0, left = 0;
};

int look_for_segment(dl_phdr_info* info, std::size_t, void* data) {
  auto& wanted = *static_cast<Segment*>(data);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    const std::uint64_t begin = info->dlpi_addr + header.p_vaddr;
    if (header.p_type != PT_LOAD || wanted.address < begin ||
        wanted.address - begin >= header.p_memsz)
      continue;
    wanted.left = header.p_memsz - (wanted.address - begin);
    return 1;
  }
  return 0;
}

template <class T>
T peek(const char* bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes + offset, sizeof(value));
  return value;
}

// clang.llvm.org/docs/ClangOffloadBundler.html: magic, count, then offset, size, length of the triple and the triple of each.
std::uint64_t bundle_bytes(const char* bytes) {
  constexpr std::size_t kMagic = 24;
  std::uint64_t end = 0, at = kMagic + sizeof(std::uint64_t);
  const auto count = std::min<std::uint64_t>(peek<std::uint64_t>(bytes, kMagic), 4096);
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto offset = peek<std::uint64_t>(bytes, at), size = peek<std::uint64_t>(bytes, at + 8),
               length = peek<std::uint64_t>(bytes, at + 16);
    end = std::max(end, offset + size);
    at += 24 + length;
  }
  return std::max(end, at);
}

}  // namespace

std::uint64_t image_bytes(const void* image) {
  const char* bytes = static_cast<const char*>(image);
  if (std::memcmp(bytes, ELFMAG, SELFMAG) == 0) {
    const auto header = peek<Elf64_Ehdr>(bytes, 0);
    return header.e_shoff + std::uint64_t{header.e_shnum} * header.e_shentsize;
  }
  if (std::memcmp(bytes, "__CLANG_OFFLOAD_BUNDLE__", 24) == 0) return bundle_bytes(bytes);
  if (std::memcmp(bytes, "CCOB", 4) == 0) {
    // The size of the file is written since version 2: 32 bits, and 64 since version 3.
    const auto version = peek<std::uint16_t>(bytes, 4);
    if (version == 2) return peek<std::uint32_t>(bytes, 8);
    if (version == 3) return peek<std::uint64_t>(bytes, 8);
  }
  Segment segment{reinterpret_cast<std::uint64_t>(image)};
  ::dl_iterate_phdr(look_for_segment, &segment);
  return segment.left;
}

}  // namespace rpl::emu::hip
