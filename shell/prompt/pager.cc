// SPDX-License-Identifier: MIT
#include "shell/prompt/prompt.h"

#include <cstdlib>
#include <optional>

#include "engine/base/text.h"
#include "engine/process/attached.h"
#include "shell/core/command/settings.h"
#include "shell/core/session/context.h"
#include "shell/core/session/face.h"

namespace rpl {
namespace {

constexpr int kNotFound = 127;  ///< a POSIX shell's status for a command that it cannot find

std::string pager_command() {
  for (const char* name : {"RPL_PAGER", "PAGER"}) {
    if (const char* value = std::getenv(name)) return value;
  }
  return "less -FRX";
}

/// Holds text back until there is more than a screen of it, then passes it on to the pager.
class Pager {
 public:
  Pager(std::string command, const Terminal& terminal)
      : command_(std::move(command)), terminal_(terminal) {}

  Status take(OutputBytes given) {
    std::string_view text = given.bytes();
    if (!child_) {
      held_ += text;
      count_lines(text);
      if (lines_ + 1 < terminal_.height) return {};
      TRY(start());
      text = held_;
    }
    if (!TRY(child_->write(text))) {
      quit_ = true;
      return fail(Errc::io, "the pager was quit");
    }
    return {};
  }

  /// Whether everything is shown; false: nothing is, because there is no such pager.
  Result<bool> finish(const Sink& out) {
    if (!child_) {
      TRY(out(OutputBytes::raw(held_)));
      return true;
    }
    const Exit exit = TRY(child_->finish());
    return exit.code != kNotFound;
  }

  [[nodiscard]] bool was_quit() const { return quit_; }

 private:
  Status start() {
    Spawn spawn;
    spawn.argv = {"/bin/sh", "-c", command_};
    if (std::getenv("LESS") == nullptr) spawn.env = {"LESS=FRX"};
    child_.emplace(TRY(Attached::start(spawn, Attached::Input::written)));
    return {};
  }

  /// As the screen counts them: long lines take several.
  void count_lines(std::string_view text) {
    for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
      line_ += text.substr(0, end);
      const std::size_t width = std::max<std::size_t>(display_width(line_), 1);
      lines_ += (width + terminal_.width - 1) / terminal_.width;
      line_.clear();
      text.remove_prefix(end + 1);
    }
    line_ += text;
  }

  std::string command_;
  const Terminal& terminal_;
  std::optional<Attached> child_;
  std::string held_, line_;
  std::size_t lines_ = 0;
  bool quit_ = false;
};

}  // namespace

Status page(const Context& context, const Sink& out,
            const std::function<Status(const Sink&)>& body) {
  const std::string command = pager_command();
  if (!context.settings().on("pager") || !context.face().terminal().interactive ||
      command.empty()) {
    return body(out);
  }
  Pager pager(command, context.face().terminal());
  const Status written = body([&](OutputBytes text) { return pager.take(text); });
  if (!written && !pager.was_quit()) {
    // What was made before the failure is still shown.
    TRY(pager.finish(out));
    return written;
  }
  if (TRY(pager.finish(out))) return {};
  return body(out);
}

}  // namespace rpl
