// SPDX-License-Identifier: MIT
#include "engine/capture/tar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>

namespace rpl {
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
