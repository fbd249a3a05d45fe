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
#include "shell/core/run/history_file.h"
#include "shell/core/session/context.h"
#include "shell/core/session/face.h"
#include "shell/core/session/folders.h"
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

bool trusts(const std::string& path, const std::string& content, const Person& person) {
  constexpr std::size_t kShownDigits = 12;
  const std::string question =
      fmt::format("run {} (sha256 {}) of this folder? [y/N/v view] ", terminal_line(path),
                  sha256_hex(content).substr(0, kShownDigits));
  while (true) {
    const std::optional<std::string> answer = person.ask(question);
    if (!answer || answer->empty()) return false;
    const char first = (*answer)[0];
    if (first == 'y' || first == 'Y') return true;
    if (first != 'v' && first != 'V') return false;
    if (!person.out(terminal_text(content) + "\n")) return false;
  }
}

void run_project_file(Context& context, const std::string& path, const Person& person) {
  if (!is_file(path)) return;
  const auto content = read_text_file(path);
  if (!content) return note(context, content.error().message);
  const TrustStore store = TrustStore::standard();
  if (!store.trusts(path, *content)) {
    if (!person.ask) {
      return note(context,
                  fmt::format("skipped {}, which nobody trusts yet; to allow it: rpl trust", path));
    }
    if (!trusts(path, *content, person)) return;
    if (auto status = store.trust(path, *content); !status) note(context, status.error().message);
  }
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

std::vector<std::string> project_init_files() { return {".rpl/init.rpl", ".rpl/init.lua"}; }

}  // namespace rpl
