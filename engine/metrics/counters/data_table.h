// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

/// The tables that are built into the program: what counters exist, what is made of them.
namespace rpl {

/// Lines of `a | b | c` as trimmed fields. Comments (#) and empty lines are skipped; the fields refer to `text`.
std::vector<std::vector<std::string_view>> table_lines(std::string_view text);

/// The fields of one such line.
std::vector<std::string_view> fields_of(std::string_view line);

/// Words between blanks.
std::vector<std::string_view> words_of(std::string_view text);

/// Without blanks at both ends.
std::string_view trimmed_view(std::string_view text);

/// The files of engine/metrics/counters/data.
namespace counter_data {
std::string_view catalogue();
std::string_view sets();
std::string_view metrics();
std::string_view older();
}  // namespace counter_data

}  // namespace rpl
