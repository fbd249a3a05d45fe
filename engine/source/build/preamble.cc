// SPDX-License-Identifier: MIT
#include "engine/source/build/preamble.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <optional>

#include "engine/base/files.h"
#include "engine/base/sha256.h"
#include "engine/process/run.h"
#include "engine/source/build/build_cache.h"
#include "engine/source/build/flags.h"

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
std::optional<Place> place_for(const PreambleRequest& request, const std::string& includes,
                               const std::string& empty_folder) {
  const bool relative = names_relative_folders(request.words);
  const std::vector<std::string> quoted = quoted_names(includes);
  if (quoted.empty()) return Place{relative ? request.folder : empty_folder, relative};
  const bool here = std::ranges::any_of(quoted, [&](const std::string& name) {
    return ::access((request.source_folder + '/' + name).c_str(), F_OK) == 0;
  });
  const Place out{here ? request.source_folder : empty_folder, here};
  if (relative && out.folder != request.folder) return std::nullopt;
  return out;
}

std::string key_of(const Compiler& compiler, const PreambleRequest& request, const Place& place,
                   const std::string& includes) {
  std::string all = "preamble 2\n" + compiler.version + '\n';
  for (const std::string& word : request.words) all += word + '\n';
  if (place.matters) all += "in " + place.folder + '\n';
  return sha256_hex(all + includes);
}

/// Whether a file of a list as `make` reads it was written so lately before it was read that it could change once more and have the same time, of
/// which clang keeps seconds. `started`: no file was read before.
bool any_is_new(std::string_view list, std::time_t started) {
  constexpr std::time_t kSlack = 1;  // for clocks of other machines
  std::string path;
  const auto is_new = [&] {
    struct stat found{};
    return !path.empty() && ::stat(path.c_str(), &found) == 0 && found.st_mtime + kSlack >= started;
  };
  for (std::size_t i = 0; i < list.size(); ++i) {
    const char c = list[i];
    if (c == '\\' && i + 1 < list.size() && list[i + 1] != '\n') {
      path += list[++i];
    } else if (c == ' ' || c == '\n' || c == '\\') {
      if (is_new()) return true;
      path.clear();
    } else {
      path += c;
    }
  }
  return is_new();
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

std::string preamble_for(const Compiler& compiler, const PreambleRequest& request,
                         const RunProgram& run_it) {
  const std::string includes = leading_includes(request.text);
  if (compiler.cache.empty() || includes.empty() || !BuildCache(compiler.cache).make_place())
    return {};
  const auto place = place_for(request, includes, compiler.cache);
  if (!place) return {};
  const std::string key = key_of(compiler, request, *place, includes);
  const std::string path = fmt::format("{}/{}.pch", compiler.cache, key);
  // What was used last is removed last.
  if (::utimensat(AT_FDCWD, path.c_str(), nullptr, 0) == 0) return path;
  const std::string once = fmt::format("{}/.{}.once", compiler.cache, key);
  if (request.when == MakePreamble::second_time && ::access(once.c_str(), F_OK) != 0) {
    static_cast<void>(write_file(once, std::string_view()));
    return {};
  }
  const std::string part = fmt::format("{}.{}.part", path, ::getpid());
  const std::string list = part + ".files";
  std::vector<std::string> argv = request.words;
  argv.emplace_back("-fsyntax-only");
  for (const char* word :
       {"-emit-pch", "-o", part.c_str(), "-dependency-file", list.c_str(), "-MT", "headers"})
    argv.insert(argv.end(), {"-Xclang", word});
  argv.emplace_back("-");
  const std::time_t started = std::time(nullptr);
  const auto ended = run_it({.argv = std::move(argv),
                             .program = Program::tool,
                             .cwd = place->folder,
                             .stdin_text = includes,
                             .timeout = std::chrono::minutes(2)});
  const auto files = read_text_file(list);
  ::unlink(list.c_str());
  // Warnings of headers are to be seen with each build.
  if (ended && ended->ok() && ended->err.text.empty() && files && !any_is_new(*files, started) &&
      std::rename(part.c_str(), path.c_str()) == 0)
    return path;
  ::unlink(part.c_str());
  return {};
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
