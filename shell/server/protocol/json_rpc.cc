// SPDX-License-Identifier: MIT
#include "shell/server/protocol/json_rpc.h"

#include <fmt/format.h>

#include "engine/document/json.h"
#include "shell/server/protocol/request.h"

namespace rpl::rpc {
namespace {

Message invalid(Message message, Code code, std::string reason) {
  message.kind = Message::Kind::invalid;
  message.code = code;
  message.reason = std::move(reason);
  return message;
}

bool can_be_id(const Value& value) {
  const auto* text = value.as<std::string>();
  return value.as<std::int64_t>() != nullptr || (text != nullptr && text->size() <= kLongestId);
}

}  // namespace

Message read(std::string_view line) {
  Message out;
  const auto value = parse_json(line);
  if (!value) return invalid(std::move(out), Code::parse, value.error().message);
  if (value->as<Record>() == nullptr)
    return invalid(std::move(out), Code::invalid_request,
                   "a message is a JSON object; batches are not taken");
  const Value* id = value->find("id");
  if (id != nullptr && can_be_id(*id)) out.id = to_json(*id);
  const Value* version = value->find("jsonrpc");
  if (version == nullptr || !(*version == Value("2.0")))
    return invalid(std::move(out), Code::invalid_request, "a message says \"jsonrpc\": \"2.0\"");
  const Value* method = value->find("method");
  if (method == nullptr) {
    if (value->find("result") == nullptr && value->find("error") == nullptr)
      return invalid(std::move(out), Code::invalid_request, "a request names a method");
    out.kind = Message::Kind::response;
    return out;
  }
  if (method->as<std::string>() == nullptr)
    return invalid(std::move(out), Code::invalid_request, "a method is a text");
  out.method = *method->as<std::string>();
  if (id != nullptr && !can_be_id(*id))
    return invalid(std::move(out), Code::invalid_request,
                   "an id is a whole number or a text of at most 256 bytes");
  if (const Value* params = value->find("params"); params != nullptr) {
    if (params->as<Record>() == nullptr)
      return invalid(std::move(out), Code::invalid_params, "params are an object");
    out.params = *params;
  }
  out.kind = id == nullptr ? Message::Kind::notification : Message::Kind::request;
  return out;
}

namespace {

JsonStream message() {
  JsonStream out(kJsonLine);
  out.member("jsonrpc", Value("2.0"));
  return out;
}

}  // namespace

JsonText response(std::string_view id, const JsonText& result) {
  return message().member_text("id", json_already(id)).member_text("result", result).line();
}

JsonText failure(std::string_view id, Code code, std::string_view reason) {
  const Record error{{"code", Value(static_cast<int>(code))}, {"message", Value(reason)}};
  return message().member_text("id", json_already(id)).member("error", Value(error)).line();
}

JsonText notification(std::string_view method, const Record& params) {
  return message().member("method", Value(method)).member("params", Value(params)).line();
}

}  // namespace rpl::rpc
