// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/device/execute/state/host_pages.h"

namespace rpl::emu {

/// One allocation of the emulated device. `host` stays valid as long as its Memory.
struct Region {
  std::uint64_t base = 0;  ///< device address
  std::uint64_t size = 0;  ///< bytes; an access beyond the last one is a fault
  std::byte* host = nullptr;
  bool writable = true;
  std::string name;  ///< for messages: "argument 2", "kernarg"

  [[nodiscard]] bool contains(std::uint64_t address, std::uint64_t bytes) const {
    return address >= base && bytes <= size && address - base <= size - bytes;
  }
};

/// The memory of the emulated device: allocations at deterministic addresses with unmapped guard bands between them.
class Memory {
 public:
  static constexpr std::uint64_t kFirstAddress = 0x7f0000000000;
  static constexpr std::uint64_t kGuardBytes = std::uint64_t{1}
                                               << 16;  ///< at least, between allocations

  Memory() = default;
  /// Allocations begin at `first_address`, for who also adopts memory at addresses of its own.
  explicit Memory(std::uint64_t first_address);

  /// Zeroed memory at the next free address, aligned to 4 KiB. The reference stays valid.
  Region& allocate(std::uint64_t bytes, std::string name);
  /// The same at a given address. Fails with denied when it overlaps another allocation.
  Result<Region*> allocate_at(std::uint64_t address, std::uint64_t bytes, std::string name);
  /// Memory of someone else, who keeps it until release(). Fails with denied when it overlaps another allocation.
  Result<Region*> adopt(std::uint64_t address, std::uint64_t bytes, std::byte* host,
                        std::string name);
  /// Forgets the allocation that begins at `address`, and frees it unless it was adopted. False when there is none. Not while a
  /// kernel runs.
  bool release(std::uint64_t address);

  /// What a kernel's message to the host (s_sendmsg) reaches, in the thread that executes it and before its next instruction.
  /// Without it such an instruction is a fault.
  std::function<void()> on_message;

  /// Asked for an address that no allocation holds, in the thread that executes: may adopt() what is there. Not with several threads.
  std::function<void(std::uint64_t address)> on_unknown;
  /// Says of such an address what it is, for messages; "" for nothing known.
  std::function<std::string(std::uint64_t address)> name_unknown;

  /// Where allocate() would put the next one.
  [[nodiscard]] std::uint64_t next_address() const { return next_; }
  /// The allocation that holds `address`, or null.
  [[nodiscard]] const Region* find(std::uint64_t address) const;
  /// Where an address lies, for messages: "4 bytes past the end of argument 2 (400 bytes at 0x7f0000001000)".
  [[nodiscard]] std::string describe(std::uint64_t address) const;
  [[nodiscard]] std::vector<const Region*> regions() const;

 private:
  struct Held {
    Region region;
    HostBytes bytes;  ///< none for adopted memory
  };
  [[nodiscard]] Status check_free(std::uint64_t address, std::uint64_t bytes) const;
  [[nodiscard]] const Region* held_at(std::uint64_t address) const;
  Region& insert(Region region, HostBytes bytes);
  Region& own(std::uint64_t address, std::uint64_t bytes, std::string name);

  std::vector<std::unique_ptr<Held>> held_;  ///< by address
  std::uint64_t next_ = kFirstAddress;
};

}  // namespace rpl::emu
