// SPDX-License-Identifier: MIT
#include "shell/core/run/input_lines.h"

#include <unistd.h>

#include <array>
#include <cerrno>

#include "engine/base/interrupt.h"

namespace rpl {

bool InputLines::fill() {
  std::array<char, 65536> chunk;
  ssize_t count = 0;
  do {
    count = ::read(descriptor_, chunk.data(), chunk.size());
  } while (count < 0 && errno == EINTR && !interrupt::pending());
  if (count <= 0) return false;
  buffer_.erase(0, at_);
  at_ = 0;
  buffer_.append(chunk.data(), static_cast<std::size_t>(count));
  return true;
}

std::optional<std::string> InputLines::next() {
  std::size_t end = buffer_.find('\n', at_);
  while (end == std::string::npos) {
    const std::size_t seen = buffer_.size() - at_;
    if (!fill()) break;
    end = buffer_.find('\n', at_ + seen);
  }
  if (end == std::string::npos && at_ == buffer_.size()) return std::nullopt;
  const std::size_t stop = std::min(end, buffer_.size());
  std::string line = buffer_.substr(at_, stop - at_);
  at_ = std::min(stop + 1, buffer_.size());
  return line;
}

}  // namespace rpl
