// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "engine/device/execute/state/host_pages.h"
#include "engine/device/execute/state/memory.h"
#include "engine/isa/object/code_object.h"

namespace rpl::emu::hip {

/// One piece of memory that HIP gave out or was told of.
struct Allocation {
  enum class Kind : std::uint8_t { device, host, managed, registered };
  Kind kind = Kind::device;
  std::uint64_t base = 0, bytes = 0;
  std::uint32_t device = 0;
  unsigned flags = 0;              ///< as passed when it was allocated
  std::uint64_t mapped_bytes = 0;  ///< whole pages; 0 for registered memory
};

/// The address space that the program and its emulated devices share: what HIP gives out is memory of this process at the address that
/// kernels use too, at the same addresses in every run, with unmapped pages between allocations; addresses are not used twice.
class AddressSpace {
 public:
  enum class HostMemory : std::uint8_t {
    known,  ///< kernels use what HIP gave out or was told of, as with XNACK off
    all  ///< and all other memory of the process, found when a kernel faults on it, as with XNACK on
  };
  enum class Bounds : std::uint8_t {
    exact,  ///< an access behind the last byte of an allocation is a fault
    page    ///< as on a GPU: behind the last page of it
  };
  explicit AddressSpace(HostMemory host_memory = HostMemory::known, Bounds bounds = Bounds::exact);
  ~AddressSpace();
  AddressSpace(const AddressSpace&) = delete;
  AddressSpace& operator=(const AddressSpace&) = delete;

  /// Zeroed. Null when the operating system has no more. The pointer is valid until release().
  const Allocation* allocate(Allocation::Kind kind, std::uint64_t bytes, std::uint32_t device,
                             unsigned flags);
  /// Memory of the program that kernels may use from now on. Null when a part of it is known already.
  const Allocation* adopt(void* host, std::uint64_t bytes, unsigned flags);
  /// False when no allocation begins there.
  bool release(std::uint64_t base);
  /// The allocation that holds `address`, or null.
  [[nodiscard]] const Allocation* find(std::uint64_t address) const;
  /// All of them, by address.
  [[nodiscard]] const std::map<std::uint64_t, Allocation>& allocations() const {
    return allocations_;
  }
  /// Bytes that device allocations of `device` take.
  [[nodiscard]] std::uint64_t used(std::uint32_t device) const;

  /// Where the host finds what a kernel sees at `address`: allocations and the globals of code objects. Null when the range is not
  /// known to the device or leaves its allocation.
  [[nodiscard]] std::byte* host_of(std::uint64_t address, std::uint64_t bytes) const;
  /// Whether any of it is known.
  [[nodiscard]] bool knows(std::uint64_t address) const { return memory_.find(address) != nullptr; }

  /// Kernels reached memory that HIP does not know since forget_host_memory().
  [[nodiscard]] bool reached_host_memory() const { return !reached_.empty(); }
  /// After each launch: the program may unmap that memory at any time.
  void forget_host_memory();

  Memory& memory() { return memory_; }
  [[nodiscard]] const Memory& memory() const { return memory_; }

 private:
  void reach_host_memory(std::uint64_t address);

  Bounds bounds_;
  Memory memory_;
  std::vector<std::uint64_t> reached_;  ///< where regions of the program's own memory begin
  std::map<std::uint64_t, Allocation> allocations_;
  std::map<std::uint32_t, PageArea> areas_;  ///< of the devices, then the host's
  std::uint64_t named_ = 0;
};

/// How many bytes an image in memory has: as the heads of ELF files and bundles say, else all from `image` to the end of the loaded
/// segment of this process that holds it. 0 when neither tells.
std::uint64_t image_bytes(const void* image);

}  // namespace rpl::emu::hip
