// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>

#include "tests/support/hsakmt/machine.h"
#include "tests/support/hsakmt/node_numbers.h"
#include "tests/support/kfd/memory_file.h"

namespace rpl::kfd {

/// What the kernel keeps for one process that has /dev/kfd open: one emulated device and what was allocated on it. Its calls are those of
/// linux/kfd_ioctl.h and of the few of drm/amdgpu_drm.h that libdrm needs to start; each gives 0 or a negative errno, whatever the program
/// passes. For several threads.
class Driver {
 public:
  static constexpr std::uint32_t kGpuNode = 1;
  static constexpr std::uint32_t kRenderMinor = 128;                    ///< of /dev/dri/renderD128
  static constexpr std::uint64_t kDoorbellBytes = 8192;                 ///< 1024 of 8 bytes
  static constexpr std::uint64_t kVirtualEnd = std::uint64_t{1} << 47;  ///< of addresses

  /// Null when the operating system has no memory files.
  static std::unique_ptr<Driver> make(emu::hip::DeviceKind kind);
  Driver(emu::hip::DeviceKind kind, std::shared_ptr<MemoryFile> control,
         std::shared_ptr<MemoryFile> memory);
  ~Driver();

  /// A call on a descriptor of /dev/kfd, with the address that the program passed.
  int control_call(std::uint64_t request, std::uint64_t argument);
  /// The same on a descriptor of the render node.
  int render_call(std::uint64_t request, std::uint64_t argument);

  /// What descriptors of /dev/kfd are of: doorbells and the page of remapped registers.
  [[nodiscard]] const MemoryFile& control() const { return *control_; }
  /// What descriptors of the render node are of: all memory that the driver gave out.
  [[nodiscard]] const MemoryFile& memory() const { return *memory_; }

  /// Bytes of the device's memory that nothing has taken.
  [[nodiscard]] std::uint64_t device_bytes_left();

  /// What the kernel calls the device.
  [[nodiscard]] std::uint32_t gpu_id() const { return gpu_id_; }

  hsakmt::Machine machine;
  const hsakmt::NodeNumbers numbers;

 private:
  friend struct Calls;
  friend struct RenderCalls;
  struct Buffer {
    std::uint64_t address = 0,
                  bytes = 0;    ///< on the device; 0: to be mapped through the render node alone
    std::uint64_t counted = 0;  ///< bytes that it takes of the device's
    std::shared_ptr<MemoryFile::Part> part;  ///< null for memory of the program
    std::byte* host = nullptr;               ///< where it lies in this process
    bool on_device = false, mapped = false;
  };
  /// A buffer as the render node knows it: imported from a descriptor, and mapped where the program likes.
  struct Imported {
    std::shared_ptr<MemoryFile::Part> part;
    bool on_device = false;
    std::map<std::uint64_t, std::uint64_t> mapped;  ///< bytes by address
  };
  /// What a descriptor of a buffer is of, by the inode of the empty file that stands for it.
  struct Exported {
    std::weak_ptr<MemoryFile::Part> part;
    bool on_device = false;
  };
  /// The exported buffer that a descriptor is of; null when it is of none, or that is gone.
  std::shared_ptr<MemoryFile::Part> exported(int descriptor, bool& on_device) const;
  /// Lets the device see memory at an address. False when something is there.
  bool show(std::uint64_t address, std::uint64_t bytes, std::byte* host, bool on_device,
            std::shared_ptr<MemoryFile::Part> part);
  /// Its handle from now on.
  std::uint64_t keep(Buffer buffer);
  /// Says once on stderr that the device has no such thing, and gives `error`.
  int refuse(const std::string& what, int error);

  std::shared_ptr<MemoryFile> control_, memory_;
  std::shared_ptr<MemoryFile::Part> doorbells_, registers_;
  std::uint32_t gpu_id_;
  std::mutex mutex_;
  std::map<std::uint64_t, Buffer> buffers_;  ///< by handle
  std::uint64_t next_buffer_ = 1;
  std::uint64_t device_left_;                   ///< bytes of its memory that nothing has taken
  std::map<std::uint64_t, Exported> exported_;  ///< by inode
  std::map<std::uint32_t, Imported> imported_;  ///< by handle of the render node
  std::uint32_t next_imported_ = 1;
  std::set<std::uint32_t> fault_events_;
  std::set<std::string> refused_;
};

}  // namespace rpl::kfd
