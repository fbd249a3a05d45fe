// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/document/document.h"

/// Columns and fields bound to the members of plain structs. One list describes a struct once:
///
///     constexpr auto kCopyColumns = bound_to<CopyRow>(
///         column<&CopyRow::id>("id", "copy1, copy2, …").as(Type::id),
///         column<&CopyRow::bytes>("size_bytes", "null when not recorded"));
///
/// and JSON, CSV, text, schema, documentation, Lua and sorting follow from it; `from_value` reads what `to_value` wrote. A struct
/// with `Columns<T> bound(const T*)` beside it (found by argument-dependent lookup) may be a member of another one, or the element of a list.
/// What a column is made of does not depend on the struct's type, so that a list is constant data and the code behind it is one
/// function for each member and a few for each type of member.
namespace rpl {

/// Where in a document a value is read, for errors and notes: "runs[3].kernel".
struct Place {
  const Place* outer = nullptr;
  std::string_view key = {};
  std::optional<std::size_t> index = {};
  std::vector<std::string>* notes = nullptr;  ///< takes what was missing and has a default

  [[nodiscard]] std::string text() const;
  [[nodiscard]] Place in(std::string_view field) const { return {this, field, {}, notes}; }
  [[nodiscard]] Place in(std::size_t element) const { return {this, {}, element, notes}; }
  /// "runs[3].kernel: expected a string"
  [[nodiscard]] Failure expected(std::string_view what) const;
};

enum class Order { none, ascending, descending };

/// A column and the member that it stands for. Made by column(); the other functions change one thing each.
struct BoundColumn {
  Column about = {};
  const void* owner = nullptr;  ///< stands for the struct's type
  /// The member of an object; nullptr: the value is computed from the whole object.
  const void* (*at)(const void* object) = nullptr;
  Value (*get)(const void* member) = nullptr;
  Status (*set)(void* member, const Value& value,
                const Place& place) = nullptr;  ///< nullptr: is not read
  bool may_be_missing = false;
  bool has_default = false;
  bool empty_is_null = false;
  bool omits_null = false;
  bool omits_absent = false;
  Order order = Order::none;
  Label how = {};

  constexpr BoundColumn as(Type type) const;
  constexpr BoundColumn in(Unit unit) const;
  constexpr BoundColumn if_room() const { return shown(InText::if_room); }
  constexpr BoundColumn whole() const { return shown(InText::whole); }
  constexpr BoundColumn never() const { return shown(InText::never); }
  /// An empty text or list, or 0, is unknown: null.
  constexpr BoundColumn or_null() const;
  /// A record has the field only when it is known: null is left out.
  constexpr BoundColumn if_known() const;
  /// The same only where a pointer or optional on the way to the member is empty: a null member is null.
  constexpr BoundColumn if_there() const;
  /// When it is missing the member keeps its initializer, and Place::notes is told.
  constexpr BoundColumn or_default() const;
  /// Rows may be ordered by it, by the name without its unit: `--sort total`.
  constexpr BoundColumn sortable(Order direction = Order::descending) const;
  /// How it is computed from other columns, as `explain` shows it.
  constexpr BoundColumn formula(Label text) const;

  [[nodiscard]] Value value(const void* object) const;
  /// The name without its unit: "total" of `total_ns`.
  [[nodiscard]] std::string_view key() const;

 private:
  constexpr BoundColumn shown(InText where) const;
};

/// A list of columns of one struct, whose type is no longer known.
struct BoundList {
  const BoundColumn* first = nullptr;
  std::size_t count = 0;

  [[nodiscard]] const BoundColumn* begin() const { return first; }
  [[nodiscard]] const BoundColumn* end() const { return first + count; }
  [[nodiscard]] std::size_t size() const { return count; }
  [[nodiscard]] const BoundColumn* find(std::string_view name) const;
};

/// The same, for one type of struct: what is passed around. It points at a constant.
template <class T>
struct Columns : BoundList {
  using Object = T;
};

/// What bound_to() makes: the columns themselves. Kept as a constant at namespace scope.
template <class T, std::size_t N>
struct BoundTo {
  using Object = T;
  std::array<BoundColumn, N> columns;

  constexpr operator Columns<T>() const { return {columns.data(), N}; }
};

namespace detail {

template <class T>
inline constexpr char kTypeTag = 0;

template <class T>
struct Step;
template <class T, class R>
struct Step<R T::*> {
  using From = T;
  static constexpr bool member = true;
};
template <class T, class R>
struct Step<R (T::*)() const> {
  using From = T;
  static constexpr bool member = false;
};
template <class T, class R>
struct Step<R (*)(const T&)> {
  using From = T;
  static constexpr bool member = false;
};

/// What a step may give in place of an object: a pointer to it, or an optional one. Nothing there makes the value null.
template <class T>
concept Indirect = std::is_pointer_v<T> || requires(const T& held) {
  { held.has_value() } -> std::same_as<bool>;
  *held;
};

template <auto First, auto... Rest>
struct Path {
  using From = typename Step<decltype(First)>::From;

  static constexpr decltype(auto) step(const From& from) {
    if constexpr (Step<decltype(First)>::member) {
      return (from.*First);
    } else if constexpr (std::is_member_function_pointer_v<decltype(First)>) {
      return (from.*First)();
    } else {
      return First(from);
    }
  }
  using Stepped = decltype(step(std::declval<const From&>()));
  using Here = std::remove_cvref_t<Stepped>;

  static consteval bool settable() {
    if constexpr (!Step<decltype(First)>::member) return false;
    if constexpr (sizeof...(Rest) != 0) return !Indirect<Here> && Path<Rest...>::settable();
    return true;
  }
  static auto given() {
    if constexpr (sizeof...(Rest) == 0) {
      return std::type_identity<Stepped>();
    } else {
      return Path<Rest...>::given();
    }
  }
  /// What `use` makes of what is at the end; a made value that is empty where nothing is there.
  template <class Made, class Use>
  static Made follow(const From& from, const Use& use) {
    if constexpr (sizeof...(Rest) == 0) {
      return use(step(from));
    } else if constexpr (Indirect<Here>) {
      const auto& next = step(from);
      if (next) return Path<Rest...>::template follow<Made>(*next, use);
      return Made();
    } else {
      return Path<Rest...>::template follow<Made>(step(from), use);
    }
  }
};

template <class T, template <class...> class Of>
inline constexpr bool kIs = false;
template <template <class...> class Of, class... Args>
inline constexpr bool kIs<Of<Args...>, Of> = true;

template <class T>
concept Nested = requires(const T* object) { bound(object); };
template <class T>
concept Text = std::convertible_to<const T&, std::string_view>;
template <class T>
concept Named = std::is_enum_v<T> && requires(T value) {
  { to_string(value) } -> std::convertible_to<std::string_view>;
};
template <class T>
concept FilePath = requires(const T& path) {
  { path.string() } -> std::same_as<std::string>;
};
template <class T>
concept Map = requires { typename T::mapped_type; };

template <class T>
struct Inner {
  using type = T;
};
template <class T>
struct Inner<std::optional<T>> {
  using type = T;
};

template <class T>
constexpr Type type_of() {
  using U = typename Inner<T>::type;
  if constexpr (std::same_as<U, bool>) {
    return Type::boolean;
  } else if constexpr (std::integral<U>) {
    return Type::integer;
  } else if constexpr (std::floating_point<U>) {
    return Type::number;
  } else if constexpr (Text<U> || Named<U> || FilePath<U>) {
    return Type::string;
  } else if constexpr (Nested<U> || Map<U> || std::same_as<U, Record>) {
    return Type::record;
  } else if constexpr (std::same_as<U, std::array<std::uint32_t, 3>>) {
    return Type::dim3;
  } else if constexpr (std::same_as<U, Value>) {
    return Type::any;
  } else if constexpr (std::ranges::range<U>) {
    return Text<std::ranges::range_value_t<U>> ? Type::strings : Type::any;
  } else {
    return Type::any;
  }
}

template <Nested T>
BoundList list_of() {
  return bound(static_cast<const T*>(nullptr));
}

template <class T>
constexpr auto nested_of() -> BoundList (*)() {
  using U = typename Inner<T>::type;
  if constexpr (Nested<U>) {
    return &list_of<U>;
  } else if constexpr (Text<U> || FilePath<U>) {
    return nullptr;
  } else if constexpr (std::ranges::range<U>) {
    using Element = typename Inner<std::ranges::range_value_t<U>>::type;
    if constexpr (Nested<Element>) return &list_of<Element>;
    return nullptr;
  } else {
    return nullptr;
  }
}

/// By the end of the name; a whole number without unit is a count.
constexpr Unit unit_of(std::string_view name, Type type) {
  constexpr std::pair<std::string_view, Unit> kEnds[] = {
      {"_ns", Unit::ns},         {"_bytes", Unit::bytes}, {"_gbps", Unit::gbps},
      {"_gflops", Unit::gflops}, {"_hz", Unit::hz},       {"_pct", Unit::pct},
      {"share", Unit::share},    {"_ratio", Unit::ratio}, {"_cycles", Unit::cycles}};
  if (type != Type::integer && type != Type::number) return Unit::none;
  for (const auto& [end, unit] : kEnds) {
    if (name.ends_with(end)) return unit;
  }
  return type == Type::integer ? Unit::count : Unit::none;
}

Value record_of(BoundList list, const void* object);
Status read_record(BoundList list, void* object, const Value& value, const Place& place);
Result<std::int64_t> read_integer(const Value& value, std::int64_t least, std::int64_t most,
                                  const Place& place);
Result<std::uint64_t> read_unsigned(const Value& value, std::uint64_t most, const Place& place);
Result<double> read_number(const Value& value, const Place& place);
Result<bool> read_boolean(const Value& value, const Place& place);
Result<std::string> read_text(const Value& value, const Place& place);
Result<const List*> read_list(const Value& value, const Place& place);
Result<const Record*> read_map(const Value& value, const Place& place);

template <class T>
Value value_of(const T& held) {
  if constexpr (std::same_as<T, Value> || std::same_as<T, Record> || std::same_as<T, List>) {
    return Value(held);
  } else if constexpr (kIs<T, std::optional>) {
    return held ? value_of(*held) : Value();
  } else if constexpr (std::same_as<T, bool>) {
    return Value(held);
  } else if constexpr (std::integral<T>) {
    if constexpr (std::signed_integral<T>) return Value(static_cast<std::int64_t>(held));
    return Value(static_cast<std::uint64_t>(held));
  } else if constexpr (std::floating_point<T>) {
    return Value(static_cast<double>(held));
  } else if constexpr (Text<T>) {
    return Value(static_cast<std::string_view>(held));
  } else if constexpr (Named<T>) {
    return Value(to_string(held));
  } else if constexpr (FilePath<T>) {
    return Value(held.string());
  } else if constexpr (Nested<T>) {
    return record_of(list_of<T>(), &held);
  } else if constexpr (Map<T>) {
    Record out;
    for (const auto& [key, value] : held) out.emplace_back(key, value_of(value));
    return Value(std::move(out));
  } else {
    List out;
    out.reserve(std::ranges::size(held));
    for (const auto& element : held) out.push_back(value_of(element));
    return Value(std::move(out));
  }
}

/// The same for what was made for this value alone: a text is taken over.
template <class T>
Value value_of_made(T&& made) {
  if constexpr (std::same_as<T, std::string>) {
    return Value(std::move(made));
  } else if constexpr (std::same_as<T, std::optional<std::string>>) {
    return made ? Value(*std::move(made)) : Value();
  } else {
    return value_of(made);
  }
}

template <class T>
Status read_to(T& held, const Value& value, const Place& place) {
  if constexpr (std::same_as<T, Value>) {
    held = value;
  } else if constexpr (kIs<T, std::optional>) {
    held.reset();
    if (value.is_null()) return {};
    typename T::value_type inner{};
    TRY(read_to(inner, value, place));
    held = std::move(inner);
  } else if constexpr (std::same_as<T, bool>) {
    held = TRY(read_boolean(value, place));
  } else if constexpr (std::signed_integral<T>) {
    held = static_cast<T>(TRY(
        read_integer(value, std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), place)));
  } else if constexpr (std::integral<T>) {
    held = static_cast<T>(TRY(read_unsigned(value, std::numeric_limits<T>::max(), place)));
  } else if constexpr (std::floating_point<T>) {
    held = static_cast<T>(TRY(read_number(value, place)));
  } else if constexpr (std::same_as<T, std::string> || FilePath<T>) {
    held = TRY(read_text(value, place));
  } else if constexpr (Named<T>) {
    // An enumeration is read where `bool from_text(std::string_view, E&)` stands beside it.
    if (!from_text(TRY(read_text(value, place)), held)) return place.expected("one of its names");
  } else if constexpr (Nested<T>) {
    TRY(read_record(list_of<T>(), &held, value, place));
  } else if constexpr (std::same_as<T, Record>) {
    held = *TRY(read_map(value, place));
  } else if constexpr (Map<T>) {
    held.clear();
    for (const auto& [key, element] : *TRY(read_map(value, place)))
      TRY(read_to(held[key], element, place.in(key)));
  } else if constexpr (requires { held.push_back(std::declval<typename T::value_type>()); }) {
    const List& list = *TRY(read_list(value, place));
    held.clear();
    held.reserve(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
      typename T::value_type element{};
      TRY(read_to(element, list[i], place.in(i)));
      held.push_back(std::move(element));
    }
  } else {
    const List& list = *TRY(read_list(value, place));
    if (list.size() != held.size())
      return place.expected(std::to_string(held.size()) + " elements");
    for (std::size_t i = 0; i < list.size(); ++i) TRY(read_to(held[i], list[i], place.in(i)));
  }
  return {};
}

/// Whether from_value can make one: views, and enumerations whose names nobody reads, are only written.
template <class T>
constexpr bool readable() {
  if constexpr (kIs<T, std::optional>) {
    return readable<typename T::value_type>();
  } else if constexpr (std::is_enum_v<T>) {
    return requires(T value) { from_text(std::string_view(), value); };
  } else if constexpr (std::is_arithmetic_v<T> || std::same_as<T, std::string> ||
                       std::same_as<T, Value> || std::same_as<T, Record> || FilePath<T>) {
    return true;
  } else if constexpr (Nested<T>) {
    return std::default_initializable<T>;
  } else if constexpr (Text<T>) {
    return false;
  } else if constexpr (Map<T>) {
    return readable<typename T::mapped_type>();
  } else if constexpr (requires { typename std::tuple_size<T>::type; }) {
    return readable<typename T::value_type>();
  } else if constexpr (requires(T held) {
                         held.push_back(std::declval<typename T::value_type>());
                       }) {
    return readable<typename T::value_type>();
  } else {
    return false;
  }
}

template <class T>
Value get_as(const void* member) {
  return value_of(*static_cast<const T*>(member));
}

template <class T>
Status set_as(void* member, const Value& value, const Place& place) {
  return read_to(*static_cast<T*>(member), value, place);
}

template <class T>
constexpr auto setter() -> Status (*)(void*, const Value&, const Place&) {
  if constexpr (readable<T>()) return &set_as<T>;
  return nullptr;
}

template <class T, class Path>
const void* member_at(const void* object) {
  return Path::template follow<const void*>(
      *static_cast<const T*>(object), [](const auto& member) -> const void* { return &member; });
}

template <class T, class Path>
Value computed(const void* object) {
  return Path::template follow<Value>(*static_cast<const T*>(object), []<class Made>(Made&& made) {
    return value_of_made(std::forward<Made>(made));
  });
}

Value get_hex(const void* member);
Value get_known_hex(const void* member);
Status set_hex(void* member, const Value& value, const Place& place);
Status set_known_hex(void* member, const Value& value, const Place& place);

// Not constexpr: a column of another struct in a list does not compile.
void a_column_of_another_struct();

}  // namespace detail

/// A column of `T` whose value is found step by step: pointers to members, or, for what is computed, to const functions of it or
/// functions that take it. A pointer or optional on the way is followed; where it is empty the value is null.
template <class T, auto... Steps>
consteval BoundColumn column_of(Label name, Label description) {
  using Path = detail::Path<Steps...>;
  using Given = typename decltype(Path::given())::type;
  using Held = std::remove_cvref_t<Given>;
  BoundColumn made;
  made.about.name = name;
  made.about.type = detail::type_of<Held>();
  made.about.unit = detail::unit_of(name, made.about.type);
  made.about.description = description;
  made.about.nested = detail::nested_of<Held>();
  made.owner = &detail::kTypeTag<T>;
  made.may_be_missing = detail::kIs<Held, std::optional> || std::same_as<Held, Value>;
  if constexpr (std::is_lvalue_reference_v<Given>) {
    made.at = &detail::member_at<T, Path>;
    made.get = &detail::get_as<Held>;
    if constexpr (Path::settable()) made.set = detail::setter<Held>();
  } else {
    made.get = &detail::computed<T, Path>;
  }
  return made;
}

/// The same, of the struct that the first step belongs to: `column<&KernelRow::duration, &DurationSummary::total_ns>("total_ns", "…")`.
template <auto... Steps>
consteval BoundColumn column(Label name, Label description) {
  return column_of<typename detail::Path<Steps...>::From, Steps...>(name, description);
}

/// The list of a struct's columns.
template <class T, std::same_as<BoundColumn>... Column>
consteval BoundTo<T, sizeof...(Column)> bound_to(const Column&... columns) {
  if (((columns.owner != &detail::kTypeTag<T>) || ...)) detail::a_column_of_another_struct();
  return {{columns...}};
}

constexpr BoundColumn BoundColumn::as(Type type) const {
  BoundColumn out = *this;
  out.about.type = type;
  if (type != Type::integer && type != Type::number) out.about.unit = Unit::none;
  if (type == Type::address && get == &detail::get_as<std::uint64_t>) {
    out.get = &detail::get_hex;
    out.set = &detail::set_hex;
  } else if (type == Type::address && get == &detail::get_as<std::optional<std::uint64_t>>) {
    out.get = &detail::get_known_hex;
    out.set = &detail::set_known_hex;
  }
  return out;
}

constexpr BoundColumn BoundColumn::in(Unit unit) const {
  BoundColumn out = *this;
  out.about.unit = unit;
  return out;
}

constexpr BoundColumn BoundColumn::shown(InText where) const {
  BoundColumn out = *this;
  out.about.in_text = where;
  return out;
}

constexpr BoundColumn BoundColumn::or_null() const {
  BoundColumn out = *this;
  out.empty_is_null = out.may_be_missing = true;
  return out;
}

constexpr BoundColumn BoundColumn::if_known() const {
  BoundColumn out = *this;
  out.omits_null = out.may_be_missing = true;
  return out;
}

constexpr BoundColumn BoundColumn::if_there() const {
  BoundColumn out = *this;
  out.omits_absent = out.may_be_missing = true;
  return out;
}

constexpr BoundColumn BoundColumn::or_default() const {
  BoundColumn out = *this;
  out.has_default = out.may_be_missing = true;
  return out;
}

constexpr BoundColumn BoundColumn::sortable(Order direction) const {
  BoundColumn out = *this;
  out.order = direction;
  return out;
}

constexpr BoundColumn BoundColumn::formula(Label text) const {
  BoundColumn out = *this;
  out.how = text;
  return out;
}

/// For Command{.fields =, .columns =}.
std::vector<Column> described(BoundList list);

template <class T>
Value to_value(std::type_identity_t<Columns<T>> list, const T& object) {
  return detail::record_of(list, &object);
}

/// Reads an object that to_value wrote. Keys that the list lacks are accepted, missing ones only where the member is optional or the column says so.
/// `where` begins the place in errors ("session.json"); `notes` takes which keys were missing and have a default.
template <class T, std::size_t N>
Result<T> from_value(const BoundTo<T, N>& list, const Value& value, std::string_view where = {},
                     std::vector<std::string>* notes = nullptr) {
  T out{};
  const Place place{nullptr, where, {}, notes};
  TRY(detail::read_record(Columns<T>(list), &out, value, place));
  return out;
}

/// The values of an object, one for each column. `out` is reused.
void to_row(BoundList list, const void* object, Row& out);

/// `null` stands behind everything else; numbers by size, texts by their bytes, false before true.
bool comes_before(const Value& a, const Value& b, Order order);

/// What `--sort` takes: the names of the columns by which rows may be ordered, without their units.
std::vector<Label> sort_keys(BoundList list);
/// The column of a sort key; there must be one.
const BoundColumn& sorted_column(BoundList list, std::string_view key);
/// In which order objects come that begin at `first`, each `size` bytes long; equal ones stay as they are.
std::vector<std::size_t> sorted_order(const BoundColumn& by, Order order, const void* first,
                                      std::size_t count, std::size_t size);

/// Orders rows by a column's typed values, in the column's direction. `key` is one of sort_keys().
template <class T>
void sort_rows(std::vector<T>& rows, std::type_identity_t<Columns<T>> list, std::string_view key) {
  const BoundColumn& by = sorted_column(list, key);
  std::vector<T> sorted;
  sorted.reserve(rows.size());
  for (const std::size_t i : sorted_order(by, by.order, rows.data(), rows.size(), sizeof(T)))
    sorted.push_back(std::move(rows[i]));
  rows = std::move(sorted);
}

namespace detail {

void put_fields(Document& out, BoundList list, const void* object);
void begin_table(Document& out, BoundList list);
void add_row(Document& out, BoundList list, const void* object);

template <class T, class Next>
class PulledRows : public RowSource {
 public:
  PulledRows(BoundList list, Next next) : list_(list), next_(std::move(next)) {}

  Result<bool> next(Row& row) override {
    if (!next_(object_)) return false;
    to_row(list_, &object_, row);
    return true;
  }

 private:
  BoundList list_;
  Next next_;
  T object_{};
};

}  // namespace detail

template <class T>
void Document::put(std::type_identity_t<Columns<T>> list, const T& object) {
  detail::put_fields(*this, list, &object);
}

template <class T>
void Document::table(std::type_identity_t<Columns<T>> list, const std::vector<T>& objects,
                     std::int64_t most) {
  detail::begin_table(*this, list);
  const bool all = most <= 0 || objects.size() <= static_cast<std::uint64_t>(most);
  if (!all) total_rows = objects.size();
  const std::size_t count = all ? objects.size() : static_cast<std::size_t>(most);
  rows.reserve(count);
  for (std::size_t i = 0; i < count; ++i) detail::add_row(*this, list, &objects[i]);
}

template <class List, class Start>
void Document::stream(const List& list, Start start) {
  using Object = typename List::Object;
  const BoundList columns_of_it = Columns<Object>(list);
  detail::begin_table(*this, columns_of_it);
  rows_from = [columns_of_it, start = std::move(start)] {
    return std::make_unique<detail::PulledRows<Object, decltype(start())>>(columns_of_it, start());
  };
}

template <class List, class Make>
void Document::stream(const List& list, std::size_t count, Make make) {
  stream(list, [count, make = std::move(make)] {
    return [count, make, next = std::size_t{0}](typename List::Object& object) mutable {
      if (next >= count) return false;
      object = make(next++);
      return true;
    };
  });
}

/// A table whose columns exist only when the program runs: results of SQL, commands defined in Lua, chosen counters. Everything else is bound.
class DynamicTable {
 public:
  explicit DynamicTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  [[nodiscard]] const std::vector<Column>& columns() const { return columns_; }
  /// A row with one value for each column; another number of them is an error in the program.
  Status add(Row row);
  /// Rows made on demand, instead of those that were added.
  void made_by(std::function<std::unique_ptr<RowSource>()> rows) { rows_from_ = std::move(rows); }
  /// Makes it the document's table.
  void put(Document& out) &&;

 private:
  std::vector<Column> columns_;
  std::vector<Row> rows_;
  std::function<std::unique_ptr<RowSource>()> rows_from_;
};

}  // namespace rpl
