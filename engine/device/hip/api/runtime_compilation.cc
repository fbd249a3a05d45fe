// SPDX-License-Identifier: MIT
#include "engine/device/hip/api/runtime_compilation.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "engine/base/files.h"
#include "engine/isa/object/code_object.h"
#include "engine/source/build/build.h"

namespace rpl::emu::hip {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNamePrefix = "__rpl_hiprtc_name_";

/// The project's headers lie beside this library, which is not the program that runs.
void name_own_folder() {
  Dl_info info{};
  if (std::getenv("RPL_EMULATED_HIP") != nullptr ||
      ::dladdr(reinterpret_cast<void*>(&compile_program), &info) == 0 || info.dli_fname == nullptr)
    return;
  std::error_code error;
  const fs::path library = fs::canonical(info.dli_fname, error);
  if (!error) ::setenv("RPL_EMULATED_HIP", library.parent_path().c_str(), 0);
}

/// A name that stays in its folder.
bool is_inside(const std::string& name) {
  const fs::path path = fs::path(name).lexically_normal();
  return !name.empty() && path.is_relative() && *path.begin() != "..";
}

/// What hiprtc takes and clang does not, said as clang has it.
Result<std::vector<std::string>> flags_of(std::string_view architecture,
                                          const std::vector<std::string>& options) {
  std::vector<std::string> out;
  for (const std::string& option : options) {
    const std::size_t equals = option.find('=');
    const std::string name = option.substr(0, equals);
    if (name == "--gpu-architecture" || name == "--offload-arch" || name == "-arch") {
      const std::string wanted = equals == std::string::npos
                                     ? ""
                                     : option.substr(equals + 1, option.find(':') - equals - 1);
      if (wanted == architecture) continue;
      return fail(Errc::usage, fmt::format("{}: the device is a {}", option, architecture));
    }
    if (option == "--use_fast_math" || option == "-use_fast_math")
      out.emplace_back("-ffast-math");
    else if (option.starts_with("--std="))
      out.push_back(option.substr(1));
    else
      out.push_back(option);
  }
  return out;
}

/// The source between the headers of HIP and variables that hold the addresses of what the expressions name.
std::string text_of(const SourceProgram& program) {
  std::string out = fmt::format("#include <hip/hip_runtime.h>\n#line 1 \"{}\"\n{}\n", program.name,
                                program.source);
  for (std::size_t i = 0; i < program.expressions.size(); ++i)
    out += fmt::format(
        "#line 1 \"name expression\"\nextern \"C\" __attribute__((device, used)) const void* {}{} "
        "= "
        "(const void*)&({});\n",
        kNamePrefix, i,
        program.expressions[i].substr(program.expressions[i].find_first_not_of('&')));
  return out;
}

/// What an address belongs to: a function or a variable, not the variables above.
const isa::Symbol* symbol_at(const isa::CodeObject& object, std::uint64_t address) {
  for (const isa::Symbol& symbol : object.elf().symbols) {
    const bool named =
        symbol.kind == isa::Symbol::Kind::function || symbol.kind == isa::Symbol::Kind::object;
    if (named && symbol.address == address && !symbol.name.starts_with(kNamePrefix)) return &symbol;
  }
  return nullptr;
}

Status lower_names(SourceProgram& program) {
  const auto object = TRY(isa::CodeObject::parse(program.code));
  for (std::size_t i = 0; i < program.expressions.size(); ++i) {
    const isa::Symbol* holder = object->symbol(fmt::format("{}{}", kNamePrefix, i));
    if (holder == nullptr) continue;
    for (const auto& relocation : object->elf().relocations) {
      if (relocation.address != holder->address) continue;
      const isa::Symbol* named =
          relocation.symbol.empty()
              ? symbol_at(*object, static_cast<std::uint64_t>(relocation.addend))
              : object->symbol(relocation.symbol);
      if (named != nullptr) program.lowered[program.expressions[i]] = named->name;
    }
  }
  return {};
}

std::string log_of(const BuildOutcome& built) {
  std::string out;
  for (const Diagnostic& each : built.diagnostics) {
    out += each.file;
    if (each.line > 0) out += fmt::format(":{}", each.line);
    if (each.column > 0) out += fmt::format(":{}", each.column);
    out += fmt::format("{}{}: {}\n", out.empty() || each.file.empty() ? "" : ": ", each.severity,
                       each.message);
  }
  return out;
}

}  // namespace

Result<bool> compile_program(SourceProgram& program, std::string_view architecture,
                             const std::vector<std::string>& options) {
  name_own_folder();
  Compiler compiler = TRY(find_compiler());
  compiler.cache = build_cache_folder();
  const ScratchFolder folder = TRY(ScratchFolder::make("hiprtc"));
  for (const auto& [name, text] : program.headers) {
    if (!is_inside(name))
      return fail(Errc::usage, fmt::format("'{}' is no name of a header", name));
    const fs::path path = fs::path(folder.path()) / name;
    TRY(make_folder(path.parent_path().string()));
    TRY(write_file(path.string(), text));
  }
  const std::string source = folder.path() + "/source.hip", object = folder.path() + "/object.co";
  TRY(write_file(source, text_of(program)));
  const std::vector<std::string> flags = TRY(flags_of(architecture, options));
  const BuildOutcome built = TRY(build_hip(compiler, {.source = source,
                                                      .architecture = std::string(architecture),
                                                      .output = object,
                                                      .include_folders = {folder.path()},
                                                      .flags = flags}));
  program.log = log_of(built);
  if (!built.built) return false;
  program.code = TRY(read_binary_file(object));
  TRY(lower_names(program));
  program.compiled = true;
  return true;
}

}  // namespace rpl::emu::hip
