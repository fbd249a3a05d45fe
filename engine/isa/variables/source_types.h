// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/isa/variables/entries.h"

namespace rpl::isa {

/// A type as the source wrote it. Owned by SourceTypes.
struct SourceType {
  enum class Kind : std::uint8_t {
    nothing,  ///< void, and what is not described
    base,
    pointer,
    reference,
    array,
    structure,  ///< struct, class or union
    enumeration,
    alias,     ///< typedef, using
    constant,  ///< const `of`
    other,     ///< volatile, restrict, atomic `of`
    function,  ///< that returns `of`, with the types of its parameters as members
  } kind = Kind::nothing;
  /// DW_ATE_*: how the bits of a base type are read.
  enum class Encoding : std::uint8_t {
    none,
    boolean,
    floating,
    is_signed,
    is_unsigned,
    character
  } encoding = Encoding::none;
  std::string name = {};  ///< with template arguments; "" where it has none
  std::string keyword =
      {};  ///< "struct", "class" or "union"; "&" or "&&" of a reference; "volatile", "restrict"
  std::uint64_t bytes = 0;
  const SourceType* of =
      nullptr;  ///< what it points to, is an array of, or another name for; null is void
  std::uint64_t count = 0;  ///< elements of an array; 0: not said

  struct Member {
    std::string name = {};  ///< "" of a base class or of an anonymous union
    const SourceType* type = nullptr;
    std::uint64_t offset = 0;               ///< bytes from the beginning of the structure
    std::uint8_t bit_offset = 0, bits = 0;  ///< of a bit-field, from `offset` on; 0 bits for others
    bool is_base = false;
  };
  std::vector<Member> members = {};
  struct Enumerator {
    std::string name = {};
    std::int64_t value = 0;
  };
  std::vector<Enumerator> enumerators = {};
  bool is_scoped = false;  ///< "enum class"
};

/// The types of a code object, made when they are asked for; what one refers to is made with it.
class SourceTypes {
 public:
  explicit SourceTypes(const DebugEntries& entries) : entries_(entries) {}

  /// The type that an entry is; null for none (void).
  const SourceType* at(std::uint32_t entry);
  /// The type of the function that an entry describes, itself or through what it is an instance of.
  const SourceType* function(std::uint32_t entry);
  /// One that has this name, as it is written or without namespaces; null for none.
  const SourceType* named(std::string_view name);
  /// The enumeration that has an enumerator of this name, and its value; nothing for none.
  std::optional<std::pair<const SourceType*, std::int64_t>> enumerator(std::string_view name);

 private:
  const SourceType* placed(std::uint32_t entry);
  void fill(std::uint32_t entry, SourceType& type);
  void fill_array(std::uint32_t entry, SourceType& type);
  void fill_parameters(std::uint32_t entry, SourceType& type);
  void fill_members(std::uint32_t entry, SourceType& type);
  void fill_enumerators(std::uint32_t entry, SourceType& type);

  const DebugEntries& entries_;
  std::unordered_map<std::uint32_t, std::unique_ptr<SourceType>> known_;
  std::vector<std::unique_ptr<SourceType>> inner_;  ///< the rows of arrays of arrays
  std::vector<std::uint32_t> open_;
  std::unordered_map<std::string, std::uint32_t> by_name_;
  /// The first of each name; made when one is asked for.
  std::optional<std::unordered_map<std::string, std::pair<const SourceType*, std::int64_t>>>
      by_enumerator_;
};

/// Without alias, const and the like in front.
const SourceType* plain_type(const SourceType* type);
/// As GDB writes it: "const float *", "int (*)[4]", "void (float &, int)"; a structure by its name, "void" for null.
std::string declared_text(const SourceType* type);

}  // namespace rpl::isa
