// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/encode.h"
#include "engine/document/json.h"

/// Requests and responses of the server of pages, and who is let in.
namespace rpl::web {

/// One that was let in: always a GET without a body.
struct Request {
  std::uint64_t id = 0;
  std::string path;  ///< decoded, "/kernel/k1"
  std::map<std::string, std::string, std::less<>> query;

  /// "" where it is not there.
  [[nodiscard]] std::string_view argument(std::string_view name) const;
};

struct Response {
  int status = 200;
  std::string_view type;  ///< "text/html; charset=utf-8"
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers = {};

  static Response page(const XmlText& text, int status = 200);
  static Response json(const JsonText& text);
  static Response own(std::string_view type, OwnText text);
  /// A page of one sentence.
  static Response refusal(int status, OwnText sentence);
};

/// Headers of every response: what a page may load and run, and that nothing keeps or frames it.
const std::vector<std::pair<std::string, std::string>>& standing_headers();

/// What a request comes with, as sent; "" for headers that it lacks.
struct Knock {
  std::string method, path, host, origin, fetch_site, cookies, token;
  std::size_t hosts = 1;  ///< how many Host headers
  bool has_body = false;
};

/// Whoever is let in knows the token, asks this server by its own name and comes from its own pages or from nowhere.
class Door {
 public:
  Door(std::string token, int port) : token_(std::move(token)), port_(port) {}
  /// What to answer instead of the page; nullopt: it is let in. Who brings the token in the address gets a cookie in its place.
  [[nodiscard]] std::optional<Response> refuses(const Knock& knock) const;

 private:
  [[nodiscard]] bool is_own_host(std::string_view host) const;
  [[nodiscard]] std::string cookie_name() const;

  std::string token_;
  int port_;
};

/// Whether two texts are equal, in a time that does not say where they differ.
bool equal_in_constant_time(std::string_view a, std::string_view b);

}  // namespace rpl::web
