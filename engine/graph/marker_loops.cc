// SPDX-License-Identifier: MIT
#include "engine/graph/marker_loops.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "engine/base/interrupt.h"
#include "engine/base/numbers.h"
#include "engine/graph/rounds.h"

namespace rpl {
namespace {

constexpr std::size_t kLeastRanges = 3;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// "step #" of "step 12".
void strip_numbers(std::string_view text, std::string& out) {
  out.clear();
  for (const char c : text) {
    if (!is_digit(c))
      out += c;
    else if (out.empty() || out.back() != '#')
      out += '#';
  }
}

/// Adds up the ranges; whether none begins before the one before it has ended.
bool lie_apart(MarkerLoop& loop) {
  std::ranges::sort(loop.ranges, {}, [](const Marker* one) { return one->start_ns; });
  for (std::size_t i = 0; i < loop.ranges.size(); ++i) {
    loop.covered_ns += loop.ranges[i]->end_ns - loop.ranges[i]->start_ns;
    if (i > 0 && loop.ranges[i]->start_ns < loop.ranges[i - 1]->end_ns) return false;
  }
  return true;
}

}  // namespace

bool MarkerLoop::is_most_of(std::int64_t span_ns) const {
  return static_cast<double>(covered_ns) >= kMostOfRecording * static_cast<double>(span_ns);
}

Result<std::vector<MarkerLoop>> marker_loops(const MarkerTable& markers) {
  std::unordered_map<std::string, std::map<std::uint32_t, MarkerLoop>> found;
  std::string name;
  for (std::size_t i = 0; i < markers.rows.size(); ++i) {
    if (i % interrupt::kRowsBetweenChecks == 0) TRY(interrupt::check());
    const Marker& one = markers.rows[i];
    if (one.end_ns <= one.start_ns) continue;
    strip_numbers(one.text, name);
    found[name][one.process].ranges.push_back(&one);
  }
  std::vector<MarkerLoop> out;
  for (auto& [text, by_process] : found) {
    TRY(interrupt::check());
    for (auto& [process, loop] : by_process) {
      if (loop.ranges.size() < kLeastRanges || !lie_apart(loop)) continue;
      loop.process = process;
      loop.name = text;
      out.push_back(std::move(loop));
    }
  }
  // Of ranges within each other the outer one covers more.
  std::ranges::sort(out, [](const MarkerLoop& a, const MarkerLoop& b) {
    return std::tie(b.covered_ns, a.name, a.process) < std::tie(a.covered_ns, b.name, b.process);
  });
  return out;
}

std::optional<std::int64_t> number_in(std::string_view text) {
  constexpr std::size_t kMostDigits = 18;
  std::size_t end = text.size();
  while (end > 0 && !is_digit(text[end - 1])) --end;
  std::size_t begin = end;
  while (begin > 0 && is_digit(text[begin - 1])) --begin;
  if (begin == end || end - begin > kMostDigits) return std::nullopt;
  std::string_view digits = text.substr(begin, end - begin);
  return take_number<std::int64_t>(digits);
}

}  // namespace rpl
