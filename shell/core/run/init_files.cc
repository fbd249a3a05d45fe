// SPDX-License-Identifier: MIT
#include "shell/core/run/init_files.h"

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <iterator>

#include "engine/base/encode.h"
#include "engine/base/files.h"
#include "engine/base/monitor.h"
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

struct ScriptText {
  std::string path, content;
};

/// A script with what it sources, each once. What cannot be read is not there to run either.
std::vector<ScriptText> with_sourced(const std::string& path, std::string_view content) {
  std::vector<ScriptText> out{{path, std::string(content)}};
  for (std::size_t i = 0; i < out.size(); ++i) {
    for (const std::string& next : sourced_files(out[i].path, out[i].content)) {
      const bool known =
          std::ranges::any_of(out, [&](const ScriptText& one) { return one.path == next; });
      auto text = known ? Result<std::string>(fail(Errc::not_found, "")) : read_text_file(next);
      if (text) out.push_back({next, std::move(*text)});
    }
  }
  return out;
}

bool trusts(const std::string& path, const std::string& content, const Person& person) {
  constexpr std::size_t kShownDigits = 12;
  const std::vector<ScriptText> all = with_sourced(path, content);
  TerminalText others;
  for (const ScriptText& one : std::span(all).subspan(1))
    others.add("{}{} ({})", others.empty() ? OwnText(", which runs ") : OwnText(", "), one.path,
               sha256_hex(one.content).substr(0, kShownDigits));
  const TerminalText question =
      encoded<TerminalText>("run {} (sha256 {}){} of this folder? [y/N/v view] ", path,
                            sha256_hex(content).substr(0, kShownDigits), others);
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
  if (!store.trusts_all(path, *content)) {
    if (!person.ask) {
      return note(context,
                  fmt::format("skipped {}, which nobody trusts yet; to allow it: rpl trust", path));
    }
    if (!trusts(path, *content, person)) return;
    if (auto status = store.trust_all(path, *content); !status)
      note(context, status.error().message);
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

bool TrustStore::trusts_all(const std::string& file, std::string_view content) const {
  return std::ranges::all_of(with_sourced(file, content), [this](const ScriptText& one) {
    return trusts(one.path, one.content);
  });
}

Result<std::vector<std::string>> TrustStore::trust_all(const std::string& file,
                                                       std::string_view content) const {
  std::vector<std::string> out;
  for (const ScriptText& one : with_sourced(file, content)) {
    TRY(trust(one.path, one.content));
    out.push_back(one.path);
  }
  return out;
}

namespace {

bool starting = false;

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

}  // namespace

TrustedStart::TrustedStart() { starting = true; }
TrustedStart::~TrustedStart() { starting = false; }

Status check_trusted(const std::string& path, std::string_view content) {
  if (!starting || came_with_rpl(path) || TrustStore::standard().trusts(path, content)) return {};
  return fail(Errc::denied, fmt::format("nobody trusts {} as it is now", path),
              fmt::format("rpl trust {}", path));
}

std::vector<std::string> sourced_files(const std::string& path, std::string_view content) {
  const bool is_lua = path.ends_with(".lua");
  std::vector<std::string> out;
  for (const std::string& line : split_lines(std::string(content))) {
    for (const std::string_view word : {"source ", "require", "dofile", "loadfile"}) {
      const std::size_t at = line.find(word);
      if (at == std::string::npos) continue;
      std::string named = first_word(std::string_view(line).substr(at + word.size()));
      if (word == "require") {
        std::ranges::replace(named, '.', '/');
        named = (std::filesystem::path(path).parent_path() / (named + ".lua")).string();
      }
      if (is_lua && word == "source ") named = named.substr(0, named.find_first_of("\"'"));
      if (is_file(named)) out.push_back(std::move(named));
    }
  }
  return out;
}

std::vector<std::string> project_init_files() { return {".rpl/init.rpl", ".rpl/init.lua"}; }

}  // namespace rpl
