// SPDX-License-Identifier: MIT
// Unified diffs that anybody may have written: text and diff are separated by a line of "=". What is applied changes only lines that the diff names, keeps
// lines apart, and can be made again; the diff of two texts makes the second of the first.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "engine/optimize/rules/diff.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

std::ptrdiff_t line_ends(std::string_view text) {
  return std::count(text.begin(), text.end(), '\n');
}

void check_round(std::string_view before, std::string_view after) {
  const std::string diff = rpl::unified_diff(before, after, "a", "b");
  require(diff.empty() == (before == after));
  if (diff.empty()) return;
  const auto applied = rpl::apply_unified_diff(before, diff);
  require(applied.has_value() && *applied == after);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::string_view kSeparator = "\n=\n";
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  const std::size_t end = all.find(kSeparator);
  // The line before the separator keeps its end.
  const std::string_view text = end == all.npos ? all : all.substr(0, end + 1);
  const std::string_view diff = end == all.npos ? all : all.substr(end + kSeparator.size());
  const auto applied = rpl::apply_unified_diff(text, diff);
  if (applied) {
    require(applied->size() <= text.size() + diff.size());
    // Every line of the result ends where one of the text or of the diff did.
    require(line_ends(*applied) <= line_ends(text) + line_ends(diff));
    check_round(text, *applied);
  }
  check_round(text, diff);
  return 0;
}
