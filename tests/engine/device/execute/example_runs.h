// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "engine/device/execute/launch/kernel_run.h"
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

inline BufferArgument doubles(std::uint64_t count, Fill::Kind kind, std::uint64_t seed = 1) {
  return {
      .element = Element::f64, .count = count, .fill = {.kind = kind, .seed = seed, .bytes = {}}};
}

inline ValueArgument number(std::int32_t value) {
  ValueArgument argument;
  argument.bytes.resize(sizeof(value));
  std::memcpy(argument.bytes.data(), &value, sizeof(value));
  return argument;
}

inline ValueArgument real_number(float value) {
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
  run.arguments = {doubles(n, Fill::Kind::random, 9), doubles(1, Fill::Kind::zero),
                   doubles(n, Fill::Kind::nan), number(static_cast<std::int32_t>(n)), number(1)};
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

inline KernelRun transpose(const std::string& arch, std::uint32_t rows, std::uint32_t columns,
                           const std::string& kernel = "transpose") {
  KernelRun run = example_run(kernel, arch, {round_up(columns, 32), round_up(rows, 32) / 32 * 8, 1},
                              {32, 8, 1});
  run.arguments = {floats(rows * columns, Fill::Kind::iota),
                   floats(rows * columns, Fill::Kind::nan), number(static_cast<std::int32_t>(rows)),
                   number(static_cast<std::int32_t>(columns))};
  return run;
}

inline KernelRun transpose_unpadded(const std::string& arch, std::uint32_t rows,
                                    std::uint32_t columns) {
  return transpose(arch, rows, columns, "transpose_unpadded");
}

/// Each row times a factor in [0, 1).
inline KernelRun row_scale(const std::string& arch, std::uint32_t rows, std::uint32_t columns) {
  KernelRun run = example_run("row_scale", arch, {round_up(rows, 64), 1, 1}, {64, 1, 1});
  run.arguments = {floats(rows * columns, Fill::Kind::random, 3),
                   floats(rows, Fill::Kind::random, 4), floats(rows * columns, Fill::Kind::nan),
                   number(static_cast<std::int32_t>(rows)),
                   number(static_cast<std::int32_t>(columns))};
  return run;
}

inline KernelRun histogram(const std::string& arch, std::uint32_t n, std::uint32_t workgroups) {
  KernelRun run = example_run("histogram", arch, {workgroups * 256, 1, 1}, {256, 1, 1});
  run.arguments = {words(n, Fill::Kind::random, 7), words(256),
                   number(static_cast<std::int32_t>(n))};
  return run;
}

/// Queries, keys and values uniform in [-1, 1), so that scores differ by up to some units.
inline KernelRun attention(const std::string& arch, std::uint32_t queries, std::uint32_t keys) {
  constexpr std::uint32_t kHead = 32;
  KernelRun run = example_run("attention", arch, {round_up(queries, 64), 1, 1}, {64, 1, 1});
  run.arguments = {
      floats(queries * kHead, Fill::Kind::random, 10), floats(keys * kHead, Fill::Kind::random, 11),
      floats(keys * kHead, Fill::Kind::random, 12),    floats(queries * kHead, Fill::Kind::nan),
      number(static_cast<std::int32_t>(queries)),      number(static_cast<std::int32_t>(keys))};
  return run;
}

inline constexpr float kLayerNormEpsilon = 1e-5F;

inline KernelRun layer_norm(const std::string& arch, std::uint32_t rows, std::uint32_t columns,
                            std::uint32_t workgroup) {
  KernelRun run = example_run("layer_norm", arch, {rows * workgroup, 1, 1}, {workgroup, 1, 1});
  run.arguments = {halves(std::uint64_t{rows} * columns, 13),
                   halves(columns, 14),
                   halves(columns, 15),
                   halves(std::uint64_t{rows} * columns, 16),
                   number(static_cast<std::int32_t>(columns)),
                   real_number(kLayerNormEpsilon)};
  return run;
}

inline KernelRun stencil(const std::string& arch, std::uint32_t width, std::uint32_t height,
                         std::uint32_t radius) {
  constexpr std::uint32_t kWide = 32, kHigh = 8;
  KernelRun run = example_run("stencil", arch, {round_up(width, kWide), round_up(height, kHigh), 1},
                              {kWide, kHigh, 1});
  run.dynamic_lds_bytes =
      (kWide + 2 * radius) * (kHigh + 2 * radius) * static_cast<std::uint32_t>(sizeof(float));
  run.arguments = {
      floats(width * height, Fill::Kind::random, 17), floats(radius + 1, Fill::Kind::random, 18),
      floats(width * height, Fill::Kind::nan),        number(static_cast<std::int32_t>(width)),
      number(static_cast<std::int32_t>(height)),      number(static_cast<std::int32_t>(radius))};
  return run;
}

inline BufferArgument longs(std::uint64_t count, Fill fill = {}) {
  return {.element = Element::u64, .count = count, .fill = std::move(fill)};
}

/// A walk of each of n work-items through a ring of `nodes`, each of two elements.
inline KernelRun pointer_chase(const std::string& arch, std::uint32_t nodes, std::uint32_t n,
                               std::uint32_t steps) {
  KernelRun run = example_run("pointer_chase", arch, {round_up(n, 64), 1, 1}, {64, 1, 1});
  run.arguments = {longs(std::uint64_t{2} * nodes,
                         {.kind = Fill::Kind::chain, .seed = 19, .bytes = {}, .stride = 2}),
                   longs(n), longs(n), number(static_cast<std::int32_t>(n)),
                   number(static_cast<std::int32_t>(steps))};
  return run;
}

inline KernelRun divergent(const std::string& arch, std::uint32_t n) {
  KernelRun run = example_run("divergent", arch, {round_up(n, 256), 1, 1}, {256, 1, 1});
  run.arguments = {words(n, Fill::Kind::random, 20), words(n),
                   number(static_cast<std::int32_t>(n))};
  return run;
}

inline KernelRun newton_f64(const std::string& arch, std::uint32_t n) {
  KernelRun run = example_run("newton_f64", arch, {round_up(n, 256), 1, 1}, {256, 1, 1});
  run.arguments = {doubles(n, Fill::Kind::random, 21), doubles(n, Fill::Kind::nan), words(n),
                   number(static_cast<std::int32_t>(n))};
  return run;
}

/// `name`: normalize, or standardize, which takes the same.
inline KernelRun of_rows(const char* name, const std::string& arch, std::uint32_t rows,
                         std::uint32_t columns) {
  KernelRun run = example_run(name, arch, {round_up(rows, 128), 1, 1}, {128, 1, 1});
  run.arguments = {floats(std::uint64_t{rows} * columns, Fill::Kind::random, 3),
                   floats(std::uint64_t{rows} * columns), number(static_cast<std::int32_t>(rows)),
                   number(static_cast<std::int32_t>(columns))};
  return run;
}
inline KernelRun normalize(const std::string& arch, std::uint32_t rows, std::uint32_t columns) {
  return of_rows("normalize", arch, rows, columns);
}
inline KernelRun standardize(const std::string& arch, std::uint32_t rows, std::uint32_t columns) {
  KernelRun run = of_rows("standardize", arch, rows, columns);
  // A template's, of which the object has one.
  run.kernel = run.object->kernels().front().name;
  return run;
}

}  // namespace rpl::emu
