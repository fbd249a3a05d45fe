// SPDX-License-Identifier: MIT
// The calls of the render node that libdrm makes before a program has a device. Buffers are /dev/kfd's.
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

int give_version(std::uint64_t argument) {
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

// `unknown` is the query that nothing serves.
int give_info(Driver& driver, std::uint64_t argument, std::uint32_t& unknown) {
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
      memory.vram.heap_usage =
          memory.vram.total_heap_size - driver.machine.map.device_bytes_left();
      memory.vram.max_allocation = memory.vram.total_heap_size;
      memory.cpu_accessible_vram = memory.vram;
      memory.gtt.total_heap_size = memory.gtt.usable_heap_size = memory.gtt.max_allocation =
          hsakmt::host_numbers().memory_bytes;
      return give(&memory, sizeof(memory));
    }
    default:
      unknown = ask.query;
      return -EINVAL;
  }
}

}  // namespace

int Driver::render_call(std::uint64_t request, std::uint64_t argument) {
  if (request == DRM_IOCTL_VERSION) return give_version(argument);
  if (_IOC_NR(request) == DRM_COMMAND_BASE + DRM_AMDGPU_INFO) {
    std::uint32_t unknown = 0;
    const int status = give_info(*this, argument, unknown);
    return unknown == 0
               ? status
               : refuse(fmt::format("fact 0x{:x} of the graphics driver", unknown), status);
  }
  return refuse(fmt::format("call 0x{:x} of the graphics driver", _IOC_NR(request)), -EINVAL);
}

}  // namespace rpl::kfd
