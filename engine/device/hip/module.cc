// SPDX-License-Identifier: MIT
#include "engine/device/hip/module.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/device/execute/launch/grid.h"
#include "engine/device/execute/launch/program.h"
#include "engine/isa/object/bundle.h"

namespace rpl::emu::hip {
namespace {

/// What is compiled without a word about XNACK or SRAM-ECC runs with it on and off; a word must be the device's.
bool suits(const isa::Embedded& object, const DeviceKind& kind) {
  const char* other = kind.xnack ? "xnack-" : "xnack+";
  return object.target() == isa::to_string(kind.arch) &&
         object.triple.find(other) == std::string::npos &&
         object.triple.find("sramecc-") == std::string::npos;
}

/// Code that was compiled for the device's XNACK alone goes before code for both.
bool goes_before(const isa::Embedded& one, const isa::Embedded& other) {
  return one.triple.find("xnack") != std::string::npos &&
         other.triple.find("xnack") == std::string::npos;
}

/// "gfx90a:xnack+": what stands behind the last dash of the triple.
std::string features_of(const isa::Embedded& object) {
  return object.triple.substr(object.triple.rfind('-', object.triple.find(':')) + 1);
}

std::string list_of(const std::vector<isa::Embedded>& objects) {
  std::string names;
  for (const isa::Embedded& object : objects)
    names += (names.empty() ? "" : ", ") + features_of(object);
  return names.empty() ? "no device code at all" : names;
}

}  // namespace

Result<std::unique_ptr<Module>> Module::read(std::span<const std::byte> image,
                                             const DeviceKind& kind, std::uint32_t devices) {
  auto module = std::make_unique<Module>();
  module->bases_.resize(devices);
  module->recorded.resize(devices);
  const isa::Arch arch = kind.arch;
  const std::string_view target = isa::to_string(arch);
  std::vector<isa::Embedded> all = TRY(isa::code_objects_in(isa::ByteView(image)));
  const bool plain = all.size() == 1 && all[0].triple.empty();
  std::ranges::stable_sort(all, goes_before);
  const auto found =
      plain ? all.begin()
            : std::ranges::find_if(all, [&](const auto& object) { return suits(object, kind); });
  if (found == all.end()) {
    const bool other_features = std::ranges::find(all, target, &isa::Embedded::target) != all.end();
    return fail(
        Errc::not_found,
        fmt::format("no code for {} among {}", other_features ? kind.target : target, list_of(all)),
        other_features
            ? fmt::format("compile with --offload-arch={}, which suits XNACK on and off", target)
            : fmt::format("compile with --offload-arch={}, or set another GPU", target));
  }
  module->object_ = TRY(isa::CodeObject::parse(std::move(found->bytes)));
  if (module->object_->arch() != arch) {
    return fail(Errc::not_found,
                fmt::format("the code object is for {}, the device is a {}",
                            isa::to_string(module->object_->arch()), target),
                fmt::format("compile with --offload-arch={}, or set another GPU", target));
  }
  return module;
}

Result<std::uint64_t> Module::load(AddressSpace& space, std::uint32_t device) {
  if (!bases_[device]) bases_[device] = TRY(load_object(space.memory(), *object_));
  return *bases_[device];
}

void Module::unload(AddressSpace& space) {
  for (auto& base : bases_) {
    if (!base) continue;
    for (const auto& segment : object_->elf().segments)
      space.memory().release(*base + segment.address);
    base.reset();
  }
}

Function* Module::function(const std::string& name) {
  if (const auto known = functions_.find(name); known != functions_.end())
    return known->second.get();
  const isa::Kernel* kernel = object_->kernel_exactly(name);
  if (kernel == nullptr) return nullptr;
  auto function = std::make_unique<Function>();
  function->module = this;
  function->kernel = kernel;
  function->arguments = kernel->explicit_arguments();
  function->recorded.resize(bases_.size());
  return (functions_[name] = std::move(function)).get();
}

const isa::Symbol* Module::variable(const std::string& name) const { return object_->symbol(name); }

std::uint64_t Module::bytes() const {
  std::uint64_t end = 0;
  for (const auto& segment : object_->elf().segments)
    end = std::max(end, segment.address + segment.memory_size);
  return end;
}

}  // namespace rpl::emu::hip
