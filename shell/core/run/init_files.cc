// SPDX-License-Identifier: MIT
#include "shell/core/run/init_files.h"

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <set>

#include "engine/base/encode.h"
#include "engine/base/files.h"
#include "engine/base/interrupt.h"
#include "engine/base/monitor.h"
#include "engine/base/numbers.h"
#include "engine/base/sha256.h"
#include "engine/base/text.h"
#include "shell/core/run/script_files.h"
#include "shell/core/session/context.h"
#include "shell/core/session/face.h"
#include "shell/core/session/folders.h"
#include "shell/core/session/history_file.h"
#include "shell/core/session/script_host.h"
#include "shell/core/session/script_lines.h"
#include "shell/core/session/session_log.h"

namespace rpl {
namespace {

struct Person {
  const AskLine& ask;
  const Sink& out;
};

bool is_file(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

void note(const Context& context, const std::string& text) {
  if (context.monitor().note) context.monitor().note(text);
}

void run_script(Context& context, const std::string& path, const std::string& content) {
  if (!context.scripts().available()) return note(context, path + ": this build of rpl has no Lua");
  const auto started = std::chrono::steady_clock::now();
  const SessionLog::Question question = context.log().asked("source " + path);
  const Result<Document> result = context.scripts().load_text(path, content);
  context.log().answered(question, result, std::chrono::steady_clock::now() - started);
  if (!result) return note(context, result.error().message);
  for (const std::string& remark : result->notes) note(context, remark);
}

/// Runs what was read, not the file: what was looked at and what runs must be the same.
void run_content(Context& context, const std::string& path, const std::string& content) {
  if (path.ends_with(".lua")) {
    run_script(context, path, content);
  } else if (const LinesRun run = run_numbered_lines(context.face(), split_lines(content));
             run.status != 0) {
    note(context,
         fmt::format("{}:{}: stopped here; later lines were not run", path, run.last_line));
  }
  context.face().exit_code() = 0;
}

bool trusts(const std::vector<ScriptText>& all, const Person& person) {
  constexpr std::size_t kShownDigits = 12;
  TerminalText others;
  for (const ScriptText& one : std::span(all).subspan(1))
    others.add("{}{} ({})", others.empty() ? OwnText(", which runs ") : OwnText(", "), one.path,
               sha256_hex(one.content).substr(0, kShownDigits));
  const TerminalText question =
      encoded<TerminalText>("run {} (sha256 {}){} of this folder? [y/N/v view] ", all[0].path,
                            sha256_hex(all[0].content).substr(0, kShownDigits), others);
  while (true) {
    const std::optional<std::string> answer = person.ask(question);
    if (!answer || answer->empty()) return false;
    const char first = (*answer)[0];
    if (first == 'y' || first == 'Y') return true;
    if (first != 'v' && first != 'V') return false;
    for (const ScriptText& one : all) {
      const TerminalText title = all.size() > 1 ? terminal_line(one.path) + ":\n" : TerminalText();
      if (!person.out(title + terminal_text(one.content) + "\n")) return false;
    }
  }
}

void run_project_file(Context& context, const std::string& path, const Person& person) {
  if (!is_file(path)) return;
  const auto content = read_text_file(path);
  if (!content) return note(context, content.error().message);
  const TrustStore store = TrustStore::standard();
  const auto untrusted = [&] {
    note(context, fmt::format("skipped {}, which nobody trusts yet; to allow it: rpl trust", path));
  };
  // What nobody trusts is not looked through before somebody can be asked.
  if (!person.ask && !store.trusts(path, *content)) return untrusted();
  const auto scripts = with_sourced(path, *content);
  if (!scripts) return note(context, fmt::format("skipped {}: {}", path, scripts.error().message));
  const bool all = std::ranges::all_of(
      *scripts, [&](const ScriptText& one) { return store.trusts(one.path, one.content); });
  if (!all && !person.ask) return untrusted();
  if (!all && !trusts(*scripts, person)) return;
  if (!all) {
    // The very texts that were shown.
    if (auto status = store.trust_all(*scripts); !status) note(context, status.error().message);
  }
  const TrustedStart scope;
  run_content(context, path, *content);
}

}  // namespace

void run_init_files(Context& context, const AskLine& ask, const Sink& out) {
  for (const char* name : {"/init.rpl", "/init.lua"}) {
    const std::string path = config_folder() + name;
    if (!is_file(path)) continue;
    if (const auto content = read_text_file(path)) {
      run_content(context, path, *content);
    } else {
      note(context, content.error().message);
    }
  }
  for (const std::string& path : project_init_files()) run_project_file(context, path, {ask, out});
}

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
  const std::vector<std::string> list = split_lines(read_text_file(path_).value_or(""));
  return std::ranges::find(list, wanted) != list.end();
}

Status TrustStore::trust(const std::string& file, std::string_view content) const {
  if (trusts(file, content)) return {};
  const std::string line = entry(file, content);
  if (line.find('\n') != std::string::npos) {
    return fail(Errc::denied, fmt::format("'{}' has a line break in its name", file));
  }
  return HistoryFile(path_).append(line);
}

Status TrustStore::trust_all(const std::vector<ScriptText>& scripts) const {
  for (const ScriptText& one : scripts) {
    TRY(interrupt::check());
    TRY(trust(one.path, one.content));
  }
  return {};
}

namespace {

bool starting = false;

constexpr std::size_t kLinesBetweenChecks = 1024;
/// Of a script with all that it runs.
constexpr std::size_t kMostSourced = 1000;
constexpr std::size_t kMostSourcedBytes = std::size_t{16} << 20;

bool came_with_rpl(const std::string& path) {
  return std::ranges::any_of(script_folders(), [&](const std::string& folder) {
    return folder.starts_with('/') && path.starts_with(folder + "/");
  });
}

/// What stands in the first pair of quotes, or is the first word.
std::string first_word(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t(");
  if (begin == std::string_view::npos) return "";
  text.remove_prefix(begin);
  const bool quoted = text[0] == '"' || text[0] == '\'';
  if (quoted) return std::string(text.substr(1, text.find(text[0], 1) - 1));
  return std::string(text.substr(0, text.find_first_of(" \t\r#;")));
}

/// What a .rpl or .lua text may run in its turn, each once.
Result<std::set<std::string>> named_scripts(const std::string& path, const std::string& content) {
  const bool is_lua = path.ends_with(".lua");
  const std::string folder = std::filesystem::path(path).parent_path().string();
  std::set<std::string> out;
  std::size_t lines = 0;
  for (const std::string& line : split_lines(content)) {
    if (++lines % kLinesBetweenChecks == 0) TRY(interrupt::check());
    for (const std::string_view word : {"source ", "require", "dofile", "loadfile"}) {
      const std::size_t at = line.find(word);
      if (at == std::string::npos) continue;
      std::string named = first_word(std::string_view(line).substr(at + word.size()));
      if (word == "require") {
        std::ranges::replace(named, '.', '/');
        named = (std::filesystem::path(folder) / (named + ".lua")).string();
      }
      if (is_lua && word == "source ") named = named.substr(0, named.find_first_of("\"'"));
      out.insert(std::move(named));
    }
  }
  return out;
}

}  // namespace

TrustedStart::TrustedStart() { starting = true; }
TrustedStart::~TrustedStart() { starting = false; }

Status check_trusted(const std::string& path, std::string_view content) {
  if (!starting || came_with_rpl(path) || TrustStore::standard().trusts(path, content)) return {};
  return fail(Errc::denied, fmt::format("nobody trusts {} as it is now", path),
              fmt::format("rpl trust {}", path));
}

Result<std::vector<ScriptText>> with_sourced(const std::string& path, std::string_view content) {
  std::vector<ScriptText> out{{path, std::string(content)}};
  std::set<std::string> met{path};
  std::size_t bytes = content.size();
  for (std::size_t i = 0; i < out.size(); ++i) {
    for (const std::string& next : TRY(named_scripts(out[i].path, out[i].content))) {
      TRY(interrupt::check());
      if (!met.insert(next).second || !is_file(next)) continue;
      auto text = read_text_file(next);
      if (!text) continue;
      bytes += text->size();
      if (bytes > kMostSourcedBytes || out.size() == kMostSourced) {
        return fail(Errc::limit,
                    fmt::format("{} runs more than {} files or {}: too much to be trusted", path,
                                kMostSourced, format_bytes(kMostSourcedBytes)),
                    "name fewer or smaller scripts in it");
      }
      out.push_back({next, std::move(*text)});
    }
  }
  return out;
}

std::vector<std::string> project_init_files() { return {".rpl/init.rpl", ".rpl/init.lua"}; }

}  // namespace rpl
