// SPDX-License-Identifier: MIT
#pragma once

#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace rpl {

/// What kind of failure it was, for programs. The names are the `code` of `rpl.error/1` and of Lua errors.
enum class Errc {
  usage,                ///< the command line is wrong; exit 2
  not_found,            ///< a file, id or name that does not exist
  ambiguous,            ///< a reference that matches more than one thing
  corrupt,              ///< a foreign file that breaks its own format
  unsupported,          ///< a version or feature that this build does not handle
  io,                   ///< the operating system refused
  interrupted,          ///< Ctrl-C; exit 130
  timeout,              ///< exit 124
  script,               ///< a Lua script failed
  missing_capability,   ///< needs hardware or a program that is not here; exit 6
  gate_failed,          ///< a regression or a budget gate; exit 3
  undecided,            ///< nothing accepted; exit 4
  verification_failed,  ///< exit 5
  denied,               ///< not allowed (trust, veto, read-only)
  limit,                ///< a stated limit was reached
  internal,             ///< a bug in rpl
};

/// The stable spelling of a code, e.g. "not_found".
std::string_view to_string(Errc code);

/// The inverse of to_string; `internal` for an unknown spelling.
Errc errc_from_string(std::string_view name);

/// The exit status of the process that ends with this error (design §3).
int exit_status(Errc code);

/// A failure: one lower-case sentence for people without a final period, and what to do next.
struct [[nodiscard]] Error {
  Errc code = Errc::internal;
  std::string message;
  std::string hint;

  // Compiled once, in result.cc: every TRY holds an error that is destroyed on each way out.
  Error();
  Error(Errc kind, std::string said, std::string next = {});
  Error(const Error& other);
  Error(Error&& other) noexcept;
  Error& operator=(const Error& other);
  Error& operator=(Error&& other) noexcept;
  ~Error();

  /// Prefixes the message with the place where it happened: `in("a.db")` gives "a.db: …".
  Error in(std::string_view where) &&;
  /// Gives a hint to what the user can put right (usage, not_found, ambiguous, missing_capability) and has none.
  Error or_hint(std::string_view next) &&;
};

/// An error on its way out: what a function that returns a Result returns in place of its value. It owns the error.
class [[nodiscard]] Failure {
 public:
  explicit Failure(Error error);
  Failure(Failure&& other) noexcept : error_(std::exchange(other.error_, nullptr)) {}
  Failure& operator=(Failure&&) = delete;
  ~Failure() {
    if (error_ != nullptr) discard(error_);
  }

 private:
  template <class>
  friend class Result;
  explicit Failure(Error* error) noexcept : error_(error) {}

  // Compiled once: Results hold nothing but the pointer.
  static Error* copied(const Error& error);
  static void discard(Error* error) noexcept;
  // What a Result holds whose error was moved away: it has no value all the same. Never discarded.
  static Error* moved_away() noexcept;
  [[noreturn]] static void insisted(const Error& error);

  Error* error_;
};

/// A T, or the error why there is none. What C++23's std::expected is, reduced to what is used here: its general form costs a
/// tenth of the time of a whole build, for every function returns one. A Result that was moved from still has a value, or still
/// has none.
template <class T>
class [[nodiscard]] Result {
 public:
  Result() : value_() {}
  Result(T value) : value_(std::move(value)) {}
  Result(Failure failure) noexcept : error_(std::exchange(failure.error_, nullptr)) {}
  /// From what converts to a T: a pointer to a derived class, a literal.
  template <class U>
    requires(!std::is_same_v<std::remove_cvref_t<U>, T> &&
             !std::is_same_v<std::remove_cvref_t<U>, Result> &&
             !std::is_same_v<std::remove_cvref_t<U>, Failure> && std::is_convertible_v<U, T>)
  Result(U&& value) : value_(std::forward<U>(value)) {}

  Result(Result&& other) noexcept { take(std::move(other)); }
  Result(const Result& other)
    requires std::is_copy_constructible_v<T>
  {
    if (other) {
      new (&value_) T(other.value_);
    } else {
      error_ = Failure::copied(*other.error_);
    }
  }
  Result& operator=(Result other) noexcept {
    end();
    take(std::move(other));
    return *this;
  }
  ~Result() { end(); }

  [[nodiscard]] bool has_value() const noexcept { return error_ == nullptr; }
  explicit operator bool() const noexcept { return error_ == nullptr; }

  /// The value; there must be one.
  T& operator*() & noexcept { return value_; }
  const T& operator*() const& noexcept { return value_; }
  T&& operator*() && noexcept { return std::move(value_); }
  T* operator->() noexcept { return &value_; }
  const T* operator->() const noexcept { return &value_; }

  /// The value, looked for first: throws std::logic_error with the error's message where there is none. For tests.
  T& value() & {
    if (error_ != nullptr) Failure::insisted(*error_);
    return value_;
  }
  const T& value() const& {
    if (error_ != nullptr) Failure::insisted(*error_);
    return value_;
  }
  T&& value() && { return std::move(value()); }

  /// The error; there must be one.
  Error& error() & noexcept { return *error_; }
  const Error& error() const& noexcept { return *error_; }
  Error&& error() && noexcept { return std::move(*error_); }

  /// The error on its way on; there must be one.
  Failure failure() && noexcept { return Failure(std::exchange(error_, Failure::moved_away())); }

  template <class U>
  T value_or(U&& other) const& {
    return has_value() ? value_ : static_cast<T>(std::forward<U>(other));
  }
  template <class U>
  T value_or(U&& other) && {
    return has_value() ? std::move(value_) : static_cast<T>(std::forward<U>(other));
  }

  /// There is a value, and it equals `value`.
  template <class U>
    requires(!std::is_same_v<U, Result>)
  friend bool operator==(const Result& result, const U& value) {
    return result.has_value() && result.value_ == value;
  }

 private:
  void take(Result&& other) noexcept {
    error_ = other.error_;
    if (error_ == nullptr) {
      new (&value_) T(std::move(other.value_));
    } else {
      other.error_ = Failure::moved_away();
    }
  }
  void end() noexcept {
    if (error_ == nullptr) {
      value_.~T();
    } else {
      Failure::discard(error_);
    }
  }

  union {
    T value_;
  };
  Error* error_ = nullptr;
};

/// Done, or the error why not.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Failure failure) noexcept : error_(std::exchange(failure.error_, nullptr)) {}
  Result(Result&& other) noexcept : error_(other.error_) {
    if (error_ != nullptr) other.error_ = Failure::moved_away();
  }
  Result(const Result& other) : error_(other ? nullptr : Failure::copied(*other.error_)) {}
  Result& operator=(Result other) noexcept {
    std::swap(error_, other.error_);
    return *this;
  }
  ~Result() {
    if (error_ != nullptr) Failure::discard(error_);
  }

  [[nodiscard]] bool has_value() const noexcept { return error_ == nullptr; }
  explicit operator bool() const noexcept { return error_ == nullptr; }
  Error& error() & noexcept { return *error_; }
  const Error& error() const& noexcept { return *error_; }
  Error&& error() && noexcept { return std::move(*error_); }
  Failure failure() && noexcept { return Failure(std::exchange(error_, Failure::moved_away())); }

 private:
  Error* error_ = nullptr;
};
using Status = Result<void>;

[[nodiscard]] Failure fail(Errc code, std::string_view message, std::string_view hint = {});

namespace detail {
template <class T>
T unwrapped(Result<T>&& result) {
  return *std::move(result);
}
inline void unwrapped(Status&&) {}
}  // namespace detail

}  // namespace rpl

/// Unwraps a Result or returns its error from the enclosing function. Not behind another member of an aggregate, element of a list or capture
/// of a lambda: g++ does not destroy those that were made already when it returns. tests/architecture looks for that.
#define TRY(expression) RPL_TRY_1(expression, __COUNTER__)
// Two steps, so that the counter is a number before it is pasted: nested uses then shadow nothing.
#define RPL_TRY_1(expression, number) RPL_TRY_2(expression, number)
#define RPL_TRY_2(expression, number)                            \
  __extension__({                                                \
    auto try_##number = (expression);                            \
    if (!try_##number) return std::move(try_##number).failure(); \
    ::rpl::detail::unwrapped(std::move(try_##number));           \
  })
