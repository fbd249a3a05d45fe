// SPDX-License-Identifier: MIT
// The calls of the render node: what libdrm asks before a program has a device, and mapping buffers that came from /dev/kfd.
#include <fmt/format.h>
#include <libdrm/amdgpu_drm.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "tests/support/kfd/calls.h"
#include "tests/support/kfd/user_memory.h"

namespace rpl::kfd {
namespace {

// As much of `text` as the program has room for, and how long it is.
bool give_text(__kernel_size_t& bytes, const char* to, std::string_view text) {
  const std::size_t room = std::min<std::size_t>(bytes, text.size());
  bytes = text.size();
  return room == 0 || to == nullptr ||
         copy_out(reinterpret_cast<std::uint64_t>(to), text.data(), room);
}

drm_amdgpu_info_device facts_of(const Driver& driver) {
  const auto& kind = driver.machine.kind;
  const auto& numbers = driver.numbers;
  constexpr std::uint64_t kKhzPerMhz = 1000, kFirst = std::uint64_t{2} << 20;
  drm_amdgpu_info_device out{};
  out.device_id = kind.device_id;
  out.family = AMDGPU_FAMILY_AI;
  out.num_shader_engines = numbers.engines / kind.dies;
  out.num_shader_arrays_per_engine = 1;
  out.gpu_counter_freq = static_cast<std::uint32_t>(isa::traits(kind.arch).wall_clock_khz);
  out.max_engine_clock = kind.clock_mhz * kKhzPerMhz;
  out.max_memory_clock = numbers.memory_mhz * kKhzPerMhz;
  out.cu_active_number = kind.compute_units;
  out.num_cu_per_sh = numbers.units_per_array;
  out.virtual_address_offset = kFirst;
  out.virtual_address_max = Driver::kVirtualEnd;
  out.virtual_address_alignment = out.pte_fragment_size = out.gart_page_size = 4096;
  out.vram_type = AMDGPU_VRAM_TYPE_HBM;
  out.vram_bit_width = static_cast<std::uint32_t>(numbers.memory_width_bits);
  out.wave_front_size = kind.wave_size;
  return out;
}

}  // namespace

int RenderCalls::version(std::uint64_t argument) {
  drm_version version{};
  if (!copy_in(version, argument)) return -EFAULT;
  // The interface of the header's time.
  version.version_major = 3;
  version.version_minor = 49;
  version.version_patchlevel = 0;
  if (!give_text(version.name_len, version.name, "amdgpu") ||
      !give_text(version.date_len, version.date, "0") ||
      !give_text(version.desc_len, version.desc, "emulated device"))
    return -EFAULT;
  return copy_out(argument, &version, sizeof(version)) ? 0 : -EFAULT;
}

int RenderCalls::facts(Driver& driver, std::uint64_t argument) {
  drm_amdgpu_info ask{};
  if (!copy_in(ask, argument)) return -EFAULT;
  if (ask.return_size == 0 || ask.return_pointer == 0) return -EINVAL;
  const auto give = [&](const void* from, std::size_t bytes) {
    return copy_out(ask.return_pointer, from, std::min<std::size_t>(bytes, ask.return_size))
               ? 0
               : -EFAULT;
  };
  switch (ask.query) {
    case AMDGPU_INFO_ACCEL_WORKING: {
      const std::uint32_t yes = 1;
      return give(&yes, sizeof(yes));
    }
    case AMDGPU_INFO_HW_IP_COUNT: {
      // Engines that take the graphics driver's command buffers: queues are /dev/kfd's.
      const std::uint32_t none = 0;
      return give(&none, sizeof(none));
    }
    case AMDGPU_INFO_DEV_INFO: {
      const drm_amdgpu_info_device facts = facts_of(driver);
      return give(&facts, sizeof(facts));
    }
    case AMDGPU_INFO_READ_MMR_REG: {
      constexpr std::uint32_t kAddressConfig = 0x263e;
      if (ask.read_mmr_reg.count != 1 || ask.read_mmr_reg.dword_offset != kAddressConfig)
        return -EINVAL;
      return give(&driver.numbers.address_config, sizeof(driver.numbers.address_config));
    }
    case AMDGPU_INFO_MEMORY: {
      drm_amdgpu_memory_info memory{};
      memory.vram.total_heap_size = memory.vram.usable_heap_size = driver.machine.kind.memory_bytes;
      memory.vram.heap_usage = memory.vram.total_heap_size - driver.device_bytes_left();
      memory.vram.max_allocation = memory.vram.total_heap_size;
      memory.cpu_accessible_vram = memory.vram;
      memory.gtt.total_heap_size = memory.gtt.usable_heap_size = memory.gtt.max_allocation =
          hsakmt::host_numbers().memory_bytes;
      return give(&memory, sizeof(memory));
    }
    default:
      return driver.refuse(fmt::format("fact 0x{:x} of the graphics driver", ask.query), -EINVAL);
  }
}

// Buffers come from /dev/kfd, which gave the program a descriptor of each.
int RenderCalls::import_buffer(Driver& driver, std::uint64_t argument) {
  drm_prime_handle args{};
  if (!copy_in(args, argument)) return -EFAULT;
  const std::lock_guard lock(driver.mutex_);
  Driver::Imported imported;
  imported.part = driver.exported(args.fd, imported.on_device);
  if (!imported.part) return -EINVAL;
  const auto known = std::ranges::find_if(
      driver.imported_, [&](const auto& each) { return each.second.part == imported.part; });
  if (known != driver.imported_.end()) {
    args.handle = known->first;
  } else {
    args.handle = driver.next_imported_++;
    driver.imported_[args.handle] = std::move(imported);
  }
  return copy_out(argument, &args, sizeof(args)) ? 0 : -EFAULT;
}

int RenderCalls::close(Driver& driver, std::uint64_t argument) {
  drm_gem_close args{};
  if (!copy_in(args, argument)) return -EFAULT;
  const std::lock_guard lock(driver.mutex_);
  const auto found = driver.imported_.find(args.handle);
  if (found == driver.imported_.end()) return -EINVAL;
  for (const auto& [address, bytes] : found->second.mapped) driver.machine.map.free(address);
  driver.imported_.erase(found);
  return 0;
}

int RenderCalls::where(Driver& driver, std::uint64_t argument) {
  drm_amdgpu_gem_mmap args{};
  if (!copy_in(args, argument)) return -EFAULT;
  const std::lock_guard lock(driver.mutex_);
  const auto found = driver.imported_.find(args.in.handle);
  if (found == driver.imported_.end()) return -ENOENT;
  args.out.addr_ptr = found->second.part->offset();
  return copy_out(argument, &args, sizeof(args)) ? 0 : -EFAULT;
}

int RenderCalls::map(Driver& driver, std::uint64_t argument) {
  constexpr std::uint64_t kPage = 4096;
  drm_amdgpu_gem_va args{};
  if (!copy_in(args, argument)) return -EFAULT;
  if (args.va_address == 0 || args.va_address >= Driver::kVirtualEnd || args.map_size == 0 ||
      (args.va_address | args.map_size | args.offset_in_bo) % kPage != 0)
    return -EINVAL;
  const std::lock_guard lock(driver.mutex_);
  const auto found = driver.imported_.find(args.handle);
  if (found == driver.imported_.end()) return -ENOENT;
  Driver::Imported& buffer = found->second;
  if (args.operation == AMDGPU_VA_OP_UNMAP) {
    const auto mapped = buffer.mapped.find(args.va_address);
    if (mapped == buffer.mapped.end() || mapped->second != args.map_size) return -EINVAL;
    driver.machine.map.free(args.va_address);
    buffer.mapped.erase(mapped);
    return 0;
  }
  if (args.operation != AMDGPU_VA_OP_MAP) return -EINVAL;
  if (args.map_size > buffer.part->bytes() ||
      args.offset_in_bo > buffer.part->bytes() - args.map_size)
    return -EINVAL;
  if (!driver.show(args.va_address, args.map_size, buffer.part->host() + args.offset_in_bo,
                   buffer.on_device, buffer.part))
    return -EINVAL;
  buffer.mapped[args.va_address] = args.map_size;
  return 0;
}

int Driver::render_call(std::uint64_t request, std::uint64_t argument) {
  switch (_IOC_NR(request)) {
    case _IOC_NR(DRM_IOCTL_VERSION):
      return RenderCalls::version(argument);
    case _IOC_NR(DRM_IOCTL_PRIME_FD_TO_HANDLE):
      return RenderCalls::import_buffer(*this, argument);
    case _IOC_NR(DRM_IOCTL_GEM_CLOSE):
      return RenderCalls::close(*this, argument);
    case DRM_COMMAND_BASE + DRM_AMDGPU_INFO:
      return RenderCalls::facts(*this, argument);
    case DRM_COMMAND_BASE + DRM_AMDGPU_GEM_MMAP:
      return RenderCalls::where(*this, argument);
    case DRM_COMMAND_BASE + DRM_AMDGPU_GEM_VA:
      return RenderCalls::map(*this, argument);
    default:
      return refuse(fmt::format("call 0x{:x} of the graphics driver", _IOC_NR(request)), -EINVAL);
  }
}

}  // namespace rpl::kfd
