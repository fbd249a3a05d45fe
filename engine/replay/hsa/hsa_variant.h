// SPDX-License-Identifier: MIT
#pragma once

#include "engine/capture/capture.h"
#include "engine/capture/launch_plan.h"
#include "engine/isa/object/code_object.h"
#include "engine/replay/hsa/hsa_device.h"
#include "engine/replay/hsa/hsa_memory.h"

namespace rpl {

/// A code object that the runtime's loader put into the GPU's memory, and one of its kernels.
class HsaCode {
 public:
  explicit HsaCode(HsaCalls& calls) : calls_(calls) {}
  ~HsaCode();
  HsaCode(const HsaCode&) = delete;
  HsaCode& operator=(const HsaCode&) = delete;

  /// Both must outlive it. Fails as HsaCalls does, and with internal when the loader put the kernel where the file does not.
  Status load(const HsaDevice& device, const isa::CodeObject& object, const isa::Kernel& kernel);

  [[nodiscard]] std::uint64_t base() const { return base_; }  ///< of the code object's address zero
  [[nodiscard]] std::uint64_t kernel_object() const { return kernel_object_; }
  /// What the loader says that the kernel needs, bytes.
  [[nodiscard]] std::uint32_t group_bytes() const { return group_bytes_; }
  [[nodiscard]] std::uint32_t private_bytes() const { return private_bytes_; }

 private:
  Status find_kernel(const HsaDevice& device, const isa::CodeObject& object,
                     const isa::Kernel& kernel);

  HsaCalls& calls_;
  std::string about_;
  hsa::Reader reader_{};
  hsa::Executable executable_{};
  std::uint64_t base_ = 0, kernel_object_ = 0;
  std::uint32_t group_bytes_ = 0, private_bytes_ = 0;
};

/// One build of the captured kernel on the GPU: its code, its arguments, and where the captured memory lies for it.
class HsaVariant {
 public:
  HsaVariant(HsaCalls& calls, const Capture& capture)
      : calls_(calls), capture_(capture), kernarg_(calls) {}

  /// `object` null: the captured one; `launch` empty: as it was captured. Fails as kernel_that_fits() does.
  Status choose(std::shared_ptr<const isa::CodeObject> object, std::string_view kernel,
                const LaunchPlan& launch);
  /// Loads the code and writes the arguments. The device must outlive it.
  Status load(const HsaDevice& device);
  /// By region of the capture: the ranges say which lie in memory of the host.
  void find_targets(const std::vector<PageRange>& ranges);

  /// Without its completion signal.
  [[nodiscard]] hsa::DispatchPacket packet() const;

  struct Target {
    std::uint64_t address = 0;  ///< 0: this code has no such variable
    const char* placement = "device";
  };
  [[nodiscard]] const isa::CodeObject& object() const { return *object_; }
  [[nodiscard]] const isa::Kernel& kernel() const { return *kernel_; }
  [[nodiscard]] std::uint64_t base() const { return code_->base(); }
  [[nodiscard]] const std::vector<Target>& targets() const { return targets_; }
  /// Regions that have an address.
  [[nodiscard]] const std::vector<std::size_t>& regions() const { return regions_; }
  /// Those that a run may have changed. What the captured code does not write it does not write the next time either; of other code
  /// nothing is known.
  [[nodiscard]] const std::vector<std::size_t>& restored() const { return restored_; }
  void restore_all() { restored_ = regions_; }

 private:
  Status write_arguments(const HsaDevice& device);

  HsaCalls& calls_;
  const Capture& capture_;
  bool is_captured_ = true;
  std::shared_ptr<const isa::CodeObject> object_, captured_object_;
  const isa::Kernel* kernel_ = nullptr;
  const isa::Kernel* captured_kernel_ = nullptr;
  LaunchSize size_;
  std::unique_ptr<HsaCode> code_;
  HsaAllocation kernarg_;
  std::vector<Target> targets_;
  std::vector<std::size_t> regions_, restored_;
};

}  // namespace rpl
