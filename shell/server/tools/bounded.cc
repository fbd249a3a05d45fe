// SPDX-License-Identifier: MIT
#include "shell/server/tools/bounded.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "engine/base/numbers.h"
#include "engine/base/text.h"
#include "engine/document/json.h"

namespace rpl {
namespace {

constexpr std::size_t kMostBytes = std::size_t{256} << 20U;
constexpr std::size_t kMostKept = 16;

/// How much of what is inside of rows and fields stays.
struct Detail {
  std::size_t text = 0, elements = 0;  ///< columns of a text, elements of a list; 0: all
};
constexpr std::array<Detail, 5> kDetails{{{0, 0}, {160, 12}, {100, 5}, {80, 2}, {60, 1}}};

/// Places and vectors of numbers are short, and what has three elements is meant as a whole.
constexpr std::size_t kWhole = 3;

Value cut(const Value& value, const Detail& detail, bool& shortened) {
  if (const auto* text = value.as<std::string>()) {
    if (detail.text == 0 || text->size() <= detail.text) return value;
    shortened = true;
    return Value(elide_middle(*text, detail.text));
  }
  if (const auto* list = value.as<List>()) {
    std::size_t count = list->size();
    if (detail.elements != 0 && count > std::max(detail.elements, kWhole)) {
      shortened = true;
      count = detail.elements;
    }
    List out;
    for (std::size_t i = 0; i < count; ++i) out.push_back(cut((*list)[i], detail, shortened));
    return Value(std::move(out));
  }
  if (const auto* record = value.as<Record>()) {
    Record out;
    for (const auto& [name, one] : *record) out.emplace_back(name, cut(one, detail, shortened));
    return Value(std::move(out));
  }
  return value;
}

Value kernel_cut(const Column& column, const Value& value, const Detail& detail, bool& shortened) {
  const auto* text = value.as<std::string>();
  if (detail.text == 0 || text == nullptr || column.type != Type::kernel)
    return cut(value, detail, shortened);
  std::string name = elide_middle(short_kernel(demangled(*text)), detail.text);
  shortened = shortened || name != *text;
  return Value(std::move(name));
}

JsonText row_json(const Document& document, const Row& row, const Detail& detail, bool& shortened) {
  Record out;
  for (std::size_t i = 0; i < document.columns.size(); ++i)
    out.emplace_back(document.columns[i].name,
                     kernel_cut(document.columns[i], row[i], detail, shortened));
  return json_text(Value(std::move(out)));
}

/// Rows from `from` on, no more than could fit by any means, and whether there are others.
struct Rows {
  std::vector<Row> rows;
  bool more = false;
};
Result<Rows> rows_of(const Document& document, std::uint64_t from, std::uint64_t most,
                     std::size_t bytes) {
  Rows out;
  std::uint64_t at = 0;
  std::size_t read = 0;
  constexpr std::size_t kShortestShare = 8;  // of a row that was cut, by experience
  TRY(document.each_row([&](const Row& row) {
    if (at++ < from) return true;
    const bool full = bytes != 0 && read > bytes * kShortestShare;
    if ((most != 0 && out.rows.size() >= most) || full) {
      out.more = true;
      return false;
    }
    if (bytes != 0) {
      for (const Value& value : row) read += to_json(value).size();
    }
    out.rows.push_back(row);
    return true;
  }));
  return out;
}

class Writer {
 public:
  Writer(const Document& document, const Rows& rows, std::uint64_t from, std::size_t bytes)
      : document_(document), rows_(rows), from_(from), bytes_(bytes) {}

  /// With so much detail: as many rows as fit. Nullopt where not even one does.
  std::optional<Bounded> attempt(const Detail& detail) {
    Bounded out;
    const JsonText fields = record_json(detail, out.shortened);
    const JsonText notes = notes_json(detail);
    constexpr std::size_t kFrame = 180;  // names of members, and the note on what was left out
    std::size_t used =
        fields.bytes().size() + notes.bytes().size() + document_.schema.size() + kFrame;
    JsonText rows;
    for (const Row& row : rows_.rows) {
      const JsonText one = row_json(document_, row, detail, out.shortened);
      if (bytes_ != 0 && used + one.bytes().size() + 2 > bytes_) break;
      used += one.bytes().size() + 2;
      rows += when(!rows.empty(), ", ") + one;
      ++out.rows;
    }
    if (bytes_ != 0 && used > bytes_) return std::nullopt;
    if (out.rows == 0 && !rows_.rows.empty()) return std::nullopt;
    out.more_rows = rows_.more || out.rows < rows_.rows.size();
    out.is_rest = from_ > 0;
    out.json.add(R"({{"schema": {}{})", document_.schema, fields);
    if (document_.has_table()) out.json += ", \"rows\": [" + rows + "]";
    out.json.add(R"(, "notes": {}, "provenance": {}}})", notes, to_string(document_.provenance));
    return out;
  }

 private:
  JsonText record_json(const Detail& detail, bool& shortened) const {
    JsonText out;
    for (const auto& [name, value] : document_.record) {
      const auto column = std::ranges::find_if(document_.fields,
                                               [&](const Column& one) { return one.name == name; });
      const Value shown = column == document_.fields.end()
                              ? cut(value, detail, shortened)
                              : kernel_cut(*column, value, detail, shortened);
      out.add(", {}: {}", name, json_text(shown));
    }
    return out;
  }

  JsonText notes_json(const Detail& detail) const {
    List notes;
    constexpr std::size_t kNoteDetail = 4;  // notes are sentences
    for (const std::string& note : document_.notes) {
      if (detail.elements != 0 && notes.size() >= std::max(detail.elements, kWhole)) break;
      notes.emplace_back(detail.text == 0 ? note : elide_middle(note, detail.text * kNoteDetail));
    }
    return json_text(Value(std::move(notes)));
  }

  const Document& document_;
  const Rows& rows_;
  std::uint64_t from_;
  std::size_t bytes_;
};

/// What is left when nothing of a document fits: its name, and that there is more.
Bounded nothing_of(const Document& document) {
  Bounded out;
  out.shortened = true;
  out.more_rows = document.has_table();
  out.json.add(R"({{"schema": {}{}, "notes": [], "provenance": {}}})", document.schema,
               when(document.has_table(), ", \"rows\": []"), to_string(document.provenance));
  return out;
}

}  // namespace

Result<Bounded> bounded_json(const Document& document, std::uint64_t from, std::uint64_t rows,
                             std::size_t bytes) {
  const Rows read = TRY(rows_of(document, from, rows, bytes == 0 ? kMostBytes : bytes));
  Writer writer(document, read, from, bytes == 0 ? kMostBytes : bytes);
  std::optional<Bounded> best;
  for (const Detail& detail : kDetails) {
    std::optional<Bounded> made = writer.attempt(detail);
    if (!made) continue;
    const bool complete = made->rows == read.rows.size();
    // A table may end early; what each row says is worth more than a few rows further down.
    constexpr std::uint64_t kEnough = 3;
    const bool enough = detail.text != 0 && made->rows >= kEnough;
    if (!best || made->rows > best->rows) best = std::move(made);
    if (complete || enough) break;
  }
  if (!best && bytes == 0)
    return fail(Errc::limit, fmt::format("the result is longer than {} MiB", kMostBytes >> 20U),
                "ask for fewer rows with \"limit\", or write it to a file: export json");
  return best ? std::move(*best) : nothing_of(document);
}

std::string KeptResults::keep(std::shared_ptr<const Document> document) {
  for (const auto& [name, kept] : kept_) {
    if (kept == document) return name;
  }
  std::string name = fmt::format("r{}", ++count_);
  kept_.emplace_back(name, std::move(document));
  if (kept_.size() > kMostKept) kept_.pop_front();
  return name;
}

Result<KeptResults::Handle> KeptResults::find(const std::string& handle) const {
  const std::size_t at = std::min(handle.find('@'), handle.size());
  const auto found = std::ranges::find(kept_, handle.substr(0, at), &Kept::value_type::first);
  std::optional<std::uint64_t> from = 0;
  if (at < handle.size()) from = whole_number<std::uint64_t>(handle.substr(at + 1));
  if (found == kept_.end() || !from)
    return fail(Errc::not_found, fmt::format("no result is kept as '{}'", handle),
                fmt::format("handles stand in replies that were cut (r3, r3@10), and the last {} "
                            "results are kept; ask again",
                            kMostKept));
  return Handle{found->second, *from};
}

}  // namespace rpl
