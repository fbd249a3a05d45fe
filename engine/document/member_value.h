// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/document/document.h"

/// What a type of member means for a bound column: its type in documents, and how a value is made of it and read into it.
namespace rpl {

/// Where in a document a value is read, for errors and notes: "runs[3].kernel".
struct ReadPlace {
  const ReadPlace* outer = nullptr;
  std::string_view key = {};
  std::optional<std::size_t> index = {};
  std::vector<std::string>* notes = nullptr;  ///< takes what was missing and has a default

  [[nodiscard]] std::string text() const;
  [[nodiscard]] ReadPlace in(std::string_view field) const { return {this, field, {}, notes}; }
  [[nodiscard]] ReadPlace in(std::size_t element) const { return {this, {}, element, notes}; }
  /// "runs[3].kernel: expected a string"
  [[nodiscard]] Failure expected(std::string_view what) const;
};

struct BoundColumn;

/// A list of columns of one struct, whose type is no longer known.
struct BoundList {
  const BoundColumn* first = nullptr;
  std::size_t count = 0;

  [[nodiscard]] const BoundColumn* begin() const { return first; }
  [[nodiscard]] const BoundColumn* end() const;
  [[nodiscard]] std::size_t size() const { return count; }
  [[nodiscard]] const BoundColumn* find(std::string_view name) const;
};

namespace detail {

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
/// A map, or a list of pairs in the order in which they are shown: a record whose keys are data.
template <class T>
concept Keyed = !std::same_as<T, Record> && std::ranges::range<T> &&
                requires { typename std::ranges::range_value_t<T>::second_type; };
template <Keyed T>
using KeyIn = std::remove_const_t<typename std::ranges::range_value_t<T>::first_type>;
template <Keyed T>
using ValueIn = typename std::ranges::range_value_t<T>::second_type;

template <class T>
struct Inner {
  using type = T;
};
template <class T>
struct Inner<std::optional<T>> {
  using type = T;
};

template <class T>
inline constexpr bool kIsWhole =
    std::integral<typename Inner<T>::type> && !std::same_as<typename Inner<T>::type, bool>;

template <class T>
[[gnu::always_inline]] inline std::int64_t integer_of(const T& held) {
  if constexpr (kIs<T, std::optional>) {
    return held ? integer_of(*held) : 0;
  } else {
    return static_cast<std::int64_t>(held);
  }
}

template <class T>
std::int64_t integer_as(const void* member) {
  return integer_of(*static_cast<const T*>(member));
}

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
  } else if constexpr (Nested<U> || Keyed<U> || std::same_as<U, Record>) {
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
  } else if constexpr (Keyed<U>) {
    return nested_of<ValueIn<U>>();
  } else if constexpr (std::ranges::range<U>) {
    using Element = typename Inner<std::ranges::range_value_t<U>>::type;
    if constexpr (Nested<Element>) return &list_of<Element>;
    return nullptr;
  } else {
    return nullptr;
  }
}

template <class T>
constexpr std::optional<Type> values_of() {
  using U = typename Inner<T>::type;
  if constexpr (Keyed<U>) return type_of<ValueIn<U>>();
  return {};
}

/// By the end of the name; a whole number without unit is a count.
constexpr Unit unit_of(std::string_view name, Type type) {
  constexpr std::pair<std::string_view, Unit> kEnds[] = {
      {"_ns", Unit::ns},         {"_bytes", Unit::bytes}, {"_gbps", Unit::gbps},
      {"_gflops", Unit::gflops}, {"_hz", Unit::hz},       {"_pct", Unit::pct},
      {"share", Unit::share},    {"ratio", Unit::ratio},  {"_cycles", Unit::cycles}};
  if (type != Type::integer && type != Type::number) return Unit::none;
  for (const auto& [end, unit] : kEnds) {
    if (name.ends_with(end)) return unit;
  }
  return type == Type::integer ? Unit::count : Unit::none;
}

/// What has a list of columns beside its type, and lists of that.
template <class T>
concept Recorded =
    Nested<T> || (std::ranges::range<T> && !Text<T> && Nested<std::ranges::range_value_t<T>>);

Value record_of(BoundList list, const void* object);
void append_fields(Record& out, BoundList list, const void* object);
Status read_record(BoundList list, void* object, const Value& value, const ReadPlace& place);
Result<std::int64_t> read_integer(const Value& value, std::int64_t least, std::int64_t most,
                                  const ReadPlace& place);
Result<std::uint64_t> read_unsigned(const Value& value, std::uint64_t most, const ReadPlace& place);
Result<double> read_number(const Value& value, const ReadPlace& place);
Result<bool> read_boolean(const Value& value, const ReadPlace& place);
Result<std::string> read_text(const Value& value, const ReadPlace& place);
Result<const List*> read_list(const Value& value, const ReadPlace& place);
Result<const Record*> read_map(const Value& value, const ReadPlace& place);

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
  } else if constexpr (Keyed<T>) {
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
Status read_to(T& held, const Value& value, const ReadPlace& place) {
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
  } else if constexpr (Keyed<T>) {
    held.clear();
    for (const auto& [key, element] : *TRY(read_map(value, place))) {
      ValueIn<T> inner{};
      TRY(read_to(inner, element, place.in(key)));
      held.insert(held.end(), {key, std::move(inner)});
    }
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
  } else if constexpr (Keyed<T>) {
    return readable<KeyIn<T>>() && readable<ValueIn<T>>();
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
Status set_as(void* member, const Value& value, const ReadPlace& place) {
  return read_to(*static_cast<T*>(member), value, place);
}

template <class T>
constexpr auto setter() -> Status (*)(void*, const Value&, const ReadPlace&) {
  if constexpr (readable<T>()) return &set_as<T>;
  return nullptr;
}

Value get_hex(const void* member);
Value get_known_hex(const void* member);
Status set_hex(void* member, const Value& value, const ReadPlace& place);
Status set_known_hex(void* member, const Value& value, const ReadPlace& place);

}  // namespace detail
}  // namespace rpl
