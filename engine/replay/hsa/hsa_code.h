// SPDX-License-Identifier: MIT
#pragma once

#include "engine/isa/object/code_object.h"
#include "engine/replay/hsa/hsa_device.h"

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

}  // namespace rpl
