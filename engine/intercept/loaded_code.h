// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "engine/base/result.h"
#include "engine/intercept/calls.h"
#include "engine/isa/object/code_object.h"

namespace rpl::intercept {

/// A kernel as it lies in device memory.
struct LoadedKernel {
  std::shared_ptr<const isa::CodeObject> object;
  const isa::Kernel* kernel = nullptr;  ///< of `object`
  std::uint64_t load_delta = 0;         ///< device address of the code object's address zero
};

/// The part of hsa_ven_amd_loader 1.3 that is asked (hsa_ven_amd_loader.h).
struct LoaderCalls {
  Status (*host_address)(const void*, const void**) = nullptr;
  Status (*segment_descriptors)(void*, std::size_t*) = nullptr;
  Status (*executable_of)(const void*, hsa::Executable*) = nullptr;
  Status (*each_object)(hsa::Executable, Status (*)(hsa::Executable, hsa::LoadedObject, void*),
                        void*) = nullptr;
  Status (*object_info)(hsa::LoadedObject, std::uint32_t, void*) = nullptr;
  void* later[2] = {};
};

/// A code object's bytes lie in memory or in a file; loaders say where by a URI (llvm.org/docs/AMDGPUUsage.html, "Code Object URI").
struct CodeUri {
  std::string path;                     ///< empty: memory of this process
  std::uint64_t offset = 0, bytes = 0;  ///< bytes 0: the whole file
};
/// Reads "file:///a/b.co#offset=4096&size=0x200" and "memory://1234#offset=0x7f…&size=…". Fails with corrupt.
Result<CodeUri> parse_code_uri(const std::string& uri);
/// The bytes. Memory that the application has freed meanwhile is an error, not a crash. Fails with io, not_found, limit.
Result<std::vector<std::byte>> read_code(const CodeUri& uri);

/// Finds the code object and the kernel of a dispatch by asking the runtime's loader, when a dispatch needs them. Calls from any thread.
class LoadedCode {
 public:
  explicit LoadedCode(const Calls& calls) : calls_(calls) {}

  /// `kernel_object` is the packet's: the address of the kernel descriptor. Fails with missing_capability without the loader's interface, not_found for an
  /// address in no code object, and as CodeObject::parse does. Answers, failures too, are kept until forget().
  Result<LoadedKernel> of(std::uint64_t kernel_object);
  /// An executable was destroyed: its addresses may be given out again.
  void forget();

 private:
  Result<LoadedKernel> look_up(std::uint64_t kernel_object);

  const Calls& calls_;
  std::mutex mutex_;
  bool asked_ = false;
  LoaderCalls loader_;
  std::map<std::uint64_t, Result<LoadedKernel>> kernels_;                    ///< by kernel_object
  std::map<std::uint64_t, std::shared_ptr<const isa::CodeObject>> objects_;  ///< by load base
};

}  // namespace rpl::intercept
