// SPDX-License-Identifier: MIT
#include "shell/core/run/history_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "engine/base/unique_fd.h"
#include "shell/core/session/folders.h"

namespace rpl {
namespace {

constexpr mode_t kOwnerOnly = 0600;

Failure cannot(std::string_view what, const std::string& path) {
  return fail(Errc::io, fmt::format("cannot {} {}: {}", what, path, std::strerror(errno)),
              "XDG_STATE_HOME names the folder that rpl keeps its history in");
}

/// One write call, so that lines of two programs never mix.
Status write_new(const std::string& path, int flags, std::string_view text) {
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
  const UniqueFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | flags, kOwnerOnly));
  if (file.get() < 0) return cannot("write", path);
  if (::write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    return cannot("write", path);
  }
  return {};
}

}  // namespace

HistoryFile HistoryFile::standard() { return HistoryFile(state_folder() + "/history"); }

Result<std::vector<std::string>> HistoryFile::load() const {
  std::vector<std::string> lines;
  std::ifstream file(path_, std::ios::binary);
  if (!file && errno != ENOENT) return cannot("read", path_);
  for (std::string line; std::getline(file, line);) lines.push_back(std::move(line));
  return lines;
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

}  // namespace rpl
