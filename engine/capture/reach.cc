// SPDX-License-Identifier: MIT
#include "engine/capture/reach.h"

#include <algorithm>
#include <cstring>

namespace rpl {

void Reach::look_at(std::uint64_t address, std::span<const std::byte> bytes) {
  std::uint64_t value = 0;
  for (std::size_t at = (0 - address) % sizeof(value); at + sizeof(value) <= bytes.size();
       at += sizeof(value)) {
    std::memcpy(&value, bytes.data() + at, sizeof(value));
    if (value == 0) continue;
    auto found = find_(value);
    // One past the end is an address that programs keep, too.
    if (!found) found = find_(value - 1);
    if (found && bases_.insert(*found).second) pending_.push_back(*found);
  }
}

std::optional<std::uint64_t> Reach::next() {
  if (pending_.empty()) return std::nullopt;
  const std::uint64_t out = pending_.back();
  pending_.pop_back();
  return out;
}

std::vector<const isa::Symbol*> variables_of(const isa::CodeObject& object) {
  std::vector<const isa::Symbol*> out;
  for (const isa::Symbol& symbol : object.elf().symbols) {
    const bool of_compiler = symbol.name.ends_with(".kd") || symbol.name.starts_with("__hip_cuid_");
    if (symbol.kind == isa::Symbol::Kind::object && symbol.size > 0 && !of_compiler)
      out.push_back(&symbol);
  }
  std::ranges::stable_sort(out, {}, &isa::Symbol::address);
  std::uint64_t end = 0;
  std::erase_if(out, [&](const isa::Symbol* symbol) {
    if (symbol->address < end) return true;
    end = symbol->address + symbol->size;
    return false;
  });
  return out;
}

bool may_change(const isa::CodeObject& object, const isa::Symbol& variable) {
  return std::ranges::any_of(object.elf().segments, [&](const isa::Segment& segment) {
    return segment.writable && variable.address >= segment.address &&
           variable.address - segment.address < segment.memory_size;
  });
}

}  // namespace rpl
