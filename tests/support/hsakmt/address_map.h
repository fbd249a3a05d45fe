// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "engine/device/execute/state/host_pages.h"
#include "engine/device/execute/state/memory.h"

namespace rpl::hsakmt {

/// Pages of this process, given back when the last one who uses them is gone.
class Pages {
 public:
  Pages(std::uint64_t base, std::uint64_t bytes) : base_(base), bytes_(bytes) {}
  ~Pages();
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

 private:
  std::uint64_t base_, bytes_;
};

/// What the driver knows of one range of memory.
struct Range {
  enum class Kind : std::uint8_t { allocated, registered };
  Kind kind = Kind::allocated;
  std::uint64_t base = 0, bytes = 0;  ///< as the caller said
  std::uint64_t device_base =
      0;  ///< where the device sees it: for registered memory somewhere else, as the real driver does it
  std::uint32_t node = 0;           ///< where it lies
  std::uint32_t flags = 0;          ///< HsaMemFlags
  bool mapped = false;              ///< kernels and copies of the device reach it
  std::uint32_t registrations = 1;  ///< of registered memory: how often
  void* user_data = nullptr;
};

/// All mapped ranges as the device sees them. Immutable, and what it shows stays mapped as long as it lives, so that a kernel can go on
/// while the program frees memory; memory of the program that was registered stays the program's.
struct DeviceView {
  mutable emu::Memory memory;
  std::vector<std::shared_ptr<const void>> kept;

  /// Where `bytes` at `address` lie. Null when a part of them is not mapped.
  [[nodiscard]] std::byte* at(std::uint64_t address, std::uint64_t bytes) const;
};

/// The memory of the process as the driver keeps it: what it gave out, what it was told of, what the device may reach. For several
/// threads.
class AddressMap {
 public:
  enum class Outcome : std::uint8_t { done, invalid, not_registered };
  static constexpr std::uint32_t kHostNode = 0, kDeviceNode = 1;

  explicit AddressMap(std::uint64_t device_bytes) : device_left_(device_bytes) {}

  /// Zeroed pages, not mapped to the device yet; `bytes` is a multiple of 4096. 0 when the node has no more. With `at` exactly there,
  /// and 0 when something is there already.
  std::uint64_t allocate(std::uint64_t bytes, std::uint32_t node, std::uint32_t flags,
                         std::uint64_t at = 0, std::uint64_t alignment = 4096);
  /// Pages that someone else mapped and keeps until free(), which the device sees where they lie. `base` and `bytes` are multiples of
  /// 4096. False when they overlap what the map knows.
  bool adopt(std::uint64_t base, std::uint64_t bytes, std::uint32_t node);
  /// Memory that lies at `host` in this process and that the device sees at `device_base`, not mapped to it yet; `pages` keeps it, null
  /// for memory of the program. Both addresses and `bytes` are multiples of 4096. False when it overlaps what the map knows. Who
  /// allocated it counts it.
  bool bind(std::uint64_t device_base, std::uint64_t bytes, std::byte* host, std::uint32_t node,
            std::shared_ptr<const void> pages);
  Outcome free(std::uint64_t base);
  /// Memory of the program. The device sees its whole pages, at addresses of their own for each registration.
  Outcome enroll(std::uint64_t base, std::uint64_t bytes, std::uint32_t flags);
  /// Undoes the last registration that begins at `base`.
  Outcome withdraw(std::uint64_t base);
  /// Whether the device may reach the range that begins at `base`. `bytes` may be less than the range has.
  Outcome map(std::uint64_t base, std::uint64_t bytes);
  Outcome unmap(std::uint64_t base);
  Outcome set_user_data(std::uint64_t address, void* data);

  /// The range that holds `address`, of the host or of the device.
  [[nodiscard]] std::optional<Range> find(std::uint64_t address) const;
  [[nodiscard]] std::shared_ptr<const DeviceView> view() const;
  /// Called by kernels that send a message, in the thread that executes them.
  void on_message(std::function<void()> call);

 private:
  /// Between the areas of the device and of the host: nothing of this process lies there.
  static constexpr std::uint64_t kFirstAlias = emu::PageArea::kFirst + 32 * emu::PageArea::kBytes;

  struct Held {
    Range range;
    std::byte* host = nullptr;  ///< where its pages are in this process; null for registered memory
    std::shared_ptr<const void> pages;  ///< null for memory of the program
    std::uint64_t counted = 0;          ///< bytes that it takes of the device's
  };
  bool insert(std::uint64_t base, std::uint64_t bytes, std::byte* host, std::uint32_t node,
              std::shared_ptr<const void> pages);
  Held* holder(std::uint64_t address);
  /// The last registration that begins at `base`, of `bytes` unless they are 0; end() for none.
  std::multimap<std::uint64_t, Held>::iterator last_registered(std::uint64_t base,
                                                               std::uint64_t bytes);

  mutable std::mutex mutex_;
  std::map<std::uint64_t, Held> allocated_;  ///< by base
  std::multimap<std::uint64_t, Held> registered_;
  std::uint64_t next_alias_ = kFirstAlias;  ///< device address of the next registration
  emu::PageArea areas_[2] = {emu::PageArea(64), emu::PageArea(0)};
  std::uint64_t device_left_;
  std::function<void()> message_;
  mutable std::shared_ptr<const DeviceView> view_;  ///< null after a change
};

}  // namespace rpl::hsakmt
