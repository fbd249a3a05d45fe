// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/document/bound.h"

/// Records of files and sessions by the lists of bound.h: reading what to_value() wrote, and columns that files write otherwise than memory
/// holds them.
namespace rpl {

/// Reads an object that to_value wrote. Keys that the list lacks are accepted, missing ones only where the member is optional or the column says so.
/// `where` begins the place in errors ("session.json"); `notes` takes which keys were missing and have a default.
template <class T, std::size_t N>
Result<T> from_value(const BoundTo<T, N>& list, const Value& value, std::string_view where = {},
                     std::vector<std::string>* notes = nullptr) {
  T out{};
  TRY(read_into(out, list, value, where, notes));
  return out;
}
/// The same into an object that has other members already.
template <class T, std::size_t N>
Status read_into(T& object, const BoundTo<T, N>& list, const Value& value,
                 std::string_view where = {}, std::vector<std::string>* notes = nullptr) {
  return detail::read_record(Columns<T>(list), &object, value, {nullptr, where, {}, notes});
}
/// By the list beside the type, or a list of such objects.
template <detail::Recorded T>
Result<T> from_value(const Value& value, std::string_view where = {},
                     std::vector<std::string>* notes = nullptr) {
  T out{};
  TRY(detail::read_to(out, value, ReadPlace{nullptr, where, {}, notes}));
  return out;
}
/// A file's text as JSON, whose errors name the file.
Result<Value> parse_file(std::string_view text, std::string_view where);

namespace detail {

template <auto Member, auto Write, auto Read>
struct Conversion {
  using Held = typename Path<Member>::Here;
  static constexpr bool whole = std::invocable<decltype(Write), const Held&>;
  using Given = std::conditional_t<whole, Held, typename Inner<Held>::type>;
  using Written = std::remove_cvref_t<std::invoke_result_t<decltype(Write), const Given&>>;
  using Kept = std::conditional_t<Text<Written>, std::string, Written>;

  static Value get(const void* member) {
    const Held& held = *static_cast<const Held*>(member);
    if constexpr (whole) {
      return value_of(Write(held));
    } else {
      return held ? value_of(Write(*held)) : Value();
    }
  }
  static Status set(void* member, const Value& value, const ReadPlace& place) {
    Kept written{};
    TRY(read_to(written, value, place));
    Given read = [&]() -> Given {
      if constexpr (whole) return *static_cast<const Held*>(member);
      return {};
    }();
    const char* const expected = Read(written, read);
    if (expected != nullptr) return place.expected(expected);
    *static_cast<Held*>(member) = std::move(read);
    return {};
  }
};

}  // namespace detail

/// A member that is written as something else: `Write` makes that of it, and `Read(written, member)` reads it back, or says what it
/// expects. An optional member is null without them where they take what is in it.
template <auto Member, auto Write, auto Read>
consteval BoundColumn converted(Label name, Label description = {}) {
  using Conversion = detail::Conversion<Member, Write, Read>;
  using Path = detail::Path<Member>;
  auto made =
      detail::column_about<typename Path::From, typename Conversion::Written>(name, description);
  made.may_be_missing = detail::kIs<typename Path::Here, std::optional>;
  made.at = &detail::member_at<typename Path::From, Path>;
  made.get = &Conversion::get;
  made.set = &Conversion::set;
  return made;
}

/// A text that is the same in every object: the schema of a file. Reading another one is an error.
template <class T, const std::string_view& Text>
consteval BoundColumn constant(Label name) {
  BoundColumn made;
  made.about.name = name;
  made.owner = &detail::kTypeTag<T>;
  made.at = [](const void* object) { return object; };
  made.get = [](const void*) { return Value(Text); };
  made.set = [](void*, const Value& value, const ReadPlace& place) -> Status {
    if (value == Value(Text)) return {};
    return place.expected("'" + std::string(Text) + "'");
  };
  return made;
}

}  // namespace rpl
