// SPDX-License-Identifier: MIT
#include "engine/replay/hsa/hsa_variant.h"

#include <algorithm>
#include <cstring>

#include "engine/device/execute/launch/launch.h"
#include "engine/replay/images.h"
#include "engine/replay/replay.h"

namespace rpl {
namespace {

/// Dimensions as the captured packet has them; without it as many as the sizes need.
std::uint16_t setup_of(const Capture& capture) {
  if (capture.facts.packet) {
    hsa::DispatchPacket packet{};
    std::memcpy(&packet, capture.facts.packet->data(), sizeof(packet));
    if (const auto dimensions = static_cast<std::uint16_t>(packet.setup & 3U); dimensions != 0)
      return dimensions;
  }
  if (capture.grid[2] > 1 || capture.workgroup[2] > 1) return 3;
  return capture.grid[1] > 1 || capture.workgroup[1] > 1 ? 2 : 1;
}

}  // namespace

Status HsaVariant::choose(std::shared_ptr<const isa::CodeObject> object, std::string_view kernel,
                          const LaunchPlan& launch) {
  captured_object_ = TRY(object_of(capture_));
  captured_kernel_ = TRY(captured_object_->kernel(capture_.kernel));
  is_captured_ = object == nullptr && launch.empty();
  object_ = object == nullptr ? captured_object_ : std::move(object);
  kernel_ = TRY(kernel_that_fits(capture_, *object_, kernel, launch));
  size_ = TRY(launch_size(capture_, launch));
  return {};
}

Status HsaVariant::load(const HsaDevice& device) {
  code_ = std::make_unique<HsaCode>(calls_);
  TRY(code_->load(device, *object_, *kernel_));
  return write_arguments(device);
}

Status HsaVariant::write_arguments(const HsaDevice& device) {
  emu::Launch launch;
  launch.object = object_;
  launch.kernel = kernel_;
  launch.grid = size_.grid;
  launch.workgroup = size_.workgroup;
  launch.dynamic_lds_bytes = size_.dynamic_lds_bytes;
  launch.arguments = explicit_part(capture_, *kernel_);
  const std::vector<std::byte> bytes = TRY(emu::kernarg_of(launch));
  // Compilers may read whole cache lines of arguments.
  constexpr std::size_t kSlack = 256;
  TRY(kernarg_.make(device.kernarg, bytes.size() + kSlack, "the kernel arguments"));
  TRY(kernarg_.share_with(device.gpu));
  std::memset(kernarg_.get(), 0, bytes.size() + kSlack);
  if (!bytes.empty()) std::memcpy(kernarg_.get(), bytes.data(), bytes.size());
  return {};
}

void HsaVariant::find_targets(const std::vector<PageRange>& ranges) {
  for (std::size_t i = 0; i < capture_.regions.size(); ++i) {
    const CapturedRegion& region = capture_.regions[i];
    Target target{.address = region.base};
    if (!region.variable.empty()) {
      const isa::Symbol* symbol = symbol_of_variable(region, *object_, code_->base());
      target = {.address = symbol == nullptr ? 0 : code_->base() + symbol->address,
                .placement = symbol == nullptr ? "absent" : "variable"};
    }
    targets_.push_back(target);
    if (target.address != 0) regions_.push_back(i);
  }
  for (const PageRange& range : ranges) {
    for (const std::size_t region : range.regions)
      targets_[region].placement = range.host ? "host" : "device";
  }
  if (!is_captured_ || !capture_.has_after) return restore_all();
  for (const std::size_t i : regions_) {
    if (capture_.regions[i].after) restored_.push_back(i);
  }
}

hsa::DispatchPacket HsaVariant::packet() const {
  hsa::DispatchPacket packet{};
  packet.setup = setup_of(capture_);
  for (std::size_t i = 0; i < 3; ++i) {
    packet.workgroup[i] = static_cast<std::uint16_t>(size_.workgroup[i]);
    packet.grid[i] = size_.grid[i];
  }
  packet.private_bytes =
      std::max({captured_kernel_->scratch_bytes, capture_.scratch_bytes, code_->private_bytes()});
  packet.group_bytes =
      std::max(captured_kernel_->lds_bytes, code_->group_bytes()) + size_.dynamic_lds_bytes;
  packet.kernel_object = code_->kernel_object();
  packet.kernarg = reinterpret_cast<std::uint64_t>(kernarg_.get());
  return packet;
}

HsaCode::~HsaCode() {
  if (executable_.handle != 0) calls_.release(calls_.api.executable_destroy, about_, executable_);
  if (reader_.handle != 0) calls_.release(calls_.api.reader_destroy, about_, reader_);
}

Status HsaCode::load(const HsaDevice& device, const isa::CodeObject& object,
                     const isa::Kernel& kernel) {
  const hsa::Api& api = calls_.api;
  const char* const no_options = nullptr;
  hsa::LoadedObject* const not_asked = nullptr;
  about_ = fmt::format("the code of '{}'", kernel.name);
  const auto bytes = object.bytes();
  TRY(calls_.call(api.reader_create_from_memory, about_, static_cast<const void*>(bytes.data()),
                  bytes.size(), &reader_));
  TRY(calls_.call(api.executable_create, about_, hsa::Profile::base, hsa::Rounding::as_compiled,
                  no_options, &executable_));
  TRY(calls_.call(api.executable_load, about_, executable_, device.gpu, reader_, no_options,
                  not_asked));
  TRY(calls_.call(api.executable_freeze, about_, executable_, no_options));
  return find_kernel(device, object, kernel);
}

Status HsaCode::find_kernel(const HsaDevice& device, const isa::CodeObject& object,
                            const isa::Kernel& kernel) {
  const hsa::Api& api = calls_.api;
  const std::string about = fmt::format("'{}'", kernel.symbol);
  hsa::Symbol symbol{};
  TRY(calls_.call(api.executable_get_symbol, about, executable_, kernel.symbol.c_str(),
                  static_cast<const hsa::Agent*>(&device.gpu), &symbol));
  const auto ask = [&](hsa::SymbolInfo what, void* value) {
    return calls_.call(api.symbol_get_info, about, symbol, what, value);
  };
  TRY(ask(hsa::SymbolInfo::kernel_object, &kernel_object_));
  TRY(ask(hsa::SymbolInfo::group_bytes, &group_bytes_));
  TRY(ask(hsa::SymbolInfo::private_bytes, &private_bytes_));
  const isa::Symbol* descriptor = object.symbol(kernel.symbol);
  if (descriptor == nullptr || kernel_object_ < descriptor->address) {
    return fail(Errc::internal, fmt::format("the loader put {} at 0x{:x}, where it cannot be",
                                            about, kernel_object_));
  }
  base_ = kernel_object_ - descriptor->address;
  return {};
}

}  // namespace rpl
