// SPDX-License-Identifier: MIT
#include "shell/core/session/recorder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace rpl {

Status Recorder::start(const std::string& path, std::string_view version) {
  if (on()) {
    return fail(Errc::denied, fmt::format("{} is being written already", path_), "record stop");
  }
  constexpr mode_t kReadableByAll = 0644;
  UniqueFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kReadableByAll));
  if (file.get() < 0) {
    const Errc code = errno == EEXIST ? Errc::denied : Errc::io;
    return fail(code, fmt::format("cannot create {}: {}", path, std::strerror(errno)),
                "name a file that does not exist yet");
  }
  file_ = std::move(file);
  path_ = path;
  lines_.clear();
  written_ = 0;
  return write(fmt::format("# recorded by rpl {}; replay with: source {}\n", version, path));
}

Result<std::uint64_t> Recorder::stop() {
  if (!on()) return fail(Errc::usage, "nothing is being recorded", "record start FILE");
  file_ = UniqueFd();
  return written_;
}

void Recorder::read(std::string_view line) {
  if (on()) lines_.emplace_back(line);
}

Status Recorder::ran(int exit) {
  if (!on() || lines_.empty()) return {};
  std::string text;
  for (const std::string& line : lines_) {
    text += exit == 0 ? line + "\n" : fmt::format("# failed ({}): {}\n", exit, line);
  }
  if (exit == 0) written_ += lines_.size();
  lines_.clear();
  return write(text);
}

Status Recorder::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(file_.get(), text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      const int error = errno;
      file_ = UniqueFd();
      return fail(Errc::io, fmt::format("cannot write {}: {}", path_, std::strerror(error)),
                  "recording has ended");
    }
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

}  // namespace rpl
