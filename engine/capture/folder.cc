// SPDX-License-Identifier: MIT
#include "engine/capture/folder.h"

#include "engine/base/policy.h"
#include "engine/base/stretches.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "engine/base/interrupt.h"
#include "engine/capture/sparse_file.h"

namespace rpl {
namespace {

constexpr std::size_t kChunk = std::size_t{8} << 20;  ///< bytes between looks at the interrupt flag

// Reading needs no step in its messages: what fails is finding or opening the file.
Failure system_error(const std::string& name, int error) {
  const bool missing = error == ENOENT || error == ENOTDIR;
  if (error == ELOOP) return fail(Errc::corrupt, fmt::format("{}: a symbolic link", name));
  return fail(missing ? Errc::not_found : Errc::io,
              fmt::format("{}: {}", name, std::strerror(error)),
              "'capture list' shows the captures that there are");
}

Result<std::vector<std::byte>> read_all(int file, std::uint64_t size, const std::string& name) {
  std::vector<std::byte> bytes = interrupt::room_for(size);
  std::size_t done = 0;
  while (done < size) {
    TRY(interrupt::check());
    // Piece by piece: to make gigabytes zero at once is something that nothing can interrupt.
    bytes.resize(std::min<std::uint64_t>(size, done + kChunk));
    const ssize_t got = ::read(file, bytes.data() + done, bytes.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_error(name, errno);
    if (got == 0)
      return fail(Errc::corrupt, fmt::format("{} became shorter while it was read", name),
                  "is it being written or copied? try again when that is done");
    done += static_cast<std::size_t>(got);
  }
  return bytes;
}

Failure taken(const std::string& path) {
  return fail(Errc::denied, fmt::format("{} exists already", path),
              "captures are never overwritten: name another folder, or remove it");
}

Status synchronise(const std::string& path, int how) {
  const UniqueFd file(::open(path.c_str(), how | O_CLOEXEC));
  // Some file systems cannot synchronise folders; the rename is atomic all the same.
  const auto unable = [&] { return (how & O_DIRECTORY) != 0 && errno == EINVAL; };
  if (!file || (::fsync(file.get()) != 0 && !unable()))
    return file_error(path, "synchronise", errno);
  return {};
}

}  // namespace

Result<FolderReader> FolderReader::open(const std::string& path) {
  TRY(check_input(path));
  FolderReader reader;
  reader.path_ = path;
  reader.folder_.reset(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!reader.folder_) return system_error(path, errno);
  return reader;
}

Result<UniqueFd> FolderReader::open_file(const std::string& name, std::uint64_t& bytes) const {
  const std::size_t slash = name.find('/');
  UniqueFd subfolder;
  int folder = folder_.get();
  if (slash != std::string::npos) {
    subfolder.reset(::openat(folder, name.substr(0, slash).c_str(),
                             O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!subfolder) return system_error(name, errno);
    folder = subfolder.get();
  }
  const std::string last = slash == std::string::npos ? name : name.substr(slash + 1);
  // Without O_NONBLOCK opening a pipe would wait for a writer.
  UniqueFd file(::openat(folder, last.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file) return system_error(name, errno);
  struct stat facts{};
  if (::fstat(file.get(), &facts) != 0) return system_error(name, errno);
  if (!S_ISREG(facts.st_mode))
    return fail(Errc::corrupt, fmt::format("{}: not a regular file", name));
  bytes = static_cast<std::uint64_t>(facts.st_size);
  return file;
}

Result<std::vector<std::byte>> FolderReader::read(const std::string& name,
                                                  std::uint64_t most_bytes) const {
  std::uint64_t size = 0;
  const UniqueFd file = TRY(open_file(name, size));
  if (size > most_bytes) {
    return fail(Errc::limit, fmt::format("{}: {} bytes, of at most {}", name, size, most_bytes));
  }
  return read_all(file.get(), size, name);
}

Result<std::vector<std::byte>> FolderReader::read_exactly(const std::string& name,
                                                          std::uint64_t bytes) const {
  std::uint64_t size = 0;
  const UniqueFd file = TRY(open_file(name, size));
  if (size != bytes) {
    return fail(Errc::corrupt, fmt::format("{}: {} bytes instead of {}", name, size, bytes));
  }
  return read_all(file.get(), size, name);
}

bool FolderReader::has(const std::string& name) const {
  struct stat facts{};
  return ::fstatat(folder_.get(), name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0;
}

Result<FolderWriter> FolderWriter::create(const std::string& path) {
  TRY(check_output(path));
  FolderWriter writer;
  // Without a trailing slash, so that the temporary name lies beside the folder and not in it.
  writer.path_ = path.substr(0, path.find_last_not_of('/') + 1);
  if (writer.path_.empty()) return taken(path);
  struct stat facts{};
  if (::lstat(writer.path_.c_str(), &facts) == 0) return taken(path);
  writer.process_ = ::getpid();
  // One that failed may still lie there.
  for (int i = 1;; ++i) {
    const std::string temporary = fmt::format("{}.{}{}.part", writer.path_, writer.process_,
                                              i == 1 ? "" : fmt::format("-{}", i));
    constexpr mode_t kFolderMode = 0700;
    if (::mkdir(temporary.c_str(), kFolderMode) == 0) {
      own_folder(temporary);
      writer.temporary_ = temporary;
      return writer;
    }
    constexpr int kMostNames = 1000;
    if (errno != EEXIST || i == kMostNames) return file_error(temporary, "make the folder", errno);
  }
}

FolderWriter::FolderWriter(FolderWriter&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, {})),
      subfolders_(std::move(other.subfolders_)),
      process_(other.process_) {}

FolderWriter::~FolderWriter() {
  std::error_code ignored;
  if (!temporary_.empty() && ::getpid() == process_)
    std::filesystem::remove_all(temporary_, ignored);
}

Status FolderWriter::make_subfolder(const std::string& name) {
  if (std::ranges::find(subfolders_, name) != subfolders_.end()) return {};
  constexpr mode_t kFolderMode = 0700;
  if (::mkdir(place_of(name).c_str(), kFolderMode) != 0)
    return file_error(place_of(name), "make the folder", errno);
  subfolders_.push_back(name);
  return {};
}

Status FolderWriter::commit(const std::vector<std::string>& files) {
  for (const std::string& name : files) TRY(synchronise(place_of(name), O_RDONLY));
  for (const std::string& name : subfolders_)
    TRY(synchronise(place_of(name), O_RDONLY | O_DIRECTORY));
  TRY(synchronise(temporary_, O_RDONLY | O_DIRECTORY));
  if (::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, path_.c_str(), RENAME_NOREPLACE) != 0) {
    if (errno == EEXIST) return taken(path_);
    // File systems without this flag replace an empty folder at worst.
    if (errno != EINVAL || ::rename(temporary_.c_str(), path_.c_str()) != 0) {
      return errno == ENOTEMPTY || errno == EEXIST ? Status(taken(path_))
                                                   : file_error(path_, "rename", errno);
    }
  }
  temporary_.clear();
  made_file(path_);
  const auto parent = std::filesystem::path(path_).parent_path();
  return synchronise(parent.empty() ? "." : parent.string(), O_RDONLY | O_DIRECTORY);
}

}  // namespace rpl
