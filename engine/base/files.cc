// SPDX-License-Identifier: MIT
#include "engine/base/files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

#include "engine/base/close_behind.h"
#include "engine/base/input_file.h"
#include "engine/base/interrupt.h"
#include "engine/base/numbers.h"
#include "engine/base/output_file.h"
#include "engine/base/policy.h"

namespace rpl {
namespace {

/// Above it a text is a mistake or an attack, and would take all memory.
constexpr std::uint64_t kMostTextBytes = std::uint64_t{1} << 30;

Failure unreadable(const std::string& path, int error) {
  return fail(Errc::io, fmt::format("cannot read {}: {}", path, std::strerror(error)));
}

Failure too_large(const std::string& path, std::uint64_t bytes, std::uint64_t most) {
  return fail(Errc::limit, fmt::format("{} has {}{}: more than the {} that are read at once", path,
                                       bytes > most ? format_bytes(bytes) : format_bytes(most),
                                       bytes > most ? "" : " or more", format_bytes(most)));
}

/// Works for streams and files of /proc too, whose size nobody knows beforehand.
template <class Container>
Status read_into(const std::string& path, std::uint64_t most, Container& out) {
  const InputFile file = TRY(open_text_input(path));
  if (file.bytes > most) return too_large(path, file.bytes, most);
  constexpr std::size_t kStep = std::size_t{1} << 16, kBetweenChecks = std::size_t{64} << 20;
  std::size_t used = 0;
  // one more: the end shows without another round
  out.resize(static_cast<std::size_t>(file.bytes) + 1);
  while (true) {
    if (used > most) return too_large(path, 0, most);
    if (used == out.size()) out.resize(out.size() + kStep);
    const ssize_t got =
        ::read(file.fd.get(), out.data() + used, std::min(out.size() - used, kBetweenChecks));
    if (got < 0 && errno == EAGAIN) {
      TRY(wait_for_input(file.fd.get()));
      continue;
    }
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return unreadable(path, errno);
    if (got == 0) break;
    used += static_cast<std::size_t>(got);
    if (used >= kBetweenChecks) TRY(interrupt::check());
  }
  out.resize(used);
  return {};
}

}  // namespace

Result<std::string> read_text_file(const std::string& path) {
  std::string content;
  TRY(read_into(path, kMostTextBytes, content));
  return content;
}

Result<std::vector<std::byte>> read_binary_file(const std::string& path) {
  std::vector<std::byte> content;
  TRY(read_into(path, physical_memory_bytes() / 2, content));
  return content;
}

namespace {

Status write_whole(const std::string& path, OutputBytes content, OutputFile::Place place) {
  OutputFile file = TRY(OutputFile::create(path, place));
  TRY(file.write(content));
  return file.commit();
}

}  // namespace

Status write_file(const std::string& path, std::string_view content) {
  return write_whole(path, OutputBytes::raw(content), OutputFile::Place::own);
}

Status write_named_file(const std::string& path, OutputBytes content) {
  return write_whole(path, content, OutputFile::Place::named);
}

Status write_approved_file(const std::string& path, std::string_view content) {
  return write_whole(path, OutputBytes::raw(content), OutputFile::Place::approved);
}

Status write_file(const std::string& path, std::span<const std::byte> content) {
  return write_file(path, as_text(content));
}

Status make_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (!error && std::filesystem::is_directory(path, error)) return {};
  return fail(Errc::io, fmt::format("cannot create the folder {}: {}", path, error.message()));
}

Status make_private_folder(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error, ignored;
  const bool made = fs::create_directories(path, error);
  if (error || !fs::is_directory(path, ignored))
    return fail(Errc::io, fmt::format("cannot create the folder {}: {}", path, error.message()));
  if (made) fs::permissions(path, fs::perms::owner_all, ignored);
  return {};
}

std::uint64_t physical_memory_bytes() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), bytes = ::sysconf(_SC_PAGESIZE);
  if (pages <= 0 || bytes <= 0) return ~std::uint64_t{0};
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(bytes);
}

namespace fs = std::filesystem;

/// See close_behind(): smaller files go at once.
constexpr std::uintmax_t kSlowToRemove = std::uintmax_t{16} << 20;

Result<ScratchFolder> ScratchFolder::make(std::string_view what) {
  std::error_code none;
  std::string pattern =
      (fs::temp_directory_path(none) / fmt::format("rpl-{}-XXXXXX", what)).string();
  if (none || ::mkdtemp(pattern.data()) == nullptr) {
    return fail(Errc::io, fmt::format("cannot create a temporary folder like {}", pattern),
                "set TMPDIR to one that can be written");
  }
  own_folder(pattern);
  return ScratchFolder(std::move(pattern));
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (path_.empty()) return;
  std::vector<UniqueFd> large;
  for (const auto& entry : fs::directory_iterator(path_, ignored)) {
    if (entry.is_symlink(ignored) || !entry.is_regular_file(ignored)) continue;
    if (entry.file_size(ignored) < kSlowToRemove) continue;
    if (auto file = open_input(entry.path().string(), Links::refuse))
      large.push_back(std::move(file->fd));
  }
  fs::remove_all(path_, ignored);
  close_behind(std::move(large));
}

Result<std::string> opened_place(int fd, const std::string& path) {
  std::error_code failed;
  const auto place = std::filesystem::read_symlink(fmt::format("/proc/self/fd/{}", fd), failed);
  if (failed)
    return fail(Errc::denied, fmt::format("what {} leads to cannot be found out", path),
                "a restricted session needs /proc");
  return place.string();
}

}  // namespace rpl
