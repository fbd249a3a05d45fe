// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <concepts>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "engine/base/result.h"
#include "engine/document/derivation.h"

namespace rpl {

/// What a row of a table of numbers gives: the value in the row's unit, and what there is to know about this one.
struct FoundNumber {
  std::optional<double> value;  ///< nullopt: unknown; `note` says why
  std::string note = {};
  std::string source = {};  ///< a better one than the table's, for a leaf

  FoundNumber() = default;
  FoundNumber(std::optional<double> known, std::string about = {}, std::string from = {})  // NOLINT
      : value(known), note(std::move(about)), source(std::move(from)) {}
  template <class Number>
    requires std::integral<Number> || std::floating_point<Number>
  FoundNumber(Number known, std::string about = {}, std::string from = {})  // NOLINT
      : value(static_cast<double>(known)), note(std::move(about)), source(std::move(from)) {}
};

/// How to get one number that the program prints, and from which other rows of the same table it follows. From such a table `explain` builds
/// trees. What it is called, its unit and its formula are those of the column that shows it. `From` holds what the numbers are computed from,
/// and has `source` (a text for leaves), `provenance`, and `column(name)`: that column, nullptr for a number that none shows.
template <class From>
struct NumberRow {
  std::string_view name;    ///< "critpath.dominance_fraction": the command and its field
  std::string_view inputs;  ///< names of other rows, with a blank between them; "" for a leaf
  Result<FoundNumber> (*find)(From&) = nullptr;
  Provenance provenance = Provenance::none;  ///< none: that of `From`
  Unit unit = Unit::none;  ///< none: that of the column that shows the number, as for `formula`
  std::string_view formula = {};
};

/// What stands behind the last dot of the command's name: "dominance_fraction", "segments_ns.kernel".
inline std::string_view field_of(std::string_view name) {
  const std::size_t dot = name.find('.');
  return dot == std::string_view::npos ? name : name.substr(dot + 1);
}

template <class From>
const NumberRow<From>* find_number(std::span<const NumberRow<From>> table, std::string_view name) {
  const auto found = std::ranges::find(table, name, &NumberRow<From>::name);
  return found == table.end() ? nullptr : &*found;
}

/// Over the fields of `inputs`, or in words for a leaf; "" for none. What follows from others may say it by its description.
template <class From>
std::string_view formula_of(const NumberRow<From>& row, const From& from) {
  const Column* column = row.formula.empty() ? from.column(row.name) : nullptr;
  if (column == nullptr) return row.formula;
  const bool described = column->formula.empty() && !row.inputs.empty();
  return described ? column->description : column->formula;
}

/// The tree of a row. Fails as reading or computing its values does.
template <class From>
Result<Derivation> derive(std::span<const NumberRow<From>> table, const NumberRow<From>& row,
                          From& from) {
  FoundNumber found = TRY(row.find(from));
  Derivation out;
  out.name = field_of(row.name);
  out.value = found.value;
  out.unit = row.unit;
  if (const Column* column = from.column(row.name); column && out.unit == Unit::none)
    out.unit = column->unit;
  out.formula = formula_of(row, from);
  out.note = std::move(found.note);
  out.provenance = row.provenance == Provenance::none ? from.provenance : row.provenance;
  if (row.inputs.empty()) out.source = found.source.empty() ? from.source : found.source;
  std::string_view rest = row.inputs;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    const NumberRow<From>* input = find_number(table, rest.substr(0, end));
    if (input == nullptr)
      return fail(Errc::corrupt, std::string(row.name) + " names an input that the table lacks");
    out.inputs.push_back(TRY(derive(table, *input, from)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return out;
}

}  // namespace rpl
