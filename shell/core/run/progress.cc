// SPDX-License-Identifier: MIT
#include "shell/core/run/progress.h"

#include <fmt/format.h>

#include "engine/base/encode.h"
#include "engine/base/text.h"

namespace rpl {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kPatience{500};
constexpr milliseconds kInterval{100};
constexpr OwnText kEraseLine("\r\033[K");

}  // namespace

Progress::Progress(Sink err, Terminal terminal, Clock clock)
    : err_(std::move(err)), terminal_(terminal), clock_(std::move(clock)) {
  begin();
}

void Progress::begin() {
  const std::lock_guard lock(mutex_);
  begun_ = clock_();
  drawn_ = {};
}

void Progress::report(std::string_view what, std::uint64_t done, std::uint64_t total) {
  if (!terminal_.interactive) return;
  const std::lock_guard lock(mutex_);
  const auto now = clock_();
  if (now - begun_ < kPatience || now - drawn_ < kInterval) return;
  drawn_ = now;
  // A terminal that is gone shows no progress; the work itself goes on.
  visible_ = err_(kEraseLine + progress_text(what, done, total, terminal_.width)).has_value();
}

void Progress::erase() {
  const std::lock_guard lock(mutex_);
  if (!std::exchange(visible_, false)) return;
  visible_ = !err_(kEraseLine).has_value();
}

void Progress::resize(std::size_t width) {
  const std::lock_guard lock(mutex_);
  terminal_.width = width;
}

TerminalText progress_text(std::string_view what, std::uint64_t done, std::uint64_t total,
                           std::size_t width) {
  TerminalText text = terminal_line(what);
  if (total > 0) {
    const double share = static_cast<double>(done) / static_cast<double>(total);
    text.add(" {:.0f} % ({} of {})", 100 * share, done, total);
  } else if (done > 0) {
    text.add(" {}", done);
  }
  text += "   Ctrl-C stops";
  // The last column stays free: some terminals wrap when it is written.
  return elide_middle(text, width > 1 ? width - 1 : 1);
}

}  // namespace rpl
