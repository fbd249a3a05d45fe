// SPDX-License-Identifier: MIT
#include "shell/server/protocol/request.h"

#include <fmt/format.h>

#include <array>

#include "engine/document/json.h"
#include "shell/core/command/nearest.h"

namespace rpl {
namespace {

constexpr const char* kShapes =
    R"({"id": 1, "line": "info kernels"}, {"id": 1, "command": "info kernels", "arguments": {"limit": 5}} or {"id": 2, "cancel": 1})";

/// An id as JSON writes it; only what compares exactly is one.
Result<std::string> id_of(const Value& value, std::string_view key) {
  const auto* text = value.as<std::string>();
  if (text == nullptr && value.as<std::int64_t>() == nullptr) {
    return fail(Errc::usage, fmt::format("'{}' is neither a whole number nor a text", key),
                kShapes);
  }
  if (text != nullptr && text->size() > kLongestId)
    return fail(Errc::limit, fmt::format("'{}' is longer than {} bytes", key, kLongestId),
                "use a short id");
  return to_json(value);
}

Result<std::string> text_at(const Value& value, std::string_view key) {
  const auto* text = value.as<std::string>();
  if (text == nullptr) return fail(Errc::usage, fmt::format("'{}' is not a text", key), kShapes);
  return *text;
}

Status take(Request& request, const std::string& key, const Value& value) {
  if (key == "id") return {};
  if (key == "line" || key == "command") {
    request.kind = key == "line" ? Request::Kind::line : Request::Kind::command;
    request.text = TRY(text_at(value, key));
  } else if (key == "cancel") {
    request.kind = Request::Kind::cancel;
    request.cancels = TRY(id_of(value, key));
  } else if (key == "arguments") {
    const auto* record = value.as<Record>();
    if (record == nullptr)
      return fail(Errc::usage, "'arguments' is not an object",
                  R"(name them: {"kernel": "gemm", "limit": 5})");
    request.arguments = *record;
  } else if (key == "limit") {
    const auto* limit = value.as<std::int64_t>();
    if (limit == nullptr || *limit < 0)
      return fail(Errc::usage, "'limit' takes a count, 0 or more", "0 is all rows");
    request.limit = static_cast<std::uint64_t>(*limit);
  } else if (key == "progress") {
    const auto* wanted = value.as<bool>();
    if (wanted == nullptr) return fail(Errc::usage, "'progress' takes true or false", kShapes);
    request.progress = *wanted;
  } else {
    static const std::array<std::string, 7> keys{"id",     "line",  "command", "arguments",
                                                 "cancel", "limit", "progress"};
    const std::string hint = did_you_mean(nearest(key, keys));
    return fail(Errc::usage, fmt::format("a request has no key '{}'", key),
                hint.empty() ? kShapes : hint);
  }
  return {};
}

Result<Request> request_of(const Record& record) {
  Request request;
  int asks = 0;
  for (std::size_t i = 0; i < record.size(); ++i) {
    const auto& [key, value] = record[i];
    for (std::size_t before = 0; before < i; ++before) {
      if (record[before].first == key)
        return fail(Errc::usage, fmt::format("a request names '{}' twice", key), kShapes);
    }
    asks += key == "line" || key == "command" || key == "cancel" ? 1 : 0;
    TRY(take(request, key, value));
  }
  if (asks != 1)
    return fail(Errc::usage, "a request holds one of 'line', 'command' and 'cancel'", kShapes);
  if (request.kind != Request::Kind::command && !request.arguments.empty()) {
    return fail(Errc::usage, "'arguments' belong to a 'command'", "a 'line' holds its own");
  }
  return request;
}

}  // namespace

ParsedRequest read_request(std::string_view line) {
  ParsedRequest out{.request = Request{}};
  const auto value = parse_json(line);
  if (!value) {
    out.request = fail(Errc::usage,
                       fmt::format("the request is not JSON: {}", value.error().message), kShapes);
    return out;
  }
  const auto* record = value->as<Record>();
  if (record == nullptr) {
    out.request = fail(Errc::usage, "a request is a JSON object", kShapes);
    return out;
  }
  const Value* id = value->find("id");
  if (id == nullptr) {
    out.request = fail(Errc::usage, "a request needs an 'id'", kShapes);
    return out;
  }
  auto spelled = id_of(*id, "id");
  if (!spelled) {
    out.request = std::move(spelled).failure();
    return out;
  }
  out.id = std::move(*spelled);
  out.request = request_of(*record);
  return out;
}

}  // namespace rpl
