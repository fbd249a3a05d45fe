// SPDX-License-Identifier: MIT
#include "engine/capture/pack.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <string_view>
#include <vector>

#include "engine/base/input_file.h"
#include "engine/capture/find_captures.h"
#include "engine/capture/sparse_file.h"
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
    const UniqueFd file = TRY(open_input(path, Links::refuse)).fd;
    struct stat facts{};
    if (::fstat(file.get(), &facts) != 0) return file_error(path, "open", errno);
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
                    name, kMostName),
        "--name NAME");
  const auto names = TRY(files_of(folder));
  Packer packer(folder, name, TRY(ZstdWriter::create(file)));
  for (const std::string& one : names) TRY(packer.add(one));
  return packer.finish();
}

namespace {

// Offset and length of the fields (POSIX.1-1988, "ustar interchange format").
struct Field {
  std::size_t at, size;
};
constexpr Field kName{0, 100}, kMode{100, 8}, kUid{108, 8}, kGid{116, 8}, kSize{124, 12},
    kTime{136, 12}, kSum{148, 8}, kKind{156, 1}, kLink{157, 100}, kMagic{257, 8}, kPrefix{345, 155};
constexpr std::uint64_t kMostOctal = (std::uint64_t{1} << 33) - 1;  // eleven digits

void put(TarHeader& header, Field field, std::string_view text) {
  std::memcpy(header.data() + field.at, text.data(), std::min(text.size(), field.size));
}

std::string_view raw(const TarHeader& header, Field field) {
  return {reinterpret_cast<const char*>(header.data() + field.at), field.size};
}

std::string text_of(const TarHeader& header, Field field) {
  const std::string_view bytes = raw(header, field);
  return std::string(bytes.substr(0, bytes.find('\0')));
}

std::uint64_t sum_of(const TarHeader& header) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < header.size(); ++i) {
    const bool in_sum = i >= kSum.at && i < kSum.at + kSum.size;
    sum += in_sum ? std::uint64_t{' '} : std::to_integer<std::uint64_t>(header[i]);
  }
  return sum;
}

std::optional<std::uint64_t> octal(std::string_view text) {
  std::uint64_t value = 0;
  std::size_t at = text.find_first_not_of(' ');
  if (at == std::string_view::npos) return std::nullopt;
  const std::size_t first = at;
  for (; at < text.size() && text[at] >= '0' && text[at] <= '7'; ++at)
    value = value * 8 + static_cast<std::uint64_t>(text[at] - '0');
  const bool ends = at == text.size() || text[at] == '\0' || text[at] == ' ';
  if (at == first || !ends) return std::nullopt;
  return value;
}

/// GNU tar's numbers that need more than the digits: the highest bit set, then the number, big-endian.
std::optional<std::uint64_t> number(const TarHeader& header, Field field) {
  const std::string_view bytes = raw(header, field);
  if ((static_cast<unsigned char>(bytes[0]) & 0x80) == 0) return octal(bytes);
  std::uint64_t value = static_cast<unsigned char>(bytes[0]) & 0x7f;
  for (const char byte : bytes.substr(1)) {
    if (value >> 55 != 0) return std::nullopt;
    value = value << 8 | static_cast<unsigned char>(byte);
  }
  return value;
}

}  // namespace

TarHeader tar_header(const TarEntry& entry) {
  TarHeader header{};
  put(header, kName, entry.name);
  put(header, kMode, "0000644");
  put(header, kUid, "0000000");
  put(header, kGid, "0000000");
  put(header, kTime, "00000000000");
  put(header, kKind, entry.kind == TarEntry::Kind::hard_link ? "1" : "0");
  put(header, kLink, entry.link);
  put(header, kMagic, std::string_view("ustar\00000", 8));
  if (entry.bytes <= kMostOctal) {
    put(header, kSize, fmt::format("{:011o}", entry.bytes));
  } else {
    header[kSize.at] = std::byte{0x80};
    for (std::size_t i = 0; i < 8; ++i)
      header[kSize.at + kSize.size - 1 - i] = static_cast<std::byte>(entry.bytes >> 8 * i);
  }
  put(header, kSum, fmt::format("{:06o}", sum_of(header)) + std::string("\0 ", 2));
  return header;
}

Result<std::optional<TarEntry>> read_tar_header(const TarHeader& header) {
  if (std::ranges::all_of(header, [](std::byte byte) { return byte == std::byte{0}; }))
    return std::optional<TarEntry>();
  const auto sum = octal(raw(header, kSum));
  if (!sum || *sum != sum_of(header)) return fail(Errc::corrupt, "a header's checksum is wrong");
  TarEntry entry;
  const std::string prefix = raw(header, kMagic).starts_with(std::string_view("ustar\0", 6))
                                 ? text_of(header, kPrefix)
                                 : "";
  entry.name = (prefix.empty() ? "" : prefix + "/") + text_of(header, kName);
  entry.link = text_of(header, kLink);
  const auto bytes = number(header, kSize);
  if (!bytes)
    return fail(Errc::corrupt, fmt::format("'{}' has a size that is not a number", entry.name));
  entry.bytes = *bytes;
  switch (raw(header, kKind)[0]) {
    case '\0':
    case '0':
      return entry;
    case '1':
      entry.kind = TarEntry::Kind::hard_link;
      break;
    case '5':
      entry.kind = TarEntry::Kind::folder;
      break;
    case 'x':
    case 'g':
      entry.kind = TarEntry::Kind::extended;
      return entry;
    default:
      return fail(Errc::unsupported, fmt::format("'{}' is neither a file nor a folder", entry.name),
                  "pack it with capture pack");
  }
  entry.bytes = 0;
  return entry;
}

}  // namespace rpl
