// SPDX-License-Identifier: MIT
#include "tests/support/kfd/nodes.h"

#include <fmt/format.h>
#include <linux/kfd_sysfs.h>

#include <algorithm>
#include <array>

namespace rpl::kfd {
namespace {

constexpr std::string_view kTopology = "/sys/devices/virtual/kfd/kfd/topology";

// What paths begin with. Whole folders are ours: a kernel without the driver has none of them.
constexpr std::array<std::string_view, 6> kBeginnings = {
    "/dev/kfd",       "/dev/dri",       "/sys/devices/virtual/kfd",
    "/sys/class/kfd", "/sys/class/drm", "/sys/module/amdgpu"};

// Without doubled slashes, "." and "..".
std::string tidy(std::string_view path) {
  std::string out;
  while (!path.empty()) {
    const std::string_view name = path.substr(0, path.find('/'));
    path.remove_prefix(std::min(path.size(), name.size() + 1));
    if (name == "..") {
      out.resize(out.empty() ? 0 : out.rfind('/'));
    } else if (!name.empty() && name != ".") {
      out += '/';
      out += name;
    }
  }
  return out;
}

using Lines = std::vector<std::pair<std::string_view, std::uint64_t>>;

std::string text_of(const Lines& lines) {
  std::string out;
  for (const auto& [name, value] : lines) out += fmt::format("{} {}\n", name, value);
  return out;
}

std::string cache_text(std::uint64_t processor, std::uint64_t level, std::uint64_t bytes,
                       std::uint64_t line, std::uint64_t type) {
  constexpr std::uint64_t kKiB = 1024;
  return text_of({{"processor_id_low", processor},
                  {"level", level},
                  {"size", bytes / kKiB},
                  {"cache_line_size", line},
                  {"cache_lines_per_tag", 1},
                  {"association", 0},
                  {"latency", 0},
                  {"type", type}}) +
         "sibling_map 1\n";
}

std::string bank_text(std::uint64_t heap, std::uint64_t bytes, std::uint64_t width,
                      std::uint64_t mhz) {
  return text_of({{"heap_type", heap},
                  {"size_in_bytes", bytes},
                  {"flags", 0},
                  {"width", width},
                  {"mem_clk_max", mhz}});
}

std::string link_text(std::uint64_t from, std::uint64_t to) {
  constexpr std::uint64_t kPcie = 2, kEnabled = 1;
  return text_of({{"type", kPcie},
                  {"version_major", 0},
                  {"version_minor", 0},
                  {"node_from", from},
                  {"node_to", to},
                  {"weight", hsakmt::kLinkWeight},
                  {"min_latency", 0},
                  {"max_latency", 0},
                  {"min_bandwidth", 0},
                  {"max_bandwidth", 0},
                  {"recommended_transfer_size", 0},
                  {"flags", kEnabled}});
}

constexpr std::uint64_t kData = HSA_CACHE_TYPE_DATA;
constexpr std::uint64_t kSystemHeap = HSA_MEM_HEAP_TYPE_SYSTEM,
                        kDeviceHeap = HSA_MEM_HEAP_TYPE_FB_PUBLIC;

std::uint64_t capabilities() {
  constexpr std::uint64_t kDoorbellsOf64Bits = HSA_CAP_DOORBELL_TYPE_2_0;
  return HSA_CAP_QUEUE_SIZE_POW2 | kDoorbellsOf64Bits << HSA_CAP_DOORBELL_TYPE_TOTALBITS_SHIFT |
         HSA_CAP_SRAM_EDCSUPPORTED | HSA_CAP_MEM_EDCSUPPORTED;
}

}  // namespace

Nodes::Nodes(const emu::hip::DeviceKind& kind, std::uint32_t gpu_id, std::uint32_t render_minor) {
  add("/dev/kfd", {Node::Kind::control, {}});
  add(fmt::format("/dev/dri/renderD{}", render_minor), {Node::Kind::render, {}});
  // What libdrm looks at to see that a descriptor is of a render node.
  add(fmt::format("/sys/dev/char/226:{}/device/drm/renderD{}", render_minor, render_minor), {});
  add("/sys/module/amdgpu/initstate", {Node::Kind::text, "live\n"});
  for (const std::string_view at : {kTopology, std::string_view("/sys/class/kfd/kfd/topology")}) {
    const std::string root(at);
    add(root + "/generation_id", {Node::Kind::text, "2\n"});
    add(root + "/system_properties",
        {Node::Kind::text,
         text_of({{"platform_oem", 0}, {"platform_id", 0}, {"platform_rev", 0}})});
    add_host(root + "/nodes/0");
    add_device(root + "/nodes/1", kind, gpu_id, render_minor);
  }
}

bool Nodes::may_be(std::string_view path) {
  if (!path.starts_with("/dev/") && !path.starts_with("/sys/")) return false;
  return path.starts_with("/sys/dev/char/226:") ||
         std::ranges::any_of(kBeginnings, [&](std::string_view beginning) {
           return path.starts_with(beginning) &&
                  (path.size() == beginning.size() || path[beginning.size()] == '/');
         });
}

const Node* Nodes::find(std::string_view path) const {
  const auto found = nodes_.find(tidy(path));
  return found == nodes_.end() ? nullptr : &found->second;
}

std::vector<std::string> Nodes::names(std::string_view folder) const {
  const std::string prefix = tidy(folder) + "/";
  std::vector<std::string> out;
  for (auto at = nodes_.lower_bound(prefix); at != nodes_.end() && at->first.starts_with(prefix);
       ++at) {
    if (at->first.find('/', prefix.size()) == std::string::npos)
      out.push_back(at->first.substr(prefix.size()));
  }
  return out;
}

void Nodes::add(const std::string& path, Node node) {
  for (std::size_t at = path.find('/', 1); at != std::string::npos; at = path.find('/', at + 1))
    nodes_.try_emplace(path.substr(0, at));
  nodes_[path] = std::move(node);
}

void Nodes::add_host(const std::string& folder) {
  const hsakmt::HostNumbers host = hsakmt::host_numbers();
  constexpr std::uint64_t kLine = 64;
  add(folder + "/gpu_id", {Node::Kind::text, "0\n"});
  add(folder + "/name", {Node::Kind::text, "\n"});
  // The kernel writes these lines for every node; rocprofiler-sdk misses each that is not there.
  add(folder + "/properties", {Node::Kind::text, text_of({{"cpu_cores_count", host.processors},
                                                          {"simd_count", 0},
                                                          {"mem_banks_count", 1},
                                                          {"caches_count", 1},
                                                          {"io_links_count", 1},
                                                          {"p2p_links_count", 0},
                                                          {"cpu_core_id_base", 0},
                                                          {"simd_id_base", 0},
                                                          {"max_waves_per_simd", 0},
                                                          {"lds_size_in_kb", 0},
                                                          {"gds_size_in_kb", 0},
                                                          {"num_gws", 0},
                                                          {"wave_front_size", 0},
                                                          {"array_count", 0},
                                                          {"simd_arrays_per_engine", 0},
                                                          {"cu_per_simd_array", 0},
                                                          {"simd_per_cu", 0},
                                                          {"max_slots_scratch_cu", 0},
                                                          {"gfx_target_version", 0},
                                                          {"vendor_id", 0},
                                                          {"device_id", 0},
                                                          {"location_id", 0},
                                                          {"domain", 0},
                                                          {"drm_render_minor", 0},
                                                          {"hive_id", 0},
                                                          {"num_sdma_engines", 0},
                                                          {"num_sdma_xgmi_engines", 0},
                                                          {"num_sdma_queues_per_engine", 0},
                                                          {"num_cp_queues", 0},
                                                          {"max_engine_clk_ccompute", 0}})});
  add(folder + "/mem_banks/0/properties",
      {Node::Kind::text, bank_text(kSystemHeap, host.memory_bytes, 64, 0)});
  add(folder + "/caches/0/properties",
      {Node::Kind::text, cache_text(0, 2, host.l2_bytes, kLine, kData | HSA_CACHE_TYPE_CPU)});
  add(folder + "/io_links/0/properties", {Node::Kind::text, link_text(0, 1)});
  add(folder + "/p2p_links", {});
}

void Nodes::add_device(const std::string& folder, const emu::hip::DeviceKind& kind,
                       std::uint32_t gpu_id, std::uint32_t render_minor) {
  const hsakmt::NodeNumbers numbers = hsakmt::node_numbers(kind);
  constexpr std::uint64_t kKiB = 1024, kOfDevice = kData | HSA_CACHE_TYPE_HSACU;
  const std::uint64_t version = numbers.major * 10000U + numbers.minor * 100U + numbers.stepping;
  add(folder + "/gpu_id", {Node::Kind::text, fmt::format("{}\n", gpu_id)});
  add(folder + "/name", {Node::Kind::text, "emulated\n"});
  add(folder + "/properties",
      {Node::Kind::text, text_of({{"cpu_cores_count", 0},
                                  {"simd_count", kind.compute_units * numbers.simds_per_unit},
                                  {"mem_banks_count", 1},
                                  {"caches_count", 2},
                                  {"io_links_count", 1},
                                  {"p2p_links_count", 0},
                                  {"cpu_core_id_base", 0},
                                  {"simd_id_base", hsakmt::kFirstSimd},
                                  {"max_waves_per_simd", numbers.waves_per_simd},
                                  {"lds_size_in_kb", kind.lds_bytes / kKiB},
                                  {"gds_size_in_kb", 0},
                                  {"num_gws", 0},
                                  {"wave_front_size", kind.wave_size},
                                  {"array_count", numbers.engines},
                                  {"simd_arrays_per_engine", 1},
                                  {"cu_per_simd_array", numbers.units_per_array},
                                  {"simd_per_cu", numbers.simds_per_unit},
                                  {"max_slots_scratch_cu", kind.waves_per_unit},
                                  {"gfx_target_version", version},
                                  {"vendor_id", hsakmt::kVendor},
                                  {"device_id", kind.device_id},
                                  {"location_id", numbers.location},
                                  {"domain", 0},
                                  {"drm_render_minor", render_minor},
                                  {"hive_id", 0},
                                  {"num_sdma_engines", numbers.copy_engines},
                                  {"num_sdma_xgmi_engines", 0},
                                  {"num_sdma_queues_per_engine", numbers.copy_queues},
                                  {"num_cp_queues", numbers.compute_queues},
                                  {"max_engine_clk_fcompute", kind.clock_mhz},
                                  {"local_mem_size", 0},
                                  {"fw_version", 0},
                                  {"capability", capabilities()},
                                  {"debug_prop", 0},
                                  {"sdma_fw_version", 0},
                                  {"unique_id", numbers.unique_id},
                                  {"num_xcc", kind.dies},
                                  {"max_engine_clk_ccompute", 0}})});
  add(folder + "/mem_banks/0/properties",
      {Node::Kind::text,
       bank_text(kDeviceHeap, kind.memory_bytes, numbers.memory_width_bits, numbers.memory_mhz)});
  add(folder + "/caches/0/properties",
      {Node::Kind::text,
       cache_text(hsakmt::kFirstSimd, 1, numbers.l1_bytes, numbers.line_bytes, kOfDevice)});
  add(folder + "/caches/1/properties",
      {Node::Kind::text,
       cache_text(hsakmt::kFirstSimd, 2, kind.l2_bytes, numbers.line_bytes, kOfDevice)});
  add(folder + "/io_links/0/properties", {Node::Kind::text, link_text(1, 0)});
  add(folder + "/p2p_links", {});
}

}  // namespace rpl::kfd
