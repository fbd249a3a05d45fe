// SPDX-License-Identifier: MIT
#include "engine/capture/pack.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <map>
#include <vector>

#include "engine/capture/find_captures.h"
#include "engine/capture/sparse_file.h"
#include "engine/capture/tar.h"
#include "engine/capture/zstd_stream.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

/// The files of a capture folder, JSON first, so that who unpacks knows early what comes.
Result<std::vector<std::string>> files_of(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().lexically_relative(folder).string();
    const fs::file_status status = entry->symlink_status();
    if (fs::is_directory(status)) continue;
    if (!fs::is_regular_file(status) || !is_capture_file(name)) {
      return fail(Errc::corrupt,
                  fmt::format("{} holds {}, which is not part of a capture", folder, name),
                  "move it elsewhere first");
    }
    names.push_back(name);
  }
  if (error) return fail(Errc::io, fmt::format("{}: {}", folder, error.message()));
  std::ranges::sort(names, {}, [](const std::string& name) {
    return std::tuple(!name.ends_with(".json"), name);
  });
  return names;
}

class Packer {
 public:
  Packer(std::string folder, std::string name, ZstdWriter out)
      : folder_(std::move(folder)), name_(std::move(name)), out_(std::move(out)) {}

  Status add(const std::string& name) {
    const std::string path = folder_ + "/" + name;
    const UniqueFd file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
    struct stat facts{};
    if (!file || ::fstat(file.get(), &facts) != 0) return file_error(path, "open", errno);
    TarEntry entry{
        .name = name_ + "/" + name, .link = {}, .bytes = static_cast<std::uint64_t>(facts.st_size)};
    ++packed_.files;
    if (facts.st_nlink > 1) {
      const auto [first, is_new] = by_inode_.try_emplace(facts.st_ino, entry.name);
      if (!is_new) {
        entry.kind = TarEntry::Kind::hard_link;
        entry.link = first->second;
        entry.bytes = 0;
        return out_.write(tar_header(entry));
      }
    }
    TRY(out_.write(tar_header(entry)));
    TRY(copy(file.get(), path, entry.bytes));
    packed_.bytes += entry.bytes;
    return {};
  }

  Result<Packed> finish() {
    const std::vector<std::byte> end(2 * kTarBlock);
    TRY(out_.write(end));
    packed_.packed_bytes = TRY(out_.finish());
    return packed_;
  }

 private:
  Status copy(int file, const std::string& path, std::uint64_t bytes) {
    std::vector<std::byte> piece(
        static_cast<std::size_t>(std::min<std::uint64_t>(bytes, kPieceBytes)));
    for (std::uint64_t left = bytes; left > 0;) {
      const ssize_t got =
          ::read(file, piece.data(),
                 static_cast<std::size_t>(std::min<std::uint64_t>(left, piece.size())));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return file_error(path, "read", errno);
      if (got == 0)
        return fail(Errc::corrupt, fmt::format("{} became shorter while it was read", path),
                    "is it being written or copied? try again when that is done");
      TRY(out_.write(std::span(piece).first(static_cast<std::size_t>(got))));
      left -= static_cast<std::uint64_t>(got);
    }
    const std::vector<std::byte> zeros(static_cast<std::size_t>(tar_padding(bytes)));
    return out_.write(zeros);
  }

  std::string folder_, name_;
  ZstdWriter out_;
  std::map<ino_t, std::string> by_inode_;
  Packed packed_;
};

}  // namespace

Result<Packed> pack_capture(const std::string& folder, const std::string& name,
                            const std::string& file) {
  // The longest name of a file in a capture folder, and what a tar header has room for.
  constexpr std::size_t kMostName = 50;
  const bool plain = !name.empty() && name.size() <= kMostName && name != "." && name != ".." &&
                     name.find('/') == std::string::npos;
  if (!plain)
    return fail(
        Errc::usage,
        fmt::format("'{}' is not a name for the folder in the archive: 1 to {} bytes, no slash",
                    name, kMostName));
  const auto names = TRY(files_of(folder));
  Packer packer(folder, name, TRY(ZstdWriter::create(file)));
  for (const std::string& one : names) TRY(packer.add(one));
  return packer.finish();
}

}  // namespace rpl
