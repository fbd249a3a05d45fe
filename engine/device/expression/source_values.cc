// SPDX-License-Identifier: MIT
#include "engine/device/expression/source_values.h"

#include <fmt/format.h>

#include <algorithm>

namespace rpl::debug {
namespace {

using Base = Type::Base;
using TypeKind = isa::SourceType::Kind;
using Encoding = isa::SourceType::Encoding;

constexpr unsigned kDeepestType = 32;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 20;
constexpr std::size_t kMostParts = std::size_t{1} << 17;

Base whole_base(std::uint64_t bytes, bool is_signed) {
  switch (bytes) {
    case 1:
      return is_signed ? Base::i8 : Base::u8;
    case 2:
      return is_signed ? Base::i16 : Base::u16;
    case 8:
      return is_signed ? Base::i64 : Base::u64;
    default:
      return is_signed ? Base::i32 : Base::u32;
  }
}

Base base_of(const isa::SourceType& type) {
  switch (type.encoding) {
    case Encoding::boolean:
      return Base::boolean;
    case Encoding::floating:
      return type.bytes == 8 ? Base::f64 : type.bytes == 2 ? Base::f16 : Base::f32;
    case Encoding::character:
      return type.bytes == 1 ? Base::character : whole_base(type.bytes, false);
    case Encoding::is_signed:
      return whole_base(type.bytes, true);
    case Encoding::is_unsigned:
    case Encoding::none:
      return whole_base(type.bytes, false);
  }
  return Base::i32;
}

std::string name_of_source(const isa::SourceType& type) {
  if (!type.name.empty()) return type.name;
  return (type.keyword.empty() ? std::string("enum") : type.keyword) + " {...}";
}

/// The type of one element, whatever number of dimensions there are, and these.
const isa::SourceType* innermost(const isa::SourceType* type, std::string& dimensions) {
  for (unsigned i = 0; i < kDeepestType; ++i) {
    const isa::SourceType* plain = isa::plain_type(type);
    if (plain == nullptr || plain->kind != TypeKind::array) return type;
    dimensions += fmt::format("[{}]", plain->count);
    type = plain->of;
  }
  return nullptr;
}

std::uint64_t bytes_within(const isa::SourceType* type, unsigned depth) {
  const isa::SourceType* plain = isa::plain_type(type);
  if (plain == nullptr || depth > kDeepestType) return 0;
  if (plain->kind != TypeKind::array) return std::min(plain->bytes, kMostBytes + 1);
  const std::uint64_t element = bytes_within(plain->of, depth + 1);
  if (element != 0 && plain->count > kMostBytes / element) return kMostBytes + 1;
  return element * plain->count;
}

Type type_within(const isa::SourceType* type, unsigned depth) {
  if (type == nullptr || depth > kDeepestType) return {.base = Base::nothing};
  switch (type->kind) {
    case TypeKind::base:
      return {.base = base_of(*type), .name = type->name};
    case TypeKind::structure:
      return {.base = Base::structure, .name = name_of_source(*type), .source = type};
    case TypeKind::enumeration: {
      const isa::SourceType* of = isa::plain_type(type->of);
      const bool is_signed = of == nullptr || of->encoding != Encoding::is_unsigned;
      return {.base = whole_base(type->bytes, is_signed),
              .name = name_of_source(*type),
              .source = type};
    }
    case TypeKind::function:
      return {.base = Base::nothing, .name = isa::declared_text(type)};
    case TypeKind::nothing:
      return {.base = Base::nothing};
    default:
      break;
  }
  Type inner = type_within(type->of, depth + 1);
  const bool plain = inner.pointers == 0 && inner.count == 0;
  if (type->kind == TypeKind::constant) {
    // What a pointer is besides does not matter here.
    if (plain) inner.name = "const " + to_string(inner);
  } else if (type->kind == TypeKind::alias) {
    if (plain && !type->name.empty()) inner.name = type->name;
  } else if (type->kind == TypeKind::pointer || type->kind == TypeKind::reference) {
    const isa::SourceType* plain_of = isa::plain_type(type->of);
    if (plain_of != nullptr && plain_of->kind == TypeKind::function)
      inner.name = isa::declared_text(type);
    if (inner.count > 0) inner = {.base = Base::structure, .source = plain_of};
    ++inner.pointers;
  } else if (type->kind == TypeKind::array) {
    if (inner.count > 0) inner = {.base = Base::structure, .source = isa::plain_type(type->of)};
    inner.count = std::max<std::uint64_t>(type->count, 1);
  }
  return inner;
}

/// Fills in values and their parts, as many as a person can want.
class Reader {
 public:
  Reader(const std::vector<std::byte>& bytes, const Placing& placing)
      : bytes_(bytes), placing_(placing) {}

  Result<Datum> read(const Type& type, std::uint64_t at) {
    if (++parts_ > kMostParts || depth_ > kDeepestType)
      return fail(Errc::limit, fmt::format("{} has too many parts", to_string(type)),
                  "print a part of it: NAME.member, NAME[3]");
    const std::uint64_t size = type.bytes();
    if (at > bytes_.size() || size > bytes_.size() - at)
      return fail(Errc::not_found, fmt::format("{} is not all there", to_string(type)));
    Datum out{.type = type};
    out.missing = placing_.missing && placing_.missing(at, size);
    if (placing_.where) out.where = placing_.where(at, size);
    if (out.missing) return out;
    ++depth_;
    if (type.count > 0) {
      const Type element = type.element();
      for (std::uint64_t i = 0; i < type.count; ++i)
        out.parts.emplace_back("", TRY(read(element, at + i * element.bytes())));
    } else if (type.is_structure() && type.source != nullptr) {
      TRY(read_members(*type.source, at, out));
    } else {
      auto where = std::move(out.where);
      out = datum_of(type, slice(at, size));
      out.where = std::move(where);
    }
    --depth_;
    return out;
  }

 private:
  Status read_members(const isa::SourceType& source, std::uint64_t at, Datum& out) {
    for (const isa::SourceType::Member& member : source.members) {
      if (member.bits > 0) {
        out.parts.emplace_back(member.name, bit_field(member, at));
        continue;
      }
      const Type type = type_of(member.type);
      const std::string name = member.is_base ? fmt::format("<{}>", to_string(type)) : member.name;
      const std::uint64_t size = type.bytes();
      if (size == 0) continue;
      out.parts.emplace_back(name, TRY(read(type, at + member.offset)));
    }
    return {};
  }

  Datum bit_field(const isa::SourceType::Member& member, std::uint64_t at) const {
    const auto bytes = slice(at + member.offset, 8);
    std::uint64_t bits = 0;
    for (std::size_t i = bytes.size(); i-- > 0;)
      bits = bits << 8 | std::to_integer<std::uint64_t>(bytes[i]);
    bits = bits >> member.bit_offset & ((std::uint64_t{1} << member.bits) - 1);
    const Type type = type_of(member.type);
    const std::uint64_t last = member.bit_offset + std::uint64_t{member.bits} - 1;
    if (placing_.missing && placing_.missing(at + member.offset, last / 8 + 1))
      return {.type = type, .missing = true};
    const bool is_signed = type.base == Base::i32 || type.base == Base::i64 ||
                           type.base == Base::i16 || type.base == Base::i8;
    if (is_signed && (bits >> (member.bits - 1) & 1) != 0) bits |= ~std::uint64_t{0} << member.bits;
    return {.type = type, .integer = static_cast<std::int64_t>(bits)};
  }

  [[nodiscard]] std::vector<std::byte> slice(std::uint64_t at, std::uint64_t size) const {
    at = std::min<std::uint64_t>(at, bytes_.size());
    size = std::min<std::uint64_t>(size, bytes_.size() - at);
    return {bytes_.begin() + static_cast<std::ptrdiff_t>(at),
            bytes_.begin() + static_cast<std::ptrdiff_t>(at + size)};
  }

  const std::vector<std::byte>& bytes_;
  const Placing& placing_;
  std::size_t parts_ = 0;
  unsigned depth_ = 0;
};

}  // namespace

std::uint64_t source_bytes(const isa::SourceType* type) { return bytes_within(type, 0); }

Type type_of(const isa::SourceType* type) { return type_within(type, 0); }

std::string array_text(const Type& type) {
  std::string inner;
  const std::string element = to_string(type_of(innermost(type.source, inner)));
  const std::string stars(type.pointers, '*');
  const std::string outer = type.count > 0 ? fmt::format("[{}]", type.count) : "";
  if (!stars.empty()) return fmt::format("{} ({}{}){}", element, stars, outer, inner);
  return fmt::format("{} {}{}", element, outer, inner);
}

std::string enumerator_text(const Datum& datum) {
  const isa::SourceType& source = *datum.type.source;
  for (const auto& one : source.enumerators) {
    if (one.value == datum.integer)
      return source.is_scoped ? fmt::format("{}::{}", source.name, one.name) : one.name;
  }
  return fmt::format("{}", datum.integer);
}

std::string type_text(const Type& type) {
  const isa::SourceType* source = type.source;
  if (source == nullptr || source->kind == TypeKind::array) return to_string(type);
  Type outer = type;
  const std::string prefix = type.name.starts_with("const ") ? "const " : "";
  const std::string name = source->name.empty() ? "" : source->name + " ";
  std::string text;
  if (source->kind == TypeKind::enumeration) {
    for (const auto& one : source->enumerators)
      text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", one.name, one.value);
    text = fmt::format("{}enum {}{{{}}}", prefix, name, text);
  } else {
    std::string bases;
    for (const auto& member : source->members) {
      const Type of = type_of(member.type);
      if (member.is_base) {
        bases += fmt::format("{}{}", bases.empty() ? ": " : ", ", to_string(of));
        continue;
      }
      // Dimensions stand behind the name, as in C.
      std::string declared = to_string(of), behind;
      const std::size_t bracket = declared.find(" [");
      if (of.count > 0 && bracket != std::string::npos) {
        behind = declared.substr(bracket + 1);
        declared.resize(bracket);
      }
      const std::string bits = member.bits > 0 ? fmt::format(" : {}", member.bits) : "";
      text += fmt::format("    {}{}{}{}{};\n", declared, declared.ends_with('*') ? "" : " ",
                          member.name, behind, bits);
    }
    if (!bases.empty()) bases += " ";
    text = fmt::format("{}{} {}{}{{\n{}}}", prefix, source->keyword, name, bases, text);
  }
  if (outer.pointers > 0) text += " " + std::string(outer.pointers, '*');
  if (outer.count > 0) text += fmt::format(" [{}]", outer.count);
  return text;
}

Result<Datum> whole_datum(const Type& type, const std::vector<std::byte>& bytes,
                          const Placing& placing) {
  return Reader(bytes, placing).read(type, 0);
}

std::optional<Watched> part_of_place(const Watched& whole, std::uint64_t offset,
                                     std::uint64_t bytes) {
  Watched out = whole;
  out.bytes = bytes;
  if (whole.space != Watched::Space::registers) {
    out.address += offset;
    return out;
  }
  constexpr std::uint64_t kDword = 4;
  const std::uint64_t dwords = (bytes + kDword - 1) / kDword, first = offset / kDword;
  if (offset % kDword != 0 || dwords == 0 || first + dwords > whole.name.count) return std::nullopt;
  out.name.number += static_cast<std::uint32_t>(first);
  out.name.count = static_cast<std::uint32_t>(dwords);
  return out;
}

}  // namespace rpl::debug
