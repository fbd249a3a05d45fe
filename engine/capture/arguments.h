// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/base/element.h"
#include "engine/capture/capture.h"

/// What is known of a kernel's arguments: their types by its name, and the hidden ones that lead out of a capture.
namespace rpl {

/// A parameter as a kernel's name has it.
struct ParameterType {
  bool pointer = false;  ///< to `element`, or to what is not known
  std::optional<Element>
      element;  ///< nothing for structs, pointers to pointers, types of no such size
};

/// The parameters of a kernel by its mangled name (Itanium C++ ABI), in order; empty for a name that is not mangled. Code objects say of
/// a parameter only its size.
std::vector<ParameterType> parameter_types(const std::string& mangled);

/// A hidden argument that points into the captured process: to its services for the kernel, not to its data.
struct HiddenPointer {
  std::string name;          ///< "hostcall_buffer", "heap_v1", …
  std::uint32_t offset = 0;  ///< in the kernarg segment, bytes
  std::uint64_t value = 0;   ///< what was captured there
};

/// Those of a kernel, by its metadata: hostcall_buffer, printf_buffer, multigrid_sync_arg, heap_v1, default_queue, completion_action and
/// queue_ptr. The compiler lists one only where the code may follow it. Values are zero where the segment is too short.
std::vector<HiddenPointer> hidden_pointers(const isa::Kernel& kernel,
                                           std::span<const std::byte> kernarg);

/// Those of the captured kernels that were not null: what a replay cannot give them; of the dispatches after the first only those of other names. Empty for
/// a capture that can be replayed whole, and for a code object without the kernels.
std::vector<HiddenPointer> dead_pointers(const Capture& capture);

/// "hostcall_buffer, heap_v1"; empty for none.
std::string names_of(const std::vector<HiddenPointer>& pointers);

}  // namespace rpl
