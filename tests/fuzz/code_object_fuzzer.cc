// SPDX-License-Identifier: MIT
#include <cstdint>
#include <span>

#include "engine/isa/object/code_object.h"
#include "engine/isa/variables/variables.h"

namespace {

/// Every variable of every frame, wherever it is.
void read_variables(const std::shared_ptr<const rpl::isa::CodeObject>& object) {
  const auto variables = rpl::isa::Variables::read(object);
  if (!variables) return;
  rpl::isa::LocationNeeds needs;
  needs.read_register = [](rpl::isa::MachineRegister) { return std::optional<std::uint64_t>(64); };
  needs.read_memory = [](rpl::isa::VariablePart::Space, std::uint64_t, unsigned) {
    return std::optional<std::uint64_t>(1);
  };
  for (const auto& kernel : object->kernels()) {
    const auto frames = (*variables)->frames(kernel.entry);
    for (const auto& frame : frames) {
      for (const auto& local : frame.locals)
        (void)(*variables)->locate(frame, local, kernel.entry, needs);
    }
  }
  (void)(*variables)->globals();
  (void)(*variables)->type("float");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto* bytes = reinterpret_cast<const std::byte*>(data);
  const auto object = rpl::isa::CodeObject::parse({bytes, bytes + size});
  if (!object) return 0;
  (void)(*object)->kernel("");
  read_variables(*object);
  const auto lines = (*object)->source_lines();
  if (!lines) return 0;
  for (const auto& kernel : (*object)->kernels()) (void)lines->chain(kernel.entry);
  return 0;
}
