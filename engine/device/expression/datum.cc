// SPDX-License-Identifier: MIT
#include "engine/device/expression/datum.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/base/half.h"
#include "engine/device/expression/source_values.h"

namespace rpl::debug {
namespace {

using Base = Type::Base;

struct Named {
  std::string_view text;
  Base base;
};
/// The spelling that is shown comes first.
constexpr Named kNames[] = {
    {"void", Base::nothing},
    {"bool", Base::boolean},
    {"char", Base::character},
    {"int8_t", Base::i8},
    {"signed char", Base::i8},
    {"unsigned char", Base::u8},
    {"uint8_t", Base::u8},
    {"uchar", Base::u8},
    {"short", Base::i16},
    {"int16_t", Base::i16},
    {"short int", Base::i16},
    {"unsigned short", Base::u16},
    {"uint16_t", Base::u16},
    {"ushort", Base::u16},
    {"int", Base::i32},
    {"int32_t", Base::i32},
    {"signed", Base::i32},
    {"signed int", Base::i32},
    {"unsigned int", Base::u32},
    {"unsigned", Base::u32},
    {"uint32_t", Base::u32},
    {"uint", Base::u32},
    {"long", Base::i64},
    {"long int", Base::i64},
    {"long long", Base::i64},
    {"int64_t", Base::i64},
    {"ssize_t", Base::i64},
    {"ptrdiff_t", Base::i64},
    {"long long int", Base::i64},
    {"unsigned long", Base::u64},
    {"unsigned long long", Base::u64},
    {"uint64_t", Base::u64},
    {"size_t", Base::u64},
    {"ulong", Base::u64},
    {"unsigned long int", Base::u64},
    {"uintptr_t", Base::u64},
    {"half", Base::f16},
    {"_Float16", Base::f16},
    {"__half", Base::f16},
    {"float", Base::f32},
    {"double", Base::f64},
    {"f32", Base::f32},
    {"f64", Base::f64},
    {"f16", Base::f16},
    {"i32", Base::i32},
    {"u32", Base::u32},
    {"i64", Base::i64},
    {"u64", Base::u64},
};

constexpr std::uint64_t kBytes[] = {1, 1, 1, 1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8, 8, 0};

bool is_signed(Base base) {
  return base == Base::i8 || base == Base::i16 || base == Base::i32 || base == Base::i64 ||
         base == Base::character;
}

std::uint64_t low_bits(std::uint64_t value, std::uint64_t bytes) {
  return bytes >= 8 ? value : value & ((std::uint64_t{1} << 8 * bytes) - 1);
}

/// The bits of an integer as its type holds them.
std::int64_t wrapped(std::int64_t value, Base base) {
  const std::uint64_t bytes = kBytes[static_cast<std::size_t>(base)];
  if (base == Base::boolean) return value != 0 ? 1 : 0;
  if (bytes == 8) return value;
  const auto low = low_bits(static_cast<std::uint64_t>(value), bytes);
  if (!is_signed(base)) return static_cast<std::int64_t>(low);
  const unsigned shift = 64 - 8 * static_cast<unsigned>(bytes);
  return static_cast<std::int64_t>(low << shift) >> shift;
}

std::string real_text(double value, Base base) {
  if (base == Base::f64) return fmt::format("{}", value);
  return fmt::format("{}", static_cast<float>(value));
}

Result<std::string> whole_text(const Datum& datum, char format) {
  const std::uint64_t bytes = datum.type.is_pointer() ? 8 : datum.type.bytes();
  const std::uint64_t bits = low_bits(static_cast<std::uint64_t>(datum.integer), bytes);
  switch (format) {
    case 'x':
    case 'a':
      return fmt::format("0x{:x}", bits);
    case 'z':
      return fmt::format("0x{:0{}x}", bits, 2 * bytes);
    case 'o':
      return bits == 0 ? "0" : fmt::format("0{:o}", bits);
    case 't':
      return fmt::format("{:b}", bits);
    case 'u':
      return fmt::format("{}", bits);
    case 'd':
      return fmt::format("{}", bytes == 8   ? datum.integer
                               : bytes == 4 ? wrapped(datum.integer, Base::i32)
                               : bytes == 2 ? wrapped(datum.integer, Base::i16)
                                            : wrapped(datum.integer, Base::i8));
    case 'c': {
      const auto value = wrapped(datum.integer, Base::i8);
      return value >= 32 && value < 127 ? fmt::format("{} '{}'", value, static_cast<char>(value))
                                        : fmt::format("{}", value);
    }
    case 'f': {
      if (bytes == 8) {
        double value = 0;
        std::memcpy(&value, &bits, sizeof(value));
        return real_text(value, Base::f64);
      }
      if (bytes == 2)
        return real_text(emu::to_float(emu::Half{static_cast<std::uint16_t>(bits)}), Base::f32);
      float value = 0;
      std::memcpy(&value, &bits, sizeof(value));
      return real_text(value, Base::f32);
    }
    default:
      return fail(Errc::usage, fmt::format("'{}' is not a format of print", format),
                  "x d u o t a z f c s, as in GDB: print/x $pc");
  }
}

std::string natural_text(const Datum& datum) {
  if (datum.type.is_pointer()) {
    const auto address = static_cast<std::uint64_t>(datum.integer);
    if (!datum.signature.empty()) {
      const std::string_view type = datum.signature;
      if (!datum.address_taken) return fmt::format("{{{}}} 0x{:x} <{}>", type, address, datum.text);
      const std::size_t list = std::min(type.find('('), type.size());  // of the parameters
      return fmt::format("({}{}{}) 0x{:x} <{}>", type.substr(0, list),
                         list < type.size() ? "(*)" : " *", type.substr(list), address, datum.text);
    }
    return fmt::format("({}) 0x{:x}{}", to_string(datum.type), address,
                       datum.text.empty() ? "" : fmt::format(" <{}>", datum.text));
  }
  if (datum.type.source != nullptr) return enumerator_text(datum);
  if (datum.type.base == Base::boolean) return datum.integer != 0 ? "true" : "false";
  if (datum.type.base == Base::character) return *whole_text(datum, 'c');
  // What a variable holds is shown as it is.
  if (datum.type.base == Base::text)
    return datum.variable.empty() ? fmt::format("\"{}\"", datum.text) : datum.text;
  if (datum.type.is_float()) return real_text(datum.real, datum.type.base);
  const bool is_unsigned = !is_signed(datum.type.base);
  return is_unsigned ? fmt::format("{}", static_cast<std::uint64_t>(datum.integer))
                     : fmt::format("{}", datum.integer);
}

/// Elements in braces; many equal ones as GDB shortens them.
Result<std::string> parts_text(const Datum& datum, char format) {
  constexpr std::size_t kRepeats = 10, kShown = 200;
  std::string out;
  for (std::size_t i = 0; i < datum.parts.size();) {
    const auto& [name, part] = datum.parts[i];
    const std::string text = TRY(text_of(part, format));
    std::size_t same = 1;
    while (name.empty() && i + same < datum.parts.size() &&
           TRY(text_of(datum.parts[i + same].second, format)) == text)
      ++same;
    if (same < kRepeats) same = 1;
    if (!out.empty()) out += ", ";
    if (i >= kShown) {
      out += "...";
      break;
    }
    out += name.empty() ? text : fmt::format("{} = {}", name, text);
    if (same > 1) out += fmt::format(" <repeats {} times>", same);
    i += same;
  }
  return "{" + out + "}";
}

Failure not_together(std::string_view op, const Datum& a, const Datum& b) {
  return fail(
      Errc::usage,
      fmt::format("'{}' does not go with {} and {}", op, to_string(a.type), to_string(b.type)),
      "cast one of them: (int) or (float)");
}

/// The type that both sides are converted to.
Base common(const Type& a, const Type& b) {
  if (a.is_float() || b.is_float()) {
    const bool wide = a.base == Base::f64 || b.base == Base::f64 ||
                      (!a.is_float() && a.in_register) || (!b.is_float() && b.in_register);
    return wide && !(a.base == Base::f32 && b.base == Base::f32) ? Base::f64 : Base::f32;
  }
  // The bits of a register have no sign: there is room for what they and a number give.
  if (a.in_register || b.in_register) return Base::i64;
  for (const Base base : {Base::u64, Base::i64, Base::u32}) {
    if (a.base == base || b.base == base) return base;
  }
  return Base::i32;
}

template <class T>
bool compared(std::string_view op, T a, T b) {
  if (op == "==") return a == b;
  if (op == "!=") return a != b;
  if (op == "<") return a < b;
  if (op == "<=") return a <= b;
  return op == ">" ? a > b : a >= b;
}

bool is_comparison(std::string_view op) {
  return op == "==" || op == "!=" || op == "<" || op == "<=" || op == ">" || op == ">=";
}

Result<Datum> of_reals(std::string_view op, const Datum& a, const Datum& b, Base base) {
  const double x = a.number(), y = b.number();
  if (is_comparison(op)) return integer_datum(compared(op, x, y) ? 1 : 0, Base::boolean);
  const double value = op == "+"   ? x + y
                       : op == "-" ? x - y
                       : op == "*" ? x * y
                       : op == "/" ? x / y
                                   : std::nan("");
  if (op.size() != 1 || std::string_view("+-*/").find(op[0]) == std::string_view::npos)
    return not_together(op, a, b);
  return real_datum(base == Base::f32 ? static_cast<double>(static_cast<float>(value)) : value,
                    base);
}

Result<Datum> of_wholes(std::string_view op, const Datum& a, const Datum& b, Base base) {
  const std::int64_t x = wrapped(a.integer, base), y = wrapped(b.integer, base);
  const auto ux = static_cast<std::uint64_t>(x), uy = static_cast<std::uint64_t>(y);
  const bool is_unsigned = !is_signed(base);
  if (is_comparison(op)) {
    const bool holds = is_unsigned ? compared(op, ux, uy) : compared(op, x, y);
    return integer_datum(holds ? 1 : 0, Base::boolean);
  }
  const auto whole = [&](std::uint64_t value) {
    return integer_datum(wrapped(static_cast<std::int64_t>(value), base), base);
  };
  if (op == "+") return whole(ux + uy);
  if (op == "-") return whole(ux - uy);
  if (op == "*") return whole(ux * uy);
  if (op == "&") return whole(ux & uy);
  if (op == "|") return whole(ux | uy);
  if (op == "^") return whole(ux ^ uy);
  if (op == "<<") return whole(uy >= 64 ? 0 : ux << uy);
  if (op == ">>" && is_unsigned) return whole(uy >= 64 ? 0 : ux >> uy);
  if (op == ">>") return whole(static_cast<std::uint64_t>(x >> std::min<std::uint64_t>(uy, 63)));
  if (op != "/" && op != "%") return not_together(op, a, b);
  if (y == 0) return fail(Errc::usage, std::string(kDivisionByZero), "the right side is 0");
  if (is_unsigned) return whole(op == "/" ? ux / uy : ux % uy);
  if (y == -1) return op == "/" ? whole(0 - ux) : whole(0);
  return whole(static_cast<std::uint64_t>(op == "/" ? x / y : x % y));
}

Result<Datum> of_pointers(std::string_view op, const Datum& a, const Datum& b) {
  if (is_comparison(op) || (op == "-" && a.type.is_pointer() && b.type.is_pointer())) {
    const auto x = static_cast<std::uint64_t>(a.integer), y = static_cast<std::uint64_t>(b.integer);
    if (op != "-") return integer_datum(compared(op, x, y) ? 1 : 0, Base::boolean);
    const auto size =
        static_cast<std::int64_t>(std::max<std::uint64_t>(a.type.element().bytes(), 1));
    return integer_datum((a.integer - b.integer) / size);
  }
  const Datum& pointer = a.type.is_pointer() ? a : b;
  const Datum& number = a.type.is_pointer() ? b : a;
  const bool fits = number.type.is_integer() && (op == "+" || (op == "-" && a.type.is_pointer()));
  if (!fits) return not_together(op, a, b);
  const auto size =
      static_cast<std::int64_t>(std::max<std::uint64_t>(pointer.type.element().bytes(), 1));
  Datum out = pointer;
  out.where.reset();
  out.variable.clear();
  out.text.clear();
  out.integer += (op == "+" ? 1 : -1) * number.integer * size;
  return out;
}

/// An array is a pointer to its first element.
Datum decayed(const Datum& datum) {
  if (datum.type.count == 0 || !datum.where || datum.where->space != Watched::Space::memory)
    return datum;
  Datum out{.type = datum.type};
  out.type.count = 0;
  ++out.type.pointers;
  out.integer = static_cast<std::int64_t>(datum.where->address);
  return out;
}

}  // namespace

bool Type::is_float() const {
  return pointers == 0 && count == 0 &&
         (base == Base::f16 || base == Base::f32 || base == Base::f64);
}
bool Type::is_integer() const {
  return pointers == 0 && count == 0 && base >= Base::boolean && base <= Base::u64;
}
std::uint64_t Type::element_bytes() const {
  if (pointers == 0 && base == Base::structure && source != nullptr) return source_bytes(source);
  return pointers > 0 ? 8 : kBytes[static_cast<std::size_t>(base)];
}
std::uint64_t Type::bytes() const { return element_bytes() * std::max<std::uint64_t>(count, 1); }
Type Type::element() const {
  Type out = *this;
  if (count > 0) {
    out.count = 0;
  } else if (pointers > 0) {
    --out.pointers;
  }
  // What is pointed to, or the elements, may be arrays themselves.
  const bool is_array =
      out.is_structure() && source != nullptr && source->kind == isa::SourceType::Kind::array;
  return is_array ? type_of(source) : out;
}

std::string to_string(const Type& type) {
  std::string text = type.name;
  if (type.base == Base::structure && type.source != nullptr &&
      type.source->kind == isa::SourceType::Kind::array)
    return array_text(type);
  // A pointer to code.
  if (text.find("(*)(") != std::string::npos && type.pointers > 0) return text;
  if (text.empty()) {
    const auto found = std::ranges::find(kNames, type.base, &Named::base);
    text = type.base == Base::text        ? "char []"
           : type.base == Base::structure ? "struct {...}"
           : type.base == Base::i8        ? "signed char"
                                          : std::string(found->text);
  }
  if (type.pointers > 0) text += ' ';
  for (unsigned i = 0; i < type.pointers; ++i) text += '*';
  if (type.count > 0) text += fmt::format(" [{}]", type.count);
  return text;
}

Result<Type> parse_type(std::string_view text) {
  Type out;
  std::string name;
  bool is_const = false;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == ' ' || text[at] == '&') {
      ++at;
      continue;
    }
    if (text[at] == '*') {
      ++out.pointers;
      ++at;
      continue;
    }
    const std::size_t end = std::min(text.find_first_of(" *&", at), text.size());
    const std::string_view word = text.substr(at, end - at);
    at = end;
    if (word == "const") is_const = true;
    if (word == "const" || word == "volatile" || word == "__restrict__" || word == "struct")
      continue;
    name += (name.empty() ? "" : " ") + std::string(word);
  }
  const auto found = std::ranges::find(kNames, std::string_view(name), &Named::text);
  if (found == std::end(kNames))
    return fail(Errc::usage, fmt::format("'{}' is no type that is known here", text),
                "int, float, double, half, unsigned char, uint64_t, …, and pointers to them");
  out.base = found->base;
  if (out.base == Base::nothing && out.pointers == 0)
    return fail(Errc::usage, "there is no value of type void", "cast to another type, as (int)");
  if (is_const) out.name = "const " + name;
  if (!is_const && out.base != Base::nothing && name.ends_with("_t")) out.name = name;
  return out;
}

bool Datum::is_true() const {
  if (type.base == Base::text && type.pointers == 0) return true;
  return type.is_float() ? real != 0 : integer != 0 || !parts.empty();
}

double Datum::number() const {
  if (type.is_float()) return real;
  if (type.base == Base::u64 && type.pointers == 0)
    return static_cast<double>(static_cast<std::uint64_t>(integer));
  return static_cast<double>(integer);
}

Datum integer_datum(std::int64_t value, Base base) {
  return {.type = {.base = base}, .integer = value};
}
Datum real_datum(double value, Base base) { return {.type = {.base = base}, .real = value}; }

Datum register_datum(std::uint64_t bits, unsigned dwords) {
  return {.type = {.base = dwords > 1 ? Base::u64 : Base::u32, .in_register = true},
          .integer = static_cast<std::int64_t>(bits)};
}

Result<std::string> text_of(const Datum& datum, char format) {
  if (format == 'r') format = 0;
  if (datum.missing) return fmt::format("<{}>", datum.text.empty() ? "optimized out" : datum.text);
  if (datum.type.count > 0 || datum.type.is_structure()) return parts_text(datum, format);
  if (datum.type.base == Base::text) return natural_text(datum);
  if (format == 0 || format == 's') return natural_text(datum);
  if (format == 'a' && !datum.type.is_float() && !datum.text.empty())
    return fmt::format("0x{:x} <{}>", static_cast<std::uint64_t>(datum.integer), datum.text);
  if (!datum.type.is_float() || datum.type.pointers > 0) {
    return whole_text(datum, format);
  }
  if (format == 'f') return natural_text(datum);
  // As GDB: the whole part of it.
  if (!(std::abs(datum.real) < 9.2e18))
    return fail(Errc::usage,
                fmt::format("{} is not a whole number", real_text(datum.real, datum.type.base)),
                "print/f shows it; $v3 has the bits of a register, $v3_f32 the number");
  return whole_text(integer_datum(static_cast<std::int64_t>(datum.real)), format);
}

Datum datum_of(const Type& type, const std::vector<std::byte>& bytes) {
  Datum out{.type = type};
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data(), std::min<std::size_t>(bytes.size(), sizeof(bits)));
  if (type.is_float()) {
    out.real =
        type.base == Base::f64 ? [&] {
          double v;
          std::memcpy(&v, &bits, 8);
          return v;
        }()
        : type.base == Base::f32 ? [&] {
            float v;
            std::memcpy(&v, &bits, 4);
            return static_cast<double>(v);
          }()
                                 : static_cast<double>(emu::to_float(emu::Half{static_cast<std::uint16_t>(bits)}));
  } else {
    out.integer = type.is_pointer() ? static_cast<std::int64_t>(bits)
                                    : wrapped(static_cast<std::int64_t>(bits), type.base);
  }
  return out;
}

std::vector<std::byte> bytes_of(const Datum& datum, const Type& type) {
  std::uint64_t bits = 0;
  if (type.is_float()) {
    const double value = datum.number();
    if (type.base == Base::f64) {
      std::memcpy(&bits, &value, 8);
    } else if (type.base == Base::f32) {
      const auto narrow = static_cast<float>(value);
      std::memcpy(&bits, &narrow, 4);
    } else {
      bits = emu::to_half(static_cast<float>(value)).bits;
    }
  } else {
    bits = datum.type.is_float() ? static_cast<std::uint64_t>(static_cast<std::int64_t>(datum.real))
                                 : static_cast<std::uint64_t>(datum.integer);
  }
  std::vector<std::byte> out(std::min<std::uint64_t>(type.bytes(), sizeof(bits)));
  std::memcpy(out.data(), &bits, out.size());
  return out;
}

Result<Datum> converted(const Datum& from, const Type& type) {
  const Datum datum = decayed(from);
  if (datum.type.is_structure() || datum.type.base == Base::text || datum.type.count > 0)
    return fail(Errc::usage,
                fmt::format("{} cannot be a {}", to_string(datum.type), to_string(type)),
                "take a part of it");
  return datum_of(type, bytes_of(datum, type));
}

Result<Datum> computed(std::string_view op, const Datum& left, const Datum& right) {
  const Datum a = decayed(left), b = decayed(right);
  const auto plain = [](const Datum& d) {
    return d.type.is_pointer() || d.type.is_integer() || d.type.is_float();
  };
  if (!plain(a) || !plain(b)) return not_together(op, a, b);
  if (a.type.is_pointer() || b.type.is_pointer()) return of_pointers(op, a, b);
  const Base base = common(a.type, b.type);
  return base == Base::f32 || base == Base::f64 ? of_reals(op, a, b, base)
                                                : of_wholes(op, a, b, base);
}

Result<Datum> computed(std::string_view op, const Datum& a) {
  if (op == "!") return integer_datum(a.is_true() ? 0 : 1, Base::boolean);
  const Datum zero = integer_datum(0, Base::i32);
  if (op == "-" && a.type.is_float()) return real_datum(-a.real, a.type.base);
  if (op == "-") return computed("-", zero, a);
  if (op == "+") return computed("+", zero, a);
  return computed("^", integer_datum(-1, Base::i32), a);
}

}  // namespace rpl::debug
