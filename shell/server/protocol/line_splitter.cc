// SPDX-License-Identifier: MIT
#include "shell/server/protocol/line_splitter.h"

namespace rpl {

void LineSplitter::feed(std::string_view piece, const Take& take) {
  while (!piece.empty()) {
    const std::size_t end = piece.find('\n');
    const std::string_view part = piece.substr(0, end);
    const bool whole = end != std::string_view::npos;
    if (!skipping_ && held_.size() + part.size() > limit_) {
      take(held_, true);
      held_ = {};
      skipping_ = true;
    }
    if (whole && skipping_) {
      skipping_ = false;
    } else if (whole && held_.empty()) {
      take(part, false);
    } else if (!skipping_) {
      held_ += part;
      if (whole) {
        take(held_, false);
        held_.clear();
      }
    }
    piece.remove_prefix(whole ? end + 1 : piece.size());
  }
}

void LineSplitter::end(const Take& take) {
  if (!held_.empty()) take(held_, false);
  held_ = {};
  skipping_ = false;
}

}  // namespace rpl
