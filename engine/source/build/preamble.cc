// SPDX-License-Identifier: MIT
#include "engine/source/build/preamble.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "engine/base/files.h"
#include "engine/base/sha256.h"
#include "engine/process/run.h"
#include "engine/source/build/build_cache.h"

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

/// "#include <NAME>\n" at the start of a text; empty: another line, or one with more in it.
std::string_view include_line(std::string_view text) {
  const std::string_view line = text.substr(0, std::min(text.find('\n'), text.size() - 1) + 1);
  const std::size_t close = line.find('>');
  if (!line.starts_with("#include <") || close == std::string_view::npos || !line.ends_with('\n'))
    return {};
  return line.find_first_not_of(" \t\r\n", close + 1) == std::string_view::npos
             ? line
             : std::string_view();
}

std::string key_of(const Compiler& compiler, const std::vector<std::string>& words,
                   const std::string& folder, const std::string& includes) {
  std::string all = "preamble 1\n" + compiler.version + '\n';
  for (const std::string& word : words) {
    all += word + '\n';
    // Where folders of headers are named from the folder that clang runs in.
    if (word.starts_with("-I") || word.starts_with("-i")) all += folder + '\n';
  }
  return sha256_hex(all + includes);
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

std::string preamble_for(const Compiler& compiler, const std::vector<std::string>& words,
                         const std::string& folder, std::string_view text, MakePreamble when,
                         const RunProgram& run_it) {
  const std::string includes = leading_includes(text);
  if (compiler.cache.empty() || includes.empty() || !BuildCache(compiler.cache).make_place())
    return {};
  const std::string key = key_of(compiler, words, folder, includes);
  const std::string path = fmt::format("{}/{}.pch", compiler.cache, key);
  // What was used last is removed last.
  if (::utimensat(AT_FDCWD, path.c_str(), nullptr, 0) == 0) return path;
  const std::string once = fmt::format("{}/.{}.once", compiler.cache, key);
  if (when == MakePreamble::second_time && ::access(once.c_str(), F_OK) != 0) {
    static_cast<void>(write_file(once, std::string_view()));
    return {};
  }
  const std::string part = fmt::format("{}.{}.part", path, ::getpid());
  std::vector<std::string> argv = words;
  argv.insert(argv.end(),
              {"-fsyntax-only", "-Xclang", "-emit-pch", "-Xclang", "-o", "-Xclang", part, "-"});
  const auto ended = run_it({.argv = std::move(argv),
                             .program = Program::tool,
                             .cwd = folder,
                             .stdin_text = includes,
                             .timeout = std::chrono::minutes(2)});
  if (ended && ended->ok() && std::rename(part.c_str(), path.c_str()) == 0) return path;
  ::unlink(part.c_str());
  return {};
}

std::vector<std::string> words_to_use(const std::string& preamble) {
  if (preamble.empty()) return {};
  return {"-Xclang", "-include-pch", "-Xclang", preamble};
}

}  // namespace rpl
