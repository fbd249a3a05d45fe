// SPDX-License-Identifier: MIT
#include "engine/source/build/build_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "engine/base/files.h"
#include "engine/base/numbers.h"
#include "engine/base/sha256.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;

// A file is "rpl-build 1 SHA256 TWICE LENGTH\n", then LENGTH bytes of messages, then the object. The hash is of what follows it.
constexpr std::string_view kBuildMark = "rpl-build 1 ";
constexpr std::size_t kHashDigits = 64;
/// A code object is some ten KiB; what is far above is no build of ours.
constexpr std::uint64_t kMostFileBytes = std::uint64_t{64} << 20;

std::string body_of(const CachedBuild& build) {
  return fmt::format(" {} {}\n{}{}", build.twice ? 2 : 1, build.messages.size(), build.messages,
                     build.object);
}

std::optional<CachedBuild> read_body(std::string_view body) {
  if (body.size() < 4 || body[0] != ' ' || (body[1] != '1' && body[1] != '2') || body[2] != ' ')
    return std::nullopt;
  const std::size_t end = body.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  const auto length = whole_number<std::size_t>(body.substr(3, end - 3));
  if (!length || *length > body.size() - end - 1) return std::nullopt;
  return CachedBuild{.object = std::string(body.substr(end + 1 + *length)),
                     .messages = std::string(body.substr(end + 1, *length)),
                     .twice = body[1] == '2'};
}

/// Objects of this folder run: nobody else may have put them there.
bool is_private(const std::string& folder) {
  struct stat found{};
  return ::stat(folder.c_str(), &found) == 0 && S_ISDIR(found.st_mode) &&
         found.st_uid == ::geteuid() && (found.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

}  // namespace

std::optional<CachedBuild> BuildCache::find(const std::string& key) const {
  const std::string path = path_of(key);
  struct stat found{};
  if (!is_private(folder_) || ::stat(path.c_str(), &found) != 0 ||
      static_cast<std::uint64_t>(found.st_size) > kMostFileBytes)
    return std::nullopt;
  const auto text = read_text_file(path);
  if (!text) return std::nullopt;
  const std::string_view all(*text);
  std::optional<CachedBuild> out;
  if (all.starts_with(kBuildMark) && all.size() >= kBuildMark.size() + kHashDigits) {
    const std::string_view body = all.substr(kBuildMark.size() + kHashDigits);
    if (all.substr(kBuildMark.size(), kHashDigits) == sha256_hex(body)) out = read_body(body);
  }
  if (out) {
    // What was used last is removed last.
    ::utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
  } else {
    ::unlink(path.c_str());
  }
  return out;
}

Status BuildCache::make_place() const {
  TRY(make_folder(folder_));
  if (!is_private(folder_)) {
    return fail(Errc::denied,
                fmt::format("builds are not kept in {}: others may write there", folder_),
                "chmod go-w it, or set build cache off");
  }
  return {};
}

Status BuildCache::keep(const std::string& key, const CachedBuild& build) const {
  TRY(make_place());
  const std::string body = body_of(build);
  TRY(write_file(path_of(key), std::string(kBuildMark) + sha256_hex(body) + body));
  make_room();
  return {};
}

void BuildCache::make_room() const {
  struct Kept {
    fs::file_time_type used;
    std::uint64_t bytes;
    fs::path path;
  };
  std::vector<Kept> all;
  std::uint64_t total = 0;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder_, error)) {
    // Another process may remove it meanwhile.
    std::error_code gone;
    const std::uint64_t bytes = entry.file_size(gone);
    if (gone) continue;
    const auto used = entry.last_write_time(gone);
    // Another process writes this one now; what a killed one left is old.
    if (gone || (entry.path().extension() != ".build" &&
                 fs::file_time_type::clock::now() - used < std::chrono::hours(1)))
      continue;
    all.push_back({used, bytes, entry.path()});
    total += bytes;
  }
  std::ranges::sort(all, {}, &Kept::used);
  for (const Kept& kept : all) {
    if (total <= most_bytes_) return;
    std::error_code gone;
    fs::remove(kept.path, gone);
    total -= kept.bytes;
  }
}

}  // namespace rpl
