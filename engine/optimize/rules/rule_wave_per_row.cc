// SPDX-License-Identifier: MIT
// wave-per-row: where each work-item goes through a row of its own, the lanes of a wave read far apart and one after the other. A wave takes the row instead: its lanes share out the
// turns of the loops, and what the turns have in common is put together across them. The kernel is launched with as many work-items for each one as a wave has lanes.
#include <fmt/format.h>

#include <algorithm>

#include "engine/optimize/rules/lane_loop.h"
#include "engine/optimize/rules/loop_facts.h"
#include "engine/optimize/rules/loops.h"
#include "engine/optimize/rules/rules.h"

namespace rpl::rules {
namespace {

/// `const int row = blockIdx.x * blockDim.x + threadIdx.x;`
struct RowIndex {
  std::string_view name;
  std::size_t begin = 0, end = 0;  ///< tokens of the value
};

/// The number of the work-item in the grid, where the kernel asks for nothing else of its place.
std::optional<RowIndex> row_index(const KernelCase& on) {
  const SourceText& text = on.text;
  std::size_t first = kNoToken, places = 0;
  for (std::size_t i = on.kernel.body_open; i < on.kernel.body_close; ++i) {
    for (const std::string_view word : {"blockIdx", "threadIdx", "blockDim", "gridDim"}) {
      if (!text.is(i, word)) continue;
      ++places;
      first = std::min(first, i);
    }
  }
  if (places != 3) return std::nullopt;
  std::size_t equals = first;
  while (equals > on.kernel.body_open && !text.is(equals, "=") && !text.is(equals, ";")) --equals;
  if (!text.is(equals, "=") || text[equals - 1].kind != SourceTokenKind::identifier)
    return std::nullopt;
  RowIndex out{.name = text[equals - 1].text, .begin = equals + 1, .end = equals + 1};
  while (out.end < on.kernel.body_close && !text.is(out.end, ";")) ++out.end;
  if (!is_work_item_number(text, out.begin, out.end)) return std::nullopt;
  // A name that changes afterwards is no row's.
  for (std::size_t i = out.end; i < on.kernel.body_close; ++i) {
    if (text.is(i, out.name) && is_assigned_at(text, i)) return std::nullopt;
  }
  return out;
}

class WavePerRow {
 public:
  WavePerRow(const KernelCase& on, const RowIndex& row)
      : on_(on),
        text_(on.text),
        row_(row),
        lanes_(on.launches->wave_size),
        found_(find_loops(on.text, on.kernel)),
        pointers_(element_pointers(on)),
        lane_(fresh_name(on.text, "lane")),
        line_(line_end_of(on.text.text())) {}

  /// Why it cannot be done; "" when it can.
  std::string read() {
    if (found_.too_deep) return "statements are nested too deeply to be read";
    if (std::string why = meeting_point(on_); !why.empty()) return why;
    if (!statements(on_.kernel.body_open + 1, on_.kernel.body_close)) return why_not_;
    if (shared_.empty())
      return why_not_.empty() ? "no loop has turns that lanes could share out" : why_not_;
    return {};
  }

  [[nodiscard]] RuleEdit edit(std::uint32_t workgroup) {
    RuleEdit out;
    out.line = text_[shared_.front()->keyword].line;
    out.title = fmt::format("a wave takes each {}, and its lanes share out the loop{} in line{} {}",
                            row_.name, shared_.size() > 1 ? "s" : "", shared_.size() > 1 ? "s" : "",
                            lines());
    out.why =
        "lanes that go through rows of their own read far apart, and each row takes as long as all "
        "its turns";
    out.bit_exact = false;
    for (const std::string& one : apart_) out.assumes += (out.assumes.empty() ? "" : "; ") + one;
    changes_.push_back({text_[row_.begin].begin, text_[row_.end - 1].end,
                        fmt::format("({}) / {}", written(text_, row_.begin, row_.end), lanes_)});
    const std::size_t behind = text_[row_.end].end;
    changes_.push_back(
        {behind, behind,
         fmt::format("{}{}const int {} = threadIdx.x % {};", line_,
                     indent_at(text_.text(), text_[row_.begin].begin), lane_, lanes_)});
    out.source = replaced(text_.text(), std::move(changes_));
    out.launch = {.x = {.workgroup = workgroup, .items = lanes_}};
    return out;
  }

 private:
  bool says(std::size_t token, std::string_view why) {
    why_not_ = fmt::format("line {}: {}", text_[token].line, why);
    return false;
  }

  [[nodiscard]] const SourceLoop* loop_at(std::size_t token) const {
    const auto found = std::ranges::find(found_.loops, token, &SourceLoop::keyword);
    return found == found_.loops.end() ? nullptr : &*found;
  }

  /// Behind the statement that begins at `i`.
  [[nodiscard]] std::size_t behind(std::size_t i, std::size_t end) const {
    if (const SourceLoop* loop = loop_at(i)) return loop->body_end;
    if (text_.is(i, "{")) return text_.after_group(i);
    if (text_.is(i, "if")) {
      std::size_t at = behind(text_.after_group(i + 1), end);
      if (text_.is(at, "else")) at = behind(at + 1, end);
      return at;
    }
    while (i < end && !text_.is(i, ";")) i = text_.after_group(i);
    return i + 1;
  }

  /// All lanes go through these statements together, with equal values in every variable.
  bool statements(std::size_t begin, std::size_t end) {
    std::size_t pragma = kNoToken;
    for (std::size_t i = begin; i < end;) {
      if (text_[i].kind == SourceTokenKind::directive) {
        pragma = std::min(pragma, i);
        ++i;
        continue;
      }
      const std::size_t first = pragma == kNoToken ? i : pragma;
      pragma = kNoToken;
      const std::size_t next = behind(i, end);
      if (next <= i || next > end) return says(i, "the statement cannot be read");
      if (const SourceLoop* loop = loop_at(i)) {
        if (!loop_statement(*loop, first)) return false;
      } else if (text_.is(i, "{")) {
        if (!statements(i + 1, next - 1)) return false;
      } else if (is_guard(i, next)) {
        const std::size_t open = text_.after_group(i + 1);
        if (!statements(open + 1, next - 1)) return false;
      } else if (!plain_statement(i, next)) {
        return false;
      }
      i = next;
    }
    return true;
  }

  /// `if (row < n) { … }`
  [[nodiscard]] bool is_guard(std::size_t i, std::size_t next) const {
    if (!text_.is(i, "if") || !text_.is(i + 1, "(")) return false;
    const std::size_t open = text_.after_group(i + 1);
    if (!text_.is(open, "{") || text_.after_group(open) != next) return false;
    return std::ranges::any_of(found_.loops, [&](const SourceLoop& loop) {
      return open < loop.keyword && loop.keyword < next;
    });
  }

  bool plain_statement(std::size_t i, std::size_t next) {
    for (std::size_t at = i; at < next; ++at) {
      if (loop_at(at)) return says(i, "a loop stands under a condition");
    }
    if (!stores_in(on_, pointers_, i, next)) return true;
    for (std::size_t at = i; at < next; ++at) {
      if (text_[at].kind != SourceTokenKind::identifier || !is_assigned_at(text_, at)) continue;
      if (!text_.is(at + 1, "[") || elements_of(on_, text_[at].text) > 0)
        return says(i, "the statement stores to memory and to a variable");
    }
    first_lane(i);
    return true;
  }

  void first_lane(std::size_t i) {
    changes_.push_back({text_[i].begin, text_[i].begin, fmt::format("if ({} == 0) ", lane_)});
    stored_ = true;
  }

  bool loop_statement(const SourceLoop& loop, std::size_t first) {
    fence_before(loop, first);
    LaneLoop found = lane_loop(on_, loop, pointers_);
    if (found.why_not.empty()) {
      share(found, first);
      return true;
    }
    if (why_not_.empty()) says(loop.keyword, found.why_not);
    if (!found.stores) return true;  // every lane goes through all of it
    if (found.changes_outer) return says(loop.keyword, found.why_not);
    first_lane(first);
    return true;
  }

  /// What one lane has stored another one may read.
  void fence_before(const SourceLoop& loop, std::size_t first) {
    if (!stored_) return;
    const bool reads = std::ranges::any_of(pointers_, [&](const ElementPointer& pointer) {
      return std::ranges::any_of(uses_of(text_, pointer.name, loop.body_begin, loop.body_end),
                                 [](const NameUse& use) { return use.kind != UseKind::write; });
    });
    if (!reads) return;
    before(first, "__threadfence_block();");
    stored_ = false;
  }

  void before(std::size_t token, const std::string& statement) {
    const std::size_t at = text_[token].begin;
    changes_.push_back({at, at, statement + line_ + indent_at(text_.text(), at)});
  }

  void share(const LaneLoop& found, std::size_t first) {
    const SourceLoop& loop = *found.loop;
    shared_.push_back(&loop);
    const ByteRange from = found.shape.first;
    const std::string_view value = written(text_, from.begin, from.end);
    changes_.push_back({text_[from.begin].begin, text_[from.end - 1].end,
                        value == "0" ? lane_ : fmt::format("{} + {}", value, lane_)});
    const std::size_t step = condition_of_loop(text_, loop).end + 1;
    changes_.push_back({text_[step].begin, text_[loop.head_end - 1].end,
                        fmt::format("{} += {}", found.shape.counter, lanes_)});
    const std::string indent = line_ + indent_at(text_.text(), text_[loop.keyword].begin);
    std::string after;
    for (const Accumulator& one : found.accumulators) after += put_together(one, first, indent);
    const std::size_t end = text_[loop.body_end - 1].end;
    if (!after.empty()) changes_.push_back({end, end, after});
    stored_ = stored_ || found.stores;
    for (const std::string& each : found.apart) {
      if (std::ranges::find(apart_, each) == apart_.end()) apart_.push_back(each);
    }
  }

  /// The part of this lane in a variable of its own, and what makes one value of all parts behind the loop.
  std::string put_together(const Accumulator& one, std::size_t first, const std::string& indent) {
    const std::string mask = fresh_name(text_, "mask");
    const std::string over =
        fmt::format("for (int {0} = {1}; {0} > 0; {0} /= 2) ", mask, lanes_ / 2);
    if (one.kind == Accumulator::Kind::extreme)
      return fmt::format("{}{}{} = {}({}, __shfl_xor({}, {}));", indent, over, one.name,
                         one.function, one.name, one.name, mask);
    const std::string part = part_of(one.name);
    for (const std::size_t use : one.uses)
      changes_.push_back({text_[use].begin, text_[use].end, part});
    if (one.elements > 0) {
      const std::string at = fresh_name(text_, "at");
      before(first, fmt::format("{} {}[{}] = {{}};", one.element, part, one.elements));
      return fmt::format(
          "{0}for (int {1} = 0; {1} < {2}; ++{1}) {{{0}  {3}{4}[{1}] += __shfl_xor({4}[{1}], "
          "{5});{0}  {6}[{1}] += {4}[{1}];{0}}}",
          indent, at, one.elements, over, part, mask, one.name);
    }
    const bool sum = one.kind == Accumulator::Kind::sum;
    before(first, fmt::format("decltype({}) {} = {};", one.name, part, sum ? 0 : 1));
    return fmt::format("{0}{1}{2} {3}= __shfl_xor({2}, {4});{0}{5} {3}= {2};", indent, over, part,
                       sum ? "+" : "*", mask, one.name);
  }

  std::string part_of(std::string_view name) {
    std::string out = fresh_name(text_, fmt::format("{}_part", name));
    for (int number = 2; std::ranges::find(parts_, out) != parts_.end(); ++number)
      out = fresh_name(text_, fmt::format("{}_part{}", name, number));
    parts_.push_back(out);
    return out;
  }

  [[nodiscard]] std::string lines() const {
    std::string out;
    for (std::size_t i = 0; i < shared_.size(); ++i) {
      out += i == 0 ? "" : i + 1 == shared_.size() ? " and " : ", ";
      out += fmt::format("{}", text_[shared_[i]->keyword].line);
    }
    return out;
  }

  const KernelCase& on_;
  const SourceText& text_;
  RowIndex row_;
  std::uint32_t lanes_;  ///< of a wave
  LoopsFound found_;
  std::vector<ElementPointer> pointers_;
  std::string lane_, line_;
  std::vector<const SourceLoop*> shared_;
  std::vector<Replacement> changes_;
  std::vector<std::string> apart_, parts_;
  std::string why_not_;
  bool stored_ = false;  ///< something since the last fence
};

}  // namespace

RuleOutcome wave_per_row(const KernelCase& on) {
  RuleOutcome out;
  const auto why = [&]() -> std::string {
    if (const std::string_view reason = not_one_dimension(on); !reason.empty())
      return std::string(reason);
    if (on.launches->wave_size < 2) return "no captured launch says how many lanes waves have";
    const auto row = row_index(on);
    if (!row)
      return "the kernel does not take the number of the work-item in the grid, once, as the row "
             "that it works on";
    WavePerRow rule(on, *row);
    if (std::string reason = rule.read(); !reason.empty()) return reason;
    const std::uint32_t size = on.launches->workgroup[0], lanes = on.launches->wave_size;
    out.edits.push_back(rule.edit(size % lanes == 0 ? size : lanes));
    return {};
  }();
  if (!why.empty()) refuse(out, on.kernel.line, why);
  return out;
}

}  // namespace rpl::rules
