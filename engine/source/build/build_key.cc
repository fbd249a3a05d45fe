// SPDX-License-Identifier: MIT
#include "engine/source/build/build.h"
#include "engine/source/build/confined.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "engine/base/sha256.h"
#include "engine/process/run.h"
#include "engine/source/build/build_cache.h"
#include "engine/source/build/flags.h"
#include "engine/source/build/header_list.h"
#include "engine/source/build/preamble.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kNsPerSecond = 1'000'000'000;

/// "PATH SIZE TIME": changes when the file does.
std::string stamp_of(const std::string& path) {
  struct stat found{};
  if (::stat(path.c_str(), &found) != 0) return path + " absent\n";
  return fmt::format("{} {} {}.{}\n", path, found.st_size, found.st_mtim.tv_sec,
                     found.st_mtim.tv_nsec);
}

/// Whether a flag changes the result through its own words alone, or through what the preprocessor shows.
bool is_plain_flag(std::string_view flag) {
  constexpr std::string_view kPlain[] = {"-O", "-D", "-U", "-I", "-W", "-std=", "-m", "-f"};
  // These read or write further files, or words for other programs.
  constexpr std::string_view kOther[] = {"-Wl,",          "-Wa,",       "-Wp,",
                                         "-fprofile",     "-fplugin",   "-fpass-plugin",
                                         "-fsave-",       "-ftime-",    "-fmodule",
                                         "-fcoverage",    "-fsanitize", "-fthinlto",
                                         "-fproc-stat",   "-fcrash",    "-fdiagnostics",
                                         "-fbasic-block", "-flto",      "-mllvm",
                                         "-fuse-ld",      "-fopenmp",   "-ftest-coverage",
                                         "-fdebug",       "-fgpu-rdc"};
  const auto begins = [&](std::string_view with) { return flag.starts_with(with); };
  if (std::ranges::any_of(kOther, begins) || std::ranges::none_of(kPlain, begins)) return false;
  const bool for_preprocessor = begins("-D") || begins("-U") || begins("-I");
  return for_preprocessor ? flag.size() > 2 : flag.find('/') == std::string_view::npos;
}

}  // namespace

bool depends_on_text_alone(const Compiler& compiler, const BuildRequest& request) {
  if (compiler.kind != Compiler::Kind::clang || !request.device_only ||
      !std::ranges::all_of(request.flags, is_plain_flag))
    return false;
  // Words that the driver takes from elsewhere than its command line.
  constexpr const char* kElsewhere[] = {"CCC_OVERRIDE_OPTIONS", "COMPILER_PATH",
                                        "CLANG_CONFIG_FILE_SYSTEM_DIR",
                                        "CLANG_CONFIG_FILE_USER_DIR"};
  return std::ranges::none_of(kElsewhere,
                              [](const char* name) { return std::getenv(name) != nullptr; });
}

std::string toolchain_stamp(const Compiler& compiler) {
  std::error_code error;
  const fs::path program = fs::canonical(compiler.path, error);
  std::string out = compiler.version + '\n' + stamp_of(program.string());
  for (const char* linker : {"lld", "ld.lld"})
    out += stamp_of((program.parent_path() / linker).string());
  return out;
}

namespace {

/// Words of ours and of the request, without those that say where files are: what is in these is in the text, or stamped.
std::string words_of(const BuildRequest& request, const std::vector<std::string>& preprocess) {
  std::string out;
  for (std::size_t i = 1; i < preprocess.size(); ++i) {
    const std::string& word = preprocess[i];
    const bool place = word == "-I" || word == "-ivfsoverlay" || word == "-idirafter";
    if (place) ++i;
    if (!place && word != request.source && !word.starts_with("-I") &&
        !word.starts_with("--rocm-device-lib-path="))
      out += word + '\n';
  }
  return out;
}

/// Everything besides the text.
std::string circumstances_of(const Compiler& compiler, const BuildRequest& request,
                             const KeyRequest& how) {
  std::error_code error;
  std::string out = request.architecture + (request.bitcode ? "\nbitcode\n" : "\n");
  out += toolchain_stamp(compiler);
  std::vector<std::string> libraries;
  for (const auto& entry : fs::directory_iterator(how.device_libraries, error))
    libraries.push_back(stamp_of(fs::canonical(entry.path(), error).string()));
  std::ranges::sort(libraries);
  for (const std::string& library : libraries) out += library;
  return out + words_of(request, how.preprocess);
}

/// Line markers name the source: without its path, equal texts of different paths have one key.
std::string without_source_path(std::string_view preprocessed, const std::string& source) {
  const std::string quoted = '"' + source + '"';
  std::string out;
  out.reserve(preprocessed.size());
  while (!preprocessed.empty()) {
    const std::size_t end = std::min(preprocessed.find('\n'), preprocessed.size() - 1) + 1;
    const std::string_view line = preprocessed.substr(0, end);
    const std::size_t path = line.starts_with("# ") ? line.find(quoted) : std::string_view::npos;
    if (path == std::string_view::npos) {
      out += line;
    } else {
      out += line.substr(0, path);
      out += kSourceWord;
      out += line.substr(path + quoted.size());
    }
    preprocessed.remove_prefix(end);
  }
  return out;
}

/// The files of `# 12 "PATH" 1` lines.
std::vector<std::string> files_of(std::string_view preprocessed) {
  std::set<std::string> out;
  while (!preprocessed.empty()) {
    const std::size_t end = std::min(preprocessed.find('\n'), preprocessed.size() - 1) + 1;
    const std::string_view line = preprocessed.substr(0, end);
    preprocessed.remove_prefix(end);
    const std::size_t from = line.starts_with("# ") ? line.find('"') : std::string_view::npos;
    const std::size_t to = from == std::string_view::npos ? from : line.find('"', from + 1);
    if (to == std::string_view::npos || line[from + 1] == '<') continue;
    out.emplace(line.substr(from + 1, to - from - 1));
  }
  return {out.begin(), out.end()};
}

bool has_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(
      words, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

}  // namespace

bool BuildKey::outdated() const {
  return std::ranges::any_of(files, [&](const std::string& path) {
    struct stat found{};
    if (::stat(path.c_str(), &found) != 0) return true;
    const timespec& changed = found.st_ctim;
    return changed.tv_sec * kNsPerSecond + changed.tv_nsec >= looked_ns;
  });
}

namespace {

std::string hash_of(const std::string& circumstances, std::string_view text) {
  Sha256 hash;
  for (const std::string_view part : {std::string_view(circumstances), text})
    hash.add(std::as_bytes(std::span(part)));
  return hash.hex();
}

/// Whether the list of a source's headers says all that there is to know about what clang reads for it.
bool list_is_enough(const BuildRequest& request, const KeyRequest& how) {
  if (how.header_list.empty() || !request.overlay.empty() || !may_compile(request) ||
      !reads_leading_includes_alone(how.text) ||
      !std::ranges::all_of(request.flags, reads_leading_includes_alone))
    return false;
  // Folders that clang is told of elsewhere than on its command line.
  constexpr const char* kFolders[] = {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"};
  return std::ranges::none_of(kFolders,
                              [](const char* name) { return std::getenv(name) != nullptr; });
}

/// None: a header may be found in another place by now.
std::optional<BuildKey> key_by_headers(const BuildRequest& request, const KeyRequest& how,
                                       const std::string& circumstances, const HeaderList& list,
                                       std::int64_t now) {
  std::vector<std::string> folders = header_folders_in(request.flags);
  folders.insert(folders.end(), request.include_folders.begin(), request.include_folders.end());
  folders.push_back(fs::path(request.source).parent_path().string());
  folders.emplace_back();
  for (const std::string& folder : folders) {
    if (list.may_be_hidden_by(folder.empty() ? "." : folder)) return std::nullopt;
  }
  BuildKey out{.hash = hash_of(circumstances + "by headers\n" + list.text(), how.text),
               .files = list.paths(),
               .looked_ns = now,
               .by_headers = true};
  out.files.push_back(request.source);
  return out;
}

}  // namespace

Result<std::optional<BuildKey>> build_key(const Compiler& compiler, const BuildRequest& request,
                                          const KeyRequest& how) {
  if (!depends_on_text_alone(compiler, request)) return std::nullopt;
  const std::int64_t now = file_clock_ns();
  const std::string circumstances = circumstances_of(compiler, request, how);
  const bool listed = list_is_enough(request, how);
  if (listed) {
    const auto list = HeaderList::kept(how.header_list);
    if (list && list->unchanged()) {
      if (auto key = key_by_headers(request, how, circumstances, *list, now)) return key;
    }
  }
  const auto ended = run_compiler(
      compiler, request,
      {.argv = how.preprocess, .program = Program::tool, .timeout = std::chrono::minutes(2)}, {});
  // What cannot be preprocessed in its time is not compiled in it either.
  if (!ended && (ended.error().code == Errc::interrupted || ended.error().code == Errc::limit))
    return Failure(ended.error());
  if (!ended || !ended->ok() || ended->out.dropped_bytes > 0) return std::nullopt;
  const std::string& text = ended->out.text;
  // The assembler reads these itself.
  if (has_any(text, {".incbin", ".include"})) return std::nullopt;
  std::vector<std::string> files = files_of(text);
  if (listed) {
    std::vector<std::string> headers = files;
    std::erase(headers, request.source);
    const auto list = HeaderList::of(std::move(headers), now);
    if (list && BuildCache(compiler.cache).make_place() && list->keep(how.header_list)) {
      if (auto key = key_by_headers(request, how, circumstances, *list, now)) return key;
    }
  }
  // The compiler puts the path into the code then, and not only the preprocessor into the text.
  const bool path_matters = has_any(text, {"__builtin_FILE", "__builtin_source_location"});
  return BuildKey{.hash = hash_of(circumstances,
                                  path_matters ? text : without_source_path(text, request.source)),
                  .files = std::move(files),
                  .looked_ns = now};
}

std::string with_word(std::string text, std::string_view from, std::string_view to) {
  if (from.empty()) return text;
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

}  // namespace rpl
