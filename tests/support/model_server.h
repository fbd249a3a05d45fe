// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "engine/optimize/model/chat.h"

/// A language-model server on the loopback interface that answers from a script: HTTP/1.1 over real sockets, in each dialect's words.
namespace rpl::testing_support {

/// How one request is answered.
struct ServerAnswer {
  int status = 200;
  std::string content_type = "text/event-stream";
  std::vector<std::string> headers = {};  ///< further ones, "Name: value"
  std::string body = {};
  std::size_t piece = 7;  ///< bytes that are sent at once: cuts anywhere
  bool chunked =
      false;  ///< Transfer-Encoding: chunked; else the end of the connection ends the body
  bool break_off = false;  ///< with `chunked`: without the last chunk
  bool stall = false;      ///< after the body nothing comes until the client leaves
  bool endless = false;    ///< sends the body again and again
};

struct ServerRequest {
  std::string line;                            ///< "POST /v1/chat/completions HTTP/1.1"
  std::map<std::string, std::string> headers;  ///< names in lower case
  std::string body;
};

/// A reply of a model as a stream of this dialect, its text in several deltas, with counts of tokens.
ServerAnswer streamed_answer(llm::Dialect dialect, std::string_view text);
/// The same as one JSON document.
ServerAnswer whole_answer(llm::Dialect dialect, std::string_view text);
/// A refusal: status and {"error": {...}}.
ServerAnswer error_answer(int status, std::string_view type, std::string_view message,
                          std::vector<std::string> headers = {});
/// The first half of a stream.
ServerAnswer cut_answer(llm::Dialect dialect, std::string_view text);
/// The first half of a stream, then an error event.
ServerAnswer error_in_stream(llm::Dialect dialect, std::string_view text, std::string_view type);

class ModelServer {
 public:
  /// Listens on 127.0.0.1 at `port`; 0: a free one. Answers in the order of the script; when it is used up, the last answer again. Where `key` is
  /// given, requests that do not carry it anywhere in their headers get 401.
  explicit ModelServer(std::vector<ServerAnswer> script, std::string key = "", int port = 0);
  ~ModelServer();
  ModelServer(const ModelServer&) = delete;
  ModelServer& operator=(const ModelServer&) = delete;

  /// "http://127.0.0.1:PORT/v1"
  [[nodiscard]] std::string url() const;
  /// What came so far.
  [[nodiscard]] std::vector<ServerRequest> requests() const;

 private:
  void serve();
  void answer(int client);
  void send_answer(int client, const ServerAnswer& answer) const;

  std::vector<ServerAnswer> script_;
  std::string key_;
  int listener_ = -1, port_ = 0;
  int stop_[2] = {-1, -1};
  mutable std::mutex mutex_;
  std::vector<ServerRequest> requests_;
  std::size_t next_ = 0;
  std::thread thread_;
};

}  // namespace rpl::testing_support
