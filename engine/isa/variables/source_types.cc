// SPDX-License-Identifier: MIT
#include "engine/isa/variables/source_types.h"

#include <algorithm>

namespace rpl::isa {
namespace {

using Kind = SourceType::Kind;
using Encoding = SourceType::Encoding;

constexpr std::size_t kMostMembers = 4096;
constexpr std::uint64_t kMostDimensions = 8;
constexpr int kMostInstances = 8;
constexpr std::size_t kMostTextParts = 1000;

Kind kind_of(std::uint64_t tag) {
  switch (tag) {
    case kTagBase:
      return Kind::base;
    case kTagPointer:
      return Kind::pointer;
    case kTagReference:
    case kTagRvalue:
      return Kind::reference;
    case kTagArray:
      return Kind::array;
    case kTagStructure:
    case kTagClass:
    case kTagUnion:
      return Kind::structure;
    case kTagEnumeration:
      return Kind::enumeration;
    case kTagTypedef:
      return Kind::alias;
    case kTagConst:
      return Kind::constant;
    case kTagVolatile:
    case kTagRestrict:
    case kTagAtomic:
      return Kind::other;
    case kTagFunctionType:
    case kTagSubprogram:
      return Kind::function;
    default:
      return Kind::nothing;
  }
}

Encoding encoding_of(std::uint64_t code) {
  switch (code) {
    case 0x02:
      return Encoding::boolean;
    case 0x04:
      return Encoding::floating;
    case 0x05:
      return Encoding::is_signed;
    case 0x06:
      return Encoding::character;
    case 0x07:
    case 0x08:
      return Encoding::is_unsigned;
    case 0x10:
      return Encoding::character;
    default:
      return Encoding::none;
  }
}

/// Writes a type around what is declared: "int (*)[4]" is an array of four int around "*".
class Declaration {
 public:
  std::string text(const SourceType* type, std::string inner) {
    if (type == nullptr) return spaced("void", inner);
    // Damaged types refer to each other in circles.
    if (++parts_ > kMostTextParts) return spaced("...", inner);
    switch (type->kind) {
      case Kind::pointer:
        return text(type->of, "*" + inner);
      case Kind::reference:
        return text(type->of, type->keyword + inner);
      case Kind::constant:
        return qualified(*type, "const", inner);
      case Kind::other:
        return qualified(*type, type->keyword, inner);
      case Kind::array:
        return text(type->of, bracketed(inner) + "[" +
                                  (type->count == 0 ? "" : std::to_string(type->count)) + "]");
      case Kind::function:
        return text(type->of, bracketed(inner) + "(" + parameters(*type) + ")");
      default:
        break;
    }
    if (!type->name.empty()) return spaced(type->name, inner);
    return spaced((type->keyword.empty() ? "enum" : type->keyword) + " {...}", inner);
  }

 private:
  static std::string spaced(const std::string& name, const std::string& inner) {
    return inner.empty() ? name : name + ' ' + inner;
  }
  /// A `*` binds less than what stands behind it.
  static std::string bracketed(const std::string& inner) {
    return inner.starts_with('*') || inner.starts_with('&') ? "(" + inner + ")" : inner;
  }
  std::string qualified(const SourceType& type, const std::string& word, const std::string& inner) {
    if (word.empty()) return text(type.of, inner);
    const bool of_pointer = type.of != nullptr && type.of->kind == Kind::pointer;
    return of_pointer ? text(type.of, " " + spaced(word, inner))
                      : word + ' ' + text(type.of, inner);
  }
  std::string parameters(const SourceType& type) {
    std::string out;
    for (const SourceType::Member& one : type.members) {
      if (parts_ > kMostTextParts) break;
      out += (out.empty() ? "" : ", ") + text(one.type, "");
    }
    return out.empty() ? "void" : out;
  }
  std::size_t parts_ = 0;
};

}  // namespace

std::string declared_text(const SourceType* type) { return Declaration().text(type, ""); }

const SourceType* SourceTypes::at(std::uint32_t entry) {
  const SourceType* out = placed(entry);
  // What it refers to is filled one after the other, whatever leads to what.
  while (!open_.empty()) {
    const std::uint32_t next = open_.back();
    open_.pop_back();
    fill(next, *known_[next]);
  }
  return out;
}

const SourceType* SourceTypes::function(std::uint32_t entry) {
  // An instance says less than what it is of.
  for (int hop = 0; hop < kMostInstances; ++hop) {
    std::uint32_t origin = entries_.reference(entry, kAtOrigin);
    if (origin == DebugEntries::kNone) origin = entries_.reference(entry, kAtSpecification);
    if (origin == DebugEntries::kNone) break;
    entry = origin;
  }
  if (entries_.tag(entry) != kTagSubprogram) return nullptr;
  return at(entry);
}

const SourceType* SourceTypes::placed(std::uint32_t entry) {
  if (entry == DebugEntries::kNone) return nullptr;
  auto& slot = known_[entry];
  if (slot) return slot.get();
  slot = std::make_unique<SourceType>();
  open_.push_back(entry);
  return slot.get();
}

void SourceTypes::fill(std::uint32_t entry, SourceType& type) {
  const std::uint64_t tag = entries_.tag(entry);
  type.kind = kind_of(tag);
  type.name = entries_.text(entry, kAtName);
  type.bytes = entries_.number(entry, kAtSize).value_or(0);
  type.of = placed(entries_.reference(entry, kAtType));
  if (type.kind == Kind::base)
    type.encoding = encoding_of(entries_.number(entry, kAtEncoding).value_or(0));
  // Pointers have the size of an address where it is not said.
  if ((type.kind == Kind::pointer || type.kind == Kind::reference) && type.bytes == 0)
    type.bytes = 8;
  if (type.kind == Kind::reference) type.keyword = tag == kTagRvalue ? "&&" : "&";
  if (tag == kTagVolatile) type.keyword = "volatile";
  if (tag == kTagRestrict) type.keyword = "restrict";
  if (type.kind == Kind::function) fill_parameters(entry, type);
  if (type.kind == Kind::array) fill_array(entry, type);
  if (type.kind == Kind::structure) fill_members(entry, type);
  if (type.kind == Kind::enumeration) fill_enumerators(entry, type);
}

/// Several dimensions are arrays of arrays.
void SourceTypes::fill_array(std::uint32_t entry, SourceType& type) {
  std::vector<std::uint64_t> counts;
  for (std::uint32_t i = entries_.first(entry); i < entries_.at(entry).next;
       i = entries_.at(i).next) {
    if (entries_.tag(i) != kTagSubrange || counts.size() == kMostDimensions) continue;
    const auto count = entries_.number(i, kAtCount);
    const auto last = entries_.number(i, kAtUpperBound);
    counts.push_back(count ? *count : last && *last + 1 != 0 ? *last + 1 : 0);
  }
  if (counts.empty()) counts.push_back(0);
  const SourceType* element = type.of;
  for (std::size_t i = counts.size(); i-- > 1;) {
    inner_.push_back(std::make_unique<SourceType>(
        SourceType{.kind = Kind::array, .of = element, .count = counts[i]}));
    element = inner_.back().get();
  }
  type.of = element;
  type.count = counts.front();
}

void SourceTypes::fill_parameters(std::uint32_t entry, SourceType& type) {
  type.name.clear();
  for (std::uint32_t i = entries_.first(entry); i < entries_.at(entry).next;
       i = entries_.at(i).next) {
    if (entries_.tag(i) != kTagParameter || type.members.size() == kMostMembers) continue;
    type.members.push_back({.name = std::string(entries_.text(i, kAtName)),
                            .type = placed(entries_.reference(i, kAtType))});
  }
}

void SourceTypes::fill_members(std::uint32_t entry, SourceType& type) {
  const std::uint64_t tag = entries_.tag(entry);
  type.keyword = tag == kTagUnion ? "union" : tag == kTagClass ? "class" : "struct";
  for (std::uint32_t i = entries_.first(entry); i < entries_.at(entry).next;
       i = entries_.at(i).next) {
    const std::uint64_t of = entries_.tag(i);
    if (of != kTagMember && of != kTagInheritance) continue;
    // Static members are declarations of variables elsewhere.
    const bool is_static = entries_.value(i, kAtExternal) || entries_.value(i, kAtDeclaration);
    if (is_static || type.members.size() == kMostMembers) continue;
    SourceType::Member member{.name = std::string(entries_.text(i, kAtName)),
                              .type = placed(entries_.reference(i, kAtType)),
                              .offset = entries_.number(i, kAtMemberLocation).value_or(0),
                              .is_base = of == kTagInheritance};
    const std::uint64_t bits = entries_.number(i, kAtBitSize).value_or(0);
    if (bits > 0 && bits < 64) {
      std::uint64_t first = entries_.number(i, kAtDataBitOffset).value_or(member.offset * 8);
      const auto from_above = entries_.number(i, kAtBitOffset);
      const auto storage = entries_.number(i, kAtSize);
      // Before DWARF 4 bits counted from the most significant one of their storage.
      if (from_above && storage && *from_above + bits <= *storage * 8)
        first = member.offset * 8 + *storage * 8 - *from_above - bits;
      member.offset = first / 8;
      member.bit_offset = static_cast<std::uint8_t>(first % 8);
      member.bits = static_cast<std::uint8_t>(bits);
    }
    type.members.push_back(std::move(member));
  }
}

void SourceTypes::fill_enumerators(std::uint32_t entry, SourceType& type) {
  type.is_scoped = entries_.value(entry, kAtEnumClass).has_value();
  for (std::uint32_t i = entries_.first(entry); i < entries_.at(entry).next;
       i = entries_.at(i).next) {
    if (entries_.tag(i) != kTagEnumerator || type.enumerators.size() == kMostMembers) continue;
    type.enumerators.push_back(
        {std::string(entries_.text(i, kAtName)),
         static_cast<std::int64_t>(entries_.number(i, kAtConstValue).value_or(0))});
  }
}

const SourceType* SourceTypes::named(std::string_view name) {
  if (by_name_.empty()) {
    for (std::uint32_t i = 0; i < entries_.all().size(); ++i) {
      const Kind kind = kind_of(entries_.tag(i));
      const bool has_name = kind == Kind::base || kind == Kind::structure ||
                            kind == Kind::enumeration || kind == Kind::alias;
      if (!has_name || entries_.value(i, kAtDeclaration)) continue;
      const std::string_view text = entries_.text(i, kAtName);
      if (!text.empty()) by_name_.emplace(text, i);
    }
  }
  const std::size_t open = name.find('<');
  const std::size_t scope = name.substr(0, open).rfind("::");
  if (scope != std::string_view::npos) name.remove_prefix(scope + 2);
  const auto found = by_name_.find(std::string(name));
  return found == by_name_.end() ? nullptr : at(found->second);
}

std::optional<std::pair<const SourceType*, std::int64_t>> SourceTypes::enumerator(
    std::string_view name) {
  const std::size_t scope = name.rfind("::");
  if (scope != std::string_view::npos) name.remove_prefix(scope + 2);
  // Conditions ask for each wave.
  if (!by_enumerator_) {
    by_enumerator_.emplace();
    for (std::uint32_t i = 0; i < entries_.all().size(); ++i) {
      if (kind_of(entries_.tag(i)) != Kind::enumeration) continue;
      const SourceType* type = at(i);
      if (type == nullptr) continue;
      for (const SourceType::Enumerator& one : type->enumerators)
        by_enumerator_->try_emplace(one.name, type, one.value);
    }
  }
  const auto found = by_enumerator_->find(std::string(name));
  return found == by_enumerator_->end() ? std::nullopt : std::optional(found->second);
}

const SourceType* plain_type(const SourceType* type) {
  constexpr int kMostNames = 64;
  for (int i = 0; type != nullptr && i < kMostNames; ++i) {
    if (type->kind != Kind::alias && type->kind != Kind::constant && type->kind != Kind::other)
      return type;
    type = type->of;
  }
  return nullptr;
}

}  // namespace rpl::isa
