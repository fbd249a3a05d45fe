// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/isa/object/elf.h"
#include "engine/isa/object/kernel_descriptor.h"
#include "engine/isa/object/source_lines.h"
#include "engine/isa/traits/architecture.h"

namespace rpl::isa {

/// One parameter of a kernel as the metadata describes it. Code objects carry no parameter names worth relying on.
struct KernelArgument {
  enum class Kind { by_value, global_buffer, dynamic_lds_pointer, hidden, other };
  Kind kind = Kind::other;
  std::string value_kind;  ///< as written, e.g. "hidden_block_count_x"
  std::string name;        ///< as written; empty for HIP
  std::uint32_t offset = 0;
  std::uint32_t size = 0;
  std::string access;  ///< .actual_access: "read_only", "write_only", or empty for unknown
};

/// One kernel of a code object: what its metadata and its descriptor say.
struct Kernel {
  std::string name;    ///< mangled for C++ kernels
  std::string symbol;  ///< of the descriptor, the name and ".kd"
  std::vector<KernelArgument> arguments;
  std::uint32_t kernarg_bytes = 0;
  std::uint32_t lds_bytes = 0;
  std::uint32_t scratch_bytes = 0;
  std::uint32_t vgprs = 0, agprs = 0, sgprs = 0;
  std::uint32_t vgpr_spills = 0, sgpr_spills = 0;
  std::uint32_t wave_size = kWaveSize;
  std::uint32_t max_workgroup = kMaxWorkgroup;  ///< work-items
  bool dynamic_stack = false;
  KernelDescriptor descriptor;
  std::uint64_t entry = 0;       ///< address of the first instruction, relative to the load base
  std::uint64_t code_bytes = 0;  ///< size of the function symbol, padding included

  /// Arguments that the caller passes, in order.
  [[nodiscard]] std::vector<KernelArgument> explicit_arguments() const;
};

/// A kernel as the packet processor meets it: code and a descriptor in device memory, and no metadata.
struct KernelInMemory {
  Arch arch{};
  std::string name;                ///< for messages
  std::uint64_t descriptor = 0;    ///< device address, "kernel_object" of the packet
  KernelDescriptor fields;         ///< what is read there
  std::uint64_t code_address = 0;  ///< device address of the first byte of `code`, a multiple of 4
  std::vector<std::byte> code;     ///< all that the kernel may reach
};

/// One compiled GPU binary with its kernels. Immutable; owns its bytes.
class CodeObject {
 public:
  /// Reads a plain ELF file, or takes one out of what code_objects_in() reads: offload bundles, compressed or not, and host programs and libraries.
  /// `path` may end in "#gfx942" or "#2", for the code of an architecture or the second code object of the file; without that it must be
  /// the only one with kernels of the first architecture that this build knows. Fails with not_found, io, corrupt, unsupported, or
  /// ambiguous, which names the choices.
  static Result<std::shared_ptr<const CodeObject>> open(const std::string& path);
  /// The same for bytes in memory; `which` is what follows the "#".
  static Result<std::shared_ptr<const CodeObject>> parse(std::vector<std::byte> bytes,
                                                         std::string_view which = {});

  /// One kernel that lies in memory already, with addresses of the device: it runs with load base 0. It needs no LDS and takes no
  /// arguments as far as can be known; the packet says the rest. Fails with corrupt when its entry is outside the code.
  static Result<std::shared_ptr<const CodeObject>> of_memory(KernelInMemory kernel);

  [[nodiscard]] Arch arch() const { return arch_; }
  [[nodiscard]] const std::vector<Kernel>& kernels() const { return kernels_; }
  [[nodiscard]] const Elf& elf() const { return elf_; }
  /// The whole ELF file.
  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }
  /// SHA-256 of the ELF file, 64 hex digits.
  [[nodiscard]] const std::string& hash() const { return hash_; }
  [[nodiscard]] const Symbol* symbol(std::string_view name) const;
  /// The innermost function symbol that covers `address`, or nothing.
  [[nodiscard]] const Symbol* function_at(std::uint64_t address) const;

  /// Where its code comes from; reads the debug information again at each call. Empty without -g or -gline-tables-only. Fails with
  /// corrupt, with unsupported, or with limit for compressed sections of more than 1 GiB.
  [[nodiscard]] Result<SourceLines> source_lines() const;

  /// By exact name, as people call it (names_function()), or by a unique part of it; with an empty name the only kernel. Fails with not_found or ambiguous, and
  /// names the candidates.
  [[nodiscard]] Result<const Kernel*> kernel(std::string_view name) const;

  /// By its exact name alone; null when there is none.
  [[nodiscard]] const Kernel* kernel_exactly(std::string_view name) const;

  /// The file bytes that are loaded at [address, address + size). Fails with corrupt for what no segment holds.
  [[nodiscard]] Result<ByteView> loaded(std::uint64_t address, std::uint64_t size) const;

 private:
  CodeObject() = default;
  static Result<std::shared_ptr<const CodeObject>> parse_plain(std::vector<std::byte> bytes);
  void index_symbols();
  Status read_kernels();
  Result<Kernel> read_kernel(const class Msgpack& entry) const;

  std::vector<std::byte> bytes_;
  Elf elf_;
  Arch arch_{};
  std::vector<Kernel> kernels_;
  /// A function symbol, by address; `last_end`: where the last of those up to this one ends.
  struct Function {
    std::uint32_t symbol = 0;
    std::uint64_t last_end = 0;
  };
  std::vector<std::uint32_t> by_name_;  ///< numbers of symbols
  std::vector<Function> functions_;
  std::string hash_;
};

}  // namespace rpl::isa
