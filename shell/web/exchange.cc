// SPDX-License-Identifier: MIT
#include "shell/web/exchange.h"

#include <fmt/format.h>

namespace rpl::web {
namespace {

constexpr std::string_view kHtml = "text/html; charset=utf-8";

/// The value of a cookie among "a=1; b=2"; "" for none.
std::string_view cookie_named(std::string_view cookies, std::string_view name) {
  while (!cookies.empty()) {
    const std::size_t end = std::min(cookies.find(';'), cookies.size());
    std::string_view one = cookies.substr(0, end);
    cookies.remove_prefix(std::min(end + 1, cookies.size()));
    while (one.starts_with(' ')) one.remove_prefix(1);
    if (one.starts_with(name) && one.substr(name.size()).starts_with('='))
      return one.substr(name.size() + 1);
  }
  return {};
}

}  // namespace

std::string_view Request::argument(std::string_view name) const {
  const auto found = query.find(name);
  return found == query.end() ? std::string_view() : std::string_view(found->second);
}

Response Response::page(const XmlText& text, int status) { return {status, kHtml, text.string()}; }

Response Response::json(const JsonText& text) { return {200, "application/json", text.string()}; }

Response Response::own(std::string_view type, OwnText text) {
  return {200, type, std::string(text.text())};
}

Response Response::refusal(int status, OwnText sentence) {
  return page(encoded<XmlText>("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                               "<title>rpl serve</title></head><body><p>{}</p></body></html>\n",
                               sentence),
              status);
}

const std::vector<std::pair<std::string, std::string>>& standing_headers() {
  static const std::vector<std::pair<std::string, std::string>> headers{
      {"Content-Security-Policy",
       "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src "
       "'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
      {"X-Content-Type-Options", "nosniff"},
      {"X-Frame-Options", "DENY"},
      {"Referrer-Policy", "no-referrer"},
      {"Cache-Control", "no-store"},
      {"Cross-Origin-Opener-Policy", "same-origin"},
      {"Cross-Origin-Resource-Policy", "same-origin"}};
  return headers;
}

bool equal_in_constant_time(std::string_view a, std::string_view b) {
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < a.size(); ++i)
    difference |= static_cast<unsigned char>(a[i]) ^
                  static_cast<unsigned char>(b.empty() ? 0 : b[i % b.size()]);
  return difference == 0;
}

bool Door::is_own_host(std::string_view host) const {
  return host == fmt::format("127.0.0.1:{}", port_) || host == fmt::format("localhost:{}", port_);
}

std::string Door::cookie_name() const { return fmt::format("rpl-{}", port_); }

std::optional<Response> Door::refuses(const Knock& knock) const {
  constexpr int kForbidden = 403, kNotAllowed = 405, kTooLarge = 413, kSeeOther = 303;
  constexpr std::string_view kScheme = "http://";
  // A page of another name that points to this address (DNS rebinding) gives its own name here.
  if (knock.hosts != 1 || !is_own_host(knock.host))
    return Response::refusal(kForbidden, "This server answers to 127.0.0.1 and localhost alone.");
  const bool own_origin =
      knock.origin.empty() || (knock.origin.starts_with(kScheme) &&
                               is_own_host(std::string_view(knock.origin).substr(kScheme.size())));
  const bool own_site =
      knock.fetch_site.empty() || knock.fetch_site == "same-origin" || knock.fetch_site == "none";
  if (!own_origin || !own_site)
    return Response::refusal(kForbidden, "Other sites may not ask this server.");
  if (knock.method != "GET" && knock.method != "HEAD") {
    Response out = Response::refusal(kNotAllowed, "Pages are read, nothing is changed by them.");
    out.headers.emplace_back("Allow", "GET, HEAD");
    return out;
  }
  if (knock.has_body) return Response::refusal(kTooLarge, "A request has no body here.");
  if (!knock.token.empty()) {
    if (!equal_in_constant_time(knock.token, token_))
      return Response::refusal(kForbidden, "That is not the token of this server.");
    Response out{kSeeOther, kHtml, {}};
    out.headers.emplace_back("Location", "/");
    out.headers.emplace_back("Set-Cookie", fmt::format("{}={}; Path=/; HttpOnly; SameSite=Strict",
                                                       cookie_name(), token_));
    return out;
  }
  if (!equal_in_constant_time(cookie_named(knock.cookies, cookie_name()), token_))
    return Response::refusal(kForbidden, "Open the address that rpl serve printed.");
  return std::nullopt;
}

}  // namespace rpl::web
