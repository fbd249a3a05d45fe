// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/monitor.h"
#include "engine/base/result.h"
#include "engine/optimize/model/chat.h"

namespace rpl::llm {

struct HttpLimits {
  std::chrono::milliseconds connect{10'000};  ///< until there is a connection
  std::chrono::seconds silence{120};          ///< without a byte
  std::chrono::milliseconds total{600'000};
  std::size_t most_bytes = std::size_t{8} << 20U;  ///< of the body, unpacked
};

struct HttpRequest {
  std::string url;
  std::vector<std::string> headers;  ///< "Name: value"; one of them may hold a key
  std::string body;
  HttpLimits limits;
};

/// What came back. With trouble, what came before it.
struct HttpReply {
  int status = 0;  ///< 0: none came
  std::string content_type;
  std::string retry_after, retry_after_ms;  ///< headers as sent; empty: absent
  std::string location;                     ///< of a redirect
  std::string body;
  std::optional<Problem> problem;
};

/// Sends one request. The border to the network: tests put a loopback server behind the real one.
class Transport {
 public:
  virtual ~Transport() = default;
  /// Hands the body over as it arrives, of replies with status 200 alone; `take` returns whether to go on. Follows no redirect. Ends early with
  /// `interrupted` while the interrupt flag is up. Reports bytes received to the monitor.
  using Take = std::function<bool(std::string_view bytes, const HttpReply& so_far)>;
  virtual HttpReply post(const HttpRequest& request, const Take& take, const Monitor& monitor) = 0;
};

/// libcurl. Proxies of the environment (https_proxy, NO_PROXY) are used, except for servers on this machine.
std::unique_ptr<Transport> make_transport();

/// Where an endpoint leads, as libcurl itself reads the URL.
struct EndpointAddress {
  std::string origin;     ///< "https://api.example.com:443": scheme, host and port
  bool encrypted = true;  ///< https
  bool loopback = false;  ///< this machine: localhost, 127.0.0.0/8, ::1
};
/// Fails with usage for what is not an http or https URL, or holds a user, a password, a query or a fragment; with denied for plain http to another
/// machine unless `allow_http`.
Result<EndpointAddress> check_endpoint(const std::string& url, bool allow_http);

/// Seconds since 1970 of an HTTP date; nullopt for other texts.
std::optional<std::int64_t> http_date(const std::string& text);

}  // namespace rpl::llm
