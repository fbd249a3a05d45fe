// SPDX-License-Identifier: MIT
#include "engine/isa/variables/entries.h"

#include <algorithm>

namespace rpl::isa {
namespace {

constexpr std::size_t kMostEntries = std::size_t{1} << 22;
constexpr std::size_t kDeepest = 1024;
constexpr int kMostOrigins = 16;

}  // namespace

Result<DebugEntries> DebugEntries::read(const DebugSections& sections) {
  DebugEntries out;
  out.sections_ = sections;
  for (std::uint64_t offset = 0; offset < sections.info.size();) {
    const DebugUnitStart start = TRY(read_unit_header(sections, offset));
    if (start.compile) TRY(out.read_unit(start));
    offset = start.header.end;
  }
  return out;
}

Status DebugEntries::read_unit(const DebugUnitStart& start) {
  const auto unit = static_cast<std::uint32_t>(units_.size());
  units_.push_back(start.header);
  const DebugAbbreviations& known = abbreviations_.emplace_back(
      TRY(read_abbreviations(sections_.abbrev, start.header.abbrev_offset)));
  DwarfCursor at(sections_.info, start.first_entry);
  const auto first = static_cast<std::uint32_t>(entries_.size());
  std::vector<std::uint32_t> around;
  while (at.ok() && at.offset() < start.header.end) {
    const std::uint64_t offset = at.offset();
    const std::uint64_t code = at.uleb();
    if (code == 0) {
      if (around.empty()) break;
      entries_[around.back()].next = static_cast<std::uint32_t>(entries_.size());
      around.pop_back();
      continue;
    }
    const auto form = known.find(code);
    if (form == known.end()) return broken_debug_info("an entry without abbreviation");
    const auto index = static_cast<std::uint32_t>(entries_.size());
    entries_.push_back({.offset = offset,
                        .values = at.offset(),
                        .form = &form->second,
                        .unit = unit,
                        .parent = around.empty() ? kNone : around.back(),
                        .next = index + 1});
    for (const auto& [name, kind, constant] : form->second.attributes)
      TRY(read_debug_value(at, kind, constant, start.header));
    if (form->second.children) around.push_back(index);
    if (entries_.size() > kMostEntries)
      return fail(Errc::limit, "debug information of more than four million entries",
                  "compile with -gline-tables-only");
    if (around.size() > kDeepest) return broken_debug_info("entries are nested too deeply");
  }
  if (!at.ok()) return broken_debug_info("a unit is cut short");
  for (const std::uint32_t open : around)
    entries_[open].next = static_cast<std::uint32_t>(entries_.size());
  if (first < entries_.size()) read_bases(first);
  return {};
}

/// Where the tables begin that the unit's other entries name by index.
void DebugEntries::read_bases(std::uint32_t first) {
  DebugUnitHeader& header = units_[entries_[first].unit];
  header.str_offsets_base = number(first, kAtStrOffsetsBase).value_or(0);
  header.addr_base = number(first, kAtAddrBase).value_or(0);
  header.rnglists_base = number(first, kAtRnglistsBase).value_or(0);
  header.loclists_base = number(first, kAtLoclistsBase).value_or(0);
  if (const auto low = value(first, kAtLowPc))
    header.base_address = debug_address(sections_, header, *low).value_or(0);
}

std::uint32_t DebugEntries::at_offset(std::uint64_t offset) const {
  const auto found = std::ranges::lower_bound(entries_, offset, {}, &DebugEntry::offset);
  if (found == entries_.end() || found->offset != offset) return kNone;
  return static_cast<std::uint32_t>(found - entries_.begin());
}

std::optional<DebugValue> DebugEntries::value(std::uint32_t index, std::uint64_t name) const {
  const DebugEntry& entry = entries_[index];
  DwarfCursor at(sections_.info, entry.values);
  for (const auto& [of, form, constant] : entry.form->attributes) {
    auto value = read_debug_value(at, form, constant, units_[entry.unit]);
    if (!value || !at.ok()) return std::nullopt;
    if (of == name) return *value;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> DebugEntries::number(std::uint32_t index, std::uint64_t name) const {
  const auto found = value(index, name);
  // What an expression or a reference to another entry says is no number.
  const bool plain = found && found->block.size() == 0 && found->text.empty() &&
                     !debug_reference(units_[entries_[index].unit], *found);
  return plain ? std::optional(found->number) : std::nullopt;
}

std::string_view DebugEntries::text(std::uint32_t index, std::uint64_t name) const {
  const auto found = value(index, name);
  if (!found) return {};
  return debug_text(sections_, units_[entries_[index].unit], *found).value_or("");
}

std::uint32_t DebugEntries::reference(std::uint32_t index, std::uint64_t name) const {
  const auto found = value(index, name);
  const auto offset = found ? debug_reference(units_[entries_[index].unit], *found) : std::nullopt;
  return offset ? at_offset(*offset) : kNone;
}

std::uint32_t DebugEntries::holder(std::uint32_t index, std::uint64_t name) const {
  for (int hop = 0; index != kNone && hop < kMostOrigins; ++hop) {
    if (value(index, name)) return index;
    const std::uint32_t origin = reference(index, kAtOrigin);
    index = origin != kNone ? origin : reference(index, kAtSpecification);
  }
  return kNone;
}

CodeRanges DebugEntries::ranges(std::uint32_t index) const {
  const DebugUnitHeader& unit = units_[entries_[index].unit];
  if (const auto list = value(index, kAtRanges))
    return read_code_ranges(sections_, unit, *list).value_or(CodeRanges());
  const auto low = value(index, kAtLowPc), high = value(index, kAtHighPc);
  const auto begin = low && high ? debug_address(sections_, unit, *low) : std::nullopt;
  if (!begin) return {};
  // A number is the length, an address the end.
  const std::uint64_t end = debug_address(sections_, unit, *high).value_or(*begin + high->number);
  return *begin < end ? CodeRanges{{*begin, end}} : CodeRanges();
}

}  // namespace rpl::isa
