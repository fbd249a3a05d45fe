// SPDX-License-Identifier: MIT
#include "engine/target/emu/program_check.h"

#include <elf.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "engine/base/files.h"
#include "engine/device/hip/device.h"
#include "engine/isa/object/bundle.h"
#include "engine/isa/traits/architecture.h"
#include "engine/process/run.h"

namespace rpl::profile {
namespace {

namespace fs = std::filesystem;

/// Whether the file names a loader; the others are static.
bool has_interpreter(isa::ByteView file, const Elf64_Ehdr& header) {
  for (std::uint16_t i = 0; i < header.e_phnum; ++i) {
    const auto segment =
        file.read<Elf64_Phdr>(header.e_phoff + std::uint64_t{i} * header.e_phentsize);
    if (segment && segment->p_type == PT_INTERP) return true;
  }
  return false;
}

struct Libraries {
  bool hip = false;
  std::string other_hip;  ///< where the loader finds a libamdhip64 that is not in the first folder
  std::string missing;
  bool python = false;  ///< a language's library is among them, which opens further ones
};

/// Whether a file asks the C library for libraries while it runs, and may ask for libamdhip64.
bool opens_libraries(isa::ByteView file) {
  using namespace std::string_view_literals;
  const std::string_view text = as_text(file.bytes());
  return text.find("\0dlopen\0"sv) != std::string_view::npos;
}

/// What the dynamic loader finds, as ldd asks it: the program itself does not run.
Result<Libraries> libraries_of(const std::string& path, const std::string& folder) {
  const Exit exit = TRY(run({.argv = {path},
                             .env = {"LD_TRACE_LOADED_OBJECTS=1", "LD_LIBRARY_PATH=" + folder},
                             .timeout = std::chrono::seconds(20)}));
  Libraries out;
  std::string_view rest = exit.out.text;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (line.find("libamdhip64.so") != std::string_view::npos) {
      out.hip = true;
      const std::size_t arrow = line.find("=> /");
      const std::string_view found = arrow == std::string_view::npos
                                         ? std::string_view()
                                         : line.substr(arrow + 3, line.rfind(" (") - arrow - 3);
      if (!found.empty() && !found.starts_with(folder.substr(0, folder.find(':'))))
        out.other_hip = found;
    }
    // Python's program may be nothing but a call into its library.
    if (line.find("libpython") != std::string_view::npos) out.python = true;
    if (const std::size_t at = line.find(" => not found");
        at != std::string_view::npos && out.missing.empty()) {
      out.missing = line.substr(0, at);
      out.missing.erase(0, out.missing.find_first_not_of(" \t"));
    }
  }
  return out;
}

/// Names the code objects of a version that the emulator does not read.
Status check_versions(const std::vector<isa::Embedded>& objects) {
  // ELFABIVERSION_AMDGPU_HSA_V2 to V6 are 0 to 4 (llvm.org/docs/AMDGPUUsage.html, "ELF Header").
  constexpr unsigned kFirst = 2, kLast = 4;
  for (const isa::Embedded& object : objects) {
    if (!isa::find_architecture(object.target()) || object.bytes.size() <= EI_ABIVERSION) continue;
    const auto version = std::to_integer<unsigned>(object.bytes[EI_ABIVERSION]);
    if (version >= kFirst && version <= kLast) continue;
    return fail(
        Errc::unsupported,
        fmt::format("its code for {} is of code-object version {}", object.target(), version + 2),
        "rebuild it with -mcode-object-version=5");
  }
  return {};
}

Status choose_gpu(CheckedProgram& program, const std::string& wished) {
  const auto& all = program.architectures;
  if (!wished.empty()) {
    const auto kind = emu::hip::device_kind(wished);
    if (!kind) return Failure(kind.error());
    program.gpu = wished;
    const std::string target(isa::to_string(kind->arch));
    if (all.empty() || std::ranges::find(all, target) != all.end()) return {};
    return fail(
        Errc::unsupported,
        fmt::format("it has code for {}, and a {} runs {}", fmt::join(all, ", "), kind->product,
                    target),
        fmt::format("rebuild it: rpl build SOURCE --arch {}, or choose another GPU", target));
  }
  for (const isa::Arch arch : isa::by_preference()) {
    if (!all.empty() && std::ranges::find(all, isa::to_string(arch)) == all.end()) continue;
    program.gpu = emu::hip::usual_product(arch);
    return {};
  }
  return fail(Errc::unsupported,
              fmt::format("it has code for {}, which is not emulated", fmt::join(all, ", ")),
              "rebuild it: rpl build SOURCE --arch " + isa::usual_architecture());
}

}  // namespace

Result<std::string> found_in_path(const std::string& name, const std::string& cwd) {
  const auto runs = [](const std::string& path) {
    return ::access(path.c_str(), X_OK) == 0 && !fs::is_directory(path);
  };
  if (name.find('/') != std::string::npos) {
    std::string path = cwd.empty() ? name : (fs::absolute(cwd) / name).lexically_normal().string();
    if (runs(path)) return path;
  } else if (const char* path = std::getenv("PATH")) {
    std::string_view rest = path;
    while (!rest.empty()) {
      const std::size_t colon = rest.find(':');
      const std::string candidate = (fs::path(rest.substr(0, colon)) / name).string();
      if (runs(candidate)) return candidate;
      rest = colon == std::string_view::npos ? std::string_view() : rest.substr(colon + 1);
    }
  }
  return fail(Errc::not_found, fmt::format("no program '{}'", name),
              "give its path: profile -- ./app");
}

Result<CheckedProgram> check_program(const std::string& name, const std::string& wished_gpu,
                                     const std::string& libraries, const std::string& cwd) {
  CheckedProgram out;
  out.path = TRY(found_in_path(name, cwd));
  const auto bytes = TRY(read_binary_file(out.path));
  const isa::ByteView file{std::span<const std::byte>(bytes)};
  const auto header = file.read<Elf64_Ehdr>(0);
  out.is_script = !header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0;
  if (!out.is_script) {
    if (header->e_machine != EM_X86_64) {
      return fail(Errc::unsupported, fmt::format("{} is not a program of this machine", out.path),
                  "for a code object: kernel run");
    }
    if (!has_interpreter(file, *header)) {
      return fail(
          Errc::unsupported,
          fmt::format("{} is linked statically, so that no library can be put in front of it",
                      out.path),
          "link it with libamdhip64.so");
    }
    const Libraries found = TRY(libraries_of(out.path, libraries));
    if (!found.missing.empty()) {
      return fail(Errc::not_found,
                  fmt::format("{} needs {}, which is not there", out.path, found.missing),
                  "install it, or add its folder to LD_LIBRARY_PATH");
    }
    if (!found.other_hip.empty()) {
      return fail(Errc::unsupported,
                  fmt::format("{} finds its libamdhip64 in {}, before any other", out.path,
                              found.other_hip),
                  "it was linked with an rpath: relink it without, or patchelf --remove-rpath");
    }
    if (const auto objects = isa::code_objects_in(file)) {
      for (const isa::Embedded& object : *objects) out.architectures.emplace_back(object.target());
      TRY(check_versions(*objects));
    } else if (objects.error().code != Errc::not_found) {
      return Failure(Error(objects.error()).in(out.path));
    }
    out.opens_libraries = opens_libraries(file) || found.python;
    if (!found.hip && out.architectures.empty() && !out.opens_libraries) {
      return fail(Errc::missing_capability,
                  fmt::format("{} is not a HIP program: it does not use libamdhip64", out.path),
                  "build one: rpl build SOURCE -o app; the host's time of any program: profile "
                  "--no-rocprof");
    }
  }
  TRY(choose_gpu(out, wished_gpu));
  return out;
}

}  // namespace rpl::profile
