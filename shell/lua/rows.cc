// SPDX-License-Identifier: MIT
#include "shell/lua/rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/base/interrupt.h"
#include "shell/core/command/nearest.h"

namespace rpl {
namespace {

struct Condition {
  enum class Kind { equals, contains, at_least, at_most };
  std::size_t column = 0;
  Kind kind = Kind::equals;
  Value value;

  bool holds(const Value& cell) const {
    if (kind == Kind::contains) {
      const auto* text = cell.as<std::string>();
      return text != nullptr && text->find(*value.as<std::string>()) != std::string::npos;
    }
    const auto number = cell.number();
    const auto wanted = value.number();
    if (kind == Kind::at_least) return number && wanted && *number >= *wanted;
    if (kind == Kind::at_most) return number && wanted && *number <= *wanted;
    return number && wanted ? *number == *wanted : cell == value;
  }
};

Result<Condition> condition(const Rows& rows, const std::string& name, const Value& value) {
  Condition made{.value = value};
  std::string_view column = name;
  const bool exact =
      std::ranges::any_of(rows.columns(), [&](const Column& c) { return c.name == name; });
  if (!exact && name.starts_with("min_")) made.kind = Condition::Kind::at_least;
  if (!exact && name.starts_with("max_")) made.kind = Condition::Kind::at_most;
  if (made.kind != Condition::Kind::equals) column.remove_prefix(4);
  made.column = TRY(rows.column(column));
  if (made.kind != Condition::Kind::equals && !value.is_number()) {
    return fail(Errc::usage, fmt::format("{} takes a number", name));
  }
  const Column& described = rows.columns()[made.column];
  if ((described.type == Type::kernel || column == "kernel") && value.as<std::string>()) {
    made.kind = Condition::Kind::contains;
  }
  return made;
}

}  // namespace

Failure no_such_column(std::string_view what, std::string_view name,
                       std::span<const Column> columns) {
  std::vector<std::string> names;
  for (const Column& column : columns) names.push_back(column.name);
  std::string hint = did_you_mean(nearest(name, names));
  if (hint.empty()) hint = fmt::format("columns: {}", fmt::join(names, ", "));
  return fail(Errc::not_found, fmt::format("{} '{}'", what, name), std::move(hint));
}

Result<std::size_t> Rows::column(std::string_view name) const {
  const auto found = std::ranges::find(columns(), name, &Column::name);
  if (found != columns().end()) return static_cast<std::size_t>(found - columns().begin());
  return no_such_column("no column", name, columns());
}

Result<std::uint64_t> Rows::size() {
  if (!document_->rows_from) return document_->rows.size();
  if (!size_) {
    std::uint64_t count = 0;
    TRY(document_->each_row([&](const Row&) {
      ++count;
      return true;
    }));
    size_ = count;
  }
  return *size_;
}

Result<const Row*> Rows::at(std::uint64_t index) {
  if (!document_->rows_from) {
    return index < document_->rows.size() ? &document_->rows[index] : nullptr;
  }
  if (size_ && index >= *size_) return nullptr;
  if (!source_ || index + 1 < next_) {
    source_ = document_->rows_from();
    next_ = 0;
  }
  while (next_ <= index) {
    if (next_ % 65536 == 65535) TRY(interrupt::check());
    if (!TRY(source_->next(row_))) {
      size_ = next_;
      source_.reset();
      return nullptr;
    }
    ++next_;
  }
  return &row_;
}

Status Rows::each_number(std::string_view name,
                         const std::function<void(const Value&)>& visit) const {
  const std::size_t index = TRY(column(name));
  bool text = false;
  TRY(document_->each_row([&](const Row& row) {
    text = !row[index].is_null() && !row[index].is_number();
    if (row[index].is_number()) visit(row[index]);
    return !text;
  }));
  if (!text) return {};
  return fail(Errc::usage, fmt::format("column '{}' does not hold numbers", name));
}

Result<std::vector<double>> Rows::numbers(std::string_view column) const {
  std::vector<double> values;
  TRY(each_number(column, [&](const Value& cell) { values.push_back(*cell.number()); }));
  return values;
}

Result<Value> Rows::sum(std::string_view column) const {
  double real = 0;
  std::int64_t whole = 0;
  bool exact = true;
  TRY(each_number(column, [&](const Value& cell) {
    const auto* integer = cell.as<std::int64_t>();
    real += *cell.number();
    exact = exact && integer && !__builtin_add_overflow(whole, *integer, &whole);
  }));
  return exact ? Value(whole) : Value(real);
}

std::shared_ptr<Rows> Rows::with_rows(std::vector<Row> rows) const {
  auto made = std::make_shared<Document>();
  made->schema = document_->schema;
  made->columns = document_->columns;
  made->provenance = document_->provenance;
  made->rows = std::move(rows);
  return std::make_shared<Rows>(std::move(made));
}

Result<std::shared_ptr<Rows>> Rows::where(const Record& conditions) const {
  std::vector<Condition> all;
  for (const auto& [name, value] : conditions) all.push_back(TRY(condition(*this, name, value)));
  std::vector<Row> kept;
  TRY(document_->each_row([&](const Row& row) {
    const bool holds =
        std::ranges::all_of(all, [&](const Condition& one) { return one.holds(row[one.column]); });
    if (holds) kept.push_back(row);
    return true;
  }));
  return with_rows(std::move(kept));
}

Result<std::shared_ptr<Rows>> Rows::top(std::uint64_t count, std::string_view name) const {
  const std::size_t column = TRY(this->column(name));
  std::vector<std::pair<double, Row>> all;
  TRY(document_->each_row([&](const Row& row) {
    if (const auto number = row[column].number()) all.emplace_back(*number, row);
    return true;
  }));
  std::ranges::stable_sort(all, std::greater<>(), &std::pair<double, Row>::first);
  if (all.size() > count) all.resize(count);
  std::vector<Row> rows;
  for (auto& [value, row] : all) rows.push_back(std::move(row));
  return with_rows(std::move(rows));
}

double percentile_of(std::vector<double> values, double p) {
  const double rank = std::ceil(p / 100 * static_cast<double>(values.size()));
  const auto index = static_cast<std::ptrdiff_t>(std::max(rank, 1.0)) - 1;
  std::ranges::nth_element(values, values.begin() + index);
  return values[static_cast<std::size_t>(index)];
}

Moments moments(std::span<const double> values) {
  Moments out;
  if (values.empty()) return out;
  const auto count = static_cast<double>(values.size());
  out.mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (const double value : values) squares += (value - out.mean) * (value - out.mean);
  if (values.size() > 1) out.deviation = std::sqrt(squares / (count - 1));
  return out;
}

}  // namespace rpl
