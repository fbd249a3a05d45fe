// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "engine/document/document.h"

namespace rpl {

/// How the numbers of one column are shown: divided by `divisor`, with `decimals`, under `label` ("ms").
struct Scale {
  double divisor = 1;
  int decimals = 0;
  std::string_view label;
};

/// Terminals have columns that stay comparable with each other; pages and Markdown are for who reads them once: 4.159 s in place of 4158.757 ms, words in
/// place of names with underscores.
enum class ForWhom { terminal, reader };

/// The scale in which the largest magnitude of a column reads well: 4 158 756 678 ns is 4158.757 ms, for a reader 4.159 s.
Scale scale_for(Unit unit, double largest, ForWhom whom = ForWhom::terminal);

/// One number with its unit, scaled by itself: "4.159 s", "93.63 %", "12,345". Times with `largest`, the largest time beside it, in the unit of that one
/// where it is not less than `least` there: "10.889 s" above "4.233 s", and not "4233.112 ms".
std::string with_unit(const Value& value, Unit unit, ForWhom whom = ForWhom::terminal,
                      double largest = 0, double least = 1);

/// Whether a cell stands among numbers: one, nothing, or what has no digits as a number ("NaN", "-inf").
bool is_numeric(const Value& value);

/// The largest magnitude of a field: of a number, or of the members of a record; 0 for others.
double largest_of(const Value& value);

/// "43,915"
std::string grouped(std::int64_t value);

/// A cell as text under a scale; "-" for null.
std::string cell_text(const Value& value, const Column& column, const Scale& scale);

/// A field's value with its unit; of a record all members: "kernel 4.191 s, idle 10.93 s"; of a list of records a line for each, twenty at most.
/// `largest` as in with_unit().
std::string field_text(const Column& column, const Value& value, ForWhom whom = ForWhom::terminal,
                       double largest = 0);

/// A value whose names of kernels are as people say them (short_kernel()): of a column of kernels, and in lists and records those that are mangled.
Value with_readable_names(const Column& column, const Value& value);

/// "total_ns" and a scale in ms: "total ms". "share": "share %".
std::string heading(const Column& column, const Scale& scale);
/// The same in words: "gain_if_2x": "gain if 2x".
std::string reader_heading(const Column& column, const Scale& scale = {});
/// Those of fields; a share that would be called as another field is ("stall" in cycles, "stall" in %) is called so: "stall share".
std::vector<std::string> reader_headings(const std::vector<Column>& fields);
/// A name that carries its unit, in words: "hits_pct": "hits %".
std::string name_in_words(std::string_view name);

}  // namespace rpl
