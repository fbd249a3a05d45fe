// SPDX-License-Identifier: MIT
#include "engine/target/emu/host_lines.h"

#include <algorithm>
#include <span>

#include "engine/base/input_file.h"
#include "engine/base/text.h"
#include "engine/isa/object/compressed_section.h"

namespace rpl::profile {

using emu::hip::HostFrame;

namespace {

/// Larger programs are told by their symbols' offsets alone: nobody waits for their debug information to be read.
constexpr std::uint64_t kMostBytes = std::uint64_t{512} << 20;

isa::SourceLines lines_of(const isa::DebugSections& sections) {
  const auto plain = isa::plain_sections(sections);
  if (!plain) return {};
  auto lines = isa::SourceLines::read(plain->sections);
  return lines ? std::move(*lines) : isa::SourceLines{};
}

std::string shown(const std::string& function) {
  const std::string name = demangled(function);
  // Parameters say nothing beside a line.
  const std::size_t end = name.ends_with(')') ? name.find('(') : std::string::npos;
  const std::string before = name.substr(0, end);
  return end == std::string::npos || before.empty() || before.ends_with("operator") ? name : before;
}

/// What the compiler makes of a kernel on the host's side; its line is the kernel's own.
bool is_stub(const HostLine& line) {
  return line.function.find("__device_stub__") != std::string::npos;
}

}  // namespace

const HostLines::Module& HostLines::module(const std::string& path) {
  const auto [found, added] = modules_.try_emplace(path);
  if (!added) return found->second;
  const auto file = open_input(path);
  if (!file || file->bytes > kMostBytes) return found->second;
  const std::string bytes = first_bytes(path, kMostBytes);
  auto elf = isa::read_host_elf(isa::ByteView(std::as_bytes(std::span(bytes))));
  if (!elf) return found->second;
  found->second.lines = lines_of(elf->debug);
  std::erase_if(elf->symbols, [](const isa::Symbol& symbol) {
    return symbol.kind != isa::Symbol::Kind::function;
  });
  std::ranges::sort(elf->symbols, {}, &isa::Symbol::address);
  found->second.functions = std::move(elf->symbols);
  return found->second;
}

std::vector<HostLine> HostLines::functions_of(const HostFrame& frame) {
  std::vector<HostLine> out;
  if (frame.module.empty()) return out;
  const Module& from = module(frame.module);
  for (const isa::SourcePlace& place : from.lines.chain(frame.offset)) {
    out.push_back({.file = place.file,
                   .line = place.line,
                   .column = place.column,
                   .function = shown(place.function),
                   .module = frame.module,
                   .program = frame.program});
  }
  if (!out.empty()) return out;
  HostLine named{.module = frame.module, .offset = frame.offset, .program = frame.program};
  const auto after =
      std::ranges::upper_bound(from.functions, frame.offset, {}, &isa::Symbol::address);
  if (after != from.functions.begin()) {
    const isa::Symbol& symbol = *std::prev(after);
    if (frame.offset - symbol.address < std::max<std::uint64_t>(1, symbol.size)) {
      named.function = shown(symbol.name);
      named.offset = frame.offset - symbol.address;
    }
  }
  out.push_back(std::move(named));
  return out;
}

std::vector<HostLine> HostLines::of(const std::vector<HostFrame>& frames) {
  std::vector<HostLine> out;
  for (const HostFrame& frame : frames) {
    for (HostLine& line : functions_of(frame)) {
      const bool unknown = line.file.empty() && !line.program;
      const bool same =
          unknown && !out.empty() && out.back().module == line.module && out.back().file.empty();
      if (is_stub(line) || same) continue;
      out.push_back(std::move(line));
      if (out.back().program && out.back().function == "main") return out;
    }
  }
  return out;
}

}  // namespace rpl::profile
