// SPDX-License-Identifier: MIT
#include "engine/replay/hsa/hsa_code.h"

namespace rpl {

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
