// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "engine/base/result.h"
#include "shell/web/exchange.h"

namespace rpl::web {

/// What a client may take of the server at most.
struct ServerLimits {
  /// At a time; of more, the one that has asked or taken its answer for the longest loses its place to whoever comes.
  unsigned connections = 64;
  std::size_t request_bytes = std::size_t{16} << 10U;  ///< address and headers of one
  std::size_t waiting = 48;                            ///< requests; more are refused with 503
  std::chrono::milliseconds to_ask{
      10'000};  ///< from the connection, or the last answer, to the end of a request
  std::chrono::milliseconds to_work{300'000};  ///< for what a page is made of
  std::chrono::milliseconds to_take{30'000};   ///< until an answer is read
};

/// An HTTP/1.1 server on 127.0.0.1. It reads and answers in threads of its own; the pages are made by one thread, which takes the requests that passed the door in the
/// order in which they came.
class HttpServer {
 public:
  /// `port` 0: any that is free. `stop_work` is called, from another thread, where the client of the request that is being worked on is gone or its time over; it
  /// may be called more than once. Fails with missing_capability without the library, with io where the port is taken.
  static Result<std::unique_ptr<HttpServer>> start(int port, std::string token,
                                                   const ServerLimits& limits,
                                                   std::function<void()> stop_work);
  virtual ~HttpServer() = default;

  [[nodiscard]] virtual int port() const = 0;
  /// The next request; nullopt when none came within `patience`.
  virtual std::optional<Request> next(std::chrono::milliseconds patience) = 0;
  /// Answers what next() gave last; gives whether its work was to be stopped meanwhile, so that stop_work() was or is being called.
  virtual bool answer(const Request& request, Response response) = 0;

  struct Counts {
    std::uint64_t answered = 0, refused = 0;
  };
  [[nodiscard]] virtual Counts counts() const = 0;
};

/// 128 bits that nobody can guess, as 32 hex digits.
std::string new_token();

}  // namespace rpl::web
