// SPDX-License-Identifier: MIT
#include "engine/target/capabilities.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "engine/base/numbers.h"
#include "engine/process/emulated_hip.h"
#include "engine/target/machine_files.h"

namespace rpl::profile {
namespace {

using State = CapabilityState;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

int leading_number(std::string_view text) { return take_number<int>(text).value_or(0); }

/// Looks at one thing after the other.
class Survey {
 public:
  explicit Survey(const MachineView& machine) : files_(machine), machine_(machine) {}

  void emulated(const std::string& library) {
    target_ = TargetKind::emu;
    const bool there = !library.empty();
    add("emulated HIP runtime", there ? State::available : State::missing,
        there ? library : "profile has nothing to run programs on",
        there ? "" : companion_command("rpl_amdhip64"));
    for (const char* compiler : {"hipcc", "amdclang++", "clang++-19", "clang++-22", "clang++-21",
                                 "clang++-20", "clang++"}) {
      if (const auto found = files_.program(compiler))
        return add("HIP compiler", State::available, *found);
    }
    add("HIP compiler", State::missing, "programs that are built already run",
        "scripts/setup --kernels");
  }

  void recorded() {
    target_ = TargetKind::recorded;
    add("recordings", State::available,
        "rocpd, RPD, rocprofv3 CSV and JSON, thread traces, pmc_perf.csv: open FILE");
  }

  void local() {
    target_ = TargetKind::local;
    gpus();
    device_files();
    rocm();
    recorder();
  }

  void measuring() {
    target_.reset();
    governor();
    clocks();
    other_processes();
  }

  [[nodiscard]] bool only_nvidia() const { return amd_gpus().empty() && has_nvidia(); }

  [[nodiscard]] std::vector<Capability> take() { return std::move(out_); }

 private:
  void add(std::string name, State state, std::string detail, std::string fix = {}) {
    out_.push_back({.target = target_,
                    .name = std::move(name),
                    .state = state,
                    .detail = std::move(detail),
                    .fix = std::move(fix)});
  }

  // Nodes of the kernel driver: those with SIMDs are GPUs. gfx_target_version is 90402 for gfx942.
  [[nodiscard]] std::vector<std::string> amd_gpus() const {
    const std::string nodes = "/sys/class/kfd/kfd/topology/nodes/";
    std::vector<std::string> found;
    for (const std::string& node : files_.names(nodes)) {
      const std::string properties = nodes + node + "/properties";
      const int version =
          leading_number(files_.value(properties, "gfx_target_version").value_or("0"));
      if (leading_number(files_.value(properties, "simd_count").value_or("0")) == 0 || version == 0)
        continue;
      constexpr int kMajor = 10000, kMinor = 100;
      found.push_back(fmt::format("gfx{}{:x}{:x}", version / kMajor, version / kMinor % kMinor,
                                  version % kMinor));
    }
    return found;
  }

  void gpus() {
    const std::vector<std::string> found = amd_gpus();
    if (!found.empty())
      return add("AMD GPU", State::available,
                 fmt::format("{}: {}", found.size(), fmt::join(found, " ")));
    if (has_nvidia()) {
      return add(
          "AMD GPU", State::missing,
          "the GPU of this machine is NVIDIA's: ROCm does not run on it, the emulated device does",
          "profile -- ./app");
    }
    const bool card = has_vendor("0x1002");
    add("AMD GPU", State::missing,
        card ? "there is one, but the driver amdgpu is not loaded"
             : "there is none: programs run on the emulated device",
        card ? "sudo modprobe amdgpu" : "profile -- ./app");
  }

  [[nodiscard]] bool has_vendor(std::string_view vendor) const {
    const std::string devices = "/sys/bus/pci/devices/";
    for (const std::string& device : files_.names(devices)) {
      // Class 3 is a display controller, 0x1200 a processing accelerator (PCI code and ID assignment specification).
      const std::string kind = files_.line(devices + device + "/class").value_or("");
      if (files_.line(devices + device + "/vendor") == vendor &&
          (kind.starts_with("0x03") || kind.starts_with("0x1200")))
        return true;
    }
    return false;
  }

  [[nodiscard]] bool has_nvidia() const {
    return files_.exists("/proc/driver/nvidia/version") || files_.exists("/dev/nvidia0") ||
           has_vendor("0x10de");
  }

  void device_files() {
    const auto file = [&](const std::string& path) {
      if (!files_.exists(path))
        return add(path, State::missing, "the driver amdgpu makes it", "sudo modprobe amdgpu");
      if (files_.usable(path)) return add(path, State::available, "may be read and written");
      add(path, State::missing, "permission denied: this user is not in its group",
          "sudo usermod -aG render,video $USER   (then log in again)");
    };
    file("/dev/kfd");
    const auto nodes = files_.names("/dev/dri", "renderD");
    if (!nodes.empty()) file("/dev/dri/" + nodes.front());
  }

  void rocm() {
    const auto version = files_.line("/opt/rocm/.info/version");
    if (!version)
      return add("ROCm", State::missing, "no /opt/rocm",
                 "sudo apt-get install rocm   (from AMD's repository)");
    constexpr int kWithRocpd = 7;
    const bool new_enough = leading_number(*version) >= kWithRocpd;
    add("ROCm", new_enough ? State::available : State::disturbing,
        *version + (new_enough ? "" : ": rocprofv3 before 7.0 writes no rocpd databases"),
        new_enough ? "" : "rocprofv3 --sys-trace -f csv -- ./app   (or upgrade to ROCm 7)");
  }

  void recorder() {
    const auto found = files_.program("rocprofv3");
    add("rocprofv3", found ? State::available : State::missing,
        found ? *found : "nothing records kernels and counters of a GPU",
        found ? "" : "sudo apt-get install rocprofiler-sdk");
    const auto checker = files_.program("rocprofv3-avail");
    add("rocprofv3-avail", checker ? State::available : State::unknown,
        checker ? *checker : "not there: that counters fit one pass is known from tables alone");
    const auto decoder = files_.library("librocprof-trace-decoder.so", machine_.decoder_path);
    add("thread trace decoder", decoder ? State::available : State::missing,
        decoder ? *decoder : "rocprofv3 --att fails without it",
        decoder ? ""
                : "put librocprof-trace-decoder.so in /opt/rocm/lib   "
                  "(github.com/ROCm/rocprof-trace-decoder)");
    const auto paranoid = files_.line("/proc/sys/kernel/perf_event_paranoid");
    constexpr int kAllowed = 2;
    if (!paranoid) return add("counter permission", State::unknown, "no perf_event_paranoid");
    const bool allowed = leading_number(*paranoid) <= kAllowed || ::geteuid() == 0;
    add("counter permission", allowed ? State::available : State::missing,
        "perf_event_paranoid is " + *paranoid,
        allowed ? "" : "sudo sysctl kernel.perf_event_paranoid=2");
  }

  void governor() {
    const auto governor = files_.line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    if (!governor)
      return add("CPU governor", State::unknown, "the system does not say (a virtual machine?)");
    const bool fixed = *governor == "performance";
    add("CPU governor", fixed ? State::available : State::disturbing,
        *governor + (fixed ? "" : ": host times move with the clock"),
        fixed ? "" : "sudo cpupower frequency-set -g performance");
  }

  void clocks() {
    for (const std::string& card : files_.names("/sys/class/drm", "card")) {
      const auto level =
          files_.line("/sys/class/drm/" + card + "/device/power_dpm_force_performance_level");
      if (!level) continue;
      const bool fixed = *level != "auto";
      return add(
          "GPU clocks", fixed ? State::available : State::disturbing,
          *level + (fixed ? "" : ": they rise and fall with load and heat"),
          fixed ? "" : "sudo rocm-smi --setperfdeterminism 1900   (below the GPU's highest clock)");
    }
    add("GPU clocks", State::unknown, "no AMD GPU shows any");
  }

  void other_processes() {
    std::vector<std::string> found;
    for (const std::string& pid : files_.names("/sys/class/kfd/kfd/proc")) {
      if (leading_number(pid) != ::getpid())
        found.push_back(
            fmt::format("{} ({})", files_.line("/proc/" + pid + "/comm").value_or("?"), pid));
    }
    if (!files_.exists("/sys/class/kfd/kfd/proc"))
      return add("other GPU processes", State::unknown, "no AMD driver that would list them");
    add("other GPU processes", found.empty() ? State::available : State::disturbing,
        found.empty() ? "none" : fmt::format("{}", fmt::join(found, ", ")),
        found.empty() ? "" : "wait for them, or take another GPU: ROCR_VISIBLE_DEVICES=1");
  }

  MachineFiles files_;
  const MachineView& machine_;
  std::optional<TargetKind> target_;
  std::vector<Capability> out_;
};

}  // namespace

MachineView this_machine() {
  return {.root = environment("RPL_MACHINE_ROOT"),
          .path = environment("PATH"),
          .library_path = environment("LD_LIBRARY_PATH"),
          .decoder_path = environment("ROCPROF_ATT_LIBRARY_PATH")};
}

std::string_view to_string(CapabilityState state) {
  switch (state) {
    case CapabilityState::available:
      return "available";
    case CapabilityState::missing:
      return "missing";
    case CapabilityState::disturbing:
      return "disturbing";
    case CapabilityState::unknown:
      return "unknown";
  }
  return "";
}

std::vector<Capability> capabilities(const MachineView& machine,
                                     const std::string& emulated_library) {
  Survey survey(machine);
  survey.emulated(emulated_library);
  survey.recorded();
  survey.local();
  survey.measuring();
  return survey.take();
}

bool has_other_gpu(const MachineView& machine) { return Survey(machine).only_nvidia(); }

namespace {

bool is_there(const std::vector<Capability>& all, std::string_view name) {
  return std::ranges::any_of(all, [&](const Capability& one) {
    return one.target == TargetKind::local && one.name == name &&
           one.state == CapabilityState::available;
  });
}

}  // namespace

std::vector<std::string> disturbances(const MachineView& machine) {
  std::vector<std::string> out;
  for (const Capability& one : capabilities(machine, "")) {
    if (one.target || one.state != CapabilityState::disturbing) continue;
    out.push_back(fmt::format("{}: {}; {}", one.name, one.detail, one.fix));
  }
  return out;
}

MachineHas machine_has(const std::vector<Capability>& all) {
  return {.amd_gpu = is_there(all, "AMD GPU") && is_there(all, "/dev/kfd"),
          .recorder = is_there(all, "rocprofv3")};
}

}  // namespace rpl::profile
