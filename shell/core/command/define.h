// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "shell/core/command/command.h"

/// Binding of a command's parameters to the members of a plain struct, so that a handler is a typed function
/// `Result<Document>(const Args&, Workspace&, …)` and a default value is the member's initializer.
namespace rpl {

class Registry;

/// Adds a built-in definition. Throws std::logic_error when the registry refuses it: a mistake in the program.
void add(Registry& registry, Command command);

/// The part of a context that has this type (shell/core/session/context.h).
template <class Part>
Part& part(Context& context);

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

/// What dispatch() lets outputs replace any file for.
inline constexpr const char* kForce = "force";

/// A parameter and where its value goes: at which offset of the arguments' struct, and how. One type for all structs, so that a
/// list of parameters is the same code for every command; `owner` tells the structs apart.
struct Bound {
  using Store = void (*)(void* member, const Value& value);
  Param param;
  std::size_t offset = 0;
  Store store = nullptr;
  const void* owner = nullptr;
  bool output = false;  ///< writes_file()

  Bound required() &&;
  Bound completes(Complete what) &&;
  /// All words up to the next option are its value, as typed.
  Bound takes_phrase() &&;
  /// A bare word is it, though a file be called the same.
  Bound a_name() &&;
  Bound one_of(std::vector<Label> choices) &&;
  Bound in(Range range) &&;
  Bound or_letter(char letter) &&;
  Bound named(Label placeholder) &&;
  Bound defaulting(Value value) &&;
  /// What giving it needs beyond what the command does.
  Bound needs(Capabilities capabilities) &&;
  /// It names a file that the command writes: the command takes --force as well, which dispatch() knows (made_files.h).
  Bound writes_file() &&;
};

namespace detail {

/// The arguments as they are when nothing is given. Its address stands for the type.
template <class Args>
const Args& initial() {
  static const Args args{};
  return args;
}

template <class Args, class T>
std::size_t offset_of(T Args::* member) {
  const Args& args = initial<Args>();
  return static_cast<std::size_t>(reinterpret_cast<const char*>(&(args.*member)) -
                                  reinterpret_cast<const char*>(&args));
}

template <class T>
void store_in(void* member, const Value& value) {
  assign(*static_cast<T*>(member), value);
}

Bound bound(ParamKind kind, Label name, Label help, ParamType type, bool repeated);

/// The bounds of a struct that `Args` inherits from, as its own.
std::vector<Bound> inherited(std::vector<Bound> bounds, const void* base, std::size_t offset,
                             const void* owner);

/// What a handler takes beside its arguments: a reference is a part of the context, a value is made of it.
template <class Given>
Given given(Context& context) {
  if constexpr (std::is_reference_v<Given>) {
    return part<std::remove_cvref_t<Given>>(context);
  } else {
    return Given(context);
  }
}

/// A struct of arguments is filled and its handler called.
using Call = std::function<Result<Document>(Context&, const std::vector<Bound>&, const Arguments&)>;
void fill(void* args, const std::vector<Bound>& bounds, const Arguments& given);
Command bound_command(Command definition, std::vector<Bound> bounds, const void* owner, Call call);

}  // namespace detail

template <class Args, class T>
Bound bind_param(ParamKind kind, Label name, T Args::* member, Label help) {
  using Inner = typename detail::Held<T>::type;
  Bound made =
      detail::bound(kind, name, help, detail::param_type<Inner>(), detail::Held<T>::repeated);
  made.offset = detail::offset_of(member);
  made.store = detail::store_in<T>;
  made.owner = &detail::initial<Args>();
  if constexpr (std::unsigned_integral<typename detail::Held<T>::type> &&
                !std::same_as<typename detail::Held<T>::type, bool>)
    made.param.range = at_least(0);
  if (kind != ParamKind::flag)
    made.param.default_value = detail::default_of<T>(detail::initial<Args>().*member);
  return made;
}

/// A positional argument: `arg("kernel", &Args::kernel, "kernel to explain")`.
template <class Args, class T>
Bound arg(Label name, T Args::* member, Label help) {
  return bind_param(ParamKind::positional, name, member, help);
}

/// `--name VALUE`.
template <class Args, class T>
Bound option(Label name, T Args::* member, Label help) {
  return bind_param(ParamKind::option, name, member, help);
}

/// `--name` and `--no-name`.
template <class Args>
Bound flag(Label name, bool Args::* member, Label help) {
  return bind_param(ParamKind::flag, name, member, help);
}

/// The words after `--` (vector member), or the rest of the line of a raw command (string member).
template <class Args, class T>
Bound rest(Label name, T Args::* member, Label help) {
  return bind_param(ParamKind::rest, name, member, help);
}

/// Parameters of `Base` as those of `Args`, which inherits from it.
template <class Args, class Base>
std::vector<Bound> inherited(std::vector<Bound> bounds) {
  const Args& args = detail::initial<Args>();
  const Base& base = args;
  const auto offset = reinterpret_cast<const char*>(&base) - reinterpret_cast<const char*>(&args);
  return detail::inherited(std::move(bounds), &detail::initial<Base>(),
                           static_cast<std::size_t>(offset), &args);
}

/// One list behind the other.
std::vector<Bound> joined(std::vector<Bound> first, std::vector<Bound> second);

/// Completes `definition` with typed parameters and a typed handler, which names what it works on:
/// `Result<Document>(const Args&, Inputs, Workspace&)`. Parameters of another struct than `Args` end the program with a message: every start
/// makes all definitions.
template <class Args, class... Given>
Command command(Command definition, std::vector<Bound> bounds,
                Result<Document> (*handler)(const Args&, Given...)) {
  return detail::bound_command(
      std::move(definition), std::move(bounds), &detail::initial<Args>(),
      [handler](Context& context, const std::vector<Bound>& bound, const Arguments& given) {
        Args args;
        detail::fill(&args, bound, given);
        return handler(args, detail::given<Given>(context)...);
      });
}

/// A command without parameters.
Command command(Command definition, Handler handler);
template <class... Given>
Command command(Command definition, Result<Document> (*handler)(Given...)) {
  return command(std::move(definition), [handler](Context& context, const Arguments&) {
    return handler(detail::given<Given>(context)...);
  });
}

}  // namespace rpl
