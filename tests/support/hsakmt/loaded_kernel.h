// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "engine/device/execute/launch/launch.h"
#include "tests/support/hsakmt/address_map.h"

namespace rpl::hsakmt {

/// The code object of an AMD GPU whose segments a loader has put into memory.
struct LoadedObject {
  std::uint64_t base = 0;          ///< of address zero
  std::uint64_t code_address = 0;  ///< of the executable segment that was asked for
  std::uint64_t code_bytes = 0;
};

/// The object whose executable segment holds `entry`, and another one `descriptor`: found by its ELF header, which is loaded with the
/// read-only data, at a page boundary below. Nothing for code that some other way came into memory, such as a runtime's own kernels.
std::optional<LoadedObject> find_loaded_object(const DeviceView& view, std::uint64_t descriptor,
                                               std::uint64_t entry);

/// The name of the dynamic symbol at `address`, without ".kd". Empty when there is none.
std::string symbol_at(const DeviceView& view, const LoadedObject& object, std::uint64_t address);

/// A kernel ready to execute.
struct LoadedKernel {
  std::shared_ptr<const isa::CodeObject> object;
  std::shared_ptr<const emu::Program> program;
};

/// Kernels by the address of their descriptor, decoded once as long as descriptor and code stay what they were. For several threads.
class KernelCache {
 public:
  explicit KernelCache(isa::Arch arch) : arch_(arch) {}
  /// Fails with not_found when descriptor or entry do not lie in memory of the device, and with corrupt.
  Result<LoadedKernel> get(const DeviceView& view, std::uint64_t descriptor);

 private:
  struct Known {
    std::vector<std::byte> descriptor;
    LoadedKernel kernel;
  };
  isa::Arch arch_;
  std::mutex mutex_;
  std::map<std::uint64_t, Known> known_;
};

}  // namespace rpl::hsakmt
