// SPDX-License-Identifier: MIT
#include "engine/isa/bundle.h"

namespace rpl::isa {
namespace {

constexpr std::string_view kMagic = "__CLANG_OFFLOAD_BUNDLE__";
constexpr std::string_view kCompressedMagic = "CCOB";

bool starts_with(ByteView bytes, std::string_view magic) {
  const auto head = bytes.part(0, magic.size());
  return head && std::memcmp(head->bytes().data(), magic.data(), magic.size()) == 0;
}

struct Entry {
  std::uint64_t offset, size, name_size;
};

// "hipv4-amdgcn-amd-amdhsa--gfx90a:sramecc+" names gfx90a.
bool is_for(std::string_view triple, std::string_view arch) {
  const auto last = triple.rfind("--");
  if (last == std::string_view::npos) return false;
  const auto target = triple.substr(last + 2);
  return target.substr(0, target.find(':')) == arch;
}

}  // namespace

bool is_bundle(ByteView bytes) {
  return starts_with(bytes, kMagic) || starts_with(bytes, kCompressedMagic);
}

Result<std::vector<std::byte>> unbundle(ByteView bytes, std::string_view arch) {
  if (!starts_with(bytes, kMagic)) {
    return fail(Errc::unsupported, "the offload bundle is compressed",
                "build with --no-offload-compress");
  }
  std::uint64_t at = kMagic.size();
  const auto count = bytes.read<std::uint64_t>(at);
  if (!count) return fail(Errc::corrupt, "the offload bundle is cut short");
  at += sizeof(*count);
  std::string names;
  for (std::uint64_t i = 0; i < *count; ++i) {
    const auto entry = bytes.read<Entry>(at);
    if (!entry) return fail(Errc::corrupt, "the offload bundle is cut short");
    const auto name = bytes.part(at + sizeof(Entry), entry->name_size);
    const auto body = bytes.part(entry->offset, entry->size);
    if (!name || !body) return fail(Errc::corrupt, "the offload bundle is cut short");
    at += sizeof(Entry) + entry->name_size;
    const std::string_view triple(reinterpret_cast<const char*>(name->bytes().data()),
                                  name->size());
    const bool wanted =
        arch.empty() ? is_for(triple, "gfx90a") || is_for(triple, "gfx942") : is_for(triple, arch);
    if (wanted) return std::vector<std::byte>(body->bytes().begin(), body->bytes().end());
    names += fmt::format("{}{}", names.empty() ? "" : ", ", triple);
  }
  return fail(Errc::not_found,
              fmt::format("no code for {} in the bundle", arch.empty() ? "gfx90a or gfx942" : arch),
              fmt::format("it has {}", names));
}

}  // namespace rpl::isa
