// SPDX-License-Identifier: MIT
// The input is the database of a session. It is read twice through the lines of the shell that tell what is kept: as one that somebody sent, of which nothing
// may change, and as one's own, into which each line is kept. Whatever stands in it, nothing that moves a terminal comes out, and no program is started.
#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "engine/base/policy.h"
#include "engine/store/session.h"
#include "shell/commands/all.h"
#include "shell/core/run/console.h"
#include "shell/core/session/context.h"
#include "shell/core/session/known_sessions.h"
#include "shell/core/session/session_log.h"
#include "shell/render/render.h"
#include "tests/support/temp_dir.h"

namespace {

using namespace rpl;
namespace fs = std::filesystem;

constexpr const char* kLines[] = {
    "session info",      "session log --limit 0",   "session log --json",
    "info proposals",    "info proposal p1",        "info proposal p2 --json",
    "info measurements", "info measurements --csv", "lineage",
    "tune status",       "tune status n1 --md",     "tune best",
    "plot tuning",       "trust session",           "summary"};

void require(bool holds, const char* what, std::string_view line) {
  if (holds) return;
  std::fprintf(stderr, "violated: %s: %.*s\n", what, static_cast<int>(line.size()), line.data());
  std::abort();
}

/// Control characters but line feed and tab, and the first byte of a C1 character.
bool moves_a_terminal(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if ((byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7f) return true;
    if (byte == 0xc2 && at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) < 0xa0)
      return true;
  }
  return false;
}

class Person {
 public:
  explicit Person(const std::string& session) {
    add_all_commands(context_.registry());
    static_cast<void>(
        context_.log().start({.folder = session, .create = SessionLog::Create::never}));
  }

  void types(std::string_view line) {
    said_.clear();
    console_.run(line);
    require(!moves_a_terminal(said_), "a control character came out", line);
  }

 private:
  std::string said_;
  Context context_;
  const Sink hear_ = [this](OutputBytes text) {
    said_ += text.bytes();
    return Status();
  };
  Console console_{context_, render, hear_, hear_};
};

/// A project whose session is made anew for each input, and the user's own folders beside it.
class Project {
 public:
  Project() {
    ::setenv("XDG_STATE_HOME", (all_ / "state").c_str(), 1);
    ::setenv("XDG_CONFIG_HOME", (all_ / "config").c_str(), 1);
    own_folder(all_ / "state");
    own_folder(session_);
    const auto made = Session::make_identity(session_);
    require(made.has_value(), "an identity is made", "");
    identity_ = *made;
    keep("x");
    require(KnownSessions::standard().trust(session_).has_value(), "the session is trusted", "");
    fs::current_path(all_ / "project");
  }

  /// Puts the session there: of somebody else, or the user's own.
  void keep(std::string_view bytes, bool own = true) {
    fs::remove_all(session_);
    all_.write("project/.rpl/session.db", bytes);
    for (const char* number : {"p1", "p2"}) {
      for (const char* file : {"patch.diff", "candidate.hip"})
        all_.write(fmt::format("project/.rpl/proposals/{}/{}", number, file), "-a\n+b\n");
    }
    if (own) all_.write("project/.rpl/identity", identity_ + "\n");
  }
  [[nodiscard]] std::string database() const { return all_.read("project/.rpl/session.db"); }
  [[nodiscard]] const std::string& session() const { return session_; }

 private:
  testing_support::TempDir all_;
  std::string session_ = all_ / "project/.rpl", identity_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Project project;
  static const PolicyScope looks{
      {.restricted = true, .granted = {Capability::read, Capability::session, Capability::trust}}};
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  project.keep(bytes, false);
  {
    Person stranger(project.session());
    for (const char* line : kLines) stranger.types(line);
  }
  require(project.database() == bytes, "a session of somebody else was written", "");
  project.keep(bytes);
  Person owner(project.session());
  for (const char* line : kLines) owner.types(line);
  return 0;
}
