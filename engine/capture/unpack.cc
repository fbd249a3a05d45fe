// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <map>
#include <vector>

#include "engine/base/files.h"
#include "engine/base/numbers.h"
#include "engine/capture/announced.h"
#include "engine/capture/capture_json.h"
#include "engine/capture/find_captures.h"
#include "engine/capture/folder.h"
#include "engine/capture/pack.h"
#include "engine/capture/sparse_file.h"
#include "engine/capture/zstd_stream.h"

namespace rpl {
namespace {

// What a capture may have: 64 GiB before and after, and small files.
constexpr std::uint64_t kMostUnpackedBytes = std::uint64_t{130} << 30;
constexpr std::uint64_t kMostUnpackedJson = std::uint64_t{64} << 20;
constexpr std::size_t kMostEntries = 4'000'000;
constexpr std::size_t kUnpackPiece = std::size_t{1} << 20;

class Unpacker {
 public:
  Unpacker(std::string file, ZstdReader in, FolderWriter folder, std::uint64_t most_bytes)
      : file_(std::move(file)),
        in_(std::move(in)),
        folder_(std::move(folder)),
        most_bytes_(most_bytes) {}

  Result<Packed> run() {
    for (std::size_t entries = 0;; ++entries) {
      TarHeader header{};
      TRY(in_.read(header));
      const auto entry = TRY(in_file(read_tar_header(header)));
      if (!entry) break;
      if (entries == kMostEntries) return bad("more files than a capture has");
      TRY(take(*entry));
    }
    if (files_.empty()) return bad("holds no capture");
    TRY(check_files());
    std::vector<std::string> names;
    for (const auto& [name, stored] : files_) names.push_back(name);
    TRY(folder_.commit(names));
    packed_.files = files_.size();
    return packed_;
  }

 private:
  [[nodiscard]] Failure bad(const std::string& what) const {
    return fail(Errc::corrupt, fmt::format("{}: {}", file_, what));
  }
  template <class T>
  Result<T> in_file(Result<T> result) const {
    if (!result) return Failure(std::move(result).error().in(file_));
    return result;
  }

  Status take(const TarEntry& entry) {
    if (entry.kind == TarEntry::Kind::extended || entry.kind == TarEntry::Kind::folder) {
      // tar writes one or two of them for a file; they leave nothing behind that would end a stream of them.
      constexpr std::size_t kMostAlone = 1000;
      if (++without_content_ > 2 * files_.size() + kMostAlone)
        return bad("more folders and extended headers than files");
      return entry.kind == TarEntry::Kind::folder ? Status() : skip_extended(entry);
    }
    const std::string name = TRY(name_in(entry.name));
    if (files_.contains(name)) return bad(fmt::format("'{}' appears twice", name));
    if (!is_json(name)) TRY(announced(name, entry));
    const std::size_t slash = name.find('/');
    if (slash != std::string::npos) TRY(folder_.make_subfolder(name.substr(0, slash)));
    return entry.kind == TarEntry::Kind::hard_link ? link(name, TRY(name_in(entry.link)))
                                                   : extract(name, entry.bytes);
  }

  /// The name without the one folder that everything lies in.
  Result<std::string> name_in(std::string_view given) {
    const std::string_view whole = given;
    if (given.starts_with("./")) given.remove_prefix(2);
    const std::size_t slash = given.find('/');
    const std::string_view root =
        slash == std::string_view::npos ? std::string_view() : given.substr(0, slash);
    const std::string name(slash == std::string_view::npos ? given : given.substr(slash + 1));
    const bool known = !root.empty() && root != "." && root != ".." && is_capture_file(name) &&
                       name != "capture.partial.json";
    if (!known) return bad(fmt::format("'{}' is not a file of a capture", whole));
    if (root_.empty()) root_ = root;
    if (root != root_)
      return bad(fmt::format("'{}' lies beside '{}': more than one folder", whole, root_));
    return name;
  }

  static bool is_json(std::string_view name) { return name.ends_with(".json"); }

  /// Whether the JSON files name this one, with this size.
  Status announced(const std::string& name, const TarEntry& entry) {
    if (!announced_.known() && files_.contains("dispatch.json") &&
        files_.contains("memory_regions.json")) {
      announced_ = TRY(
          in_file(AnnouncedFiles::of(TRY(text_of("capture.json")), TRY(text_of("dispatch.json")),
                                     TRY(text_of("memory_regions.json")))));
      TRY(check_room());
    }
    std::uint64_t bytes = entry.bytes;
    if (entry.kind == TarEntry::Kind::hard_link) {
      const auto target = files_.find(TRY(name_in(entry.link)));
      if (target != files_.end()) bytes = target->second.bytes;
    }
    return in_file(announced_.take(name, bytes));
  }

  /// Before any memory is written.
  [[nodiscard]] Status check_room() const {
    if (most_bytes_ == 0) return {};
    const std::uint64_t bytes = announced_.bytes();
    if (bytes > most_bytes_)
      return fail(Errc::limit,
                  fmt::format("{} unpacks to {}, more than the limit of {}", file_,
                              format_bytes(bytes), format_bytes(most_bytes_)),
                  "--limit MIB allows more, --limit 0 anything");
    std::error_code error;
    const auto space = std::filesystem::space(folder_.temporary(), error);
    if (error || bytes <= space.available) return {};
    return fail(Errc::limit,
                fmt::format("{} unpacks to {}; {} has room for {}", file_, format_bytes(bytes),
                            folder_.path(), format_bytes(space.available)),
                "-o DIR on another disk; --limit 0 tries, for pages of zeros take no room");
  }

  Status extract(const std::string& name, std::uint64_t bytes) {
    const bool small = is_json(name);
    if (bytes > (small ? kMostUnpackedJson : kMostUnpackedBytes) ||
        (packed_.bytes += bytes) > kMostUnpackedBytes) {
      return fail(Errc::limit, fmt::format("{}: '{}' has {}: more than a capture has", file_, name,
                                           format_bytes(bytes)));
    }
    SparseFile out = TRY(SparseFile::create(folder_.place_of(name), bytes));
    std::vector<std::byte> piece(
        static_cast<std::size_t>(std::min<std::uint64_t>(bytes, kUnpackPiece)));
    for (std::uint64_t left = bytes; left > 0;) {
      const auto part = std::span(piece).first(
          static_cast<std::size_t>(std::min<std::uint64_t>(left, piece.size())));
      TRY(in_.read(part));
      TRY(out.append(part));
      left -= part.size();
    }
    TRY(skip(tar_padding(bytes)));
    files_[name] = TRY(out.close());
    return {};
  }

  Status link(const std::string& name, const std::string& target) {
    const auto found = files_.find(target);
    if (found == files_.end())
      return bad(fmt::format("'{}' is a link to '{}', which did not come before it", name, target));
    if (::link(folder_.place_of(target).c_str(), folder_.place_of(name).c_str()) != 0)
      return file_error(folder_.place_of(name), "link", errno);
    files_[name] = found->second;
    return {};
  }

  Status skip(std::uint64_t bytes) {
    std::array<std::byte, kTarBlock> block{};
    while (bytes > 0) {
      const auto part = std::span(block).first(
          static_cast<std::size_t>(std::min<std::uint64_t>(bytes, block.size())));
      TRY(in_.read(part));
      bytes -= part.size();
    }
    return {};
  }

  /// What other programs say of times and owners; names and sizes stand in the headers of captures.
  Status skip_extended(const TarEntry& entry) {
    constexpr std::uint64_t kMostExtended = std::uint64_t{64} << 10;
    if (entry.bytes > kMostExtended)
      return bad(fmt::format("'{}' is an extended header of {} bytes", entry.name, entry.bytes));
    std::vector<std::byte> text(static_cast<std::size_t>(entry.bytes));
    TRY(in_.read(text));
    TRY(skip(tar_padding(entry.bytes)));
    for (const char* key : {" path=", " linkpath=", " size=", "GNU.sparse"}) {
      if (as_text(text).find(key) != std::string_view::npos)
        return fail(Errc::unsupported, fmt::format("{}: an extended header with{}", file_, key),
                    "pack it with capture pack");
    }
    return {};
  }

  Result<std::string> text_of(const std::string& name) const {
    if (!files_.contains(name)) return std::string();
    return read_text_file(folder_.place_of(name));
  }

  /// The JSON files are read, and the hashes in capture.json compared with what was unpacked.
  Status check_files() const {
    for (const char* name :
         {"dispatch.json", "memory_regions.json", "kernarg.bin", "kernel.hsaco"}) {
      if (!files_.contains(name)) return bad(fmt::format("holds no {}", name));
    }
    auto documents =
        TRY(in_file(read_documents(TRY(text_of("capture.json")), TRY(text_of("dispatch.json")),
                                   TRY(text_of("memory_regions.json")))));
    if (documents.has_following && !files_.contains(kFollowingFile))
      return bad(fmt::format("holds no {}", kFollowingFile));
    if (documents.has_following)
      TRY(in_file(read_following(TRY(text_of(kFollowingFile)), documents)));
    for (const CaptureFile& file : documents.files) {
      const auto found = files_.find(file.path);
      if (found == files_.end()) return bad(fmt::format("holds no {}", file.path));
      if (found->second.bytes != file.bytes)
        return bad(fmt::format("{}: {} bytes, capture.json says {}", file.path, found->second.bytes,
                               file.bytes));
      if (found->second.sha256 != file.sha256)
        return bad(fmt::format("{}: its SHA-256 is not the one in capture.json", file.path));
    }
    return {};
  }

  std::string file_;
  ZstdReader in_;
  FolderWriter folder_;
  std::uint64_t most_bytes_ = 0;
  std::string root_;
  std::map<std::string, StoredFile> files_;
  AnnouncedFiles announced_;
  std::size_t without_content_ = 0;
  Packed packed_;
};

}  // namespace

Result<Packed> unpack_capture(const std::string& file, const std::string& folder,
                              std::uint64_t most_bytes) {
  ZstdReader in = TRY(ZstdReader::open(file));
  return Unpacker(file, std::move(in), TRY(FolderWriter::create(folder)), most_bytes).run();
}

std::string packed_name(const std::string& file) {
  auto in = ZstdReader::open(file);
  TarHeader header{};
  if (!in || !in->read(header)) return {};
  const auto entry = read_tar_header(header);
  if (!entry || !*entry) return {};
  std::string_view name = (*entry)->name;
  if (name.starts_with("./")) name.remove_prefix(2);
  name = name.substr(0, name.find('/'));
  return name == "." || name == ".." ? std::string() : std::string(name);
}

}  // namespace rpl
