// SPDX-License-Identifier: MIT
#include "engine/optimize/rules/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "engine/base/numbers.h"

namespace rpl {
namespace {

using Index = std::ptrdiff_t;
using Lines = std::vector<std::string_view>;

/// Each line with its line end; the last one perhaps without.
Lines lines_of(std::string_view text) {
  Lines result;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::size_t length = end == text.npos ? text.size() : end + 1;
    result.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return result;
}

/// Lines as numbers, equal for equal lines, so that a comparison costs one instruction.
std::vector<std::uint32_t> numbered(const Lines& lines,
                                    std::unordered_map<std::string_view, std::uint32_t>& known) {
  std::vector<std::uint32_t> result;
  result.reserve(lines.size());
  for (const std::string_view line : lines) {
    result.push_back(
        known.try_emplace(line, static_cast<std::uint32_t>(known.size())).first->second);
  }
  return result;
}

struct Box {
  Index left, top, right, bottom;  ///< [left, right) of before, [top, bottom) of after
};

struct Snake {
  Index x_begin, y_begin, x_end, y_end;
  bool found;
};

/// Marks the lines that a shortest edit script deletes and inserts.
class Comparison {
 public:
  Comparison(const std::vector<std::uint32_t>& before, const std::vector<std::uint32_t>& after)
      : before_(before),
        after_(after),
        deleted(before.size(), false),
        inserted(after.size(), false),
        offset_(static_cast<Index>(before.size() + after.size()) + 1),
        forward_(static_cast<std::size_t>(2 * offset_ + 1)),
        backward_(forward_.size()) {}

  void run() {
    std::vector<Box> open{
        {0, 0, static_cast<Index>(before_.size()), static_cast<Index>(after_.size())}};
    while (!open.empty()) {
      Box box = open.back();
      open.pop_back();
      trim(box);
      if (box.left == box.right || box.top == box.bottom) {
        mark(box);
        continue;
      }
      const Snake snake = middle(box);
      if (!snake.found) {
        mark(box);
        continue;
      }
      open.push_back({box.left, box.top, snake.x_begin, snake.y_begin});
      open.push_back({snake.x_end, snake.y_end, box.right, box.bottom});
    }
  }

 private:
  [[nodiscard]] bool same(Index x, Index y) const {
    return before_[static_cast<std::size_t>(x)] == after_[static_cast<std::size_t>(y)];
  }

  void trim(Box& box) const {
    while (box.left < box.right && box.top < box.bottom && same(box.left, box.top))
      ++box.left, ++box.top;
    while (box.left < box.right && box.top < box.bottom && same(box.right - 1, box.bottom - 1)) {
      --box.right, --box.bottom;
    }
  }

  void mark(const Box& box) {
    std::fill(deleted.begin() + box.left, deleted.begin() + box.right, true);
    std::fill(inserted.begin() + box.top, inserted.begin() + box.bottom, true);
  }

  Index& forward(Index k) { return forward_[static_cast<std::size_t>(k + offset_)]; }
  Index& backward(Index k) { return backward_[static_cast<std::size_t>(k + offset_)]; }

  /// The middle snake of the box, found from both corners at once. Gives up where the texts have too little in common.
  Snake middle(const Box& box) {
    constexpr Index kMostSteps = 4096;
    const Index width = box.right - box.left;
    const Index height = box.bottom - box.top;
    const Index delta = width - height;
    forward(1) = 0;
    backward(1) = 0;
    const Index most = std::min((width + height + 1) / 2, kMostSteps);
    for (Index d = 0; d <= most; ++d) {
      if (const Snake snake = step_forward(box, d, delta); snake.found) return snake;
      if (const Snake snake = step_backward(box, d, delta); snake.found) return snake;
    }
    return {0, 0, 0, 0, false};
  }

  Snake step_forward(const Box& box, Index d, Index delta) {
    const Index width = box.right - box.left;
    const Index height = box.bottom - box.top;
    for (Index k = -d; k <= d; k += 2) {
      const bool down = k == -d || (k != d && forward(k - 1) < forward(k + 1));
      Index x = down ? forward(k + 1) : forward(k - 1) + 1;
      Index y = x - k;
      const Index x_begin = x;
      while (x < width && y < height && x >= 0 && y >= 0 && same(box.left + x, box.top + y))
        ++x, ++y;
      forward(k) = x;
      const Index reverse = delta - k;
      const bool meets = delta % 2 != 0 && reverse >= -(d - 1) && reverse <= d - 1;
      if (meets && x + backward(reverse) >= width) return inside(box, x_begin, x_begin - k, x, y);
    }
    return {0, 0, 0, 0, false};
  }

  Snake step_backward(const Box& box, Index d, Index delta) {
    const Index width = box.right - box.left;
    const Index height = box.bottom - box.top;
    for (Index k = -d; k <= d; k += 2) {
      const bool down = k == -d || (k != d && backward(k - 1) < backward(k + 1));
      Index x = down ? backward(k + 1) : backward(k - 1) + 1;
      Index y = x - k;
      const Index x_begin = x;
      while (x < width && y < height && x >= 0 && y >= 0 &&
             same(box.right - 1 - x, box.bottom - 1 - y)) {
        ++x, ++y;
      }
      backward(k) = x;
      const Index ahead = delta - k;
      const bool meets = delta % 2 == 0 && ahead >= -d && ahead <= d;
      if (meets && x + forward(ahead) >= width) {
        return inside(box, width - x, height - y, width - x_begin, height - (x_begin - k));
      }
    }
    return {0, 0, 0, 0, false};
  }

  /// A snake in the coordinates of the whole texts; one that leaves the box or cuts nothing off is none.
  static Snake inside(const Box& box, Index x_begin, Index y_begin, Index x_end, Index y_end) {
    const Snake snake{box.left + x_begin, box.top + y_begin, box.left + x_end, box.top + y_end,
                      true};
    const bool fits = snake.x_begin >= box.left && snake.y_begin >= box.top &&
                      snake.x_end <= box.right && snake.y_end <= box.bottom;
    const bool first_is_all = snake.x_begin == box.right && snake.y_begin == box.bottom;
    const bool second_is_all = snake.x_end == box.left && snake.y_end == box.top;
    return {snake.x_begin, snake.y_begin, snake.x_end, snake.y_end,
            fits && !first_is_all && !second_is_all};
  }

  const std::vector<std::uint32_t>& before_;
  const std::vector<std::uint32_t>& after_;

 public:
  std::vector<bool> deleted, inserted;

 private:
  Index offset_;
  std::vector<Index> forward_, backward_;
};

/// Lines [before_begin, before_end) become [after_begin, after_end).
struct Change {
  std::size_t before_begin, before_end, after_begin, after_end;
};

std::vector<Change> changes_of(const Comparison& marks) {
  std::vector<Change> result;
  std::size_t x = 0;
  std::size_t y = 0;
  while (x < marks.deleted.size() || y < marks.inserted.size()) {
    const Change start{x, x, y, y};
    while (x < marks.deleted.size() && marks.deleted[x]) ++x;
    while (y < marks.inserted.size() && marks.inserted[y]) ++y;
    if (x > start.before_begin || y > start.after_begin) {
      result.push_back({start.before_begin, x, start.after_begin, y});
    } else {
      ++x, ++y;
    }
  }
  return result;
}

std::vector<Change> compared(const Lines& before, const Lines& after) {
  std::unordered_map<std::string_view, std::uint32_t> known;
  const auto old_numbers = numbered(before, known);
  const auto new_numbers = numbered(after, known);
  Comparison comparison(old_numbers, new_numbers);
  comparison.run();
  return changes_of(comparison);
}

std::string range_text(std::size_t begin, std::size_t count) {
  const std::size_t first = count == 0 ? begin : begin + 1;
  return count == 1 ? fmt::format("{}", first) : fmt::format("{},{}", first, count);
}

void put(std::string& out, char mark, std::string_view line) {
  out += mark;
  out += line;
  if (!line.ends_with('\n')) out += "\n\\ No newline at end of file\n";
}

/// One hunk: changes [first, last) that lie so close that their surroundings touch.
void put_hunk(std::string& out, const Lines& before, const Lines& after, const Change* first,
              const Change* last, std::size_t around) {
  const std::size_t lead = std::min(first->before_begin, around);
  const Change& end = *(last - 1);
  const std::size_t trail = std::min(before.size() - end.before_end, around);
  const std::size_t x_begin = first->before_begin - lead;
  const std::size_t y_begin = first->after_begin - lead;
  out += fmt::format("@@ -{} +{} @@\n", range_text(x_begin, end.before_end + trail - x_begin),
                     range_text(y_begin, end.after_end + trail - y_begin));
  std::size_t x = x_begin;
  for (const Change* change = first; change != last; ++change) {
    while (x < change->before_begin) put(out, ' ', before[x++]);
    while (x < change->before_end) put(out, '-', before[x++]);
    for (std::size_t y = change->after_begin; y < change->after_end; ++y) put(out, '+', after[y]);
  }
  while (x < end.before_end + trail) put(out, ' ', before[x++]);
}

}  // namespace

std::vector<DiffLine> diff_lines(std::span<const std::string> before,
                                 std::span<const std::string> after) {
  const Lines old_lines(before.begin(), before.end());
  const Lines new_lines(after.begin(), after.end());
  const std::vector<Change> changes = compared(old_lines, new_lines);
  std::vector<DiffLine> out;
  std::size_t x = 0, y = 0;
  for (const Change& change : changes) {
    while (x < change.before_begin) out.push_back({x++, y++});
    while (x < change.before_end) out.push_back({x++, std::nullopt});
    while (y < change.after_end) out.push_back({std::nullopt, y++});
  }
  while (x < old_lines.size()) out.push_back({x++, y++});
  return out;
}

std::string unified_diff(std::string_view before, std::string_view after,
                         std::string_view before_name, std::string_view after_name) {
  if (before == after) return {};
  constexpr std::size_t kAround = 3;
  const Lines old_lines = lines_of(before);
  const Lines new_lines = lines_of(after);
  const std::vector<Change> changes = compared(old_lines, new_lines);
  std::string out = fmt::format("--- {}\n+++ {}\n", before_name, after_name);
  for (std::size_t i = 0; i < changes.size();) {
    std::size_t j = i + 1;
    while (j < changes.size() && changes[j].before_begin - changes[j - 1].before_end <= 2 * kAround)
      ++j;
    put_hunk(out, old_lines, new_lines, &changes[i], changes.data() + j, kAround);
    i = j;
  }
  return out;
}

namespace {

/// Lines with their ends.
std::vector<std::string_view> lines_with_ends(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::size_t length = end == text.npos ? text.size() : end + 1;
    out.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return out;
}

/// "@@ -12,3 +12,4 @@"
struct HunkHead {
  std::size_t old_begin = 0, old_count = 1, new_begin = 0, new_count = 1;
};

bool take_line_number(std::string_view& text, std::size_t& out) {
  const auto number = take_number<std::size_t>(text);
  out = number.value_or(0);
  return number && *number <= (std::size_t{1} << 31);
}

bool take_range(std::string_view& text, char mark, std::size_t& begin, std::size_t& count) {
  if (text.empty() || text.front() != mark) return false;
  text.remove_prefix(1);
  if (!take_line_number(text, begin)) return false;
  count = 1;
  if (text.starts_with(',')) {
    text.remove_prefix(1);
    if (!take_line_number(text, count)) return false;
  }
  return true;
}

bool read_head(std::string_view line, HunkHead& out) {
  if (!line.starts_with("@@ ")) return false;
  line.remove_prefix(3);
  if (!take_range(line, '-', out.old_begin, out.old_count) || !line.starts_with(' ')) return false;
  line.remove_prefix(1);
  return take_range(line, '+', out.new_begin, out.new_count) && line.starts_with(" @@");
}

class DiffReader {
 public:
  DiffReader(std::string_view text, std::string_view diff)
      : old_(lines_with_ends(text)), diff_(lines_with_ends(diff)) {}

  Result<std::string> run() {
    while (at_ < diff_.size() && !diff_[at_].starts_with("@@ ")) ++at_;
    if (at_ == diff_.size()) return wrong("it has no hunk");
    while (at_ < diff_.size()) {
      if (diff_[at_].starts_with("@@ ")) {
        TRY(hunk());
      } else if (diff_[at_].find_first_not_of(" \t\r\n") == std::string_view::npos ||
                 diff_[at_].starts_with("-- ")) {
        break;  // the end of a mail
      } else {
        return wrong("a diff of one file is expected, and something else follows");
      }
    }
    while (taken_ < old_.size()) TRY(add(old_[taken_++]));
    return std::move(out_);
  }

 private:
  /// Behind a line without an end nothing can follow: two lines would become one.
  Status add(std::string_view line) {
    if (!out_.empty() && out_.back() != '\n')
      return wrong("only the last line of the result may have no end");
    out_ += line;
    return {};
  }

  [[nodiscard]] Failure wrong(std::string_view why) const {
    return fail(Errc::usage, fmt::format("the diff cannot be applied: line {}: {}", at_ + 1, why),
                "create it again from the current source: diff -u SOURCE EDITED");
  }

  Status hunk() {
    HunkHead head;
    if (!read_head(diff_[at_], head)) return wrong("the head of a hunk cannot be read");
    // A hunk that removes nothing names the line behind which it adds.
    const std::size_t begin = head.old_count == 0 ? head.old_begin : head.old_begin - 1;
    if ((head.old_count > 0 && head.old_begin == 0) || begin < taken_ || begin > old_.size())
      return wrong("the hunk is outside the source, or behind a later one");
    while (taken_ < begin) TRY(add(old_[taken_++]));
    ++at_;
    std::size_t olds = head.old_count, news = head.new_count;
    while (olds > 0 || news > 0) TRY(line(olds, news));
    if (at_ < diff_.size() && diff_[at_].starts_with("\\ ")) ++at_;
    return {};
  }

  Status line(std::size_t& olds, std::size_t& news) {
    if (at_ >= diff_.size()) return wrong("the hunk ends early");
    std::string_view text = diff_[at_];
    const char mark = text.front();
    text.remove_prefix(1);
    const bool ends_without = at_ + 1 < diff_.size() && diff_[at_ + 1].starts_with("\\ ");
    if (ends_without && text.ends_with('\n')) text.remove_suffix(1);
    if (mark == ' ' || mark == '-') {
      if (olds == 0 || (mark == ' ' && news == 0))
        return wrong("the hunk has more lines than its head says");
      if (taken_ >= old_.size() || old_[taken_] != text)
        return wrong(fmt::format("line {} of the source is another one", taken_ + 1));
      ++taken_, --olds;
    }
    if (mark == ' ' || mark == '+') {
      if (news == 0) return wrong("the hunk has more lines than its head says");
      TRY(add(text));
      --news;
    }
    if (mark != ' ' && mark != '-' && mark != '+')
      return wrong("a line of a hunk begins with a blank, '-' or '+'");
    at_ += ends_without ? 2 : 1;
    return {};
  }

  std::vector<std::string_view> old_, diff_;
  std::size_t at_ = 0, taken_ = 0;
  std::string out_;
};

}  // namespace

Result<std::string> apply_unified_diff(std::string_view text, std::string_view diff) {
  return DiffReader(text, diff).run();
}

}  // namespace rpl
