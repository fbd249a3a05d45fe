// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "engine/document/value.h"
#include "engine/optimize/model/chat.h"

namespace rpl::llm {

/// One event of a stream.
struct ServerEvent {
  std::string name;  ///< of the `event:` line; empty: none
  std::string data;  ///< its `data:` lines, joined by newlines
};

/// Takes a text/event-stream apart (WHATWG HTML, "Server-sent events"): lines end with LF, CRLF or CR, chunks are cut anywhere, also inside a
/// character or between CR and LF. Comments, `id:` and `retry:` are skipped. Keeps at most one event; the caller bounds what it feeds.
class EventStream {
 public:
  /// Returns whether to go on.
  using Take = std::function<bool(const ServerEvent&)>;

  /// Returns false when `take` did; the rest is not looked at then.
  bool feed(std::string_view bytes, const Take& take);
  /// The stream ended: an event whose lines are complete is handed over although no empty line follows it; half a line is dropped.
  bool finish(const Take& take);

 private:
  bool end_line(const Take& take);
  bool dispatch(const Take& take);

  std::string line_;
  ServerEvent event_;
  bool has_data_ = false, after_cr_ = false, first_ = true;
};

using ReplyOrProblem = std::variant<ChatReply, Problem>;

/// Puts a streamed reply together, whatever its dialect. Believes nothing: fields of other types are as good as absent.
class StreamedReply {
 public:
  explicit StreamedReply(Dialect dialect) : dialect_(dialect) {}

  /// Bytes of the body as they arrive. Returns false when nothing that follows can matter: an error was found.
  bool feed(std::string_view bytes);
  /// The end of the body. cut_stream unless the dialect's own end was seen.
  ReplyOrProblem finish();

 private:
  bool take(const ServerEvent& event);
  void take_chat(const Value& data);
  void take_responses(const Value& data);
  void take_messages(const Value& data);
  void set_error(const Value& error);

  Dialect dialect_;
  EventStream events_;
  ChatReply reply_;
  std::optional<Problem> problem_;
  bool ended_ = false;
};

/// A reply that came as one JSON document, for servers that do not stream.
ReplyOrProblem read_reply(Dialect dialect, std::string_view document);

/// What the JSON body of a failed request says: "type: message", at most 300 characters, one line; "" when it is not such a document.
std::string error_text(std::string_view body);

}  // namespace rpl::llm
