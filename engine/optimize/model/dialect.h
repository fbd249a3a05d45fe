// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/document/value.h"
#include "engine/optimize/model/chat.h"

namespace rpl::llm {

/// Where requests go: the base URL with the dialect's path behind it. A base that ends with "/v1" keeps it, one of the messages dialect that
/// does not gets it.
std::string request_url(Dialect dialect, std::string_view base);

/// The request as the server reads it, as a stream, without the parameters named in `dropped`: those that it refused before. Without
/// `max_tokens` the chat dialect says `max_completion_tokens`, its newer name.
Record request_body(Dialect dialect, const ChatRequest& request,
                    const std::set<std::string>& dropped);

/// The header that carries the key: "Authorization: Bearer KEY" or "x-api-key: KEY"; with `name` given, "NAME: KEY".
std::string key_header(Dialect dialect, std::string_view name, std::string_view key);
/// Headers of the dialect beside content type and key.
std::vector<std::string> further_headers(Dialect dialect);

/// The optional parameter that a 400 complains about: one of those in `body`; empty for none. The server names it in `error.param`, or in the
/// sentence.
std::string refused_parameter(const Record& body, std::string_view reply);

}  // namespace rpl::llm
