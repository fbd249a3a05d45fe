// SPDX-License-Identifier: MIT
#include "engine/device/debug/place.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "engine/base/numbers.h"
#include "engine/isa/object/function_names.h"

namespace rpl::debug {
namespace {

using emu::Program;

constexpr std::uint32_t kLinesAhead = 20;

template <class T>
bool parse_whole(std::string_view text, T& value) {
  const auto number = decimal_or_hex(text);
  if (!number || *number > std::numeric_limits<T>::max()) return false;
  value = static_cast<T>(*number);
  return true;
}

Error not_a_place(std::string_view text) {
  return {Errc::usage, fmt::format("'{}' is not a place in a program", text),
          "a kernel or another function, KERNEL+0x40, FILE:LINE, LINE, *0xADDRESS or *+0xOFFSET"};
}

std::uint32_t op_at(const Program& program, std::uint64_t address) {
  const std::uint64_t offset = address - program.first_address;
  const std::uint64_t word = offset / sizeof(std::uint32_t);
  return offset % sizeof(std::uint32_t) == 0 && word < program.index_of.size()
             ? program.index_of[word]
             : Program::kNoOp;
}

std::uint64_t entry_of(const Program& program) { return program.ops[program.entry].address; }

Result<std::vector<std::uint32_t>> find_address(const Program& program, std::uint64_t load_base,
                                                std::uint64_t address) {
  std::uint32_t op = op_at(program, address);
  if (op == Program::kNoOp) op = op_at(program, address - load_base);
  if (op != Program::kNoOp) return std::vector{op};
  return fail(Errc::not_found, fmt::format("no instruction begins at 0x{:x}", address),
              "'disassemble' lists the addresses");
}

/// Of the places that a line has code at, the first of each function that it lies in, with what it was inlined at.
std::vector<std::uint32_t> first_of_each(const Program& program, const isa::SourceLines& lines,
                                         const std::vector<std::uint64_t>& addresses) {
  std::map<std::string, std::uint32_t> first;
  for (const std::uint64_t address : addresses) {
    const std::uint32_t op = op_at(program, address);
    if (op == Program::kNoOp) continue;
    auto chain = lines.chain(address);
    if (!chain.empty()) chain.front().column = chain.front().line = 0;
    const auto [at, fresh] = first.emplace(isa::place_text(chain), op);
    if (!fresh) at->second = std::min(at->second, op);
  }
  std::vector<std::uint32_t> out;
  for (const auto& [chain, op] : first) out.push_back(op);
  return out;
}

Result<std::vector<std::uint32_t>> find_line(const Program& program, const isa::SourceLines& lines,
                                             const Place& place) {
  if (lines.empty()) {
    return fail(
        Errc::not_found, "the code object has no source lines",
        "'build SOURCE --device-only -gline-tables-only' records them and leaves the code as "
        "it is; -g has variables, too");
  }
  std::string file = place.name;
  if (file.empty()) {
    const auto chain = lines.chain(entry_of(program));
    if (!chain.empty()) file = chain.back().file;
  }
  for (std::uint32_t line = place.line; line <= place.line + kLinesAhead; ++line) {
    auto ops = first_of_each(program, lines, lines.addresses(file, line));
    if (!ops.empty()) return ops;
  }
  return fail(Errc::not_found, fmt::format("no code of line {} of {}", place.line, file),
              "'disassemble' shows which lines have code");
}

/// Where each copy of a function begins; of one that is called, its body.
std::vector<std::uint32_t> entries_of(const Program& program, const isa::SourceLines& lines,
                                      const Place& place) {
  std::set<std::uint32_t> ops;
  for (const isa::SourceLines::Function& function : lines.functions()) {
    if (function.ranges.empty() || !isa::names_function(place.name, function.name)) continue;
    const std::uint64_t begin = std::ranges::min(function.ranges).first;
    const bool body = !function.inlined && place.address == 0 && !place.at_entry;
    const std::uint32_t op = op_at(program, body ? lines.body_of(begin) : begin);
    if (op == Program::kNoOp) continue;
    const auto chain = lines.chain(program.ops[op].address);
    const bool there =
        place.file.empty() ||
        (!chain.empty() && std::string_view(chain.front().file).ends_with(place.file));
    if (there) ops.insert(op);
  }
  return {ops.begin(), ops.end()};
}

/// A name, perhaps with template arguments and parameters.
bool is_function_name(std::string_view text) {
  const char first = text.empty() ? ' ' : text.front();
  const bool begins =
      std::isalpha(static_cast<unsigned char>(first)) != 0 || first == '_' || first == '~';
  const bool bracketed = text.find_first_of("<(") != std::string_view::npos;
  return begins && text.find_first_of(bracketed ? "\t\"'" : " \t\"'") == std::string_view::npos;
}

}  // namespace

Result<Place> parse_place(std::string_view text) {
  Place place;
  const std::string_view whole = text;
  if (text.starts_with('*')) {
    text.remove_prefix(1);
    place.kind = text.starts_with('+') ? Place::Kind::kernel : Place::Kind::address;
    if (text.starts_with('+')) text.remove_prefix(1);
    if (!parse_whole(text, place.address)) return Failure(not_a_place(whole));
    return place;
  }
  if (parse_whole(text, place.line)) {
    place.kind = Place::Kind::line;
    return place;
  }
  const std::size_t colon = text.rfind(':');
  if (colon != std::string_view::npos && colon > 0 &&
      parse_whole(text.substr(colon + 1), place.line)) {
    place.kind = Place::Kind::line;
    place.name = text.substr(0, colon);
    return place;
  }
  const std::size_t plus = text.rfind('+');
  if (plus != std::string_view::npos && !parse_whole(text.substr(plus + 1), place.address))
    return Failure(not_a_place(whole));
  place.at_entry = plus != std::string_view::npos;
  text = text.substr(0, plus);
  const std::size_t single = text.find(':');
  if (single != std::string_view::npos && single > 0 && text.substr(single, 2) != "::" &&
      text.substr(0, single).find('.') != std::string_view::npos) {
    place.file = text.substr(0, single);
    text.remove_prefix(single + 1);
  }
  place.name = text;
  if (!is_function_name(place.name)) return Failure(not_a_place(whole));
  return place;
}

std::string to_string(const Place& place) {
  switch (place.kind) {
    case Place::Kind::address:
      return fmt::format("*0x{:x}", place.address);
    case Place::Kind::line:
      return place.name.empty() ? fmt::format("{}", place.line)
                                : fmt::format("{}:{}", place.name, place.line);
    case Place::Kind::kernel:
      break;
  }
  if (place.name.empty()) return fmt::format("*+0x{:x}", place.address);
  const std::string name = place.file.empty() ? place.name : place.file + ":" + place.name;
  return place.address == 0 && !place.at_entry ? name
                                               : fmt::format("{}+0x{:x}", name, place.address);
}

Result<std::vector<std::uint32_t>> find_place(const Program& program, std::uint64_t load_base,
                                              const isa::SourceLines& lines, const Place& place) {
  if (place.kind == Place::Kind::address) return find_address(program, load_base, place.address);
  if (place.kind == Place::Kind::line) return find_line(program, lines, place);
  if (!place.name.empty() && !isa::names_function(place.name, program.kernel)) {
    auto ops = entries_of(program, lines, place);
    if (!ops.empty() && place.address != 0)
      return find_address(program, load_base, program.ops[ops.front()].address + place.address);
    if (!ops.empty()) return ops;
    return fail(Errc::not_found, fmt::format("{} runs, not {}", program.kernel, place.name),
                "break at a line or an offset of the kernel that runs: break *+0x10");
  }
  const std::uint64_t entry = entry_of(program);
  if (place.name.empty() || place.address != 0 || place.at_entry)
    return find_address(program, load_base, entry + place.address);
  return find_address(program, load_base, lines.body_of(entry));
}

LineTable::LineTable(const Program& program, const isa::SourceLines& lines)
    : entries_(program.ops.size()) {
  if (lines.empty()) return;
  std::map<std::pair<std::string, std::uint32_t>, std::uint32_t> numbers;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const auto chain = lines.chain(program.ops[i].address);
    if (chain.empty() || chain.front().line == 0) continue;
    const auto next = static_cast<std::uint32_t>(numbers.size() + 1);
    entries_[i].line =
        numbers.emplace(std::pair(chain.front().file, chain.front().line), next).first->second;
    entries_[i].depth = static_cast<std::uint32_t>(chain.size() - 1);
    known_ = true;
  }
}

}  // namespace rpl::debug
