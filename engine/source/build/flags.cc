// SPDX-License-Identifier: MIT
#include "engine/source/build/flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace rpl {
namespace {

constexpr auto kBegin =
    std::to_array<std::string_view>({"-O", "-D", "-U", "-I", "-L", "-l", "-W", "-R", "-g", "-m",
                                     "-std", "-f", "--gpu-max", "--offload-", "-pthread"});
constexpr auto kWhole = std::to_array<std::string_view>({"-w", "-c", "-pedantic", "-ansi"});

/// Begin like one of those and reach further: files, other programs, code that is loaded.
constexpr auto kNever = std::to_array<std::string_view>({"-Wa,",
                                                         "-Wp,",
                                                         "-Rpass-file",
                                                         "-gsplit-dwarf",
                                                         "-gcc-",
                                                         "-mllvm",
                                                         "-mlink",
                                                         "-mload",
                                                         "-mrelax-all",
                                                         "-fplugin",
                                                         "-fpass-plugin",
                                                         "-fprofile",
                                                         "-fmodule",
                                                         "-fprebuilt",
                                                         "-fimplicit-module",
                                                         "-fsave-",
                                                         "-ftime-trace",
                                                         "-ftime-report",
                                                         "-fcoverage",
                                                         "-fcrash",
                                                         "-fthin",
                                                         "-fuse-ld",
                                                         "-fproc-stat",
                                                         "-ftest-coverage",
                                                         "-fsanitize-",
                                                         "-fxray",
                                                         "-fembed",
                                                         "-fbuild-session",
                                                         "-foptimization-record-file",
                                                         "-fdepfile",
                                                         "-fapinotes",
                                                         "-fbasic-block",
                                                         "-fintegrated-cc1",
                                                         "-fno-integrated",
                                                         "-fstack-usage",
                                                         "-fcallgraph-info",
                                                         "-fdump-",
                                                         "-fdiagnostics-add-output",
                                                         "-fdiagnostics-set-output",
                                                         "-fauto-profile",
                                                         "-fcs-profile",
                                                         "-fmemory-profile",
                                                         "-fsample-profile",
                                                         "-fbranch-probabilities",
                                                         "-fload",
                                                         "-femit-"});

/// Options of LLVM's passes that change code alone.
constexpr auto kPasses = std::to_array<std::string_view>(
    {"-amdgpu-", "-unroll", "-inline", "-slp-", "-vectorize", "-misched", "-enable-", "-disable-",
     "-greedy", "-simplifycfg", "-licm", "-regalloc"});

constexpr auto kFreeValue = std::to_array<std::string_view>({"-D", "-U", "-I", "-L"});

/// Words of the linker that choose what is linked, from folders that are named anyhow.
constexpr auto kLinkerWords = std::to_array<std::string_view>(
    {"--as-needed", "--no-as-needed", "--gc-sections", "--no-gc-sections", "--start-group",
     "--end-group", "--export-dynamic", "-E", "--no-undefined", "--enable-new-dtags",
     "--disable-new-dtags", "--whole-archive", "--no-whole-archive", "-Bstatic", "-Bdynamic"});
/// Those with a value behind a comma or an equals sign.
constexpr auto kLinkerWithValue =
    std::to_array<std::string_view>({"-rpath", "-rpath-link", "--build-id", "-z"});

/// Words that take the next one as a folder.
constexpr auto kTakeFolder = std::to_array<std::string_view>({"-I", "-L", "-isystem", "-iquote"});

bool begins_with_one(std::string_view word, const auto& list) {
  return std::ranges::any_of(list, [&](std::string_view one) { return word.starts_with(one); });
}

bool is_one(std::string_view word, const auto& list) {
  return std::ranges::find(list, word) != list.end();
}

bool is_plain_path(std::string_view path) {
  return !path.empty() && path[0] != '@' && path[0] != '-';
}

bool is_pass_option(std::string_view word) {
  const bool names_file = word.find('/') != std::string_view::npos ||
                          word.find("file") != std::string_view::npos ||
                          word.find("load") != std::string_view::npos;
  return begins_with_one(word, kPasses) && !names_file;
}

/// Of the words behind "-Wl,".
bool are_for_linking(std::string_view words) {
  for (bool is_value = false; !words.empty();) {
    const std::string_view word = words.substr(0, words.find(','));
    words.remove_prefix(std::min(word.size() + 1, words.size()));
    if (std::exchange(is_value, false)) {
      if (!is_plain_path(word)) return false;
      continue;
    }
    const std::string_view name = word.substr(0, word.find('='));
    is_value = name == word && name != "--build-id" && is_one(name, kLinkerWithValue);
    if (!is_one(name, kLinkerWithValue) && !is_one(word, kLinkerWords) && !word.starts_with("-l"))
      return false;
  }
  return true;
}

bool is_allowed(std::string_view word) {
  if (word.starts_with("-Wl,")) return are_for_linking(word.substr(4));
  if (word.starts_with("-mllvm=")) return is_pass_option(word.substr(7));
  if (is_one(word, kWhole)) return true;
  if (!begins_with_one(word, kBegin) || begins_with_one(word, kNever)) return false;
  // Of macros and folders the value is free; elsewhere a slash is a file.
  const bool free_value = begins_with_one(word, kFreeValue);
  return free_value || word.find('/') == std::string_view::npos;
}

Failure refused(const std::string& word) {
  return fail(
      Errc::denied,
      fmt::format("the flag '{}' is not passed on to the compiler: it may load code, or read "
                  "or write files",
                  word),
      "flags of optimization, debug information, warnings, macros and folders of headers are");
}

}  // namespace

Status check_compiler_path(const std::string& path) {
  if (is_plain_path(path)) return {};
  return fail(Errc::denied,
              fmt::format("'{}' would be an option of the compiler, not a path", path),
              fmt::format("./{}", path));
}

Status check_compiler_flags(std::span<const std::string> flags) {
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const std::string& word = flags[i];
    const bool has_next = i + 1 < flags.size();
    if (is_one(word, kTakeFolder)) {
      if (!has_next || !is_plain_path(flags[++i]))
        return refused(flags[std::min(i, flags.size() - 1)]);
    } else if (word == "-mllvm") {
      if (!has_next || !is_pass_option(flags[++i]))
        return refused(flags[std::min(i, flags.size() - 1)]);
    } else if (!is_allowed(word)) {
      return refused(word);
    }
  }
  return {};
}

std::vector<std::string> header_folders_in(std::span<const std::string> words) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (const std::string_view option : {"-I", "-isystem", "-iquote", "-idirafter"}) {
      if (!words[i].starts_with(option)) continue;
      if (words[i].size() > option.size())
        out.push_back(words[i].substr(option.size()));
      else if (i + 1 < words.size())
        out.push_back(words[i + 1]);
      break;
    }
  }
  return out;
}

}  // namespace rpl
