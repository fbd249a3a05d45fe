// SPDX-License-Identifier: MIT
#include "tests/support/model_server.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <stdexcept>

#include "engine/document/json.h"
#include "engine/document/value.h"

namespace rpl::testing_support {
namespace {

using llm::Dialect;

constexpr std::int64_t kInputTokens = 1200, kOutputTokens = 300;

std::string event(std::string_view name, const Record& data) {
  const std::string line = fmt::format("data: {}\n\n", to_json(Value(data)));
  return name.empty() ? line : fmt::format("event: {}\n{}", name, line);
}

std::vector<std::string> pieces_of(std::string_view text) {
  constexpr std::size_t kPiece = 23;
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = std::min(text.size(), at + kPiece);
    // Not inside a character: JSON holds whole ones.
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) ++end;
    out.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return out;
}

std::string chat_stream(std::string_view text) {
  const auto chunk = [](List choices) {
    return Record{{"id", "c1"},
                  {"object", "chat.completion.chunk"},
                  {"model", "example-model"},
                  {"choices", std::move(choices)}};
  };
  std::string out = ": comment\n";
  for (const std::string& piece : pieces_of(text)) {
    out += event("", chunk({Value(Record{{"index", 0},
                                         {"delta", Value(Record{{"content", piece}})},
                                         {"finish_reason", Value()}})}));
  }
  out += event(
      "",
      chunk({Value(Record{{"index", 0}, {"delta", Value(Record{})}, {"finish_reason", "stop"}})}));
  Record last = chunk({});
  last.emplace_back("usage", Value(Record{{"prompt_tokens", kInputTokens},
                                          {"completion_tokens", kOutputTokens}}));
  return out + event("", last) + "data: [DONE]\n\n";
}

std::string responses_stream(std::string_view text) {
  std::string out =
      event("response.created",
            {{"type", "response.created"}, {"response", Value(Record{{"status", "in_progress"}})}});
  for (const std::string& piece : pieces_of(text))
    out += event("response.output_text.delta",
                 {{"type", "response.output_text.delta"}, {"delta", piece}});
  const Record response{
      {"status", "completed"},
      {"model", "example-model"},
      {"usage", Value(Record{{"input_tokens", kInputTokens}, {"output_tokens", kOutputTokens}})}};
  return out + event("response.completed",
                     {{"type", "response.completed"}, {"response", Value(response)}});
}

std::string messages_stream(std::string_view text) {
  const Record message{
      {"model", "example-model"},
      {"usage", Value(Record{{"input_tokens", kInputTokens}, {"output_tokens", 1}})}};
  std::string out =
      event("message_start", {{"type", "message_start"}, {"message", Value(message)}});
  out += event("ping", {{"type", "ping"}});
  for (const std::string& piece : pieces_of(text)) {
    out += event("content_block_delta",
                 {{"type", "content_block_delta"},
                  {"delta", Value(Record{{"type", "text_delta"}, {"text", piece}})}});
  }
  out += event("message_delta", {{"type", "message_delta"},
                                 {"delta", Value(Record{{"stop_reason", "end_turn"}})},
                                 {"usage", Value(Record{{"output_tokens", kOutputTokens}})}});
  return out + event("message_stop", {{"type", "message_stop"}});
}

bool send_all(int client, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(client, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// Reads one request; false when the client leaves.
bool read_request(int client, ServerRequest& out) {
  std::string all;
  std::size_t head = std::string::npos, length = 0;
  std::array<char, 4096> buffer{};
  while (head == std::string::npos || all.size() < head + 4 + length) {
    const ssize_t got = recv(client, buffer.data(), buffer.size(), 0);
    if (got <= 0) return false;
    all.append(buffer.data(), static_cast<std::size_t>(got));
    if (head != std::string::npos) continue;
    head = all.find("\r\n\r\n");
    if (head == std::string::npos) continue;
    std::size_t at = all.find("\r\n");
    out.line = all.substr(0, at);
    while (at < head) {
      const std::size_t begin = at + 2, end = all.find("\r\n", begin),
                        colon = all.find(": ", begin);
      if (colon < end)
        out.headers[lower(all.substr(begin, colon - begin))] =
            all.substr(colon + 2, end - colon - 2);
      at = end;
    }
    const auto field = out.headers.find("content-length");
    length = field == out.headers.end() ? 0 : std::strtoul(field->second.c_str(), nullptr, 10);
  }
  out.body = all.substr(head + 4, length);
  return true;
}

}  // namespace

ServerAnswer streamed_answer(Dialect dialect, std::string_view text) {
  ServerAnswer out;
  out.body = dialect == Dialect::chat        ? chat_stream(text)
             : dialect == Dialect::responses ? responses_stream(text)
                                             : messages_stream(text);
  return out;
}

ServerAnswer whole_answer(Dialect dialect, std::string_view text) {
  ServerAnswer out;
  out.content_type = "application/json";
  const Record usage{{"input_tokens", kInputTokens}, {"output_tokens", kOutputTokens}};
  if (dialect == Dialect::chat) {
    const Record message{{"role", "assistant"}, {"content", text}};
    out.body = to_json(Value(Record{
        {"model", "example-model"},
        {"choices",
         Value(List{Value(Record{{"message", Value(message)}, {"finish_reason", "stop"}})})},
        {"usage",
         Value(Record{{"prompt_tokens", kInputTokens}, {"completion_tokens", kOutputTokens}})}}));
  } else if (dialect == Dialect::responses) {
    const Record part{{"type", "output_text"}, {"text", text}};
    const Record item{{"type", "message"}, {"content", Value(List{Value(part)})}};
    out.body = to_json(Value(Record{{"status", "completed"},
                                    {"model", "example-model"},
                                    {"output", Value(List{Value(item)})},
                                    {"usage", Value(usage)}}));
  } else {
    const Record part{{"type", "text"}, {"text", text}};
    out.body = to_json(Value(Record{{"model", "example-model"},
                                    {"content", Value(List{Value(part)})},
                                    {"stop_reason", "end_turn"},
                                    {"usage", Value(usage)}}));
  }
  return out;
}

ServerAnswer error_answer(int status, std::string_view type, std::string_view message,
                          std::vector<std::string> headers) {
  ServerAnswer out;
  out.status = status;
  out.content_type = "application/json";
  out.headers = std::move(headers);
  out.body = to_json(Value(Record{{"error", Value(Record{{"type", type}, {"message", message}})}}));
  return out;
}

ServerAnswer cut_answer(Dialect dialect, std::string_view text) {
  ServerAnswer out = streamed_answer(dialect, text);
  out.body.resize(out.body.size() / 2);
  return out;
}

ServerAnswer error_in_stream(Dialect dialect, std::string_view text, std::string_view type) {
  ServerAnswer out = cut_answer(dialect, text);
  out.body.resize(out.body.rfind("\n\n") + 2);
  const Record error{{"type", type}, {"message", "the server has too much to do"}};
  if (dialect == Dialect::responses) {
    const Record response{
        {"status", "failed"},
        {"error", Value(Record{{"code", type}, {"message", "the server has too much to do"}})}};
    out.body +=
        event("response.failed", {{"type", "response.failed"}, {"response", Value(response)}});
  } else {
    out.body += event(dialect == Dialect::messages ? "error" : "",
                      {{"type", "error"}, {"error", Value(error)}});
  }
  return out;
}

ModelServer::ModelServer(std::vector<ServerAnswer> script, std::string key, int port)
    : script_(std::move(script)), key_(std::move(key)) {
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int yes = 1;
  setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  socklen_t size = sizeof address;
  constexpr int kWaiting = 16;
  if (listener_ < 0 || bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      listen(listener_, kWaiting) != 0 ||
      getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0 ||
      pipe(stop_) != 0) {
    throw std::runtime_error("the loopback server cannot listen");
  }
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { serve(); });
}

ModelServer::~ModelServer() {
  close(stop_[1]);
  thread_.join();
  close(stop_[0]);
  close(listener_);
}

std::string ModelServer::url() const { return fmt::format("http://127.0.0.1:{}/v1", port_); }

std::vector<ServerRequest> ModelServer::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

void ModelServer::serve() {
  for (;;) {
    std::array<pollfd, 2> waiting{{{listener_, POLLIN, 0}, {stop_[0], POLLIN, 0}}};
    if (poll(waiting.data(), waiting.size(), -1) < 0) continue;
    if (waiting[1].revents != 0) return;
    const int client = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0) continue;
    answer(client);
    close(client);
  }
}

void ModelServer::answer(int client) {
  ServerRequest request;
  if (!read_request(client, request)) return;
  ServerAnswer chosen;
  const bool allowed = key_.empty() || std::any_of(request.headers.begin(), request.headers.end(),
                                                   [&](const auto& header) {
                                                     return header.second.ends_with(key_);
                                                   });
  {
    const std::lock_guard lock(mutex_);
    if (allowed) chosen = script_[std::min(next_++, script_.size() - 1)];
    requests_.push_back(request);
  }
  if (!allowed) {
    // As real ones do: with what was sent.
    const auto sent = request.headers.find("authorization");
    chosen = error_answer(401, "authentication_error",
                          fmt::format("Incorrect API key provided: {}",
                                      sent == request.headers.end() ? "none" : sent->second));
  }
  send_answer(client, chosen);
}

void ModelServer::send_answer(int client, const ServerAnswer& answer) const {
  std::string head =
      fmt::format("HTTP/1.1 {} Scripted\r\nContent-Type: {}\r\nConnection: close\r\n",
                  answer.status, answer.content_type);
  for (const std::string& header : answer.headers) head += header + "\r\n";
  if (answer.chunked) head += "Transfer-Encoding: chunked\r\n";
  if (!send_all(client, head + "\r\n")) return;
  do {
    for (std::size_t at = 0; at < answer.body.size(); at += answer.piece) {
      const std::string_view piece = std::string_view(answer.body).substr(at, answer.piece);
      const std::string sent =
          answer.chunked ? fmt::format("{:x}\r\n{}\r\n", piece.size(), piece) : std::string(piece);
      if (!send_all(client, sent)) return;
    }
  } while (answer.endless);
  if (answer.stall) {
    // Until the client leaves, or the server ends.
    std::array<pollfd, 2> waiting{{{client, POLLIN | POLLRDHUP, 0}, {stop_[0], POLLIN, 0}}};
    poll(waiting.data(), waiting.size(), -1);
  }
  if (answer.chunked && !answer.break_off) send_all(client, "0\r\n\r\n");
}

}  // namespace rpl::testing_support
