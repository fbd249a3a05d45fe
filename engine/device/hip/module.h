// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/device/execute/launch/launch.h"
#include "engine/device/hip/address_space.h"
#include "engine/device/hip/device.h"

namespace rpl::emu::hip {

class Module;

/// A kernel as hipFunction_t names it.
struct Function {
  Module* module = nullptr;
  const isa::Kernel* kernel = nullptr;
  std::shared_ptr<const Program> program;      ///< decoded at the first launch
  std::vector<isa::KernelArgument> arguments;  ///< explicit ones
  std::vector<std::uint64_t> recorded;  ///< by device: its id in the recording, 0 for none yet
};

/// A code object and where it lies on each device.
class Module {
 public:
  /// The code object for the device in an image in memory: an ELF file or an offload bundle, compressed or not. Fails with not_found for
  /// images without code for it (the message lists what there is), or as reading them does.
  static Result<std::unique_ptr<Module>> read(std::span<const std::byte> image,
                                              const DeviceKind& kind, std::uint32_t devices);

  /// Where it lies on `device`; loads it at the first call. Fails as load_object() does.
  Result<std::uint64_t> load(AddressSpace& space, std::uint32_t device);
  [[nodiscard]] std::optional<std::uint64_t> load_base(std::uint32_t device) const {
    return bases_[device];
  }
  /// Takes it from all devices.
  void unload(AddressSpace& space);

  /// Null for none of that name. The pointer lives as long as the module.
  Function* function(const std::string& name);
  /// A variable: its address in the code object and its size in bytes.
  [[nodiscard]] const isa::Symbol* variable(const std::string& name) const;

  [[nodiscard]] const std::shared_ptr<const isa::CodeObject>& object() const { return object_; }
  [[nodiscard]] std::uint64_t bytes() const;
  std::vector<std::uint64_t> recorded;  ///< by device: its id in the recording, 0 for none yet

 private:
  std::shared_ptr<const isa::CodeObject> object_;
  std::vector<std::optional<std::uint64_t>> bases_;
  std::map<std::string, std::unique_ptr<Function>> functions_;
};

}  // namespace rpl::emu::hip
