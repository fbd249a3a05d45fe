// SPDX-License-Identifier: MIT
#include "engine/source/build/preamble.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <optional>

#include "engine/base/files.h"
#include "engine/base/sha256.h"
#include "engine/process/run.h"
#include "engine/source/build/build_cache.h"
#include "engine/source/build/flags.h"
#include "engine/source/build/header_list.h"

namespace rpl {
namespace {

/// What remains behind blanks and whole comments; from the next word on, or from a comment that does not end.
std::string_view behind_blanks(std::string_view text) {
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    const bool line = text.starts_with("//");
    if (!line && !text.starts_with("/*")) return text;
    const std::size_t end = text.find(line ? std::string_view("\n") : std::string_view("*/"), 2);
    if (end == std::string_view::npos) return {};
    // A line that goes on behind its end may hide anything.
    if (line && text.substr(0, end).find('\\') != std::string_view::npos) return {};
    text.remove_prefix(end + (line ? 1 : 2));
  }
}

/// "#include <NAME>\n" or "#include "NAME"\n" at the start of a text; empty: another line, or one with more in it.
std::string_view include_line(std::string_view text) {
  const std::string_view line = text.substr(0, std::min(text.find('\n'), text.size() - 1) + 1);
  const bool system = line.starts_with("#include <");
  if ((!system && !line.starts_with("#include \"")) || !line.ends_with('\n')) return {};
  const std::size_t close = line.find(system ? '>' : '"', sizeof("#include <") - 1);
  return close != std::string_view::npos &&
                 line.find_first_not_of(" \t\r\n", close + 1) == std::string_view::npos
             ? line
             : std::string_view();
}

/// What is between the quotes in such lines.
std::vector<std::string> quoted_names(std::string_view includes) {
  constexpr std::string_view kBefore = "#include \"";
  std::vector<std::string> out;
  for (std::size_t at = 0; (at = includes.find(kBefore, at)) != std::string_view::npos;) {
    at += kBefore.size();
    out.emplace_back(includes.substr(at, includes.find('"', at) - at));
  }
  return out;
}

/// Whether folders of headers are named from the folder that clang runs in.
bool names_relative_folders(const std::vector<std::string>& words) {
  return !std::ranges::all_of(header_folders_in(words),
                              [](const std::string& folder) { return folder.starts_with('/'); });
}

/// Where clang reads the lines, and whether what they name depends on it.
struct Place {
  std::string folder;
  bool matters = false;
};

/// Lines in quotes are looked up where the source lies, which a text of its own has to be read in as well; where nothing of them lies there, any
/// folder without headers does. Nothing: no folder is right for these words and lines both.
std::optional<Place> place_for(const PreambleRequest& request,
                               const std::vector<std::string>& words, const std::string& includes,
                               const std::string& empty_folder) {
  const bool relative = names_relative_folders(words);
  const std::vector<std::string> quoted = quoted_names(includes);
  if (quoted.empty()) return Place{relative ? request.folder : empty_folder, relative};
  const bool here = std::ranges::any_of(quoted, [&](const std::string& name) {
    return ::access((request.source_folder + '/' + name).c_str(), F_OK) == 0;
  });
  const Place out{here ? request.source_folder : empty_folder, here};
  if (relative && out.folder != request.folder) return std::nullopt;
  return out;
}

std::string key_of(const Compiler& compiler, const std::vector<std::string>& words,
                   const Place& place, const std::string& includes) {
  std::string all = "preamble 3\n" + compiler.version + '\n';
  for (const std::string& word : words) all += word + '\n';
  if (place.matters) all += "in " + place.folder + '\n';
  return sha256_hex(all + includes);
}

/// Words without "-I FOLDER" and "-IFOLDER", and these folders as they are found from where clang runs.
struct FewerWords {
  std::vector<std::string> words, folders;
};

FewerWords without_folders(const PreambleRequest& request) {
  FewerWords out;
  for (std::size_t i = 0; i < request.words.size(); ++i) {
    const std::string& word = request.words[i];
    if (!word.starts_with("-I")) {
      out.words.push_back(word);
      continue;
    }
    const bool alone = word.size() == 2 && i + 1 < request.words.size();
    const std::string folder = alone ? request.words[++i] : word.substr(2);
    out.folders.push_back(folder.starts_with('/') ? folder : request.folder + '/' + folder);
  }
  return out;
}

/// Files that are kept for lines of includes, by what they depend on.
struct Kept {
  std::vector<std::string> words;
  Place place;
  std::string base;     ///< of paths: the cache's folder, and the key
  bool listed = false;  ///< the files are to be known, too

  [[nodiscard]] std::string preamble() const { return base + ".pch"; }
  [[nodiscard]] std::string list() const { return base + ".headers"; }
};

std::optional<Kept> kept_for(const Compiler& compiler, const PreambleRequest& request,
                             std::vector<std::string> words, const std::string& includes,
                             bool listed) {
  auto place = place_for(request, words, includes, compiler.cache);
  if (!place) return std::nullopt;
  std::string base =
      fmt::format("{}/{}", compiler.cache, key_of(compiler, words, *place, includes));
  return Kept{std::move(words), std::move(*place), std::move(base), listed};
}

/// Folders of headers differ from source to source, and mostly hold none: then what is kept serves without them, too. None: one of them may hold what the lines
/// name.
std::optional<Kept> kept_without_folders(const Compiler& compiler, const PreambleRequest& request,
                                         const std::string& includes,
                                         std::vector<std::string>& folders) {
  FewerWords fewer = without_folders(request);
  if (std::ranges::any_of(fewer.folders,
                          [&](const std::string& folder) { return may_hold(folder, includes); }))
    return std::nullopt;
  folders = std::move(fewer.folders);
  return kept_for(compiler, request, std::move(fewer.words), includes, true);
}

bool hides_none(const std::vector<std::string>& folders, const HeaderList& list) {
  return std::ranges::none_of(
      folders, [&](const std::string& folder) { return list.may_be_hidden_by(folder); });
}

/// What stands for the precompiled header in the rule of its files.
constexpr std::string_view kListTarget = "headers:";

/// The files of a rule as `make` reads it.
std::vector<std::string> files_of_rule(std::string_view list) {
  std::vector<std::string> out;
  std::string path;
  const auto take = [&] {
    if (!path.empty() && path != kListTarget) out.push_back(path);
    path.clear();
  };
  for (std::size_t i = 0; i < list.size(); ++i) {
    const char c = list[i];
    if (c == '\\' && i + 1 < list.size() && list[i + 1] != '\n') {
      path += list[++i];
    } else if (c == ' ' || c == '\n' || c == '\\') {
      take();
    } else {
      path += c;
    }
  }
  take();
  return out;
}

/// Whether one of these files was written so lately before it was read that it could change once more and have the same time, of
/// which clang keeps seconds. `started`: no file was read before.
bool any_is_new(const std::vector<std::string>& files, std::time_t started) {
  constexpr std::time_t kSlack = 1;  // for clocks of other machines
  return std::ranges::any_of(files, [&](const std::string& path) {
    struct stat found{};
    return ::stat(path.c_str(), &found) == 0 && found.st_mtime + kSlack >= started;
  });
}

/// One that is there and right stays: it may be part of keys.
void keep_list(const std::string& path, const std::vector<std::string>& files,
               std::int64_t read_ns) {
  const auto known = HeaderList::kept(path);
  if (known && known->unchanged()) return;
  if (const auto list = HeaderList::of(files, read_ns)) static_cast<void>(list->keep(path));
}

/// Has clang make it. Whether it is there now.
bool make_preamble(const Kept& kept, const std::string& includes, const RunProgram& run_it) {
  const std::string part = fmt::format("{}.{}.part", kept.preamble(), ::getpid());
  const std::string rule = part + ".files";
  std::vector<std::string> argv = kept.words;
  argv.emplace_back("-fsyntax-only");
  for (const char* word :
       {"-emit-pch", "-o", part.c_str(), "-dependency-file", rule.c_str(), "-MT", "headers"})
    argv.insert(argv.end(), {"-Xclang", word});
  argv.emplace_back("-");
  const std::int64_t now = file_clock_ns();
  const std::time_t started = std::time(nullptr);
  const auto ended = run_it({.argv = std::move(argv),
                             .program = Program::tool,
                             .cwd = kept.place.folder,
                             .stdin_text = includes,
                             .timeout = std::chrono::minutes(2)});
  const auto text = read_text_file(rule);
  ::unlink(rule.c_str());
  // Warnings of headers are to be seen with each build.
  if (ended && ended->ok() && ended->err.text.empty() && text) {
    const std::vector<std::string> files = files_of_rule(*text);
    const bool new_ones = any_is_new(files, started);
    if (kept.listed && !new_ones) keep_list(kept.list(), files, now);
    if (!new_ones && std::rename(part.c_str(), kept.preamble().c_str()) == 0) return true;
  }
  ::unlink(part.c_str());
  return false;
}

/// Where it is, or is made now.
bool has_preamble(const Compiler& compiler, const Kept& kept, const PreambleRequest& request,
                  const std::string& includes, const RunProgram& run_it) {
  // What was used last is removed last.
  if (::utimensat(AT_FDCWD, kept.preamble().c_str(), nullptr, 0) == 0) return true;
  const std::string once =
      fmt::format("{}/.{}.once", compiler.cache, kept.base.substr(compiler.cache.size() + 1));
  if (request.when == MakePreamble::second_time && ::access(once.c_str(), F_OK) != 0) {
    static_cast<void>(write_file(once, std::string_view()));
    return false;
  }
  return make_preamble(kept, includes, run_it);
}

}  // namespace

std::string leading_includes(std::string_view text) {
  std::string out;
  for (text = behind_blanks(text); !text.empty(); text = behind_blanks(text)) {
    const std::string_view line = include_line(text);
    if (line.empty()) return out;
    out += line;
    text.remove_prefix(line.size());
  }
  return out;
}

bool reads_leading_includes_alone(std::string_view text) {
  // Words that look for files, tell the path or the time, or hide such a word.
  constexpr std::array<std::string_view, 12> kWords{
      "include",  "import", "embed",  "incbin", "FILE", "source_location",
      "__DATE__", "__TIME", "assert", "%:",     "\\\n", "\\\r"};
  for (;;) {
    const std::string_view rest = behind_blanks(text);
    const std::string_view line = include_line(rest);
    if (line.empty()) break;
    text = rest.substr(line.size());
  }
  return std::ranges::none_of(
      kWords, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

std::string preamble_for(const Compiler& compiler, const PreambleRequest& request,
                         const RunProgram& run_it) {
  const std::string includes = leading_includes(request.text);
  if (compiler.cache.empty() || includes.empty() || !BuildCache(compiler.cache).make_place())
    return {};
  std::vector<std::string> folders;
  if (const auto kept = kept_without_folders(compiler, request, includes, folders)) {
    if (!has_preamble(compiler, *kept, request, includes, run_it)) return {};
    if (folders.empty()) return kept->preamble();
    auto list = HeaderList::kept(kept->list());
    if (!list && make_preamble(*kept, includes, run_it)) list = HeaderList::kept(kept->list());
    if (list && hides_none(folders, *list)) return kept->preamble();
  }
  const auto kept = kept_for(compiler, request, request.words, includes, false);
  if (!kept || !has_preamble(compiler, *kept, request, includes, run_it)) return {};
  return kept->preamble();
}

std::string header_list_path(const Compiler& compiler, const PreambleRequest& request) {
  const std::string includes = leading_includes(request.text);
  if (compiler.cache.empty() || includes.empty()) return {};
  std::vector<std::string> folders;
  const auto kept = kept_without_folders(compiler, request, includes, folders);
  return kept && !kept->place.matters ? kept->list() : std::string();
}

std::vector<std::string> words_to_use(const std::string& preamble) {
  if (preamble.empty()) return {};
  return {"-Xclang", "-include-pch", "-Xclang", preamble};
}

std::string preamble_in(const std::vector<std::string>& argv) {
  const auto word = std::ranges::find(argv, "-include-pch");
  return argv.end() - word > 2 ? *(word + 2) : std::string();
}

}  // namespace rpl
