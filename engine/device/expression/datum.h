// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/result.h"
#include "engine/device/debug/points.h"
#include "engine/isa/variables/source_types.h"

namespace rpl::debug {

/// The name of the type of an address of code.
constexpr std::string_view kCodePointer = "void (*)()";
/// What computed() says of it.
constexpr std::string_view kDivisionByZero = "division by zero";

/// A type of C as far as values of kernels have one.
struct Type {
  enum class Base : std::uint8_t {
    nothing,
    boolean,
    character,
    i8,
    u8,
    i16,
    u16,
    i32,
    u32,
    i64,
    u64,
    f16,
    f32,
    f64,
    text,
    structure
  } base = Base::i32;
  std::uint8_t pointers = 0;  ///< how many `*`
  std::uint64_t count = 0;    ///< elements of an array; 0 for none
  bool in_register =
      false;  ///< its bits without a type: unsigned, and with more room in arithmetic, which never wraps
  std::string name =
      {};  ///< as it is written, without `*` and `[]`; "" for the usual name of `base`
  /// Of a structure, an enumeration, or the array that the elements or what is pointed to are; null for others. Lives as long as the variables that it is from.
  const isa::SourceType* source = nullptr;

  [[nodiscard]] bool is_pointer() const { return pointers > 0 && count == 0; }
  [[nodiscard]] bool is_float() const;
  [[nodiscard]] bool is_integer() const;
  [[nodiscard]] bool is_structure() const {
    return base == Base::structure && pointers == 0 && count == 0;
  }
  /// Of one element.
  [[nodiscard]] std::uint64_t element_bytes() const;
  [[nodiscard]] std::uint64_t bytes() const;
  /// What a pointer or an array is made of.
  [[nodiscard]] Type element() const;
  friend bool operator==(const Type&, const Type&) = default;
};
/// "float const*", "int [8]"
std::string to_string(const Type& type);
/// "const float *", "unsigned int", "uint32_t*". Fails with usage for what is no such type.
Result<Type> parse_type(std::string_view text);

/// A value with its type, and where it is.
struct Datum {
  using Parts = std::vector<std::pair<std::string, Datum>>;
  /// Not `{}` in place, which clang cannot read with g++ 14's library: it needs the whole of what is being declared.
  static Parts no_parts();

  Type type = {};
  std::int64_t integer = 0;  ///< of integers, pointers and booleans
  double real = 0;
  std::string text = {};
  Parts parts = no_parts();           ///< of a structure; of an array without names
  std::optional<Watched> where = {};  ///< in the launch
  std::string variable = {};          ///< whose value it is: "$x" without the "$"
  std::string signature = {};         ///< of a function: "void (const float *, int)"
  bool address_taken = false;         ///< of a function: its address is meant
  bool missing = false;  ///< it has a type and no value; `text` says why, "" for optimized out
  bool in_caller =
      false;  ///< in a register of a function that called another, in front of that: it cannot be written

  [[nodiscard]] bool is_true() const;
  [[nodiscard]] double number() const;
};
inline Datum::Parts Datum::no_parts() { return {}; }
Datum integer_datum(std::int64_t value, Type::Base base = Type::Base::i64);
Datum real_datum(double value, Type::Base base = Type::Base::f64);
/// Bits of a register: one dword or two.
Datum register_datum(std::uint64_t bits, unsigned dwords);

/// As GDB prints it: 5, 65 'A', 0.5, (float const*) 0x7f0000000000, {1, 2}, {x = 1, y = 2}. With a letter of GDB (x d u o t a c f s z) in that
/// format; "" or 'r' for none. Fails with usage for another letter and where it does not fit.
Result<std::string> text_of(const Datum& datum, char format = 0);

/// `bytes` as a value of a type without parts.
Datum datum_of(const Type& type, const std::vector<std::byte>& bytes);
/// Where the bytes of a value are: asked by offset and size. Either may be empty: nowhere, and all there.
struct Placing {
  std::function<std::optional<Watched>(std::uint64_t offset, std::uint64_t bytes)> where = {};
  std::function<bool(std::uint64_t offset, std::uint64_t bytes)> missing = {};
};
/// `bytes` as a value of any type, with its parts. Fails with limit for what has too many, and with not_found for too few bytes.
Result<Datum> whole_datum(const Type& type, const std::vector<std::byte>& bytes,
                          const Placing& placing);
/// The place of a part of what is at `whole`: of registers only of whole ones.
std::optional<Watched> part_of_place(const Watched& whole, std::uint64_t offset,
                                     std::uint64_t bytes);
/// The type that the source calls so; void for null.
Type type_of(const isa::SourceType* type);
/// As `ptype` shows it: structures and enumerations with what they are made of.
std::string type_text(const Type& type);
/// As `ptype/o` shows it: "type = …", a structure with the offset and size of each part in bytes, and what lies between them.
std::string layout_text(const Type& type);
/// Back again, converted to `type`.
std::vector<std::byte> bytes_of(const Datum& datum, const Type& type);
/// The same value as a value of another type. Fails with usage for structures.
Result<Datum> converted(const Datum& datum, const Type& type);

/// `a op b` as in C; pointers count in elements. Fails with usage for types that do not go together, and for a division by zero.
Result<Datum> computed(std::string_view op, const Datum& a, const Datum& b);
Result<Datum> computed(std::string_view op, const Datum& a);

}  // namespace rpl::debug
