// SPDX-License-Identifier: MIT
#include "engine/isa/object/bundle.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/isa/object/compressed_bundle.h"
#include "engine/isa/object/elf.h"

namespace rpl::isa {
namespace {

constexpr std::string_view kPlainMagic = "__CLANG_OFFLOAD_BUNDLE__";
constexpr std::size_t kMostObjects = 4096;  ///< of one file; libraries have hundreds

bool starts_with(ByteView bytes, std::string_view magic) {
  const auto head = bytes.part(0, magic.size());
  return head && std::memcmp(head->bytes().data(), magic.data(), magic.size()) == 0;
}

Failure cut_short() { return fail(Errc::corrupt, "the offload bundle is cut short"); }

struct EntryHead {
  std::uint64_t offset, size, name_size;
};

/// Adds the device code of a bundle. Returns its size.
Result<std::uint64_t> add_plain(ByteView bytes, std::vector<Embedded>& out) {
  std::uint64_t at = kPlainMagic.size(), end = at;
  const auto count = bytes.read<std::uint64_t>(at);
  if (!count) return cut_short();
  at += sizeof(*count);
  for (std::uint64_t i = 0; i < *count; ++i) {
    const auto entry = bytes.read<EntryHead>(at);
    if (!entry) return cut_short();
    const auto name = bytes.part(at + sizeof(EntryHead), entry->name_size);
    const auto body = bytes.part(entry->offset, entry->size);
    if (!name || !body) return cut_short();
    at += sizeof(EntryHead) + entry->name_size;
    end = std::max({end, at, entry->offset + entry->size});
    const std::string triple(reinterpret_cast<const char*>(name->bytes().data()), name->size());
    // The host's entry is empty or its own program.
    if (triple.find("amdgcn") == std::string::npos || entry->size == 0) continue;
    if (out.size() >= kMostObjects)
      return fail(Errc::limit,
                  fmt::format("the file holds more than {} code objects", kMostObjects));
    out.push_back({triple, {body->bytes().begin(), body->bytes().end()}});
  }
  return end;
}

Result<std::uint64_t> add_bundle(ByteView bytes, std::vector<Embedded>& out) {
  if (starts_with(bytes, kPlainMagic)) return add_plain(bytes, out);
  const CompressedBundle compressed = TRY(read_compressed_bundle(bytes));
  const std::vector<std::byte> plain = TRY(decompress(compressed));
  if (!starts_with(ByteView(plain), kPlainMagic))
    return fail(Errc::corrupt, "what is compressed in the offload bundle is not a bundle");
  TRY(add_plain(ByteView(plain), out));
  return compressed.file_bytes;
}

/// One translation unit after another, each at a multiple of some alignment with zeros between.
Status add_section(ByteView section, std::vector<Embedded>& out) {
  for (std::uint64_t at = 0; at < section.size();) {
    const ByteView rest = *section.part(at, section.size() - at);
    if (!is_bundle(rest)) {
      if (rest.bytes().front() != std::byte{0})
        return fail(Errc::corrupt, "the .hip_fatbin section holds something else than bundles");
      ++at;
      continue;
    }
    at += TRY(add_bundle(rest, out));
  }
  return {};
}

}  // namespace

std::string_view Embedded::target() const {
  const std::string_view all = triple;
  const auto last = all.rfind("--");
  if (last == std::string_view::npos) return {};
  const auto target = all.substr(last + 2);
  return target.substr(0, target.find(':'));
}

bool is_bundle(ByteView bytes) {
  return starts_with(bytes, kPlainMagic) || is_compressed_bundle(bytes);
}

Result<std::vector<Embedded>> code_objects_in(ByteView file) {
  std::vector<Embedded> out;
  if (is_bundle(file)) {
    TRY(add_bundle(file, out));
  } else if (is_host_elf(file)) {
    const auto section = TRY(elf_section(file, ".hip_fatbin"));
    if (!section)
      return fail(Errc::not_found, "a host program without device code",
                  "give the program or library that HIP code was linked into");
    TRY(add_section(*section, out));
  } else {
    TRY(read_elf(file));
    out.push_back({{}, {file.bytes().begin(), file.bytes().end()}});
  }
  if (out.empty()) return fail(Errc::not_found, "the file holds no code for AMD GPUs");
  return out;
}

}  // namespace rpl::isa
