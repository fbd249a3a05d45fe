// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/device/execute/launch/kernel_run.h"
#include "engine/replay/elements.h"
#include "engine/triton/metadata.h"

/// Runs of the Triton kernels of examples/triton.
namespace rpl::triton {

inline const std::filesystem::path& examples() {
  static const std::filesystem::path kFolder = RPL_TRITON_EXAMPLES;
  return kFolder;
}

/// Every committed code object of a kernel: of both GPUs, of both versions of Triton, and of a tuner's cache.
inline std::vector<std::string> objects_of(const std::string& kernel) {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(examples())) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() == ".hsaco" && name.substr(0, name.find('.')) == kernel)
      out.push_back(entry.path().string());
  }
  std::ranges::sort(out);
  return out;
}

/// A kernel and what its metadata says of it.
struct Compiled {
  std::shared_ptr<const isa::CodeObject> object;
  Metadata metadata;

  [[nodiscard]] std::uint32_t constant(std::string_view name) const {
    for (const auto& [key, value] : metadata.constants)
      if (key == name) return static_cast<std::uint32_t>(value.number().value_or(0));
    ADD_FAILURE() << name << " is not a constant";
    return 1;
  }
};

inline Compiled open_compiled(const std::string& path) {
  auto object = isa::CodeObject::open(path);
  EXPECT_TRUE(object.has_value()) << path;
  auto metadata = metadata_beside(path, **object);
  EXPECT_TRUE(metadata.has_value() && metadata->has_value()) << path;
  return {*object, **metadata};
}

inline emu::BufferArgument buffer(Element element, std::uint64_t count, emu::Fill::Kind kind,
                                  std::uint64_t seed = 1) {
  return {.element = element, .count = count, .fill = {.kind = kind, .seed = seed, .bytes = {}}};
}
inline emu::BufferArgument random(Element element, std::uint64_t count, std::uint64_t seed) {
  return buffer(element, count, emu::Fill::Kind::random, seed);
}
/// What a kernel must write as a whole.
inline emu::BufferArgument unwritten(Element element, std::uint64_t count) {
  return buffer(element, count, emu::Fill::Kind::nan);
}
template <class T>
emu::BufferArgument given(Element element, const std::vector<T>& values) {
  emu::BufferArgument out = buffer(element, values.size(), emu::Fill::Kind::bytes);
  out.fill.bytes.resize(values.size() * sizeof(T));
  std::memcpy(out.fill.bytes.data(), values.data(), out.fill.bytes.size());
  return out;
}
template <class T>
emu::ValueArgument scalar(T value) {
  emu::ValueArgument out;
  out.bytes.resize(sizeof(T));
  std::memcpy(out.bytes.data(), &value, sizeof(T));
  return out;
}

inline std::vector<double> numbers(Element element, std::span<const std::byte> bytes) {
  std::vector<double> out(bytes.size() / size_of(element));
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = element_number(element, bytes.data() + i * size_of(element));
  return out;
}

/// The numbers of each argument before and after a run; none of values.
struct Numbers {
  std::vector<std::vector<double>> before, after;
};

/// Runs so many programs as Triton would launch them. `arguments`: without the pointers that Triton adds.
inline Numbers run_programs(const Compiled& compiled, emu::Size3 programs,
                            std::vector<emu::Argument> arguments) {
  emu::KernelRun run;
  run.object = compiled.object;
  run.kernel = compiled.metadata.kernel;
  run.workgroup = {compiled.metadata.workgroup(), 1, 1};
  run.grid = {programs[0] * run.workgroup[0], programs[1], programs[2]};
  run.dynamic_lds_bytes = compiled.metadata.shared_bytes;
  run.arguments = std::move(arguments);
  const auto kernel = compiled.object->kernel(run.kernel);
  while (run.arguments.size() < (*kernel)->explicit_arguments().size())
    run.arguments.emplace_back(emu::null_pointer());
  Numbers out;
  for (const auto& one : run.arguments) {
    out.before.emplace_back();
    const auto* from = std::get_if<emu::BufferArgument>(&one);
    if (from == nullptr) continue;
    const auto bytes = emu::initial_bytes(*from);
    EXPECT_TRUE(bytes.has_value());
    if (bytes) out.before.back() = numbers(from->element, *bytes);
  }
  const auto outcome = emu::run_kernel(run);
  EXPECT_TRUE(outcome.has_value()) << (outcome ? "" : outcome.error().message);
  for (std::size_t i = 0; i < run.arguments.size(); ++i) {
    out.after.emplace_back();
    const auto* from = std::get_if<emu::BufferArgument>(&run.arguments[i]);
    if (from != nullptr && outcome)
      out.after.back() = numbers(from->element, outcome->buffers[i]);
    else if (from != nullptr)
      out.after.back().assign(from->count, std::nan(""));
  }
  return out;
}

}  // namespace rpl::triton
