// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "shell/command/command.h"

/// Binding of a command's parameters to the members of a plain struct, so that a handler is a typed function
/// `Result<Document>(Context&, const Args&)` and a default value is the member's initializer.
namespace rpl {

namespace detail {

template <class T>
struct Held {
  using type = T;
  static constexpr bool optional = false, repeated = false;
};
template <class T>
struct Held<std::optional<T>> {
  using type = T;
  static constexpr bool optional = true, repeated = false;
};
template <class T>
struct Held<std::vector<T>> {
  using type = T;
  static constexpr bool optional = false, repeated = true;
};

template <class T>
constexpr ParamType param_type() {
  if constexpr (std::same_as<T, bool>) return ParamType::boolean;
  if constexpr (std::integral<T> && !std::same_as<T, bool>) return ParamType::integer;
  if constexpr (std::floating_point<T>) return ParamType::number;
  return ParamType::string;
}

template <class T>
T scalar_from(const Value& value) {
  if constexpr (std::same_as<T, std::string>) {
    return *value.as<std::string>();
  } else if constexpr (std::same_as<T, bool>) {
    return *value.as<bool>();
  } else if constexpr (std::integral<T>) {
    return static_cast<T>(*value.as<std::int64_t>());
  } else {
    return static_cast<T>(*value.number());
  }
}

template <class T>
Value default_of(const T& initial) {
  if constexpr (Held<T>::optional || Held<T>::repeated) {
    return {};
  } else if constexpr (std::same_as<T, std::string>) {
    return initial.empty() ? Value() : Value(initial);
  } else if constexpr (std::integral<T> && !std::same_as<T, bool>) {
    return Value(static_cast<std::int64_t>(initial));
  } else {
    return Value(initial);
  }
}

template <class T>
void assign(T& member, const Value& value) {
  using Inner = typename Held<T>::type;
  if constexpr (Held<T>::repeated) {
    member.clear();
    if (const List* list = value.as<List>()) {
      for (const Value& item : *list) member.push_back(scalar_from<Inner>(item));
    } else {
      member.push_back(scalar_from<Inner>(value));
    }
  } else {
    member = scalar_from<Inner>(value);
  }
}

}  // namespace detail

/// A parameter and where its value goes.
template <class Args>
struct Bound {
  Param param;
  std::function<void(Args&, const Value&)> store;
  Bound(Param p, std::function<void(Args&, const Value&)> s)
      : param(std::move(p)), store(std::move(s)) {}

  Bound required() && {
    param.required = true;
    return std::move(*this);
  }
  Bound completes(Complete what) && {
    param.complete = what;
    return std::move(*this);
  }
  /// All words up to the next option are its value, as typed.
  Bound takes_phrase() && {
    param.phrase = true;
    return std::move(*this);
  }
  Bound one_of(std::vector<std::string> choices) && {
    param.choices = std::move(choices);
    return std::move(*this);
  }
  Bound or_letter(char letter) && { param.letter = letter; return std::move(*this); }
  Bound named(std::string placeholder) && {
    param.placeholder = std::move(placeholder);
    return std::move(*this);
  }
};

template <class Args, class T>
Bound<Args> bind_param(ParamKind kind, std::string name, T Args::*member, std::string help) {
  Param param;
  param.name = std::move(name);
  param.kind = kind;
  param.type = detail::param_type<typename detail::Held<T>::type>();
  param.help = std::move(help);
  param.repeated = detail::Held<T>::repeated;
  if (kind != ParamKind::flag) param.default_value = detail::default_of<T>(Args{}.*member);
  return Bound<Args>(std::move(param), [member](Args& args, const Value& value) {
    detail::assign<T>(args.*member, value);
  });
}

/// A positional argument: `arg("kernel", &Args::kernel, "kernel to explain")`.
template <class Args, class T>
Bound<Args> arg(std::string name, T Args::*member, std::string help) {
  return bind_param(ParamKind::positional, std::move(name), member, std::move(help));
}

/// `--name VALUE`.
template <class Args, class T>
Bound<Args> option(std::string name, T Args::*member, std::string help) {
  return bind_param(ParamKind::option, std::move(name), member, std::move(help));
}

/// `--name` and `--no-name`.
template <class Args>
Bound<Args> flag(std::string name, bool Args::*member, std::string help) {
  return bind_param(ParamKind::flag, std::move(name), member, std::move(help));
}

/// The words after `--` (vector member), or the rest of the line of a raw command (string member).
template <class Args, class T>
Bound<Args> rest(std::string name, T Args::*member, std::string help) {
  return bind_param(ParamKind::rest, std::move(name), member, std::move(help));
}

/// Completes `definition` with typed parameters and a typed handler.
template <class Args>
Command command(Command definition, std::vector<Bound<Args>> bounds,
                Result<Document> (*handler)(Context&, const Args&)) {
  for (const Bound<Args>& bound : bounds) definition.params.push_back(bound.param);
  definition.run = [bounds = std::move(bounds), handler](Context& context, const Arguments& given) {
    Args args;
    for (const Bound<Args>& bound : bounds) {
      const auto found = given.find(bound.param.name);
      if (found != given.end() && !found->second.is_null()) bound.store(args, found->second);
    }
    return handler(context, args);
  };
  return definition;
}

/// A command without parameters.
inline Command command(Command definition, Result<Document> (*handler)(Context&)) {
  definition.run = [handler](Context& context, const Arguments&) { return handler(context); };
  return definition;
}

}  // namespace rpl
