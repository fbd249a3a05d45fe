// SPDX-License-Identifier: MIT
#include "engine/source/build/header_list.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <set>
#include <string_view>

#include "engine/base/files.h"
#include "engine/base/sha256.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;

// A file is "rpl-headers 1 SHA256\n", then a line for each header: "SIZE INODE WRITTEN CHANGED PATH", times in ns. The hash is of these lines.
constexpr std::string_view kListMark = "rpl-headers 1 ";
constexpr std::size_t kListHashDigits = 64;
constexpr std::size_t kNumbersBeforePath = 4;

constexpr std::int64_t kSecondNs = 1'000'000'000;
/// Files are stamped by a clock that goes on every few milliseconds.
constexpr std::int64_t kClockStepNs = 20'000'000;

std::int64_t nanoseconds(const timespec& time) { return time.tv_sec * kSecondNs + time.tv_nsec; }

/// Empty: there is no such file, or it changed at `before_ns` or later.
std::string line_of(const std::string& path, std::int64_t before_ns) {
  struct stat found{};
  if (::stat(path.c_str(), &found) != 0 || nanoseconds(found.st_ctim) + kClockStepNs >= before_ns)
    return {};
  return fmt::format("{} {} {} {} {}\n", found.st_size, found.st_ino, nanoseconds(found.st_mtim),
                     nanoseconds(found.st_ctim), path);
}

std::optional<std::string> lines_of(const std::vector<std::string>& paths, std::int64_t before_ns) {
  std::string out;
  for (const std::string& path : paths) {
    const std::string line = line_of(path, before_ns);
    if (line.empty()) return std::nullopt;
    out += line;
  }
  return out;
}

bool is_header(const fs::path& path) {
  constexpr std::array<std::string_view, 12> kNames{".h",   ".hh",  ".hpp", ".hxx", ".h++", ".cuh",
                                                    ".inc", ".inl", ".ipp", ".tcc", ".tpp", ".def"};
  return std::ranges::find(kNames, std::string_view(path.extension().native())) != kNames.end();
}

using Parts = std::set<std::string, std::less<>>;

void add_parts(const fs::path& path, Parts& out) {
  for (const fs::path& part : path) {
    if (part != "/" && part != "." && part != "..") out.insert(part.string());
  }
}

bool holds_header_or(const std::string& folder, const Parts& names) {
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const fs::path name = entry->path().filename();
    if (is_header(name) || names.contains(name.native())) return true;
  }
  return error && error != std::errc::no_such_file_or_directory;
}

}  // namespace

std::optional<HeaderList> HeaderList::of(std::vector<std::string> paths, std::int64_t read_ns) {
  std::ranges::sort(paths);
  const auto repeated = std::ranges::unique(paths);
  paths.erase(repeated.begin(), repeated.end());
  // What is named from a folder, or would be two lines, is another file tomorrow.
  if (std::ranges::any_of(paths, [](const std::string& path) {
        return !path.starts_with('/') || path.find('\n') != std::string::npos;
      }))
    return std::nullopt;
  auto text = lines_of(paths, read_ns);
  if (!text) return std::nullopt;
  HeaderList out;
  out.paths_ = std::move(paths);
  out.text_ = std::move(*text);
  return out;
}

std::optional<HeaderList> HeaderList::kept(const std::string& file) {
  const auto all = read_text_file(file);
  if (!all || !all->starts_with(kListMark) || all->size() <= kListMark.size() + kListHashDigits)
    return std::nullopt;
  HeaderList out;
  out.text_ = all->substr(kListMark.size() + kListHashDigits + 1);
  if (all->substr(kListMark.size(), kListHashDigits) != sha256_hex(out.text_)) return std::nullopt;
  for (std::string_view rest = out.text_; !rest.empty();) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    for (std::size_t i = 0; i < kNumbersBeforePath; ++i)
      line.remove_prefix(std::min(line.find(' '), line.size() - 1) + 1);
    out.paths_.emplace_back(line);
  }
  return out;
}

Status HeaderList::keep(const std::string& file) const {
  return write_file(file, std::string(kListMark) + sha256_hex(text_) + '\n' + text_);
}

bool HeaderList::unchanged() const { return lines_of(paths_, file_clock_ns()) == text_; }

bool HeaderList::may_be_hidden_by(const std::string& folder) const {
  Parts names;
  for (const std::string& path : paths_) add_parts(path, names);
  return holds_header_or(folder, names);
}

bool may_hold(const std::string& folder, const std::string& includes) {
  Parts names;
  for (std::string_view rest = includes; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const std::size_t open = line.find_first_of("<\"");
    const std::size_t close = line.find_last_of(">\"");
    if (open != std::string_view::npos && close > open)
      add_parts(fs::path(line.substr(open + 1, close - open - 1)), names);
  }
  return holds_header_or(folder, names);
}

std::int64_t file_clock_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace rpl
