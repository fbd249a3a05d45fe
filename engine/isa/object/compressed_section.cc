// SPDX-License-Identifier: MIT
#include "engine/isa/object/compressed_section.h"

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

namespace rpl::isa {
namespace {

struct CompressionHeader {
  std::uint32_t type, reserved;
  std::uint64_t size, align;
};
constexpr std::uint32_t kZlib = 1, kZstd = 2;  // ELFCOMPRESS_

Failure broken_section(std::string_view what) {
  return fail(Errc::corrupt, fmt::format("compressed debug information: {}", what),
              "build or extract it again");
}

}  // namespace

Result<PlainDebugSections> plain_sections(const DebugSections& sections) {
  PlainDebugSections plain{sections, {}};
  std::uint64_t all = 0;
  for (const DebugSections::Compressed& section : sections.compressed) {
    const auto header = section.bytes.read<CompressionHeader>(0);
    if (!header) return broken_section("a section is cut short");
    if (header->type != kZlib && header->type != kZstd)
      return fail(Errc::unsupported,
                  fmt::format("the debug information is compressed by method {}", header->type),
                  "compile with -gz=zlib, -gz=zstd or -gz=none");
    if (header->size > kMostInflatedBytes - all)
      return fail(Errc::limit, "the debug information is larger than 1 GiB",
                  "compile with -gline-tables-only");
    all += header->size;
    const auto data = section.bytes.part(sizeof(CompressionHeader),
                                         section.bytes.size() - sizeof(CompressionHeader));
    auto bytes = inflated(header->type == kZlib ? Compression::zlib : Compression::zstd, *data,
                          header->size);
    if (!bytes) return broken_section("a section does not decompress to the size that it says");
    plain.sections.*section.place = ByteView(plain.storage.emplace_back(std::move(*bytes)));
  }
  plain.sections.compressed.clear();
  return plain;
}

namespace {

bool inflate_zlib(ByteView data, std::vector<std::byte>& out) {
  uLongf size = out.size();
  const int status = ::uncompress(reinterpret_cast<Bytef*>(out.data()), &size,
                                  reinterpret_cast<const Bytef*>(data.bytes().data()), data.size());
  return status == Z_OK && size == out.size();
}

bool inflate_zstd(ByteView data, std::vector<std::byte>& out) {
  // Only the frame: behind that of a bundle of version 1 there may be padding.
  const std::size_t frame = ::ZSTD_findFrameCompressedSize(data.bytes().data(), data.size());
  if (::ZSTD_isError(frame) != 0) return false;
  return ::ZSTD_decompress(out.data(), out.size(), data.bytes().data(), frame) == out.size();
}

}  // namespace

std::optional<std::vector<std::byte>> inflated(Compression method, ByteView data,
                                               std::uint64_t plain_bytes) {
  constexpr std::uint64_t kMostRatio = 32768;  // zlib and zstd shrink by less
  if (plain_bytes > kMostInflatedBytes || plain_bytes / kMostRatio > data.size())
    return std::nullopt;
  std::vector<std::byte> plain(static_cast<std::size_t>(plain_bytes));
  const bool done =
      method == Compression::zlib ? inflate_zlib(data, plain) : inflate_zstd(data, plain);
  if (!done) return std::nullopt;
  return plain;
}

}  // namespace rpl::isa
