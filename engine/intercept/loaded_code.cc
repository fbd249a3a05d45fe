// SPDX-License-Identifier: MIT
#include "engine/intercept/loaded_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace rpl::intercept {
namespace {

constexpr std::uint16_t kLoaderExtension = 0x201;

/// hsa_ven_amd_loader_loaded_code_object_info_t
enum Info : std::uint32_t {
  kLoadDelta = 8,
  kLoadBase = 9,
  kLoadBytes = 10,
  kUriLength = 11,
  kUri = 12
};

struct Loaded {
  std::uint64_t base = 0, bytes = 0;
  std::int64_t delta = 0;
  std::string uri;
};

struct Search {
  const LoaderCalls* loader;
  std::uint64_t address;
  std::optional<Loaded> found;
};

template <class T>
bool ask(const LoaderCalls& loader, hsa::LoadedObject object, Info info, T* into) {
  return loader.object_info(object, info, into) == Status::success;
}

Status look_at(hsa::Executable, hsa::LoadedObject object, void* data) {
  auto& search = *static_cast<Search*>(data);
  Loaded loaded;
  std::uint32_t length = 0;
  if (!ask(*search.loader, object, kLoadBase, &loaded.base) ||
      !ask(*search.loader, object, kLoadBytes, &loaded.bytes) ||
      !ask(*search.loader, object, kLoadDelta, &loaded.delta) ||
      search.address - loaded.base >= loaded.bytes) {
    return Status::success;
  }
  if (ask(*search.loader, object, kUriLength, &length) && length < 1U << 16) {
    loaded.uri.resize(length);
    if (!ask(*search.loader, object, kUri, loaded.uri.data())) loaded.uri.clear();
    if (const std::size_t end = loaded.uri.find('\0'); end != std::string::npos)
      loaded.uri.resize(end);
  }
  search.found = std::move(loaded);
  return Status::info_break;
}

}  // namespace

Result<LoadedKernel> LoadedCode::look_up(std::uint64_t kernel_object) {
  if (!asked_) {
    asked_ = true;
    if (calls_.extension_table(kLoaderExtension, 1, sizeof(loader_), &loader_) != Status::success)
      loader_ = {};
  }
  if (loader_.executable_of == nullptr || loader_.each_object == nullptr ||
      loader_.object_info == nullptr) {
    return fail(Errc::missing_capability,
                "the HSA runtime has no loader interface (hsa_ven_amd_loader 1.3)",
                "use the runtime of ROCm 5.0 or newer");
  }
  hsa::Executable executable{};
  // An address of the device, which is never followed here.
  const void* address =
      reinterpret_cast<const void*>(kernel_object);  // NOLINT(performance-no-int-to-ptr)
  Search search{&loader_, kernel_object, std::nullopt};
  if (loader_.executable_of(address, &executable) == Status::success)
    (void)loader_.each_object(executable, look_at, &search);
  if (!search.found)
    return fail(Errc::not_found,
                fmt::format("no loaded code object holds the kernel at 0x{:x}", kernel_object));
  auto& object = objects_[search.found->base];
  if (object == nullptr)
    object = TRY(isa::CodeObject::parse(TRY(read_code(TRY(parse_code_uri(search.found->uri))))));
  const std::uint64_t delta = static_cast<std::uint64_t>(search.found->delta);
  for (const isa::Kernel& kernel : object->kernels()) {
    const isa::Symbol* descriptor = object->symbol(kernel.symbol);
    if (descriptor != nullptr && descriptor->address + delta == kernel_object)
      return LoadedKernel{object, &kernel, delta};
  }
  return fail(Errc::not_found, fmt::format("the code object at 0x{:x} has no kernel at 0x{:x}",
                                           search.found->base, kernel_object));
}

Result<LoadedKernel> LoadedCode::of(std::uint64_t kernel_object) {
  const std::scoped_lock lock(mutex_);
  const auto known = kernels_.find(kernel_object);
  if (known != kernels_.end()) return known->second;
  return kernels_.emplace(kernel_object, look_up(kernel_object)).first->second;
}

void LoadedCode::forget() {
  const std::scoped_lock lock(mutex_);
  kernels_.clear();
  objects_.clear();
}

}  // namespace rpl::intercept
