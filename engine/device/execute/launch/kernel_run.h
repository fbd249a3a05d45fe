// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "engine/base/element.h"
#include "engine/device/execute/launch/launch.h"

namespace rpl::emu {

/// How a buffer starts out.
struct Fill {
  enum class Kind : std::uint8_t {
    zero,
    one,
    iota,
    random,
    nan,
    bytes,
    chain,
    addresses
  } kind = Kind::zero;
  /// Of random: floats uniform in [-1, 1), integers over their whole range. Of chain: the order of the nodes.
  std::uint64_t seed = 0;
  std::vector<std::byte> bytes;  ///< of bytes: exactly the buffer's size
  /// Of chain, elements of a node, which a count must be a multiple of: the first element of each node is the address of the next one,
  /// in one ring through all nodes in random order; the others are their own index in the buffer.
  std::uint64_t stride = 1;
  /// Of addresses, from 1: the elements are the addresses of these arguments, all buffers, over and over.
  std::vector<std::size_t> arguments = {};
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

/// A pointer to nothing, for a parameter that is a pointer.
inline ValueArgument null_pointer() { return {.bytes = std::vector<std::byte>(8)}; }

/// A value of `element` from decimal text, "i32:100003" without its type. Fails with usage for what does not parse or fit.
Result<ValueArgument> parse_value(Element element, std::string_view text);

/// Where the buffers of a run lie, for those that start out with pointers.
struct BufferAddresses {
  std::uint64_t own = 0;                       ///< of the buffer itself
  std::span<const std::uint64_t> arguments{};  ///< by argument; 0 for values
};

/// The bytes that a buffer starts out with. Fails with usage for nan of integers, for bytes of another size, and for pointers in
/// elements that are not u64, to arguments that are no buffers, or in nodes that do not fill the buffer.
Result<std::vector<std::byte>> initial_bytes(const BufferArgument& buffer,
                                             const BufferAddresses& addresses = {});

/// A run whose buffers lie in a device's memory, ready for execute().
struct PlacedRun {
  Launch launch;
  std::vector<const Region*> buffers;  ///< by argument; null for values
};

struct KernelRun {
  std::shared_ptr<const isa::CodeObject> object;
  std::string kernel;                       ///< empty for the only one
  Size3 grid{1, 1, 1}, workgroup{1, 1, 1};  ///< work-items
  std::uint32_t dynamic_lds_bytes = 0;
  std::vector<Argument> arguments;  ///< one for each parameter, in order
  ExecuteOptions options;
  /// Puts code, memory and arguments where they lay before, instead of the next free places. `arguments` then only say of which type buffers
  /// are.
  std::function<Result<PlacedRun>(Memory&)> placed_by = {};
};

/// Allocates and fills the buffers of a run, in the order of the arguments, as "argument 1", "argument 2", … Fails with usage when
/// the arguments do not fit the parameters; as `placed_by` does where there is one.
Result<PlacedRun> place(Memory& memory, const KernelRun& run);

struct KernelOutcome {
  std::vector<std::vector<std::byte>> buffers;  ///< after the run, by argument; empty for values
  Executed executed;
};

/// Runs one kernel on fresh memory. Fails as execute() does, and with usage when the arguments do not fit the parameters.
Result<KernelOutcome> run_kernel(const KernelRun& run);

}  // namespace rpl::emu
