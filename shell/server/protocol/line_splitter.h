// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace rpl {

/// Lines of a stream that comes in pieces. A line above `limit` bytes is never held: it is told once and skipped up to its end.
class LineSplitter {
 public:
  /// `line` is without its end; `too_long` says that it is what there was of a line above the limit.
  using Take = std::function<void(std::string_view line, bool too_long)>;

  explicit LineSplitter(std::size_t limit) : limit_(limit) {}

  void feed(std::string_view piece, const Take& take);
  /// The stream has ended: what lacks a line end is a line, too.
  void end(const Take& take);
  /// Bytes held now; at most the limit.
  [[nodiscard]] std::size_t held() const { return held_.size(); }

 private:
  std::size_t limit_;
  std::string held_;
  bool skipping_ = false;
};

}  // namespace rpl
