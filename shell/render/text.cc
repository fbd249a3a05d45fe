// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/base/elide_apart.h"
#include "engine/base/encode.h"
#include "engine/base/text.h"
#include "shell/render/forms.h"
#include "shell/render/scale.h"

namespace rpl {
namespace {

/// Rows looked at before the first is written, to find widths and scales. Longer tables keep what these rows gave.
constexpr std::size_t kSampled = 512;
constexpr std::size_t kGap = 2;
constexpr OwnText kBetween("  ");
constexpr std::size_t kComfortable =
    24;  ///< a name is cut to this before whole columns are left out
constexpr std::size_t kWidestPadded = 60;  ///< longer names stand out of their column when not cut
constexpr std::size_t kNarrowest = 12;     ///< a name is not cut below this

bool right_aligned(const Column& column, const std::vector<Row>& sample, std::size_t index) {
  if (column.type == Type::integer || column.type == Type::number) return true;
  if (column.type != Type::any) return false;
  return std::ranges::all_of(sample, [&](const Row& row) { return is_numeric(row[index]); });
}

class TableWriter {
 public:
  TableWriter(const Document& document, const Terminal& terminal, const SinkOf<TerminalText>& sink)
      : document_(document), terminal_(terminal), sink_(sink) {}

  Status add(const Row& row) {
    if (started_) return write(row);
    sample_.push_back(row);
    if (sample_.size() < kSampled) return {};
    return start();
  }

  Status finish() { return started_ ? Status() : start(); }
  /// Columns that found no room.
  [[nodiscard]] const std::vector<std::string>& left_out() const { return left_out_; }

 private:
  struct Layout {
    Scale scale;
    std::size_t width = 0;
    bool right = false;
  };

  TerminalText text_of(const Row& row, std::size_t i) const {
    const Column& column = document_.columns[i];
    std::string text = cell_text(row[i], column, layout_[i].scale);
    const bool as_is = terminal_.mangled && text.starts_with("_Z");
    if (column.type == Type::kernel && !as_is) text = short_kernel(text);
    return terminal_line(std::move(text));
  }

  void lay_out() {
    layout_.resize(document_.columns.size());
    for (std::size_t i = 0; i < layout_.size(); ++i) {
      const Column& column = document_.columns[i];
      if (column.in_text != InText::never) visible_.push_back(i);
      double largest = 0;
      for (const Row& row : sample_) {
        largest = std::max(largest, std::abs(row[i].number().value_or(0)));
      }
      layout_[i].scale = scale_for(column.unit, largest);
      layout_[i].right = right_aligned(column, sample_, i);
      layout_[i].width = display_width(terminal_line(heading(column, layout_[i].scale)));
      for (const Row& row : sample_) {
        layout_[i].width = std::max(layout_[i].width, display_width(text_of(row, i)));
      }
    }
    if (terminal_.elide) {
      shrink();
      tell_apart();
    } else {
      // A file or pipe gets names in full; one long name must not push every other row's columns out of sight.
      for (Layout& layout : layout_) {
        if (!layout.right) layout.width = std::min(layout.width, kWidestPadded);
      }
    }
  }

  /// Names that would be cut to the same text are cut elsewhere.
  void tell_apart() {
    cut_.resize(layout_.size());
    for (const std::size_t i : visible_) {
      if (layout_[i].right) continue;
      std::vector<std::string> texts;
      for (const Row& row : sample_) texts.push_back(text_of(row, i).string());
      const std::vector<std::string> shown = elide_apart(texts, layout_[i].width);
      for (std::size_t at = 0; at < texts.size(); ++at)
        cut_[i].emplace(std::move(texts[at]), shown[at]);
    }
  }

  [[nodiscard]] TerminalText cut(const TerminalText& text, std::size_t i) const {
    const auto known = cut_[i].find(text.string());
    return known == cut_[i].end() ? elide_middle(text, layout_[i].width)
                                  : terminal_line(known->second);
  }

  /// Takes the missing columns from the widest texts until the table fits or all are narrow.
  void shrink() {
    const auto total = [&] {
      std::size_t sum = kGap;
      for (const std::size_t i : visible_) sum += layout_[i].width + kGap;
      return sum - std::min(sum, 2 * kGap);
    };
    while (total() > terminal_.width) {
      Layout* widest = widest_text(InText::always);
      const bool whole = widest == nullptr || widest->width <= kNarrowest;
      if (whole) widest = widest_text(InText::whole);
      if ((!widest || widest->width <= kComfortable || whole) && leave_one_out()) continue;
      if (!widest || widest->width <= kNarrowest) break;
      const std::size_t least = widest->width > kComfortable ? kComfortable : kNarrowest;
      const std::size_t excess = total() - terminal_.width;
      widest->width -= std::min(excess, widest->width - least);
    }
  }

  /// Of the texts that may be shortened first, or of those that are to stay whole; null for none.
  Layout* widest_text(InText kind) {
    Layout* widest = nullptr;
    for (const std::size_t i : visible_) {
      const bool last = document_.columns[i].in_text == InText::whole;
      if (layout_[i].right || last != (kind == InText::whole)) continue;
      if (widest == nullptr || layout_[i].width > widest->width) widest = &layout_[i];
    }
    return widest;
  }

  /// Drops the last column that the table can do without; false when there is none.
  bool leave_one_out() {
    for (std::size_t at = visible_.size(); at-- > 0;) {
      const Column& column = document_.columns[visible_[at]];
      if (column.in_text != InText::if_room) continue;
      left_out_.insert(left_out_.begin(), column.name);
      visible_.erase(visible_.begin() + static_cast<std::ptrdiff_t>(at));
      return true;
    }
    return false;
  }

  Status start() {
    started_ = true;
    lay_out();
    TerminalText line;
    for (const std::size_t i : visible_) {
      append(line, i, terminal_line(heading(document_.columns[i], layout_[i].scale)));
    }
    if (terminal_.color) line = "\033[1m" + line + "\033[0m";
    TRY(sink_(line + "\n"));
    for (const Row& row : sample_) TRY(write(row));
    return {};
  }

  void append(TerminalText& line, std::size_t i, const TerminalText& text) const {
    const Layout& layout = layout_[i];
    const bool last = i == visible_.back();
    const TerminalText shown = !terminal_.elide            ? text
                               : started_ && !cut_.empty() ? cut(text, i)
                                                           : elide_middle(text, layout.width);
    line += last && !layout.right ? shown : padded(shown, layout.width, layout.right);
    if (!last) line += kBetween;
  }

  Status write(const Row& row) {
    TerminalText line;
    for (const std::size_t i : visible_) append(line, i, text_of(row, i));
    return sink_(line + "\n");
  }

  const Document& document_;
  const Terminal& terminal_;
  const SinkOf<TerminalText>& sink_;
  std::vector<Row> sample_;
  std::vector<Layout> layout_;
  std::vector<std::size_t> visible_;
  std::vector<std::map<std::string, std::string>>
      cut_;  ///< by column: whole texts, as they are shown
  std::vector<std::string> left_out_;
  bool started_ = false;
};

/// Lists that are too long for a line go on below, behind `indent` blanks that are not part of the text.
std::string broken_list(std::string_view text, std::size_t indent, std::size_t width) {
  std::string out;
  for (const std::string& line : split_lines(text)) {
    const bool fits = indent + display_width(line) <= width;
    out += fits ? line + "\n" : wrapped(line, 0, width - indent);
  }
  if (out.ends_with('\n')) out.pop_back();
  return out;
}

Status write_fields(const Document& document, const Terminal& terminal,
                    const SinkOf<TerminalText>& sink) {
  std::size_t widest = 0;
  std::map<Unit, double> largest;
  for (const Column& field : document.fields) {
    const Value* value = document.get(field.name);
    if (value == nullptr || field.in_text == InText::never) continue;
    widest = std::max(widest, heading(field, {}).size());
    largest[field.unit] = std::max(largest[field.unit], largest_of(*value));
  }
  for (const Column& field : document.fields) {
    const Value* held = document.get(field.name);
    if (!held || field.in_text == InText::never) continue;
    const Value value = terminal.mangled ? *held : with_readable_names(field, *held);
    std::string text = field_text(field, value, ForWhom::terminal, largest[field.unit]);
    const std::size_t room = terminal.width > widest + kGap ? terminal.width - widest - kGap : 1;
    const bool single = value.as<std::string>() != nullptr;
    if (terminal.interactive && !single && room > kComfortable)
      text = broken_list(text, widest + kGap, terminal.width);
    TerminalText shown = terminal_block(text, widest + kGap);
    if (terminal.elide && single) shown = elide_middle(shown, std::max(room, kNarrowest));
    TRY(sink(padded(terminal_line(heading(field, {})), widest + kGap) + shown + "\n"));
  }
  return {};
}

/// Text as a person at a terminal sees it; a file or a pipe gets its lines whole.
Status show(std::string_view text, const Terminal& terminal, const SinkOf<TerminalText>& sink) {
  const TerminalText shown = terminal_text(text);
  return terminal.interactive ? sink(broken_between_words(shown, terminal.width)) : sink(shown);
}

}  // namespace

Status render_table(const Document& document, const Form& form, const Terminal& terminal,
                    const SinkOf<TerminalText>& sink) {
  if (!document.text.empty()) {
    const bool ends = document.text.ends_with('\n');
    return show(ends ? document.text : document.text + "\n", terminal, sink);
  }
  const bool has_head = !document.heading.empty() || !document.record.empty();
  if (!document.heading.empty()) {
    TRY(show(document.heading.ends_with('\n') ? document.heading : document.heading + "\n",
             terminal, sink));
  } else if (has_head) {
    TRY(write_fields(document, terminal, sink));
  }
  std::string footer;
  if (document.has_table()) {
    if (has_head) TRY(sink(OwnText("\n")));
    TableWriter writer(document, terminal, sink);
    const Shown shown =
        TRY(each_shown_row(document, form, [&](const Row& row) { return writer.add(row); }));
    TRY(writer.finish());
    footer = count_text(document, shown);
    if (shown.more) footer += "; --limit 0 shows all";
    if (!writer.left_out().empty()) {
      footer += fmt::format("{}no room for {}: /v", footer.empty() ? "" : "; ",
                            fmt::join(writer.left_out(), ", "));
    }
  }
  if (document.provenance != Provenance::none) {
    footer += (footer.empty() ? "" : ", ") + std::string(to_string(document.provenance));
  }
  return footer.empty() ? Status() : show(fmt::format("({})\n", footer), terminal, sink);
}

Status render_fields(const Document& document, const Form& form, const SinkOf<TerminalText>& sink) {
  const Terminal plain;
  TRY(write_fields(document, plain, sink));
  std::uint64_t number = 0;
  std::size_t widest = 0;
  for (const Column& column : document.columns) widest = std::max(widest, column.name.size());
  TRY(each_shown_row(document, form, [&](const Row& row) -> Status {
    TRY(sink(encoded<TerminalText>("-- {} --\n", ++number)));
    for (std::size_t i = 0; i < document.columns.size(); ++i) {
      const TerminalText text =
          terminal_block(field_text(document.columns[i], row[i]), widest + kGap);
      TRY(sink(padded(terminal_line(document.columns[i].name), widest + kGap) + text + "\n"));
    }
    return {};
  }));
  return {};
}

}  // namespace rpl
