// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "engine/device/execute/launch/program.h"

namespace rpl {

/// A kernel of tests/cheats as the emulated device runs it, with the code object that it refers to.
inline std::shared_ptr<const emu::Program> program_of(const std::string& source,
                                                      const std::string& kernel) {
  const auto object = isa::CodeObject::open(std::string(RPL_CHEATS) + "/" + source + ".gfx942.co");
  EXPECT_TRUE(object.has_value());
  const auto found = (*object)->kernel(kernel);
  EXPECT_TRUE(found.has_value()) << kernel;
  struct Held {
    std::shared_ptr<const isa::CodeObject> object;
    std::shared_ptr<const emu::Program> program;
  };
  const auto held = std::make_shared<Held>(Held{*object, emu::make_program(**object, **found)});
  return {held, held->program.get()};
}

}  // namespace rpl
