// SPDX-License-Identifier: MIT
#include "engine/isa/object/compressed_bundle.h"

#include <fmt/format.h>

namespace rpl::isa {
namespace {

constexpr std::string_view kMagic = "CCOB";

struct Head {
  char magic[4];
  std::uint16_t version, method;
};

Failure broken(std::string_view what) {
  return fail(Errc::corrupt, fmt::format("compressed offload bundle: {}", what));
}

/// The sizes behind the head: version 1 tells that of the plain bundle, 2 and 3 that of the file as well, 3 in 64 bits. A hash follows.
struct Sizes {
  std::uint64_t file = 0, plain = 0, head = 0;
};

std::optional<Sizes> sizes_of(ByteView bytes, std::uint16_t version) {
  constexpr std::uint64_t kHash = 8, at = sizeof(Head);
  if (version == 1) {
    const auto plain = bytes.read<std::uint32_t>(at);
    if (!plain) return std::nullopt;
    return Sizes{bytes.size(), *plain, at + 4 + kHash};
  }
  if (version == 2) {
    const auto both = bytes.read<std::array<std::uint32_t, 2>>(at);
    if (!both) return std::nullopt;
    return Sizes{(*both)[0], (*both)[1], at + 8 + kHash};
  }
  const auto both = bytes.read<std::array<std::uint64_t, 2>>(at);
  if (!both) return std::nullopt;
  return Sizes{(*both)[0], (*both)[1], at + 16 + kHash};
}

}  // namespace

bool is_compressed_bundle(ByteView bytes) {
  const auto head = bytes.part(0, kMagic.size());
  return head && std::memcmp(head->bytes().data(), kMagic.data(), kMagic.size()) == 0;
}

Result<CompressedBundle> read_compressed_bundle(ByteView bytes) {
  const auto head = bytes.read<Head>(0);
  if (!head) return broken("cut short");
  if (head->version < 1 || head->version > 3)
    return fail(Errc::unsupported,
                fmt::format("compressed offload bundle of version {}", head->version));
  if (head->method > 1)
    return fail(Errc::unsupported,
                fmt::format("compressed offload bundle with method {}", head->method));
  const auto sizes = sizes_of(bytes, head->version);
  if (!sizes || sizes->file < sizes->head || sizes->file > bytes.size())
    return broken("its sizes do not fit the file");
  const auto data = bytes.part(sizes->head, sizes->file - sizes->head);
  if (!data) return broken("cut short");
  return CompressedBundle{static_cast<Compression>(head->method), *data, sizes->plain, sizes->file};
}

Result<std::vector<std::byte>> decompress(const CompressedBundle& bundle) {
  if (bundle.plain_bytes > kMostInflatedBytes)
    return fail(Errc::limit, "the compressed offload bundle is larger than 1 GiB");
  auto plain = inflated(bundle.method, bundle.data, bundle.plain_bytes);
  if (!plain) return broken("it does not decompress to the size that it says");
  return std::move(*plain);
}

}  // namespace rpl::isa
