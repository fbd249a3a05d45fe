// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "engine/base/element.h"
#include "engine/emu/launch.h"

namespace rpl::emu {

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
  std::optional<Element> element = std::nullopt;  ///< none for structs
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

/// A run whose buffers lie in a device's memory, ready for execute().
struct PlacedRun {
  Launch launch;
  std::vector<const Region*> buffers;  ///< by argument; null for values
};

/// Allocates and fills the buffers of a run, in the order of the arguments, as "argument 1", "argument 2", … Fails with usage when
/// the arguments do not fit the parameters.
Result<PlacedRun> place(Memory& memory, const KernelRun& run);

struct KernelOutcome {
  std::vector<std::vector<std::byte>> buffers;  ///< after the run, by argument; empty for values
  Executed executed;
};

/// Runs one kernel on fresh memory. Fails as execute() does, and with usage when the arguments do not fit the parameters.
Result<KernelOutcome> run_kernel(const KernelRun& run);

}  // namespace rpl::emu
