// SPDX-License-Identifier: MIT
// Code objects: readers, executables, symbols.
#include <algorithm>
#include <cstring>

#include "engine/device/execute/launch/grid.h"
#include "tests/support/hsa/calls.h"

namespace rpl::hsa_double::calls {
namespace {

/// Loads and relocates at a place of its own. Zero for no room.
std::uint64_t load(Machine& machine, const isa::CodeObject& object) {
  std::uint64_t end = 0;
  for (const auto& segment : object.elf().segments)
    end = std::max(end, segment.address + segment.memory_size);
  const std::uint64_t bytes =
      emu::round_up_to(std::max<std::uint64_t>(end, 1), machine.options.granule);
  const std::uint64_t base = machine.map.allocate(bytes, hsakmt::AddressMap::kDeviceNode, 0);
  if (base == 0) return 0;
  emu::Memory relocated;
  if (!emu::load_object(relocated, object, base)) {
    machine.map.free(base);
    return 0;
  }
  for (const emu::Region* region : relocated.regions())
    std::memcpy(pointer_to(region->base), region->host, region->size);
  machine.map.map(base, bytes);
  return base;
}

Status find_symbol(Machine& machine, std::uint64_t program, const std::string& name,
                   Symbol* symbol) {
  for (const Image& image : machine.programs.at(program).images) {
    const isa::Symbol* found = image.object->symbol(name);
    if (found == nullptr) continue;
    Named named{.program = program,
                .base = image.base,
                .object = image.object,
                .kernel = nullptr,
                .symbol = found};
    for (const isa::Kernel& kernel : image.object->kernels()) {
      if (kernel.symbol == name) named.kernel = &kernel;
    }
    symbol->handle = ++machine.next_handle;
    machine.symbols[symbol->handle] = named;
    return Status::success;
  }
  return Status::invalid_symbol_name;
}

template <class T>
Status answer(void* at, T value) {
  std::memcpy(at, &value, sizeof(value));
  return Status::success;
}

Status kernel_info(const Named& named, SymbolInfo what, void* value) {
  if (named.kernel == nullptr) return Status::invalid_argument;
  switch (what) {
    case SymbolInfo::kernarg_bytes:
      return answer(value, named.kernel->kernarg_bytes);
    case SymbolInfo::group_bytes:
      return answer(value, named.kernel->lds_bytes);
    case SymbolInfo::private_bytes:
      return answer(value, named.kernel->scratch_bytes);
    case SymbolInfo::kernel_object:
      return answer(value, named.base + named.symbol->address);
    default:
      return Status::invalid_argument;
  }
}

Status symbol_info(const Named& named, SymbolInfo what, void* value) {
  switch (what) {
    case SymbolInfo::type:
      return answer(value, named.kernel != nullptr ? SymbolType::kernel : SymbolType::variable);
    case SymbolInfo::name_length:
      return answer(value, static_cast<std::uint32_t>(named.symbol->name.size()));
    case SymbolInfo::name:
      std::memcpy(value, named.symbol->name.data(), named.symbol->name.size());
      return Status::success;
    case SymbolInfo::variable_size:
      return answer(value, static_cast<std::uint32_t>(named.symbol->size));
    case SymbolInfo::variable_address:
      return answer(value, named.base + named.symbol->address);
    default:
      return kernel_info(named, what, value);
  }
}

}  // namespace

Status reader_create_from_memory(const void* bytes, std::size_t size, Reader* reader) {
  return on_machine("hsa_code_object_reader_create_from_memory", fmt::format("{}", size),
                    [&](Machine& machine) {
                      if (bytes == nullptr || size == 0 || reader == nullptr)
                        return Status::invalid_argument;
                      reader->handle = ++machine.next_handle;
                      const auto* first = static_cast<const std::byte*>(bytes);
                      machine.readers[reader->handle] = {first, first + size};
                      return Status::success;
                    });
}

Status reader_destroy(Reader reader) {
  return on_machine("hsa_code_object_reader_destroy", {}, [&](Machine& machine) {
    return machine.readers.erase(reader.handle) == 1 ? Status::success
                                                     : Status::invalid_code_object_reader;
  });
}

Status executable_create(Profile profile, Rounding rounding, const char*, Executable* executable) {
  return on_machine("hsa_executable_create_alt",
                    fmt::format("profile {} rounding {}", static_cast<unsigned>(profile),
                                static_cast<unsigned>(rounding)),
                    [&](Machine& machine) {
                      if (executable == nullptr) return Status::invalid_argument;
                      executable->handle = ++machine.next_handle;
                      machine.programs[executable->handle] = {};
                      return Status::success;
                    });
}

Status executable_load(Executable executable, Agent agent, Reader reader, const char*,
                       LoadedObject* loaded) {
  return on_machine("hsa_executable_load_agent_code_object", {}, [&](Machine& machine) {
    const auto program = machine.programs.find(executable.handle);
    const auto bytes = machine.readers.find(reader.handle);
    if (program == machine.programs.end()) return Status::invalid_executable;
    if (bytes == machine.readers.end()) return Status::invalid_code_object_reader;
    if (agent.handle != kGpu.handle) return Status::invalid_agent;
    if (program->second.frozen) return Status::frozen_executable;
    const auto object = isa::CodeObject::parse(bytes->second);
    if (!object) return Status::invalid_code_object;
    if (to_string((*object)->arch()) != machine.options.arch) return Status::incompatible_arguments;
    const std::uint64_t base = load(machine, **object);
    if (base == 0) return Status::out_of_resources;
    program->second.images.push_back({*object, base});
    if (loaded != nullptr) loaded->handle = ++machine.next_handle;
    return Status::success;
  });
}

Status executable_freeze(Executable executable, const char*) {
  return on_machine("hsa_executable_freeze", {}, [&](Machine& machine) {
    const auto program = machine.programs.find(executable.handle);
    if (program == machine.programs.end()) return Status::invalid_executable;
    if (program->second.frozen) return Status::frozen_executable;
    program->second.frozen = true;
    return Status::success;
  });
}

Status executable_destroy(Executable executable) {
  return on_machine("hsa_executable_destroy", {}, [&](Machine& machine) {
    const auto program = machine.programs.find(executable.handle);
    if (program == machine.programs.end()) return Status::invalid_executable;
    for (const Image& image : program->second.images) machine.map.free(image.base);
    std::erase_if(machine.symbols,
                  [&](const auto& symbol) { return symbol.second.program == executable.handle; });
    machine.programs.erase(program);
    return Status::success;
  });
}

Status executable_get_symbol(Executable executable, const char* name, const Agent* agent,
                             Symbol* symbol) {
  return on_machine("hsa_executable_get_symbol_by_name", name == nullptr ? "" : name,
                    [&](Machine& machine) {
                      if (!machine.programs.contains(executable.handle))
                        return Status::invalid_executable;
                      if (name == nullptr || symbol == nullptr ||
                          (agent != nullptr && agent->handle != kGpu.handle))
                        return Status::invalid_argument;
                      return find_symbol(machine, executable.handle, name, symbol);
                    });
}

Status symbol_get_info(Symbol symbol, SymbolInfo what, void* value) {
  return on_machine("hsa_executable_symbol_get_info",
                    fmt::format("{}", static_cast<unsigned>(what)), [&](Machine& machine) {
                      const auto found = machine.symbols.find(symbol.handle);
                      return found == machine.symbols.end()
                                 ? Status::invalid_executable_symbol
                                 : symbol_info(found->second, what, value);
                    });
}

}  // namespace rpl::hsa_double::calls
