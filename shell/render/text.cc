// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "shell/render/forms.h"
#include "shell/render/names.h"
#include "shell/render/scale.h"

namespace rpl {
namespace {

/// Rows looked at before the first is written, to find widths and scales. Longer tables keep what these rows gave.
constexpr std::size_t kSampled = 512;
constexpr std::size_t kGap = 2;
constexpr std::size_t kNarrowest = 12;  ///< a name is not cut below this

std::string padded(std::string_view text, std::size_t width, bool right) {
  const std::size_t used = display_width(text);
  const std::string blanks(width > used ? width - used : 0, ' ');
  return right ? blanks + std::string(text) : std::string(text) + blanks;
}

bool right_aligned(const Column& column, const std::vector<Row>& sample, std::size_t index) {
  if (column.type == Type::integer || column.type == Type::number) return true;
  if (column.type != Type::any) return false;
  return std::ranges::all_of(
      sample, [&](const Row& row) { return row[index].is_null() || row[index].is_number(); });
}

class TableWriter {
 public:
  TableWriter(const Document& document, const Terminal& terminal, const Sink& sink)
      : document_(document), terminal_(terminal), sink_(sink) {}

  Status add(const Row& row) {
    if (started_) return write(row);
    sample_.push_back(row);
    if (sample_.size() < kSampled) return {};
    return start();
  }

  Status finish() { return started_ ? Status() : start(); }

 private:
  struct Layout {
    Scale scale;
    std::size_t width = 0;
    bool right = false;
  };

  std::string text_of(const Row& row, std::size_t i) const {
    std::string text = cell_text(row[i], document_.columns[i], layout_[i].scale);
    std::ranges::replace(text, '\n', ' ');
    return document_.columns[i].type == Type::kernel ? short_kernel(text) : text;
  }

  void lay_out() {
    layout_.resize(document_.columns.size());
    for (std::size_t i = 0; i < layout_.size(); ++i) {
      const Column& column = document_.columns[i];
      double largest = 0;
      for (const Row& row : sample_) {
        largest = std::max(largest, std::abs(row[i].number().value_or(0)));
      }
      layout_[i].scale = scale_for(column.unit, largest);
      layout_[i].right = right_aligned(column, sample_, i);
      layout_[i].width = display_width(heading(column, layout_[i].scale));
      for (const Row& row : sample_) {
        layout_[i].width = std::max(layout_[i].width, display_width(text_of(row, i)));
      }
    }
    if (terminal_.elide) shrink();
  }

  /// Takes the missing columns from the widest texts until the table fits or all are narrow.
  void shrink() {
    const auto total = [&] {
      std::size_t sum = 0;
      for (const Layout& layout : layout_) sum += layout.width + kGap;
      return sum - kGap;
    };
    while (total() > terminal_.width) {
      Layout* widest = nullptr;
      for (Layout& layout : layout_) {
        if (!layout.right && (!widest || layout.width > widest->width)) widest = &layout;
      }
      if (!widest || widest->width <= kNarrowest) break;
      const std::size_t excess = total() - terminal_.width;
      widest->width -= std::min(excess, widest->width - kNarrowest);
    }
  }

  Status start() {
    started_ = true;
    lay_out();
    std::string line;
    for (std::size_t i = 0; i < layout_.size(); ++i) {
      append(line, i, heading(document_.columns[i], layout_[i].scale));
    }
    if (terminal_.color) line = "\033[1m" + line + "\033[0m";
    TRY(sink_(line + "\n"));
    for (const Row& row : sample_) TRY(write(row));
    return {};
  }

  void append(std::string& line, std::size_t i, std::string_view text) const {
    const Layout& layout = layout_[i];
    const bool last = i + 1 == layout_.size();
    const std::string shown =
        terminal_.elide ? elide_middle(text, layout.width) : std::string(text);
    line += last && !layout.right ? shown : padded(shown, layout.width, layout.right);
    if (!last) line += std::string(kGap, ' ');
  }

  Status write(const Row& row) {
    std::string line;
    for (std::size_t i = 0; i < layout_.size(); ++i) append(line, i, text_of(row, i));
    return sink_(line + "\n");
  }

  const Document& document_;
  const Terminal& terminal_;
  const Sink& sink_;
  std::vector<Row> sample_;
  std::vector<Layout> layout_;
  bool started_ = false;
};

std::string field_text(const Column& column, const Value& value) {
  const auto* record = value.as<Record>();
  if (!record) {
    Column as_cell = column;
    if (column.type == Type::dim3) return cell_text(value, as_cell, {});
    return with_unit(value, column.unit);
  }
  std::string out;
  for (const auto& [name, held] : *record) {
    if (!out.empty()) out += ", ";
    out += fmt::format("{} {}", name, with_unit(held, column.unit));
  }
  return out.empty() ? "-" : out;
}

Status write_fields(const Document& document, const Terminal& terminal, const Sink& sink) {
  std::size_t widest = 0;
  for (const Column& field : document.fields) {
    if (document.get(field.name)) widest = std::max(widest, heading(field, {}).size());
  }
  for (const Column& field : document.fields) {
    const Value* value = document.get(field.name);
    if (!value) continue;
    std::string text = field_text(field, *value);
    const std::size_t room = terminal.width > widest + kGap ? terminal.width - widest - kGap : 1;
    const bool single = value->as<std::string>() != nullptr;
    if (field.type == Type::kernel) text = short_kernel(text);
    if (terminal.elide && single) text = elide_middle(text, std::max(room, kNarrowest));
    TRY(sink(padded(heading(field, {}), widest + kGap, false) + text + "\n"));
  }
  return {};
}

}  // namespace

Status render_table(const Document& document, const Form& form, const Terminal& terminal,
                    const Sink& sink) {
  if (!document.text.empty()) {
    const bool ends = document.text.ends_with('\n');
    return sink(ends ? document.text : document.text + "\n");
  }
  if (!document.record.empty()) TRY(write_fields(document, terminal, sink));
  std::string footer;
  if (document.has_table()) {
    if (!document.record.empty()) TRY(sink("\n"));
    TableWriter writer(document, terminal, sink);
    const Shown shown =
        TRY(each_shown_row(document, form, [&](const Row& row) { return writer.add(row); }));
    TRY(writer.finish());
    footer = count_text(document, shown);
    if (shown.more) footer += "; --limit 0 shows all";
  }
  if (document.provenance != Provenance::none) {
    footer += (footer.empty() ? "" : ", ") + std::string(to_string(document.provenance));
  }
  return footer.empty() ? Status() : sink(fmt::format("({})\n", footer));
}

Status render_fields(const Document& document, const Form& form, const Sink& sink) {
  const Terminal plain;
  TRY(write_fields(document, plain, sink));
  std::uint64_t number = 0;
  std::size_t widest = 0;
  for (const Column& column : document.columns) widest = std::max(widest, column.name.size());
  TRY(each_shown_row(document, form, [&](const Row& row) -> Status {
    TRY(sink(fmt::format("-- {} --\n", ++number)));
    for (std::size_t i = 0; i < document.columns.size(); ++i) {
      const std::string text = field_text(document.columns[i], row[i]);
      TRY(sink(padded(document.columns[i].name, widest + kGap, false) + text + "\n"));
    }
    return {};
  }));
  return {};
}

}  // namespace rpl
