// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

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

}  // namespace rpl::llm
