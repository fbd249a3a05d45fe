// SPDX-License-Identifier: MIT
#include "engine/isa/object/msgpack.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

namespace rpl::isa {
namespace {

constexpr int kDeepestMetadata = 16;
constexpr std::size_t kMaxValues = std::size_t{1} << 20;

class MsgpackReader {
 public:
  explicit MsgpackReader(ByteView bytes) : bytes_(bytes) {}

  Result<Msgpack> value(int depth) {
    if (depth > kDeepestMetadata) return fail(Errc::corrupt, "metadata is nested too deeply");
    if (++values_ > kMaxValues) return fail(Errc::corrupt, "metadata holds too many values");
    const auto tag = TRY(integer(1));
    if (tag <= 0x7f) return Msgpack(Msgpack::Value(tag));
    if (tag <= 0x8f) return map(tag & 0x0f, depth);
    if (tag <= 0x9f) return array(tag & 0x0f, depth);
    if (tag <= 0xbf) return text(tag & 0x1f);
    if (tag >= 0xe0) return Msgpack(Msgpack::Value(static_cast<std::int64_t>(tag) - 256));
    return tagged(tag, depth);
  }

 private:
  Result<Msgpack> tagged(std::uint64_t tag, int depth) {
    switch (tag) {
      case 0xc0:
        return Msgpack();
      case 0xc2:
        return Msgpack(Msgpack::Value(false));
      case 0xc3:
        return Msgpack(Msgpack::Value(true));
      case 0xcc:
      case 0xcd:
      case 0xce:
      case 0xcf:
        return Msgpack(Msgpack::Value(TRY(integer(1U << (tag - 0xcc)))));
      case 0xd0:
      case 0xd1:
      case 0xd2:
      case 0xd3:
        return negative(1U << (tag - 0xd0));
      case 0xd9:
      case 0xda:
      case 0xdb:
        return text(TRY(integer(1U << (tag - 0xd9))));
      case 0xdc:
      case 0xdd:
        return array(TRY(integer(2U << (tag - 0xdc))), depth);
      case 0xde:
      case 0xdf:
        return map(TRY(integer(2U << (tag - 0xde))), depth);
      default:
        break;
    }
    return fail(Errc::unsupported, fmt::format("metadata uses MessagePack type 0x{:02x}", tag));
  }

  // MessagePack is big-endian.
  Result<std::uint64_t> integer(std::uint64_t size) {
    std::uint64_t result = 0;
    for (std::uint64_t i = 0; i < size; ++i) {
      const auto byte = bytes_.read<std::uint8_t>(at_++);
      if (!byte) return fail(Errc::corrupt, "metadata is cut short");
      result = result << 8 | *byte;
    }
    return result;
  }

  Result<Msgpack> negative(std::uint64_t size) {
    const auto raw = TRY(integer(size));
    const auto unused = 64 - 8 * size;
    return Msgpack(Msgpack::Value(std::bit_cast<std::int64_t>(raw << unused) >> unused));
  }

  Result<Msgpack> text(std::uint64_t size) { return Msgpack(Msgpack::Value(TRY(string(size)))); }

  Result<std::string> string(std::uint64_t size) {
    const auto part = bytes_.part(at_, size);
    if (!part) return fail(Errc::corrupt, "metadata is cut short");
    at_ += size;
    return std::string(reinterpret_cast<const char*>(part->bytes().data()), part->size());
  }

  Result<Msgpack> array(std::uint64_t count, int depth) {
    Msgpack::Array elements;
    for (std::uint64_t i = 0; i < count; ++i) elements.push_back(TRY(value(depth + 1)));
    return Msgpack(Msgpack::Value(std::move(elements)));
  }

  Result<Msgpack> map(std::uint64_t count, int depth) {
    Msgpack::Map entries;
    for (std::uint64_t i = 0; i < count; ++i) {
      const Msgpack key = TRY(value(depth + 1));
      entries.emplace_back(std::string(key.text()), TRY(value(depth + 1)));
    }
    return Msgpack(Msgpack::Value(std::move(entries)));
  }

  ByteView bytes_;
  std::uint64_t at_ = 0;
  std::size_t values_ = 0;
};

}  // namespace

const Msgpack& Msgpack::operator[](std::string_view key) const {
  static const Msgpack nil;
  const auto* map = std::get_if<Map>(&value_);
  if (map == nullptr) return nil;
  const auto found =
      std::ranges::find_if(*map, [&](const auto& entry) { return entry.first == key; });
  return found == map->end() ? nil : found->second;
}

const Msgpack::Array& Msgpack::array() const {
  static const Array empty;
  const auto* array = std::get_if<Array>(&value_);
  return array == nullptr ? empty : *array;
}

std::string_view Msgpack::text() const {
  const auto* text = std::get_if<std::string>(&value_);
  return text == nullptr ? std::string_view() : std::string_view(*text);
}

std::uint32_t Msgpack::number(std::uint32_t missing) const {
  constexpr std::uint64_t kHighest = std::numeric_limits<std::uint32_t>::max();
  const auto* number = std::get_if<std::uint64_t>(&value_);
  return number == nullptr || *number > kHighest ? missing : static_cast<std::uint32_t>(*number);
}

bool Msgpack::flag() const {
  const auto* flag = std::get_if<bool>(&value_);
  return flag != nullptr && *flag;
}

Result<Msgpack> read_msgpack(ByteView bytes) { return MsgpackReader(bytes).value(0); }

}  // namespace rpl::isa
