// SPDX-License-Identifier: MIT
#include "engine/optimize/rules/apply_diff.h"

#include <fmt/format.h>

#include <vector>

#include "engine/base/numbers.h"

namespace rpl {
namespace {

/// Lines with their ends.
std::vector<std::string_view> split_lines(std::string_view text) {
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
      : old_(split_lines(text)), diff_(split_lines(diff)) {}

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
    return fail(Errc::usage, fmt::format("the diff cannot be applied: line {}: {}", at_ + 1, why));
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
