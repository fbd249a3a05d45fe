// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "engine/device/expression/expression.h"
#include "engine/device/expression/variables.h"

namespace rpl::debug {
namespace {

using Kind = Expression::Kind;
using Base = Type::Base;

Failure no_place(std::string_view what) {
  return fail(Errc::usage, fmt::format("{} is not in memory", what),
              "memory has an address: print *(float*)$arg1@8, print NAME[0]@8");
}

class Evaluator {
 public:
  explicit Evaluator(const Scope& scope) : scope_(scope) {}

  Result<Datum> of(const Expression& e) {
    switch (e.kind) {
      case Kind::value:
        return e.value;
      case Kind::variable:
        return scope_.variable(e.text);
      case Kind::name:
        return scope_.name(e.text);
      case Kind::member:
        return member(e);
      case Kind::call:
        return call(e);
      case Kind::index:
        return index(e);
      case Kind::unary:
        return unary(e);
      case Kind::binary:
        return binary(e);
      case Kind::conditional:
        return of(e.parts[TRY(present(e.parts[0])).is_true() ? 1 : 2]);
      case Kind::assign:
        return assign(e);
      case Kind::cast:
        return cast(e);
      case Kind::size_of:
        break;
    }
    if (!e.parts.empty() && e.parts[0].kind == Kind::value &&
        e.parts[0].value.type.base == Base::text)
      return integer_datum(static_cast<std::int64_t>(e.parts[0].value.text.size() + 1), Base::u64);
    const Type type = TRY(measured(e));
    return integer_datum(static_cast<std::int64_t>(type.bytes()), Base::u64);
  }

 private:
  Result<Type> source_type(const std::string& name) {
    if (scope_.type) return scope_.type(name);
    return fail(Errc::not_found, fmt::format("no type '{}' here", name), "int, float, uint32_t");
  }

  /// What sizeof is about: a value, or a name that is a type.
  Result<Type> measured(const Expression& e) {
    if (e.parts.empty()) return e.value.type;
    auto datum = of(e.parts[0]);
    if (datum) return datum->type;
    if (e.parts[0].kind == Kind::name) {
      auto type = source_type(e.parts[0].text);
      if (type) return type;
    }
    return std::move(datum).failure();
  }

  /// A value that there is.
  Result<Datum> present(const Expression& e) {
    Datum out = TRY(of(e));
    if (!out.missing) return out;
    if (!out.text.empty())
      return fail(Errc::not_found, fmt::format("{} is {} here", spelled(e), out.text),
                  "it was in a register of a function that called, which is not known; 'finish' "
                  "goes back to it");
    return fail(
        Errc::not_found, fmt::format("{} is optimized out here", spelled(e)),
        "at this instruction it is in no register and not in memory; another line or frame, "
        "or a build with -O1 -g, may have it");
  }

  /// "point.x", "grid[…]": as far as a person wants to read it.
  static std::string spelled(const Expression& e) {
    if (e.kind == Kind::name) return e.text;
    if (e.kind == Kind::member) return fmt::format("{}.{}", spelled(e.parts[0]), e.text);
    if (e.kind == Kind::index) return fmt::format("{}[…]", spelled(e.parts[0]));
    return "a part of it";
  }

  Result<Datum> member(const Expression& e) {
    Datum whole = TRY(present(e.parts[0]));
    // As GDB: a pointer to a structure is followed.
    if (whole.type.is_pointer() && whole.type.source != nullptr) whole = TRY(pointed(whole, 0));
    if (Datum* part = part_named(whole, e.text, 0)) return std::move(*part);
    return fail(
        Errc::usage, fmt::format("{} has no member {}", to_string(whole.type), e.text),
        whole.parts.empty() ? "only structures as threadIdx have members" : "ptype shows them");
  }

  /// Also those of base classes and of unions without a name.
  static Datum* part_named(Datum& whole, std::string_view wanted, int depth) {
    constexpr int kDeepest = 16;
    for (auto& [name, part] : whole.parts) {
      if (name == wanted) return &part;
    }
    for (auto& [name, part] : whole.parts) {
      const bool inner = part.type.is_structure() && (name.empty() || name.starts_with('<'));
      Datum* found = inner && depth < kDeepest ? part_named(part, wanted, depth + 1) : nullptr;
      if (found != nullptr) return found;
    }
    return nullptr;
  }

  Result<Datum> call(const Expression& e) {
    std::string name;
    const Expression* at = &e.parts[0];
    for (; at->kind == Kind::member; at = &at->parts[0]) name = "." + at->text + name;
    if (at->kind == Kind::variable)
      return fail(Errc::not_found, fmt::format("no function {}", at->text),
                  "f32(v(3)), isnan($v3_f32) and functions of Lua are there: lua print(#'abc')");
    if (at->kind != Kind::name) return fail(Errc::not_found, "it is not a function", "f32(v(3))");
    name = at->text + name;
    std::vector<Datum> arguments;
    for (std::size_t i = 1; i < e.parts.size(); ++i) arguments.push_back(TRY(present(e.parts[i])));
    return scope_.call(name, arguments);
  }

  /// What a pointer points to, `distance` elements on.
  Result<Datum> pointed(const Datum& pointer, std::int64_t distance) {
    if (!pointer.type.is_pointer())
      return fail(Errc::usage, fmt::format("a {} points to nothing", to_string(pointer.type)),
                  "cast it: *(float*)ADDRESS, or x/f ADDRESS");
    const Type type = pointer.type.element();
    if (type.bytes() == 0)
      return fail(Errc::usage, "a void* points to nothing of known size",
                  "cast it: *(float*)ADDRESS");
    const auto size = static_cast<std::int64_t>(type.bytes());
    return read_datum(scope_, type,
                      {.space = Watched::Space::memory,
                       .address = static_cast<std::uint64_t>(pointer.integer + distance * size)});
  }

  Result<Datum> index(const Expression& e) {
    // "$v[2]", as assemblers write one register.
    const bool is_file =
        e.parts[0].kind == Kind::variable &&
        (e.parts[0].text == "$v" || e.parts[0].text == "$s" || e.parts[0].text == "$a");
    if (is_file) {
      const Datum which = TRY(present(e.parts[1]));
      return scope_.variable(fmt::format("{}{}", e.parts[0].text, which.integer));
    }
    const Datum whole = TRY(present(e.parts[0])), number = TRY(present(e.parts[1]));
    if (!number.type.is_integer()) return fail(Errc::usage, "an index is a whole number", "in[3]");
    if (whole.type.count > 0 && whole.where && whole.where->space != Watched::Space::registers) {
      Watched where = *whole.where;
      where.address += static_cast<std::uint64_t>(
          number.integer * static_cast<std::int64_t>(whole.type.element().bytes()));
      return read_datum(scope_, whole.type.element(), where);
    }
    if (whole.type.count > 0) {
      if (number.integer < 0 || number.integer >= static_cast<std::int64_t>(whole.parts.size()))
        return fail(Errc::usage, fmt::format("there is no element {}", number.integer),
                    fmt::format("it has {}", whole.parts.size()));
      return whole.parts[static_cast<std::size_t>(number.integer)].second;
    }
    // A vector register has a value for each lane, as rocgdb's `$v2[3]`.
    const bool of_lanes = whole.where && whole.where->space == Watched::Space::registers &&
                          whole.where->name.has_lanes() && whole.where->name.count == 1 &&
                          !whole.type.is_pointer() && e.parts[0].kind == Kind::variable;
    if (of_lanes) {
      const bool vector = whole.where->name.kind == RegisterName::Kind::vector;
      if (number.integer < 0 || number.integer >= emu::kLanes)
        return fail(Errc::usage, fmt::format("there is no lane {}", number.integer),
                    "a wave has 64: $v2[63]; two registers are $v[2:3]");
      return scope_.call(vector ? "v" : "a", {integer_datum(whole.where->name.number), number});
    }
    return pointed(whole, number.integer);
  }

  Result<Datum> unary(const Expression& e) {
    if (e.text == "&") return address_of(TRY(of(e.parts[0])));
    Datum operand = TRY(present(e.parts[0]));
    if (e.text != "*") return computed(e.text, operand);
    // What a pointer to a function points to is the function.
    if (!operand.signature.empty()) {
      operand.address_taken = false;
      return operand;
    }
    // As GDB: what is behind a bare number is an int.
    if (operand.type.is_integer())
      operand = TRY(converted(operand, {.base = Base::i32, .pointers = 1}));
    if (operand.type.count > 0 && operand.where &&
        operand.where->space != Watched::Space::registers)
      return read_datum(scope_, operand.type.element(), *operand.where);
    return pointed(operand, 0);
  }

  static Result<Datum> address_of(const Datum& operand) {
    // A function is its address.
    if (operand.type.name == kCodePointer && operand.type.is_pointer() && !operand.where) {
      Datum out = operand;
      out.address_taken = true;
      return out;
    }
    if (!operand.where || operand.where->space == Watched::Space::registers) return no_place("it");
    Datum out{.type = operand.type,
              .integer = static_cast<std::int64_t>(flat_address(*operand.where))};
    out.type.count = 0;
    ++out.type.pointers;
    return out;
  }

  Result<Datum> binary(const Expression& e) {
    const Datum left = TRY(present(e.parts[0]));
    if (e.text == "&&" || e.text == "||") {
      const bool decided = left.is_true() == (e.text == "||");
      const bool holds = decided ? left.is_true() : TRY(present(e.parts[1])).is_true();
      return integer_datum(holds ? 1 : 0, Base::boolean);
    }
    const Datum right = TRY(present(e.parts[1]));
    if (e.text == "@") return repeated(left, right);
    return computed(e.text, left, right);
  }

  Result<Datum> repeated(const Datum& first, const Datum& count) {
    constexpr std::int64_t kMost = 65536;
    if (!first.where || first.where->space == Watched::Space::registers)
      return no_place("what stands before @");
    if (!count.type.is_integer() || count.integer < 1 || count.integer > kMost)
      return fail(Errc::usage, fmt::format("@{} asks for no number of elements", count.integer),
                  "1 to 65536");
    Type type = first.type;
    if (type.count > 0)
      type.count *= static_cast<std::uint64_t>(count.integer);
    else
      type.count = static_cast<std::uint64_t>(count.integer);
    return read_datum(scope_, type, *first.where);
  }

  Result<Datum> cast(const Expression& e) {
    const Datum from = TRY(present(e.parts[0]));
    Type type = e.value.type;
    if (!e.text.empty()) {
      type = TRY(source_type(e.text));
      type.pointers = static_cast<std::uint8_t>(type.pointers + e.value.type.pointers);
    }
    Datum out = TRY(converted(from, type));
    // GDB's arrays of bytes and the like keep their place.
    out.text.clear();
    return out;
  }

  Result<Datum> assign(const Expression& e) {
    const Expression& target = e.parts[0];
    Datum value = TRY(present(e.parts[1]));
    const bool is_variable = target.kind == Kind::variable;
    const auto before = of(target);
    if (!before && (!is_variable || !e.text.empty())) return before;
    if (before && before->missing) return present(target);
    if (!e.text.empty()) value = TRY(computed(e.text, *before, value));
    if (before && before->where) {
      const Type& type = before->type;
      if (type.count > 0 || type.is_structure())
        return fail(Errc::usage, "an array or structure is written to part by part",
                    "set var NAME[0] = 1, set var NAME.member = 1");
      // The bits of a register are those of the value: 1.5 is a float there.
      if (type.in_register && value.type.is_float())
        value = register_datum(bits_of(value, type), static_cast<unsigned>(type.bytes() / 4));
      value = TRY(converted(value, type));
      TRY(scope_.write(*before->where, value,
                       fmt::format("{} = {}", text_of_target(target),
                                   *text_of(value, value.type.is_pointer() ? 'x' : 0))));
      return of(target);
    }
    if (before && before->in_caller)
      return fail(Errc::unsupported,
                  "a register of a function that called another is not written while that runs",
                  "'finish' goes back to it; what is in memory is written in every frame");
    if (!is_variable)
      return fail(Errc::usage, "only registers, memory and variables can be written",
                  before && target.kind == Kind::name
                      ? "the compiler knows its value, which is in no register here"
                      : "set $v2 = 5, set var NAME[0] = 1, set $x = 5");
    TRY(scope_.set(std::string_view(target.text).substr(1), value));
    return value;
  }

  static std::uint64_t bits_of(const Datum& value, const Type& type) {
    const Type real{.base = type.bytes() == 8 ? Base::f64 : Base::f32};
    const auto bytes = bytes_of(value, real);
    std::uint64_t bits = 0;
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<std::byte*>(&bits));
    return bits;
  }

  static std::string text_of_target(const Expression& e) {
    if (e.kind == Kind::variable || e.kind == Kind::name) return e.text;
    if (e.kind == Kind::index && e.parts[0].kind == Kind::name)
      return fmt::format("{}[{}]", e.parts[0].text,
                         e.parts[1].kind == Kind::value ? *text_of(e.parts[1].value) : "…");
    return "memory";
  }

  const Scope& scope_;
};

}  // namespace

Result<Datum> evaluate(const Expression& expression, const Scope& scope) {
  return Evaluator(scope).of(expression);
}

Result<Datum> read_datum(const Scope& scope, const Type& type, Watched where) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 20;
  where.bytes = type.bytes();
  if (where.bytes > kMostBytes)
    return fail(Errc::limit, fmt::format("{} is too large to be shown whole", to_string(type)),
                "print a part of it: NAME[0]@8");
  const auto bytes = TRY(scope.read(where));
  return whole_datum(type, bytes, {.where = [&](std::uint64_t offset, std::uint64_t size) {
                       return part_of_place(where, offset, size);
                     }});
}

}  // namespace rpl::debug
