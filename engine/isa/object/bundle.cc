// SPDX-License-Identifier: MIT
#include "engine/isa/object/bundle.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "engine/base/numbers.h"
#include "engine/isa/object/elf.h"
#include "engine/isa/traits/architecture.h"

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
  if (out.empty())
    return fail(Errc::not_found, "the file holds no code for AMD GPUs",
                "compile with " + architecture_names(" or ", "--offload-arch="));
  return out;
}

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

namespace {

bool is_known(const Embedded& object) {
  return object.triple.empty() || find_architecture(object.target());
}

std::string listing(const std::vector<Embedded>& all) {
  constexpr std::size_t kShown = 12;
  std::string text;
  for (std::size_t i = 0; i < std::min(all.size(), kShown); ++i) {
    text += fmt::format("{}#{} {}", i == 0 ? "" : ", ", i + 1,
                        all[i].triple.empty() ? "a plain code object" : all[i].target());
  }
  return all.size() > kShown ? fmt::format("{} and {} more", text, all.size() - kShown) : text;
}

}  // namespace

std::pair<std::string, std::string> split_choice(const std::string& path) {
  const auto hash = path.rfind('#');
  std::error_code ignored;
  if (hash == std::string::npos || std::filesystem::exists(path, ignored)) return {path, {}};
  return {path.substr(0, hash), path.substr(hash + 1)};
}

Result<std::vector<Embedded>> chosen_objects(std::vector<Embedded> all, std::string_view which) {
  if (const auto number = whole_number<std::size_t>(which)) {
    if (*number < 1 || *number > all.size())
      return fail(Errc::not_found, fmt::format("no code object #{} in the file", which),
                  "it has " + listing(all));
    return std::vector<Embedded>{std::move(all[*number - 1])};
  }
  std::string target(which);
  if (target.empty()) {
    const auto first = std::ranges::find_if(all, is_known);
    if (first != all.end()) target = first->target();
  }
  std::vector<Embedded> chosen;
  std::ranges::copy_if(all, std::back_inserter(chosen), [&](const Embedded& object) {
    return is_known(object) && (object.triple.empty() || object.target() == target);
  });
  if (chosen.empty())
    return fail(Errc::not_found,
                fmt::format("no code for {} in the file",
                            which.empty() ? architecture_names() : std::string(which)),
                "it has " + listing(all));
  return chosen;
}

}  // namespace rpl::isa
