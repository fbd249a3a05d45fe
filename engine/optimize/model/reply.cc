// SPDX-License-Identifier: MIT
#include "engine/optimize/model/reply.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "engine/base/text.h"
#include "engine/document/json.h"

namespace rpl::llm {
namespace {

const Value* at(const Value* record, std::string_view field) {
  return record ? record->find(field) : nullptr;
}

const Value* first_of(const Value* list) {
  const auto* items = list ? list->as<List>() : nullptr;
  return items && !items->empty() ? &items->front() : nullptr;
}

std::string_view text_of(const Value* value) {
  const auto* text = value ? value->as<std::string>() : nullptr;
  return text ? std::string_view(*text) : std::string_view();
}

void set_count(const Value* value, std::optional<std::int64_t>& out) {
  const auto* count = value ? value->as<std::int64_t>() : nullptr;
  if (count && *count >= 0) out = *count;
}

void set_text(const Value* value, std::string& out) {
  if (const std::string_view text = text_of(value); !text.empty()) out = text;
}

/// The three words for "no more tokens".
void set_finish(std::string_view word, ChatReply& reply) {
  if (word.empty()) return;
  reply.finish = word;
  reply.out_of_tokens = word == "length" || word == "max_tokens" || word == "max_output_tokens";
}

void set_usage(const Value* usage, ChatReply& reply) {
  for (const std::string_view name : {"prompt_tokens", "input_tokens"})
    set_count(at(usage, name), reply.tokens.input);
  for (const std::string_view name : {"completion_tokens", "output_tokens"})
    set_count(at(usage, name), reply.tokens.output);
}

/// One line of at most `most` bytes, cut between characters.
std::string one_line(std::string_view text, std::size_t most) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text, i);
    if (out.size() + std::max<std::size_t>(length, 1) > most) return out + "…";
    const bool control = static_cast<unsigned char>(text[i]) < 0x20 || text[i] == 0x7f;
    out += length == 0 ? std::string("?")
           : control   ? std::string(" ")
                       : std::string(text.substr(i, length));
    i += std::max<std::size_t>(length, 1);
  }
  return out;
}

std::string error_sentence(const Value& error) {
  const std::string_view plain = text_of(&error), said = text_of(at(&error, "message"));
  std::string_view type = text_of(at(&error, "type"));
  if (type.empty()) type = text_of(at(&error, "code"));
  const std::string_view message = plain.empty() ? said : plain;
  constexpr std::size_t kMost = 300;
  if (type.empty() || type == "error") return one_line(message, kMost);
  return one_line(message.empty() ? std::string(type) : fmt::format("{}: {}", type, message),
                  kMost);
}

/// What asking again cannot fix.
bool is_final(const Value& error) {
  constexpr std::array<std::string_view, 6> kFinal{"invalid_request_error", "authentication_error",
                                                   "permission_error",      "not_found_error",
                                                   "content_filter",        "invalid_prompt"};
  const auto among = [&](std::string_view word) {
    return std::find(kFinal.begin(), kFinal.end(), word) != kFinal.end();
  };
  return among(text_of(at(&error, "type"))) || among(text_of(at(&error, "code")));
}

Problem error_problem(const Value& error) {
  const std::string sentence = error_sentence(error);
  return {Trouble::stream_error,
          "the server sent an error instead of the rest: " +
              (sentence.empty() ? "without a message" : sentence),
          !is_final(error)};
}

Problem malformed(std::string message) { return {Trouble::malformed, std::move(message), true}; }

/// The texts in `output[].content[]` of the responses dialect, or `content[]` of the messages dialect.
std::string joined_texts(const Value* blocks, std::string_view type) {
  std::string out;
  const auto* items = blocks ? blocks->as<List>() : nullptr;
  for (const Value& block : items ? *items : List{}) {
    if (text_of(block.find("type")) == type) out += text_of(block.find("text"));
  }
  return out;
}

std::string output_text(const Value* response) {
  std::string out;
  const Value* output = at(response, "output");
  const auto* items = output ? output->as<List>() : nullptr;
  for (const Value& item : items ? *items : List{})
    out += joined_texts(item.find("content"), "output_text");
  return out;
}

/// Status and usage of a whole `response` object.
void set_response(const Value* response, ChatReply& reply) {
  set_usage(at(response, "usage"), reply);
  set_text(at(response, "model"), reply.model);
  set_finish(text_of(at(response, "status")), reply);
  set_finish(text_of(at(at(response, "incomplete_details"), "reason")), reply);
}

ReplyOrProblem checked(ChatReply reply) {
  if (reply.text.empty() && reply.finish.empty()) return malformed("the reply holds no text");
  return reply;
}

}  // namespace

std::string_view to_string(Trouble trouble) {
  constexpr std::array<std::string_view, 13> kNames{
      "none",       "connect",      "time-out",   "interrupted", "oversize",
      "redirect",   "key-refused",  "rate-limit", "bad-request", "server-fault",
      "cut-stream", "stream-error", "malformed"};
  return kNames[static_cast<std::size_t>(trouble)];
}

bool StreamedReply::feed(std::string_view bytes) {
  return !problem_ && events_.feed(bytes, [this](const ServerEvent& event) { return take(event); });
}

ReplyOrProblem StreamedReply::finish() {
  if (!problem_) events_.finish([this](const ServerEvent& event) { return take(event); });
  if (problem_) return *problem_;
  if (!ended_)
    return Problem{Trouble::cut_stream,
                   fmt::format("the reply was cut off after {} bytes of text", reply_.text.size()),
                   true};
  return checked(reply_);
}

bool StreamedReply::take(const ServerEvent& event) {
  if (event.data == "[DONE]") {
    ended_ = true;
    return true;
  }
  const auto data = parse_json(event.data);
  if (!data) {
    problem_ = malformed("an event of the stream is not JSON: " + data.error().message);
    return false;
  }
  // Proxies send errors in the chat form whatever the dialect.
  if (const Value* error = data->find("error"); error && !error->is_null()) {
    set_error(*error);
  } else if (dialect_ == Dialect::chat) {
    take_chat(*data);
  } else if (dialect_ == Dialect::responses) {
    take_responses(*data);
  } else {
    take_messages(*data);
  }
  return !problem_;
}

void StreamedReply::set_error(const Value& error) { problem_ = error_problem(error); }

void StreamedReply::take_chat(const Value& data) {
  set_text(data.find("model"), reply_.model);
  set_usage(data.find("usage"), reply_);
  const Value* choice = first_of(data.find("choices"));
  reply_.text += text_of(at(at(choice, "delta"), "content"));
  const std::string_view finish = text_of(at(choice, "finish_reason"));
  set_finish(finish, reply_);
  ended_ = ended_ || !finish.empty();
}

void StreamedReply::take_responses(const Value& data) {
  const std::string_view type = text_of(data.find("type"));
  const Value* response = data.find("response");
  if (type == "response.output_text.delta") {
    reply_.text += text_of(data.find("delta"));
  } else if (type == "response.completed" || type == "response.incomplete") {
    set_response(response, reply_);
    if (reply_.text.empty()) reply_.text = output_text(response);
    ended_ = true;
  } else if (type == "response.failed") {
    const Value* error = at(response, "error");
    set_error(error ? *error : Value());
  } else if (type == "error") {
    set_error(data);
  }
}

void StreamedReply::take_messages(const Value& data) {
  const std::string_view type = text_of(data.find("type"));
  const Value* delta = data.find("delta");
  if (type == "message_start") {
    const Value* message = data.find("message");
    set_text(at(message, "model"), reply_.model);
    set_usage(at(message, "usage"), reply_);
  } else if (type == "content_block_delta") {
    reply_.text += text_of(at(delta, "text"));
  } else if (type == "message_delta") {
    set_finish(text_of(at(delta, "stop_reason")), reply_);
    set_usage(data.find("usage"), reply_);
  } else if (type == "message_stop") {
    ended_ = true;
  }
}

ReplyOrProblem read_reply(Dialect dialect, std::string_view document) {
  const auto data = parse_json(document);
  if (!data) return malformed("the reply is not JSON: " + data.error().message);
  if (const Value* error = data->find("error"); error && !error->is_null())
    return error_problem(*error);
  ChatReply reply;
  set_text(data->find("model"), reply.model);
  if (dialect == Dialect::chat) {
    const Value* choice = first_of(data->find("choices"));
    reply.text = text_of(at(at(choice, "message"), "content"));
    set_finish(text_of(at(choice, "finish_reason")), reply);
    set_usage(data->find("usage"), reply);
  } else if (dialect == Dialect::responses) {
    reply.text = output_text(&*data);
    set_response(&*data, reply);
  } else {
    reply.text = joined_texts(data->find("content"), "text");
    set_finish(text_of(data->find("stop_reason")), reply);
    set_usage(data->find("usage"), reply);
  }
  return checked(std::move(reply));
}

std::string error_text(std::string_view body) {
  const auto data = parse_json(body);
  const Value* error = data ? data->find("error") : nullptr;
  if (error && !error->is_null()) return error_sentence(*error);
  return data && data->find("message") ? error_sentence(*data) : "";
}

bool EventStream::feed(std::string_view bytes, const Take& take) {
  for (const char c : bytes) {
    // LF behind CR belongs to the same end of line, wherever the chunk was cut.
    if (std::exchange(after_cr_, false) && c == '\n') continue;
    if (c != '\n' && c != '\r') {
      line_ += c;
      continue;
    }
    after_cr_ = c == '\r';
    if (!end_line(take)) return false;
  }
  return true;
}

bool EventStream::finish(const Take& take) {
  line_.clear();
  return dispatch(take);
}

bool EventStream::end_line(const Take& take) {
  std::string_view line = line_;
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (std::exchange(first_, false) && line.starts_with(kByteOrderMark))
    line.remove_prefix(kByteOrderMark.size());
  if (line.empty()) {
    line_.clear();
    return dispatch(take);
  }
  const std::size_t colon = line.find(':');
  const std::string_view field = line.substr(0, colon);
  std::string_view value =
      colon == std::string_view::npos ? std::string_view() : line.substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  if (field == "event") event_.name = value;
  if (field == "data") {
    if (std::exchange(has_data_, true)) event_.data += '\n';
    event_.data += value;
  }
  line_.clear();
  return true;
}

bool EventStream::dispatch(const Take& take) {
  const ServerEvent event = std::exchange(event_, {});
  return !std::exchange(has_data_, false) || take(event);
}

}  // namespace rpl::llm
