// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace rpl {

/// Whose a session is.
struct SessionStanding {
  enum class Kind { none, own, foreign };
  Kind kind = Kind::none;
  std::string why =
      {};  ///< of a foreign one, to follow its path: "was made elsewhere, or by an earlier version"
};

/// The sessions that this user made, or said yes to: their identities with the owner of their files, one a line, in a file of the state folder that only its
/// owner may read. A session is known wherever its folder is mounted, and a folder that somebody sent is not known.
class KnownSessions {
 public:
  explicit KnownSessions(std::string path) : path_(std::move(path)) {}
  /// `sessions` in state_folder().
  static KnownSessions standard();

  /// Of the session in a folder: own when it is known, its owner is who it was, and nobody else may write there.
  [[nodiscard]] SessionStanding standing(const std::string& folder) const;
  /// Makes the identity of a session that is about to be made, and remembers it first. Fails with io.
  Status claim(const std::string& folder) const;
  /// Remembers a session that a person has said yes to; gives it an identity where it has none. Fails with denied where others may write to it, io.
  Status trust(const std::string& folder) const;

 private:
  Status remember(std::string_view identity, const std::string& folder) const;

  std::string path_;
};

/// What a folder of a session holds is run, or read, where a job of a cluster names it: on a node as at home only where the session is one's own. Fails with denied.
Status check_own_session(const std::string& session);

}  // namespace rpl
