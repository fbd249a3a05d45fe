// SPDX-License-Identifier: MIT
#include "engine/isa/object/source_lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/one_line.h"

namespace rpl::isa {
namespace {

bool covers(const CodeScope& scope, std::uint64_t address) {
  return std::ranges::any_of(scope.ranges, [&](const auto& range) {
    return range.first <= address && address < range.second;
  });
}

bool names_file(std::string_view path, std::string_view name) {
  if (!path.ends_with(name)) return false;
  return path.size() == name.size() || path[path.size() - name.size() - 1] == '/';
}

std::string one_place(const SourcePlace& place) {
  const std::string name = place.file.substr(place.file.rfind('/') + 1);
  std::string text = fmt::format("{}:{}", name.empty() ? "?" : name, place.line);
  if (place.column != 0) text += fmt::format(":{}", place.column);
  if (!place.function.empty()) text += " in " + place.function;
  return text;
}

}  // namespace

std::vector<SourcePlace> own_frames(std::vector<SourcePlace> chain) {
  if (chain.empty()) return chain;
  const auto folder_of = [](const SourcePlace& place) {
    return std::string_view(place.file).substr(0, place.file.rfind('/') + 1);
  };
  const auto own = std::ranges::find(chain, folder_of(chain.back()), folder_of);
  chain.erase(chain.begin(), own);
  return chain;
}

std::string place_text(const std::vector<SourcePlace>& chain) {
  std::string text;
  for (const SourcePlace& place : chain) {
    text += (text.empty() ? "" : ", inlined at ") + one_place(place);
  }
  return on_one_line(std::move(text));
}

Result<SourceLines> SourceLines::read(const DebugSections& sections) {
  SourceLines lines;
  std::vector<DebugUnit> units = TRY(read_debug_info(sections));
  // Lines without entries about functions still are lines.
  std::uint64_t next = 0;
  for (std::uint64_t offset = 0; units.empty() && offset < sections.line.size(); offset = next) {
    TRY(read_line_program(sections, offset, next));
    lines.units_.reserve(lines.units_.size() + 1);
    DebugUnit bare;
    bare.has_lines = true;
    bare.line_offset = offset;
    TRY(lines.add_unit(sections, std::move(bare)));
  }
  for (DebugUnit& unit : units) TRY(lines.add_unit(sections, std::move(unit)));
  lines.sort();
  return lines;
}

Status SourceLines::add_unit(const DebugSections& sections, DebugUnit unit) {
  const auto index = static_cast<std::uint32_t>(units_.size());
  Unit& added = units_.emplace_back();
  added.scopes = std::move(unit.scopes);
  added.first_file = static_cast<std::uint32_t>(files_.size());
  if (!unit.has_lines) return {};
  std::uint64_t next = 0;
  LineProgram program = TRY(read_line_program(sections, unit.line_offset, next));
  added.files = static_cast<std::uint32_t>(program.files.size());
  for (std::string& file : program.files) files_.push_back(std::move(file));
  for (LineRow& row : program.rows) {
    row.file += added.first_file;
    rows_.push_back({row, index});
  }
  return {};
}

void SourceLines::sort() {
  // Where one sequence ends and another begins at the same address, the beginning counts; of several rows of one
  // sequence at one address the last does.
  std::ranges::stable_sort(rows_, [](const Row& a, const Row& b) {
    return a.row.address != b.row.address ? a.row.address < b.row.address : a.row.end > b.row.end;
  });
}

const SourceLines::Row* SourceLines::row_at(std::uint64_t address) const {
  const auto after =
      std::ranges::upper_bound(rows_, address, {}, [](const Row& row) { return row.row.address; });
  if (after == rows_.begin()) return nullptr;
  const Row& row = *std::prev(after);
  return row.row.end ? nullptr : &row;
}

std::vector<SourcePlace> SourceLines::chain(std::uint64_t address) const {
  const Row* row = row_at(address);
  if (row == nullptr) return {};
  const Unit& unit = units_[row->unit];
  std::vector<const CodeScope*> around;
  for (const CodeScope& scope : unit.scopes) {
    if (covers(scope, address)) around.push_back(&scope);
  }
  // Innermost first; scopes come outer before inner.
  std::ranges::reverse(around);
  std::ranges::stable_sort(around, std::greater<>(), &CodeScope::depth);
  std::vector<SourcePlace> places;
  places.push_back({files_[row->row.file], row->row.line, row->row.column, ""});
  for (const CodeScope* scope : around) {
    places.back().function = scope->function;
    if (!scope->inlined) break;
    const bool known = scope->call_file < unit.files;
    places.push_back({known ? files_[unit.first_file + scope->call_file] : std::string(),
                      scope->call_line, scope->call_column, ""});
  }
  return places;
}

std::uint64_t SourceLines::body_of(std::uint64_t entry) const {
  std::uint64_t end = ~std::uint64_t{0};
  for (const Unit& unit : units_) {
    for (const CodeScope& scope : unit.scopes) {
      for (const auto& [first, behind] : scope.ranges) {
        if (!scope.inlined && first <= entry && entry < behind) end = std::min(end, behind);
      }
    }
  }
  const auto first =
      std::ranges::lower_bound(rows_, entry, {}, [](const Row& row) { return row.row.address; });
  std::optional<std::uint64_t> second;
  for (auto at = first; at != rows_.end() && !at->row.end && at->row.address < end; ++at) {
    const LineRow& row = at->row;
    if (row.body) return row.address;
    const bool other = row.address > entry && row.line != 0 && row.line != first->row.line;
    if (!second && other && row.statement) second = row.address;
  }
  return second.value_or(entry);
}

std::vector<SourceLines::Function> SourceLines::functions() const {
  std::vector<Function> out;
  for (const Unit& unit : units_) {
    for (const CodeScope& scope : unit.scopes) {
      if (!scope.function.empty()) out.push_back({scope.function, scope.inlined, scope.ranges});
    }
  }
  return out;
}

std::vector<std::uint64_t> SourceLines::addresses(std::string_view file, std::uint32_t line) const {
  std::vector<std::uint64_t> found;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const LineRow& row = rows_[i].row;
    if (row.end || row.line != line || !names_file(files_[row.file], file)) continue;
    const LineRow* before = i == 0 ? nullptr : &rows_[i - 1].row;
    const bool begins = before == nullptr || before->end || before->line != line ||
                        before->file != row.file || before->address == row.address;
    if (begins && (found.empty() || found.back() != row.address)) found.push_back(row.address);
  }
  return found.empty() ? calls_of_line(file, line) : found;
}

std::vector<std::uint64_t> SourceLines::calls_of_line(std::string_view file,
                                                      std::uint32_t line) const {
  std::vector<std::uint64_t> found;
  for (const Unit& unit : units_) {
    for (const CodeScope& scope : unit.scopes) {
      if (!scope.inlined || scope.call_line != line || scope.call_file >= unit.files) continue;
      if (!names_file(files_[unit.first_file + scope.call_file], file)) continue;
      const auto first = std::ranges::min_element(scope.ranges);
      if (first != scope.ranges.end()) found.push_back(first->first);
    }
  }
  std::ranges::sort(found);
  const auto rest = std::ranges::unique(found);
  found.erase(rest.begin(), rest.end());
  return found;
}

}  // namespace rpl::isa
