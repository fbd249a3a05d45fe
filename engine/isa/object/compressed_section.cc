// SPDX-License-Identifier: MIT
#include "engine/isa/object/compressed_section.h"

#include <fmt/format.h>

#include "engine/isa/object/inflate.h"

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

}  // namespace rpl::isa
