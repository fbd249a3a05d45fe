// SPDX-License-Identifier: MIT
#include "engine/optimize/model/sse.h"

#include <utility>

namespace rpl::llm {

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
