// SPDX-License-Identifier: MIT
#include "shell/core/run/trust.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "engine/base/sha256.h"
#include "shell/core/run/history_file.h"
#include "shell/core/session/folders.h"

namespace rpl {
namespace {

std::string entry(const std::string& file, std::string_view content) {
  std::error_code error;
  const auto full = std::filesystem::weakly_canonical(file, error);
  return fmt::format("{}  {}", sha256_hex(content), error ? file : full.string());
}

}  // namespace

TrustStore TrustStore::standard() { return TrustStore(state_folder() + "/trusted"); }

bool TrustStore::trusts(const std::string& file, std::string_view content) const {
  const std::string wanted = entry(file, content);
  std::ifstream list(path_);
  for (std::string line; std::getline(list, line);) {
    if (line == wanted) return true;
  }
  return false;
}

Status TrustStore::trust(const std::string& file, std::string_view content) const {
  if (trusts(file, content)) return {};
  const std::string line = entry(file, content);
  if (line.find('\n') != std::string::npos) {
    return fail(Errc::denied, fmt::format("'{}' has a line break in its name", file));
  }
  return HistoryFile(path_).append(line);
}

std::vector<std::string> project_init_files() { return {".rpl/init.rpl", ".rpl/init.lua"}; }

}  // namespace rpl
