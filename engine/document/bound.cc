// SPDX-License-Identifier: MIT
#include "engine/document/bound.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "engine/base/numbers.h"
#include "engine/document/dynamic_table.h"
#include "engine/document/json.h"
#include "engine/document/records.h"
#include "engine/document/sorting.h"

namespace rpl {
namespace {

bool is_empty(const Value& value) {
  if (const auto* text = value.as<std::string>()) return text->empty();
  if (const auto* list = value.as<List>()) return list->empty();
  if (const auto* record = value.as<Record>()) return record->empty();
  return value.number() == 0.0;
}

/// Which kinds of values can be compared with each other; null comes last.
int kind_of(const Value& value) {
  if (value.as<bool>()) return 0;
  if (value.is_number()) return 1;
  if (value.as<std::string>()) return 2;
  return value.is_null() ? 4 : 3;
}

bool is_less(const Value& a, const Value& b) {
  if (const auto *left = a.as<std::int64_t>(), *right = b.as<std::int64_t>(); left && right)
    return *left < *right;
  if (a.is_number()) return *a.number() < *b.number();
  if (const auto* text = a.as<std::string>()) return *text < *b.as<std::string>();
  if (const auto* flag = a.as<bool>()) return *flag < *b.as<bool>();
  const auto *left = a.as<List>(), *right = b.as<List>();
  return left && right && std::ranges::lexicographical_compare(*left, *right, is_less);
}

bool is_left_out(const BoundColumn& column, const void* object, const Value& value) {
  if (!value.is_null()) return false;
  if (column.holds != nullptr && !column.holds(object)) return true;
  const bool absent = column.at != nullptr && column.at(object) == nullptr;
  return column.omits_null || (column.omits_absent && absent);
}

Status check_fits(const BoundColumn& column, const Value& value, const ReadPlace& place) {
  if (const auto number = value.number(); number && !column.fits(*number))
    return place.expected(column.wanted);
  if (const auto* list = value.as<List>()) {
    for (std::size_t i = 0; i < list->size(); ++i) TRY(check_fits(column, (*list)[i], place.in(i)));
  }
  return {};
}

}  // namespace

std::string ReadPlace::text() const {
  std::string text = outer == nullptr ? std::string() : outer->text();
  if (index) return text + fmt::format("[{}]", *index);
  if (!text.empty() && !key.empty()) text += outer->outer == nullptr ? ": " : ".";
  return text + std::string(key);
}

Failure ReadPlace::expected(std::string_view what) const {
  const std::string where = text();
  return fail(Errc::corrupt,
              fmt::format("{}{}expected {}", where, where.empty() ? "" : ": ", what));
}

Result<Value> parse_file(std::string_view text, std::string_view where) {
  auto parsed = parse_json(text);
  if (!parsed) return Failure(std::move(parsed).error().in(where));
  return parsed;
}

Value BoundColumn::value(const void* object) const {
  if (holds != nullptr && !holds(object)) return {};
  const void* from = at == nullptr ? object : at(object);
  if (from == nullptr) return {};
  if (!empty_is_null) return get(from);
  Value found = get(from);
  return is_empty(found) ? Value() : found;
}

std::string_view BoundColumn::key() const {
  constexpr std::string_view kEnds[] = {"_ns", "_bytes", "_gbps",  "_gflops",
                                        "_hz", "_pct",   "_cycles"};
  std::string_view name = about.name;
  for (const std::string_view end : kEnds) {
    if (name.ends_with(end)) name.remove_suffix(end.size());
  }
  return name;
}

const BoundColumn* BoundList::find(std::string_view name) const {
  const auto* found = std::ranges::find_if(
      *this, [&](const BoundColumn& column) { return column.about.name == name; });
  return found == end() ? nullptr : found;
}

std::vector<Column> described(BoundList list) { return described({list}); }

std::vector<Column> described(std::initializer_list<BoundList> lists) {
  std::vector<Column> out;
  std::size_t columns = 0;
  for (const BoundList& list : lists) columns += list.size();
  out.reserve(columns);
  for (const BoundList list : lists) {
    for (const BoundColumn& column : list) out.push_back(column.about);
  }
  return out;
}

void to_row(BoundList list, const void* object, Row& out) {
  out.resize(list.size());
  auto cell = out.begin();
  for (const BoundColumn& column : list) *cell++ = column.value(object);
}

bool comes_before(const Value& a, const Value& b, Order order) {
  const int left = kind_of(a), right = kind_of(b);
  if (left != right) return left < right;
  return order == Order::descending ? is_less(b, a) : is_less(a, b);
}

std::vector<Label> sort_keys(BoundList list) {
  std::vector<Label> out;
  for (const BoundColumn& column : list) {
    if (column.order != Order::none) out.emplace_back(column.key());
  }
  return out;
}

const BoundColumn& sorted_column(BoundList list, std::string_view key) {
  return *std::ranges::find_if(list, [&](const BoundColumn& column) {
    return column.order != Order::none && column.key() == key;
  });
}

std::vector<std::size_t> sorted_order(const BoundColumn& by, Order order, const void* first,
                                      std::size_t count, std::size_t size) {
  std::vector<Value> values;
  values.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(by.value(static_cast<const char*>(first) + i * size));
  std::vector<std::size_t> out(count);
  std::iota(out.begin(), out.end(), std::size_t{0});
  std::ranges::stable_sort(
      out, [&](std::size_t a, std::size_t b) { return comes_before(values[a], values[b], order); });
  return out;
}

Status DynamicTable::add(Row row) {
  if (row.size() != columns_.size()) {
    return fail(Errc::internal,
                fmt::format("a row of {} cells for {} columns", row.size(), columns_.size()));
  }
  rows_.push_back(std::move(row));
  return {};
}

void DynamicTable::put(Document& out) && {
  out.columns = std::move(columns_);
  out.rows = std::move(rows_);
  out.rows_from = std::move(rows_from_);
}

namespace detail {

void a_column_of_another_struct() {}

Value record_of(BoundList list, const void* object) {
  Record out;
  out.reserve(list.size());
  append_fields(out, list, object);
  return Value(std::move(out));
}

void append_fields(Record& out, BoundList list, const void* object) {
  for (const BoundColumn& column : list) {
    Value value = column.value(object);
    if (!is_left_out(column, object, value)) out.emplace_back(column.about.name, std::move(value));
  }
}

Status read_record(BoundList list, void* object, const Value& value, const ReadPlace& place) {
  if (value.as<Record>() == nullptr) return place.expected("an object");
  for (const BoundColumn& column : list) {
    const ReadPlace at = place.in(std::string_view(column.about.name));
    if (column.set == nullptr || column.at == nullptr) continue;
    if (column.holds != nullptr && !column.holds(object)) continue;
    const Value* found = value.find(column.about.name);
    if (found == nullptr && (!column.may_be_missing || column.has_default)) {
      if (!column.has_default || place.notes == nullptr)
        return fail(Errc::corrupt, fmt::format("{} is missing", at.text()));
      place.notes->push_back(fmt::format("{} is missing; its default holds", at.text()));
    }
    if (found == nullptr || (found->is_null() && column.may_be_missing)) continue;
    if (column.fits != nullptr) TRY(check_fits(column, *found, at));
    TRY(column.set(const_cast<void*>(column.at(object)), *found, at));
  }
  return {};
}

Result<std::int64_t> read_integer(const Value& value, std::int64_t least, std::int64_t most,
                                  const ReadPlace& place) {
  const auto* number = value.as<std::int64_t>();
  if (number == nullptr) return place.expected("a whole number");
  if (*number < least || *number > most)
    return place.expected(fmt::format("a whole number from {} to {}", least, most));
  return *number;
}

Result<std::uint64_t> read_unsigned(const Value& value, std::uint64_t most,
                                    const ReadPlace& place) {
  // What does not fit into the signed number of JSON is written as hex digits.
  if (const auto* text = value.as<std::string>(); text != nullptr && text->starts_with("0x")) {
    const auto number = whole_number<std::uint64_t>(std::string_view(*text).substr(2), 16);
    if (number && *number <= most) return *number;
  }
  const auto* number = value.as<std::int64_t>();
  if (number == nullptr) return place.expected("a whole number");
  if (*number < 0 || static_cast<std::uint64_t>(*number) > most)
    return place.expected(fmt::format("a whole number from 0 to {}", most));
  return static_cast<std::uint64_t>(*number);
}

Result<double> read_number(const Value& value, const ReadPlace& place) {
  if (const auto number = value.number()) return *number;
  return place.expected("a number");
}

Result<bool> read_boolean(const Value& value, const ReadPlace& place) {
  if (const auto* flag = value.as<bool>()) return *flag;
  return place.expected("true or false");
}

Result<std::string> read_text(const Value& value, const ReadPlace& place) {
  if (const auto* text = value.as<std::string>()) return *text;
  return place.expected("a string");
}

Result<const List*> read_list(const Value& value, const ReadPlace& place) {
  if (const auto* list = value.as<List>()) return list;
  return place.expected("a list");
}

Result<const Record*> read_map(const Value& value, const ReadPlace& place) {
  if (const auto* record = value.as<Record>()) return record;
  return place.expected("an object");
}

Value get_hex(const void* member) { return hex(*static_cast<const std::uint64_t*>(member)); }

Value get_known_hex(const void* member) {
  const auto& known = *static_cast<const std::optional<std::uint64_t>*>(member);
  return known ? Value(hex(*known)) : Value();
}

Status set_hex(void* member, const Value& value, const ReadPlace& place) {
  *static_cast<std::uint64_t*>(member) =
      TRY(read_unsigned(value, std::numeric_limits<std::uint64_t>::max(), place));
  return {};
}

Status set_known_hex(void* member, const Value& value, const ReadPlace& place) {
  *static_cast<std::optional<std::uint64_t>*>(member) =
      TRY(read_unsigned(value, std::numeric_limits<std::uint64_t>::max(), place));
  return {};
}

void begin_table(Document& out, BoundList list) {
  out.columns = described(list);
  out.rows.clear();
  out.rows_from = nullptr;
}

void add_row(Document& out, BoundList list, const void* object) {
  to_row(list, object, out.rows.emplace_back());
}

}  // namespace detail
}  // namespace rpl
