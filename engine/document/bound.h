// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/document/document.h"
#include "engine/document/member_value.h"

/// Columns and fields bound to the members of plain structs. One list describes a struct once:
///
///     constexpr auto kCopyColumns = bound_to<CopyRow>(
///         column<&CopyRow::id>("id", "copy1, copy2, …").as(Type::id),
///         column<&CopyRow::bytes>("size_bytes", "null when not recorded"));
///
/// and JSON, CSV, text, schema, documentation, Lua and sorting follow from it; `from_value` (records.h) reads what `to_value` wrote. A struct
/// with `Columns<T> bound(const T*)` beside it (found by argument-dependent lookup) may be a member of another one, or the element of a list.
/// What a column is made of does not depend on the struct's type, so that a list is constant data and the code behind it is one
/// function for each member and a few for each type of member.
namespace rpl {

enum class Order { none, ascending, descending };

/// A column and the member that it stands for. Made by column(); the other functions change one thing each.
struct BoundColumn {
  Column about = {};
  const void* owner = nullptr;  ///< stands for the struct's type
  /// The member of an object; nullptr: the value is computed from the whole object.
  const void* (*at)(const void* object) = nullptr;
  Value (*get)(const void* member) = nullptr;
  Status (*set)(void* member, const Value& value,
                const ReadPlace& place) = nullptr;  ///< nullptr: is not read
  bool may_be_missing = false, has_default = false, empty_is_null = false;
  bool omits_null = false, omits_absent = false;
  bool (*holds)(const void* object) = nullptr;  ///< whether the object has it; nullptr: all have
  bool (*fits)(double number) = nullptr;
  Label wanted = {};  ///< what `fits` tests for
  Order order = Order::none;
  /// Of members that are whole numbers: the number, 0 where none is known. Sums over millions of objects make no Value.
  std::int64_t (*integer)(const void* member) = nullptr;

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
  /// When it is missing the member keeps its initializer and ReadPlace::notes is told; where nobody takes notes it must be there.
  constexpr BoundColumn or_default() const;
  /// It may be missing and nothing is lost: a key that not every writer of the format has.
  constexpr BoundColumn or_absent() const;
  /// Written for others, and not read back.
  constexpr BoundColumn unread() const;
  /// Only in objects of which this member is true; it stands in front in the list.
  template <auto Flag>
  constexpr BoundColumn when() const;
  /// A number that is read, and each of a list of them, must fit: `what` is expected otherwise.
  constexpr BoundColumn only(bool (*test)(double), Label what) const;
  /// Rows may be ordered by it, by the name without its unit: `--sort total`.
  constexpr BoundColumn sortable(Order direction = Order::descending) const;
  /// How it is computed from other columns, as `explain` shows it.
  constexpr BoundColumn formula(Label text) const;

  [[nodiscard]] Value value(const void* object) const;
  [[nodiscard, gnu::always_inline]] std::int64_t number(const void* object) const {
    const void* from = at == nullptr ? object : at(object);
    return from == nullptr ? 0 : integer(from);
  }
  /// The name without its unit: "total" of `total_ns`.
  [[nodiscard]] std::string_view key() const;

 private:
  constexpr BoundColumn shown(InText where) const;
  template <class Member>
  constexpr BoundColumn with(Member BoundColumn::* member, Member changed) const;
};

inline const BoundColumn* BoundList::end() const { return first + count; }

/// A list of columns of one type of struct: what is passed around. It points at a constant.
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

/// What a step may give in place of an object: a pointer to it of any kind, or an optional one. Nothing there makes the value null.
template <class T>
concept Indirect = requires(const T& held) {
  static_cast<bool>(held);
  *held;
};

template <auto First, auto... Rest>
struct Path {
  using From = typename Step<decltype(First)>::From;

  [[gnu::always_inline]] static constexpr decltype(auto) step(const From& from) {
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
  [[gnu::always_inline]] static Made follow(const From& from, const Use& use) {
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

template <class T, class Path>
std::int64_t computed_integer(const void* object) {
  return Path::template follow<std::int64_t>(
      *static_cast<const T*>(object),
      [](const auto& made) __attribute__((always_inline)) { return integer_of(made); });
}

/// Where column I of `List` is in an object that holds its object at the end of the path.
template <class T, class Path, const auto& List, std::size_t I>
const void* held_at(const void* object) {
  const auto found = [](const auto& held) -> const void* {
    // Decided as the program runs, which g++ 12 cannot do earlier where it watches for null pointers (-fsanitize=undefined).
    const auto at = List.columns[I].at;
    return at == nullptr ? static_cast<const void*>(&held) : at(&held);
  };
  return Path::template follow<const void*>(
      *static_cast<const T*>(object), [&](const auto& held) -> const void* {
        if constexpr (!Indirect<std::remove_cvref_t<decltype(held)>>)
          return found(held);
        else
          return held ? found(*held) : nullptr;
      });
}

template <class T, class Path, const auto& List, std::size_t I>
consteval BoundColumn held_column() {
  using Given = typename decltype(Path::given())::type;
  static_assert(std::is_lvalue_reference_v<Given>, "what holds the object is a member");
  static_assert(List.columns[I].holds == nullptr, "it would be asked of the holding object");
  BoundColumn out = List.columns[I];
  out.owner = &kTypeTag<T>;
  out.at = &held_at<T, Path, List, I>;
  if (!Path::settable() || Indirect<std::remove_cvref_t<Given>>) out.set = nullptr;
  return out;
}

consteval std::size_t count_of(std::type_identity<BoundColumn>) { return 1; }
template <std::size_t N>
consteval std::size_t count_of(std::type_identity<std::array<BoundColumn, N>>) {
  return N;
}
consteval void append(const BoundColumn& column, BoundColumn*& next) { *next++ = column; }
template <std::size_t N>
consteval void append(const std::array<BoundColumn, N>& columns, BoundColumn*& next) {
  for (const BoundColumn& column : columns) *next++ = column;
}

/// What follows from the type of a column's values, and from its name.
template <class T, class Held>
consteval BoundColumn column_about(Label name, Label description) {
  BoundColumn made;
  made.about.name = name;
  made.about.type = type_of<Held>();
  made.about.unit = unit_of(name, made.about.type);
  made.about.description = description;
  made.about.nested = nested_of<Held>();
  made.about.values = values_of<Held>();
  made.owner = &kTypeTag<T>;
  return made;
}

// Not constexpr: a column of another struct in a list does not compile.
void a_column_of_another_struct();

}  // namespace detail

/// A column of `T` whose value is found step by step: pointers to members, or, for what is computed, to const functions of it or
/// functions that take it. A pointer or optional on the way is followed; where it is empty the value is null.
template <class T, auto... Steps>
consteval BoundColumn column_of(Label name, Label description = {}) {
  using Path = detail::Path<Steps...>;
  using Given = typename decltype(Path::given())::type;
  using Held = std::remove_cvref_t<Given>;
  BoundColumn made = detail::column_about<T, Held>(name, description);
  made.may_be_missing = detail::kIs<Held, std::optional> || std::same_as<Held, Value>;
  if constexpr (std::is_lvalue_reference_v<Given>) {
    made.at = &detail::member_at<T, Path>;
    made.get = &detail::get_as<Held>;
    if constexpr (detail::kIsWhole<Held>) made.integer = &detail::integer_as<Held>;
    if constexpr (Path::settable()) made.set = detail::setter<Held>();
  } else {
    made.get = &detail::computed<T, Path>;
    if constexpr (detail::kIsWhole<Held>) made.integer = &detail::computed_integer<T, Path>;
  }
  return made;
}

/// The same, of the struct that the first step belongs to: `column<&KernelRow::duration, &DurationSummary::total_ns>("total_ns", "…")`.
template <auto... Steps>
consteval BoundColumn column(Label name, Label description = {}) {
  return column_of<typename detail::Path<Steps...>::From, Steps...>(name, description);
}

/// The last step of a column that counts: `column<&Kernel::launches, &how_many<std::vector<Launch>>>("launches", "…")`.
template <class List>
std::size_t how_many(const List& list) {
  return list.size();
}

/// Values by name, in the order in which they are shown.
template <class T>
using ByName = std::vector<std::pair<std::string_view, T>>;

/// A list with an element for each name of an enumeration, by name; also a column's last step:
/// `column<&Counts::by_class, &by_name<Class, decltype(Counts::by_class)>>("by_class", "…")`. `zeros`: elements that are 0, too.
template <class E, class List, bool zeros = false>
ByName<typename List::value_type> by_name(const List& list) {
  ByName<typename List::value_type> out;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (zeros || list[i] != 0) out.emplace_back(to_string(static_cast<E>(i)), list[i]);
  }
  return out;
}

/// The columns of another list, for a struct that holds that list's object, or a pointer or optional to it: where it is empty all are null.
/// `bound_to<Row>(column<&Row::name>("name", "…"), through<kDecisionColumns, &Row::decision>())`. `List` is a constant at namespace scope.
template <const auto& List, auto... Steps>
consteval auto through() {
  using From = typename detail::Path<Steps...>::From;
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return std::array{detail::held_column<From, detail::Path<Steps...>, List, I>()...};
  }(std::make_index_sequence<List.columns.size()>());
}

/// The list of a struct's columns, which are given one by one, or several by through().
template <class T, class... Given>
consteval auto bound_to(const Given&... given) {
  BoundTo<T, (detail::count_of(std::type_identity<Given>()) + ...)> out;
  auto* next = out.columns.data();
  (detail::append(given, next), ...);
  for (const BoundColumn& column : out.columns) {
    if (column.owner != &detail::kTypeTag<T>) detail::a_column_of_another_struct();
  }
  return out;
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

constexpr BoundColumn BoundColumn::formula(Label text) const {
  BoundColumn out = *this;
  out.about.formula = text;
  return out;
}

template <class Member>
constexpr BoundColumn BoundColumn::with(Member BoundColumn::* member, Member changed) const {
  BoundColumn out = *this;
  out.*member = changed;
  return out;
}

constexpr BoundColumn BoundColumn::or_absent() const {
  return with(&BoundColumn::may_be_missing, true);
}
constexpr BoundColumn BoundColumn::or_null() const {
  return or_absent().with(&BoundColumn::empty_is_null, true);
}
constexpr BoundColumn BoundColumn::if_known() const {
  return or_absent().with(&BoundColumn::omits_null, true);
}
constexpr BoundColumn BoundColumn::if_there() const {
  return or_absent().with(&BoundColumn::omits_absent, true);
}
constexpr BoundColumn BoundColumn::or_default() const {
  return or_absent().with(&BoundColumn::has_default, true);
}
constexpr BoundColumn BoundColumn::unread() const {
  return with(&BoundColumn::set, decltype(set){nullptr});
}
constexpr BoundColumn BoundColumn::sortable(Order direction) const {
  return with(&BoundColumn::order, direction);
}
constexpr BoundColumn BoundColumn::only(bool (*test)(double), Label what) const {
  return with(&BoundColumn::fits, test).with(&BoundColumn::wanted, what);
}

template <auto Flag>
constexpr BoundColumn BoundColumn::when() const {
  using From = typename detail::Step<decltype(Flag)>::From;
  bool (*test)(const void*) = [](const void* object) {
    return static_cast<bool>(static_cast<const From*>(object)->*Flag);
  };
  return with(&BoundColumn::holds, test);
}

/// For Command{.fields =, .columns =}.
std::vector<Column> described(BoundList list);
/// Of several lists, one behind the other.
std::vector<Column> described(std::initializer_list<BoundList> lists);

template <class T>
Value to_value(std::type_identity_t<Columns<T>> list, const T& object) {
  return detail::record_of(list, &object);
}

/// Of what a member may be: an object with a list beside its type, or a list of them.
template <detail::Recorded T>
Value to_value(const T& object) {
  return detail::value_of(object);
}
/// Appends the fields of an object to those that are there.
template <class T>
void append(Record& out, std::type_identity_t<Columns<T>> list, const T& object) {
  detail::append_fields(out, list, &object);
}

/// The values of an object, one for each column. `out` is reused.
void to_row(BoundList list, const void* object, Row& out);

namespace detail {

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
  append(record, list, object);
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

}  // namespace rpl
