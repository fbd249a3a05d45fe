// SPDX-License-Identifier: MIT
// trust session: what a session that somebody else made would run, and a person's yes to it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

#include "engine/base/text.h"
#include "engine/document/bound.h"
#include "engine/document/json.h"
#include "engine/store/session.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/loaded.h"
#include "shell/core/session/context.h"
#include "shell/core/session/face.h"
#include "shell/core/session/known_sessions.h"
#include "shell/core/session/session_log.h"

namespace rpl {
namespace {

/// One thing that the session would have done.
struct Stored {
  std::string effect, name, value;
  bool outside = false;

  auto operator<=>(const Stored&) const = default;
};

constexpr auto kStoredColumns = bound_to<Stored>(
    column<&Stored::effect>("effect", "runs, builds with, reads or writes"),
    column<&Stored::name>("name", "as the session calls it"),
    column<&Stored::value>("value", "what it says"),
    column<&Stored::outside>("outside", "whether it is a path that leaves the project"));

struct TrustedSession {
  std::string path, state;
};

constexpr auto kTrustedFields = bound_to<TrustedSession>(
    column<&TrustedSession::path>("path", "the session"),
    column<&TrustedSession::state>("state",
                                   "own: it was, or is from now on; foreign: nobody said yes"));

struct StoredEffect {
  std::string_view name, effect;
  bool is_path = false;
};

/// What records of a session keep that is carried out later.
constexpr std::array kStoredEffects{
    StoredEffect{"command", "runs"},        StoredEffect{"check", "runs"},
    StoredEffect{"argv", "runs"},           StoredEffect{"build", "runs"},
    StoredEffect{"build_command", "runs"},  StoredEffect{"program", "runs", true},
    StoredEffect{"compiler", "runs", true}, StoredEffect{"flags", "builds with"},
    StoredEffect{"headers", "builds with"}, StoredEffect{"include", "builds with", true},
    StoredEffect{"cwd", "runs", true},      StoredEffect{"capture", "reads", true},
    StoredEffect{"source", "writes", true}, StoredEffect{"main_source", "writes", true},
    StoredEffect{"folder", "writes", true}};

std::string stored_text(const Value& value) {
  const auto* text = value.as<std::string>();
  return text != nullptr ? *text : to_json(value);
}

bool says_nothing(const Value& value) {
  const List* list = value.as<List>();
  return value.is_null() || (list != nullptr && list->empty()) || stored_text(value).empty();
}

/// Where the session's own folder lies is its project.
bool leaves(const std::string& path, const std::filesystem::path& project) {
  const auto place = (project / path).lexically_normal().lexically_relative(project);
  return place.empty() || *place.begin() == "..";
}

void collect_stored(const Value& value, const std::filesystem::path& project,
                    std::vector<Stored>& out) {
  if (const List* list = value.as<List>()) {
    for (const Value& one : *list) collect_stored(one, project, out);
  }
  const Record* record = value.as<Record>();
  if (record == nullptr) return;
  for (const auto& [name, held] : *record) {
    const auto found = std::ranges::find(kStoredEffects, std::string_view(name),
                                         [](const StoredEffect& one) { return one.name; });
    if (found == kStoredEffects.end()) {
      collect_stored(held, project, out);
    } else if (!says_nothing(held)) {
      const std::string text = stored_text(held);
      out.push_back({std::string(found->effect), name, text,
                     found->is_path && held.as<std::string>() != nullptr && leaves(text, project)});
    }
  }
}

Result<std::vector<Stored>> stored_in(Session& session) {
  const std::filesystem::path project = std::filesystem::path(session.folder()).parent_path();
  std::vector<Stored> out;
  for (const SessionEventKind kind : {SessionEventKind::optimizing, SessionEventKind::proposal,
                                      SessionEventKind::tuning, SessionEventKind::application}) {
    for (const SessionEvent& event : TRY(session.events_of(kind)))
      collect_stored(TRY(parse_json(event.body)), project, out);
  }
  std::ranges::sort(out);
  out.erase(std::ranges::unique(out).begin(), out.end());
  return out;
}

/// Whoever says yes has read all of it: nothing is left out in the middle, and no value makes lines of its own.
std::string stored_lines(const std::vector<Stored>& stored, std::size_t width) {
  constexpr std::size_t kIndent = 4;
  std::string out;
  for (const Stored& one : stored) {
    out += fmt::format("{}, {}{}\n", one.effect, one.name,
                       one.outside ? ", outside of the project" : "");
    const bool plain = std::ranges::none_of(
        one.value, [](char c) { return std::iscntrl(static_cast<unsigned char>(c)) != 0; });
    out += wrapped(plain ? one.value : to_json(Value(one.value)), kIndent, width);
  }
  return out;
}

struct TrustSessionArgs {
  bool yes = false;
};

Result<Document> trust_session(const TrustSessionArgs& args, SessionLog& log, Face& face,
                               Screen screen) {
  const KnownSessions known = KnownSessions::standard();
  Session* session = TRY(log.existing());
  TrustedSession about{session->path(), "own"};
  const SessionStanding standing = known.standing(log.folder());
  Document out;
  const std::vector<Stored> stored = TRY(stored_in(*session));
  out.table(kStoredColumns, stored);
  out.text = stored_lines(stored, screen.width);
  if (stored.empty()) out.notes.emplace_back("nothing stored in it runs, builds or writes");
  if (standing.kind == SessionStanding::Kind::foreign) {
    // What is asked about is shown before, and once.
    const bool asks = face.at_terminal() && !args.yes;
    if (asks) TRY(face.show(out));
    const std::string question =
        fmt::format("{} {}. Trust it, with everything above?", session->path(), standing.why);
    if (args.yes || face.decide(question)) {
      TRY(known.trust(log.folder()));
      log.trusted();
    } else {
      about.state = "foreign";
      out.notes.push_back(face.at_terminal()
                              ? fmt::format("{} is only looked at", session->path())
                              : "nobody sits at a terminal to say yes; 'trust session --yes' does");
    }
    if (asks) out.text.clear();
  }
  out.text += fmt::format("{} is {}\n", session->path(),
                          about.state == "own" ? "trusted" : "only looked at");
  out.put(kTrustedFields, about);
  return out;
}

}  // namespace

void add_trust_session_command(Registry& registry) {
  add(registry,
      command<TrustSessionArgs>(
          Command{.path = "trust session",
                  .does = {Capability::trust},
                  .chapter = Class::files,
                  .summary = "Say yes to a session that somebody else made.",
                  .help =
                      "A session whose identity is not known here, or that others may write, is "
                      "looked at: nothing that it holds is run, built with or written, and "
                      "nothing is kept in it. This lists what it would run, build with, read "
                      "and write, and asks. Sessions that you make are known, on every machine "
                      "that shares your state folder ($XDG_STATE_HOME/rpl).",
                  .fields = described(kTrustedFields),
                  .columns = described(kStoredColumns),
                  .scalar = "state",
                  .examples = {"trust session"},
                  .changes_program = true},
          {flag("yes", &TrustSessionArgs::yes, "say yes without being asked")}, trust_session));
}

}  // namespace rpl
