// SPDX-License-Identifier: MIT
// Offsets and sizes of what a structure is made of, in the columns of GDB's `ptype/o`.
#include <fmt/format.h>

#include <algorithm>

#include "engine/device/expression/source_values.h"

namespace rpl::debug {
namespace {

using isa::SourceType;
using TypeKind = SourceType::Kind;

constexpr std::size_t kColumn = 27;  ///< width of the column of offsets and sizes
constexpr std::uint64_t kByte = 8;   ///< bits
constexpr int kDeepest = 16;

/// A structure, perhaps as an alias, or an array of some.
const SourceType* structure_in(const SourceType* type) {
  type = isa::plain_type(type);
  while (type != nullptr && type->kind == TypeKind::array) type = isa::plain_type(type->of);
  return type != nullptr && type->kind == TypeKind::structure ? type : nullptr;
}

std::string declared(const SourceType::Member& member) {
  const Type type = type_of(member.type);
  // Dimensions stand behind the name, as in C.
  std::string text = to_string(type), behind;
  const std::size_t bracket = text.find(" [");
  if (type.count > 0 && bracket != std::string::npos) {
    behind = text.substr(bracket + 1);
    text.resize(bracket);
  }
  const std::string bits = member.bits > 0 ? fmt::format(" : {}", member.bits) : "";
  return fmt::format("{}{}{}{}{}", text, text.ends_with('*') || member.name.empty() ? "" : " ",
                     member.name, behind, bits);
}

/// One structure with those inside of it.
class Layout {
 public:
  /// `begin`: bytes from the beginning of the outermost one.
  std::string of(const SourceType& type, std::uint64_t begin, int depth) {
    const bool is_union = type.keyword == "union";
    const std::string indent(static_cast<std::size_t>(depth) * 4, ' ');
    std::string text, bases;
    std::uint64_t end = 0;  ///< bits that are taken
    for (const SourceType::Member& member : type.members) {
      const std::uint64_t bytes = source_bytes(member.type);
      const std::uint64_t bit = member.offset * kByte + member.bit_offset;
      const std::uint64_t bits = member.bits > 0 ? member.bits : bytes * kByte;
      if (!is_union) text += hole(end, bit, "hole");
      end = std::max(end, bit + bits);
      if (member.is_base) {
        bases += fmt::format("{}{}", bases.empty() ? ": " : ", ", to_string(type_of(member.type)));
        continue;
      }
      const std::string where =
          is_union ? fmt::format("/*{:14}{:8} */", "", bytes)
          : member.bits > 0
              ? fmt::format("/* {:6}:{:2}   |{:8} */", begin + bit / kByte, bit % kByte, bytes)
              : fmt::format("/* {:6}      |{:8} */", begin + member.offset, bytes);
      const SourceType* inner = depth < kDeepest ? structure_in(member.type) : nullptr;
      if (inner == nullptr) {
        text += fmt::format("{}{}    {};\n", where, indent, declared(member));
        continue;
      }
      const std::string all = declared(member);
      const std::size_t array = all.find('[');
      const std::string dimensions = array == std::string::npos ? "" : all.substr(array);
      text += fmt::format("{}{}    {}{}{};\n", where, indent,
                          of(*inner, begin + member.offset, depth + 1),
                          member.name.empty() ? "" : " " + member.name, dimensions);
    }
    if (!is_union) text += hole(end, type.bytes * kByte, "padding");
    const std::string margin = std::string(kColumn, ' ') + indent;
    return fmt::format("{} {}{}{}{{\n{}\n{}    /* total size: {:4} bytes */\n{}  }}", type.keyword,
                       type.name, type.name.empty() ? "" : " ", bases.empty() ? "" : bases + " ",
                       text, margin, type.bytes, margin);
  }

 private:
  static std::string hole(std::uint64_t from, std::uint64_t to, std::string_view what) {
    if (from == 0 || to <= from) return "";
    const std::uint64_t bits = (to - from) % kByte, bytes = (to - from) / kByte;
    std::string text;
    if (bits > 0) text += fmt::format("/* XXX {:2}-bit {:<7}    */\n", bits, what);
    if (bytes > 0) text += fmt::format("/* XXX {:2}-byte {:<7}    */\n", bytes, what);
    return text;
  }
};

}  // namespace

std::string layout_text(const Type& type) {
  const SourceType* structure = type.pointers == 0 ? structure_in(type.source) : nullptr;
  if (structure == nullptr) return fmt::format("type = {}", type_text(type));
  return fmt::format("/* offset      |    size */  type = {}{}",
                     type.name.starts_with("const ") ? "const " : "",
                     Layout().of(*structure, 0, 0));
}

}  // namespace rpl::debug
