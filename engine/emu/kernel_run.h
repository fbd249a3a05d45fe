// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "engine/emu/launch.h"

namespace rpl::emu {

/// Element types of arguments.
enum class Element : std::uint8_t { i8, u8, i16, u16, i32, u32, i64, u64, f16, bf16, f32, f64 };

/// "i8" to "f64". Fails with usage for another spelling.
Result<Element> parse_element(std::string_view name);
std::string_view to_string(Element element);
std::size_t size_of(Element element);

/// How a buffer starts out.
struct Fill {
  enum class Kind : std::uint8_t { zero, one, iota, random, nan, bytes } kind = Kind::zero;
  std::uint64_t seed =
      0;  ///< of random: floats uniform in [-1, 1), integers over their whole range
  std::vector<std::byte> bytes;  ///< of bytes: exactly the buffer's size
};

struct BufferArgument {
  Element element = Element::f32;
  std::uint64_t count = 0;  ///< elements
  Fill fill;
};

/// The bytes of a scalar or of a struct by value; exactly the parameter's size.
struct ValueArgument {
  std::vector<std::byte> bytes;
};

using Argument = std::variant<BufferArgument, ValueArgument>;

/// A value of `element` from decimal text, "i32:100003" without its type. Fails with usage for what does not parse or fit.
Result<ValueArgument> parse_value(Element element, std::string_view text);

/// The bytes that a buffer starts out with. Fails with usage for nan of integers and for bytes of another size.
Result<std::vector<std::byte>> initial_bytes(const BufferArgument& buffer);

struct KernelRun {
  std::shared_ptr<const isa::CodeObject> object;
  std::string kernel;                       ///< empty for the only one
  Size3 grid{1, 1, 1}, workgroup{1, 1, 1};  ///< work-items
  std::uint32_t dynamic_lds_bytes = 0;
  std::vector<Argument> arguments;  ///< one for each parameter, in order
  ExecuteOptions options;
};

struct KernelOutcome {
  std::vector<std::vector<std::byte>> buffers;  ///< after the run, by argument; empty for values
  Executed executed;
};

/// Runs one kernel on fresh memory. Fails as execute() does, and with usage when the arguments do not fit the parameters.
Result<KernelOutcome> run_kernel(const KernelRun& run);

}  // namespace rpl::emu
