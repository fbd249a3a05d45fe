// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>

#include "engine/base/result.h"
#include "engine/isa/object/code_object.h"
#include "tests/differential/function.h"

namespace rpl::differential {

/// Whether clang 19 and its linker can be started.
bool clang_is_there();

/// A function on the host: lanes, groups, table, outs, item, group.
using HostFunction = void (*)(const std::byte*, const std::byte*, const std::byte*, std::byte*,
                              std::uint64_t, std::uint64_t);

/// A shared object in this process; unloaded at the end.
class HostModule {
 public:
  /// Which instructions the compiler may use: those of this machine, or those that every x86-64 has.
  enum class Instructions { own, plain };
  /// Compiles `text`, the module for the host, at -O`level`. `stem` is a path for files without ending.
  static Result<HostModule> compile(const std::string& text, int level, const std::string& stem,
                                    Instructions instructions = Instructions::own);
  [[nodiscard]] HostFunction function(const std::string& name) const;

 private:
  explicit HostModule(void* handle);
  std::shared_ptr<void> handle_;
};

/// Compiles the module for a device, with further options of the compiler. Fails with the compiler's words.
Result<std::shared_ptr<const isa::CodeObject>> compile_device(
    const std::string& text, Target target, int level, const std::string& stem,
    const std::vector<std::string>& more = {});

}  // namespace rpl::differential
