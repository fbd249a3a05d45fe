// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "engine/emu/kernel_run.h"
#include "tests/engine/isa/example_objects.h"

namespace rpl::emu {

inline BufferArgument floats(std::uint64_t count, Fill::Kind kind = Fill::Kind::zero,
                             std::uint64_t seed = 1) {
  return {
      .element = Element::f32, .count = count, .fill = {.kind = kind, .seed = seed, .bytes = {}}};
}

inline BufferArgument words(std::uint64_t count, Fill::Kind kind = Fill::Kind::zero,
                            std::uint64_t seed = 1) {
  return {
      .element = Element::u32, .count = count, .fill = {.kind = kind, .seed = seed, .bytes = {}}};
}

inline ValueArgument number(std::int32_t value) {
  ValueArgument argument;
  argument.bytes.resize(sizeof(value));
  std::memcpy(argument.bytes.data(), &value, sizeof(value));
  return argument;
}

inline std::uint32_t round_up(std::uint32_t value, std::uint32_t to) {
  return (value + to - 1) / to * to;
}

template <class T>
std::vector<T> values_of(const std::vector<std::byte>& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

/// Runs what must not fail.
inline KernelOutcome run_ok(const KernelRun& run) {
  auto outcome = run_kernel(run);
  EXPECT_TRUE(outcome.has_value()) << outcome.error().message;
  return outcome ? std::move(*outcome)
                 : KernelOutcome{.buffers = std::vector<std::vector<std::byte>>(8), .executed = {}};
}

/// What a buffer argument starts out with.
template <class T>
std::vector<T> inputs_of(const Argument& argument) {
  const auto bytes = initial_bytes(std::get<BufferArgument>(argument));
  return bytes ? values_of<T>(*bytes) : std::vector<T>();
}

inline KernelRun example_run(const std::string& kernel, const std::string& arch, Size3 grid,
                             Size3 workgroup) {
  KernelRun run;
  run.object = isa::example(kernel, arch);
  run.grid = grid;
  run.workgroup = workgroup;
  return run;
}

inline KernelRun vector_add(const std::string& arch, std::uint32_t n) {
  KernelRun run = example_run("vector_add", arch, {round_up(n, 256), 1, 1}, {256, 1, 1});
  run.arguments = {floats(n, Fill::Kind::random, 1), floats(n, Fill::Kind::random, 2),
                   floats(n, Fill::Kind::nan), number(static_cast<std::int32_t>(n))};
  return run;
}

/// The copy of vcopy.hip, with one element of its unused array.
inline KernelRun vcopy(const std::string& arch, std::uint32_t n) {
  KernelRun run = example_run("vcopy", arch, {round_up(n, 256), 1, 1}, {256, 1, 1});
  const auto doubles = [](std::uint64_t count, Fill::Kind kind) {
    return BufferArgument{.element = Element::f64, .count = count, .fill = {.kind = kind, .seed = 9, .bytes = {}}};
  };
  run.arguments = {doubles(n, Fill::Kind::random), doubles(1, Fill::Kind::zero), doubles(n, Fill::Kind::nan),
                   number(static_cast<std::int32_t>(n)), number(1)};
  return run;
}

inline KernelRun matmul(const std::string& arch, std::uint32_t m, std::uint32_t n,
                        std::uint32_t k) {
  KernelRun run = example_run("matmul", arch, {round_up(n, 16), round_up(m, 16), 1}, {16, 16, 1});
  run.arguments = {floats(m * k, Fill::Kind::random, 3), floats(k * n, Fill::Kind::random, 4),
                   floats(m * n, Fill::Kind::nan),       number(static_cast<std::int32_t>(m)),
                   number(static_cast<std::int32_t>(n)), number(static_cast<std::int32_t>(k))};
  return run;
}

inline BufferArgument halves(std::uint64_t count, std::uint64_t seed) {
  return {.element = Element::f16,
          .count = count,
          .fill = {.kind = Fill::Kind::random, .seed = seed, .bytes = {}}};
}

inline KernelRun matmul_mfma(const std::string& arch, std::uint32_t m, std::uint32_t n,
                             std::uint32_t k) {
  KernelRun run = example_run("matmul_mfma", arch,
                              {round_up(n, 64) / 64 * 256, round_up(m, 64) / 64, 1}, {256, 1, 1});
  run.arguments = {halves(std::uint64_t{m} * k, 8),      halves(std::uint64_t{k} * n, 9),
                   floats(m * n, Fill::Kind::nan),       number(static_cast<std::int32_t>(m)),
                   number(static_cast<std::int32_t>(n)), number(static_cast<std::int32_t>(k))};
  return run;
}

inline KernelRun softmax(const std::string& arch, std::uint32_t rows, std::uint32_t columns) {
  KernelRun run = example_run("softmax", arch, {round_up(rows, 64), 1, 1}, {64, 1, 1});
  run.arguments = {floats(rows * columns, Fill::Kind::random, 5),
                   floats(rows * columns, Fill::Kind::nan), number(static_cast<std::int32_t>(rows)),
                   number(static_cast<std::int32_t>(columns))};
  return run;
}

inline KernelRun reduce(const std::string& arch, std::uint32_t n, std::uint32_t workgroups) {
  KernelRun run = example_run("reduce", arch, {workgroups * 256, 1, 1}, {256, 1, 1});
  run.arguments = {floats(n, Fill::Kind::random, 6), floats(1),
                   number(static_cast<std::int32_t>(n))};
  return run;
}

inline KernelRun transpose(const std::string& arch, std::uint32_t rows, std::uint32_t columns) {
  KernelRun run = example_run("transpose", arch,
                              {round_up(columns, 32), round_up(rows, 32) / 32 * 8, 1}, {32, 8, 1});
  run.arguments = {floats(rows * columns, Fill::Kind::iota),
                   floats(rows * columns, Fill::Kind::nan), number(static_cast<std::int32_t>(rows)),
                   number(static_cast<std::int32_t>(columns))};
  return run;
}

inline KernelRun histogram(const std::string& arch, std::uint32_t n, std::uint32_t workgroups) {
  KernelRun run = example_run("histogram", arch, {workgroups * 256, 1, 1}, {256, 1, 1});
  run.arguments = {words(n, Fill::Kind::random, 7), words(256),
                   number(static_cast<std::int32_t>(n))};
  return run;
}

}  // namespace rpl::emu
