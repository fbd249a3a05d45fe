// SPDX-License-Identifier: MIT
#include "shell/core/session/history_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "engine/base/files.h"
#include "engine/base/input_file.h"
#include "engine/base/interrupt.h"
#include "engine/base/text.h"
#include "shell/core/session/folders.h"

namespace rpl {
namespace {

constexpr mode_t kOwnerOnly = 0600;
constexpr const char* kWhere = "XDG_STATE_HOME names the folder that rpl keeps its history in";

Failure cannot(std::string_view what, const std::string& path) {
  return fail(Errc::io, fmt::format("cannot {} {}: {}", what, path, std::strerror(errno)), kWhere);
}

/// One write call, so that lines of two programs never mix.
Status write_new(const std::string& path, int flags, std::string_view text) {
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
  // Without waiting for the reader of a pipe.
  const UniqueFd file(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_NONBLOCK | O_CLOEXEC | flags, kOwnerOnly));
  struct stat facts{};
  if (!file || ::fstat(file.get(), &facts) != 0) return cannot("write", path);
  if (!S_ISREG(facts.st_mode)) return not_a_file(path, facts.st_mode);
  if (::write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    return cannot("write", path);
  }
  return {};
}

}  // namespace

HistoryFile HistoryFile::standard() { return HistoryFile(state_folder() + "/history"); }

Result<std::vector<std::string>> HistoryFile::load() const {
  std::vector<std::string> lines;
  const auto text = read_text_file(path_);
  if (!text && text.error().code == Errc::not_found) return lines;
  if (!text) return fail(text.error().code, text.error().message, kWhere);
  return split_lines(*text);
}

Status HistoryFile::append(std::string_view line) const {
  std::string text(line);
  for (char& c : text) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  return write_new(path_, O_APPEND, text + "\n");
}

Status HistoryFile::trim(std::size_t size) const {
  const std::vector<std::string> lines = TRY(load());
  if (lines.size() <= size + size / 4) return {};
  std::string kept;
  for (std::size_t i = lines.size() - size; i < lines.size(); ++i) kept += lines[i] + "\n";
  const std::string fresh = fmt::format("{}.{}", path_, getpid());
  TRY(write_new(fresh, O_TRUNC, kept));
  if (std::rename(fresh.c_str(), path_.c_str()) != 0) return cannot("replace", path_);
  return {};
}

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
