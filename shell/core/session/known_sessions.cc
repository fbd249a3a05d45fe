// SPDX-License-Identifier: MIT
#include "shell/core/session/known_sessions.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "engine/base/files.h"
#include "engine/store/session.h"
#include "shell/core/session/folders.h"
#include "shell/core/session/history_file.h"

namespace rpl {
namespace {

using Kind = SessionStanding::Kind;

struct Owned {
  uid_t owner = 0;
  bool others_write = false;
};

/// A group of the user's own counts as the user.
Result<Owned> owned(const std::string& path) {
  struct stat facts{};
  if (::lstat(path.c_str(), &facts) != 0)
    return fail(Errc::not_found, fmt::format("{}: no such file", path));
  const bool group = (facts.st_mode & S_IWGRP) != 0 && facts.st_gid != ::getegid();
  return Owned{.owner = facts.st_uid, .others_write = group || (facts.st_mode & S_IWOTH) != 0};
}

}  // namespace

KnownSessions KnownSessions::standard() { return KnownSessions(state_folder() + "/sessions"); }

SessionStanding KnownSessions::standing(const std::string& folder) const {
  const auto file = owned(Session::path_in(folder));
  if (!file) return {};
  const auto place = owned(folder.empty() ? "." : folder);
  if (file->others_write || !place || place->others_write)
    return {Kind::foreign, "can be written by others"};
  const std::string identity = Session::identity_of(folder);
  if (identity.empty()) return {Kind::foreign, "was made elsewhere, or by an earlier version"};
  const std::string known = fmt::format("{} {} ", identity, file->owner);
  const std::vector<std::string> lines =
      HistoryFile(path_).load().value_or(std::vector<std::string>());
  const bool remembered =
      std::ranges::any_of(lines, [&](const std::string& line) { return line.starts_with(known); });
  if (remembered) return {Kind::own};
  return {Kind::foreign, "was made elsewhere"};
}

Status KnownSessions::remember(std::string_view identity, const std::string& folder) const {
  std::error_code error;
  const std::string place = std::filesystem::weakly_canonical(folder, error).string();
  const auto file = owned(Session::path_in(folder));
  return HistoryFile(path_).append(
      fmt::format("{} {} {}", identity, file ? file->owner : ::geteuid(), place));
}

Status KnownSessions::claim(const std::string& folder) const {
  return remember(TRY(Session::make_identity(folder)), folder);
}

Status KnownSessions::trust(const std::string& folder) const {
  const auto file = TRY(owned(Session::path_in(folder)));
  if (file.others_write || TRY(owned(folder)).others_write) {
    return fail(Errc::denied, fmt::format("{} can be written by others", folder),
                fmt::format("chmod -R go-w {}", folder));
  }
  if (const std::string link = Session::link_in(folder); !link.empty()) {
    return fail(
        Errc::denied,
        fmt::format("{} is a symbolic link: what the session keeps would be written there", link),
        "remove the link");
  }
  std::string identity = Session::identity_of(folder);
  if (identity.empty()) identity = TRY(Session::make_identity(folder));
  return remember(identity, folder);
}

Status check_own_session(const std::string& session) {
  const SessionStanding standing = KnownSessions::standard().standing(session);
  if (standing.kind != SessionStanding::Kind::foreign) return {};
  return fail(Errc::denied, fmt::format("the session {} {}", session, standing.why),
              fmt::format("rpl --session {} trust session", session));
}

}  // namespace rpl
