// SPDX-License-Identifier: MIT
#include "engine/isa/object/inflate.h"

#include <zlib.h>
#include <zstd.h>

namespace rpl::isa {
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
