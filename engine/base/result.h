// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
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
};

template <class T>
using Result = tl::expected<T, Error>;
using Status = Result<void>;

[[nodiscard]] tl::unexpected<Error> fail(Errc code, std::string_view message, std::string_view hint = {});

namespace detail {
template <class T>
T unwrapped(Result<T>&& result) {
  return std::move(*result);
}
inline void unwrapped(Status&&) {}
}  // namespace detail

}  // namespace rpl

/// Unwraps a Result or returns its error from the enclosing function.
#define TRY(expression) RPL_TRY_1(expression, __COUNTER__)
// Two steps, so that the counter is a number before it is pasted: nested uses then shadow nothing.
#define RPL_TRY_1(expression, number) RPL_TRY_2(expression, number)
#define RPL_TRY_2(expression, number)                                                        \
  __extension__({                                                                            \
    auto try_##number = (expression);                                                        \
    if (!try_##number) return tl::unexpected<::rpl::Error>(std::move(try_##number).error()); \
    ::rpl::detail::unwrapped(std::move(try_##number));                                       \
  })
