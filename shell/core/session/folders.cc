// SPDX-License-Identifier: MIT
#include "shell/core/session/folders.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "engine/base/files.h"
#include "engine/store/session.h"
#include "shell/core/session/session_log.h"

namespace rpl {

namespace fs = std::filesystem;

namespace {

std::string folder(const char* variable, std::string_view below_home) {
  const char* base = std::getenv(variable);
  // The XDG base directory specification: a relative path is invalid and to be ignored.
  if (base != nullptr && base[0] == '/') return std::string(base) + "/rpl";
  const char* home = std::getenv("HOME");
  return std::string(home != nullptr ? home : "") + "/" + std::string(below_home) + "/rpl";
}

}  // namespace

std::string config_folder() { return folder("XDG_CONFIG_HOME", ".config"); }

std::string state_folder() { return folder("XDG_STATE_HOME", ".local/state"); }

Result<std::string> numbered_folder(SessionLog& log, std::string_view kind, Numbered state) {
  const Session* session = TRY(log.needed());
  const fs::path folder = fs::path(session->folder()) / kind;
  std::error_code failed;
  TRY(make_private_folder(folder.string()));
  for (std::uint32_t n = 1; !failed; ++n) {
    const fs::path next = folder / fmt::format("{}", n);
    const bool ours =
        state == Numbered::made ? fs::create_directory(next, failed) : !fs::exists(next, failed);
    if (ours && !failed) return next.string();
  }
  return fail(Errc::io,
              fmt::format("cannot create a folder in {}: {}", folder.string(), failed.message()),
              "name one: --output DIR");
}

}  // namespace rpl
