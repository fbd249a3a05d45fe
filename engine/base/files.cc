// SPDX-License-Identifier: MIT
#include "engine/base/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "engine/base/output_file.h"

namespace rpl {
namespace {

Failure unreadable(const std::string& path, int error) {
  const Errc code = error == ENOENT ? Errc::not_found : Errc::io;
  const char* next = error == ENOENT   ? "check the path"
                     : error == EACCES ? "ask for read permission, or copy the file"
                                       : "";
  return fail(code, fmt::format("cannot read {}: {}", path, std::strerror(error)), next);
}

/// Works for pipes and files of /proc too, whose size nobody knows beforehand.
template <class Container>
Status read_into(const std::string& path, Container& out) {
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return unreadable(path, errno);
  struct stat facts{};
  if (::fstat(fd.get(), &facts) != 0) return unreadable(path, errno);
  constexpr std::size_t kStep = std::size_t{1} << 16;
  std::size_t used = 0;
  out.resize(static_cast<std::size_t>(facts.st_size) +
             1);  // one more: the end shows without another round
  while (true) {
    if (used == out.size()) out.resize(out.size() + kStep);
    const ssize_t got = ::read(fd.get(), out.data() + used, out.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return unreadable(path, errno);
    if (got == 0) break;
    used += static_cast<std::size_t>(got);
  }
  out.resize(used);
  return {};
}

}  // namespace

Result<std::string> read_text_file(const std::string& path) {
  std::string content;
  TRY(read_into(path, content));
  return content;
}

Result<std::vector<std::byte>> read_binary_file(const std::string& path) {
  std::vector<std::byte> content;
  TRY(read_into(path, content));
  return content;
}

Status write_file(const std::string& path, std::string_view content) {
  OutputFile file = TRY(OutputFile::create(path));
  TRY(file.write(content));
  return file.commit();
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

std::uint64_t physical_memory_bytes() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), bytes = ::sysconf(_SC_PAGESIZE);
  if (pages <= 0 || bytes <= 0) return ~std::uint64_t{0};
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(bytes);
}

namespace fs = std::filesystem;

Result<ScratchFolder> ScratchFolder::make(std::string_view what) {
  std::error_code none;
  std::string pattern =
      (fs::temp_directory_path(none) / fmt::format("rpl-{}-XXXXXX", what)).string();
  if (none || ::mkdtemp(pattern.data()) == nullptr) {
    return fail(Errc::io, fmt::format("cannot create a temporary folder like {}", pattern),
                "set TMPDIR to one that can be written");
  }
  return ScratchFolder(std::move(pattern));
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

}  // namespace rpl
