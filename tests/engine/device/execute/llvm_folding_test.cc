// SPDX-License-Identifier: MIT
// LLVM folds many of its AMDGPU intrinsics, and all its own operations, on constants. Here the same expression is folded on
// constants and compiled on variables, and the compiled one is run: two implementations by different people.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <map>
#include <random>
#include <sstream>

#include "engine/process/run.h"
#include "tests/engine/device/execute/example_runs.h"
#include "tests/support/temp_dir.h"

namespace rpl::emu {
namespace {

constexpr unsigned kCases = 128, kSources = 3;

/// `call` has {0}, {1} and {2} where its sources, of `types`, stand.
struct Expression {
  const char* name;
  const char* result;
  std::array<const char*, kSources> types;  ///< null for none
  const char* call;
};

const Expression kExpressions[] = {
    {"fract", "float", {"float"}, "call float @llvm.amdgcn.fract.f32(float {0})"},
    {"fract64", "double", {"double"}, "call double @llvm.amdgcn.fract.f64(double {0})"},
    {"fract16", "half", {"half"}, "call half @llvm.amdgcn.fract.f16(half {0})"},
    {"trig",
     "double",
     {"double", "i5"},
     "call double @llvm.amdgcn.trig.preop.f64(double {0}, i32 {1})"},
    {"cubeid",
     "float",
     {"float", "float", "float"},
     "call float @llvm.amdgcn.cubeid(float {0}, float {1}, float {2})"},
    {"cubesc",
     "float",
     {"float", "float", "float"},
     "call float @llvm.amdgcn.cubesc(float {0}, float {1}, float {2})"},
    {"cubetc",
     "float",
     {"float", "float", "float"},
     "call float @llvm.amdgcn.cubetc(float {0}, float {1}, float {2})"},
    {"cubema",
     "float",
     {"float", "float", "float"},
     "call float @llvm.amdgcn.cubema(float {0}, float {1}, float {2})"},
    {"pkrtz",
     "<2 x half>",
     {"float", "float"},
     "call <2 x half> @llvm.amdgcn.cvt.pkrtz(float {0}, float {1})"},
    {"perm", "i32", {"i32", "i32", "i32"}, "call i32 @llvm.amdgcn.perm(i32 {0}, i32 {1}, i32 {2})"},
    {"frexp_exp", "i32", {"float"}, "call i32 @llvm.amdgcn.frexp.exp.i32.f32(float {0})"},
    {"frexp_mant", "float", {"float"}, "call float @llvm.amdgcn.frexp.mant.f32(float {0})"},
    {"frexp_exp64", "i32", {"double"}, "call i32 @llvm.amdgcn.frexp.exp.i32.f64(double {0})"},
    {"frexp_exp16", "i16", {"half"}, "call i16 @llvm.amdgcn.frexp.exp.i16.f16(half {0})"},
    {"frexp_mant16", "half", {"half"}, "call half @llvm.amdgcn.frexp.mant.f16(half {0})"},
    {"ubfe",
     "i32",
     {"i32", "i5", "i5"},
     "call i32 @llvm.amdgcn.ubfe.i32(i32 {0}, i32 {1}, i32 {2})"},
    {"sbfe",
     "i32",
     {"i32", "i5", "i5"},
     "call i32 @llvm.amdgcn.sbfe.i32(i32 {0}, i32 {1}, i32 {2})"},
    {"mul_legacy",
     "float",
     {"float", "float"},
     "call float @llvm.amdgcn.fmul.legacy(float {0}, float {1})"},
    {"ldexp", "float", {"float", "i8"}, "call float @llvm.ldexp.f32.i32(float {0}, i32 {1})"},
    {"ldexp16", "half", {"half", "i8"}, "call half @llvm.ldexp.f16.i32(half {0}, i32 {1})"},
    {"add16", "half", {"half", "half"}, "fadd half {0}, {1}"},
    {"sub16", "half", {"half", "half"}, "fsub half {0}, {1}"},
    {"mul16", "half", {"half", "half"}, "fmul half {0}, {1}"},
    {"div16", "half", {"half", "half"}, "fdiv half {0}, {1}"},
    {"fma16",
     "half",
     {"half", "half", "half"},
     "call half @llvm.fma.f16(half {0}, half {1}, half {2})"},
    {"add2x16", "<2 x half>", {"<2 x half>", "<2 x half>"}, "fadd <2 x half> {0}, {1}"},
    {"mul2x16", "<2 x half>", {"<2 x half>", "<2 x half>"}, "fmul <2 x half> {0}, {1}"},
    {"fma2x16",
     "<2 x half>",
     {"<2 x half>", "<2 x half>", "<2 x half>"},
     "call <2 x half> @llvm.fma.v2f16(<2 x half> {0}, <2 x half> {1}, <2 x half> {2})"},
    {"floor16", "half", {"half"}, "call half @llvm.floor.f16(half {0})"},
    {"ceil16", "half", {"half"}, "call half @llvm.ceil.f16(half {0})"},
    {"trunc16", "half", {"half"}, "call half @llvm.trunc.f16(half {0})"},
    {"rint16", "half", {"half"}, "call half @llvm.roundeven.f16(half {0})"},
    {"half_of_float", "half", {"float"}, "fptrunc float {0} to half"},
    {"half_of_double", "half", {"double"}, "fptrunc double {0} to half"},
    {"half_of_u16", "half", {"i16"}, "uitofp i16 {0} to half"},
    {"half_of_i16", "half", {"i16"}, "sitofp i16 {0} to half"},
    {"add", "float", {"float", "float"}, "fadd float {0}, {1}"},
    {"div", "float", {"float", "float"}, "fdiv float {0}, {1}"},
    {"fma",
     "float",
     {"float", "float", "float"},
     "call float @llvm.fma.f32(float {0}, float {1}, float {2})"},
    {"div64", "double", {"double", "double"}, "fdiv double {0}, {1}"},
    {"sqrt64", "double", {"double"}, "call double @llvm.sqrt.f64(double {0})"},
    {"sqrt", "float", {"float"}, "call float @llvm.sqrt.f32(float {0})"},
    {"float_of_double", "float", {"double"}, "fptrunc double {0} to float"},
    {"mul_i16", "i16", {"i16", "i16"}, "mul i16 {0}, {1}"},
    {"sat_add_u16", "i16", {"i16", "i16"}, "call i16 @llvm.uadd.sat.i16(i16 {0}, i16 {1})"},
    {"sat_sub_i16", "i16", {"i16", "i16"}, "call i16 @llvm.ssub.sat.i16(i16 {0}, i16 {1})"},
    {"sat_add_i32", "i32", {"i32", "i32"}, "call i32 @llvm.sadd.sat.i32(i32 {0}, i32 {1})"},
    {"sat_add_2u16",
     "<2 x i16>",
     {"<2 x i16>", "<2 x i16>"},
     "call <2 x i16> @llvm.uadd.sat.v2i16(<2 x i16> {0}, <2 x i16> {1})"},
    {"sat_sub_2i16",
     "<2 x i16>",
     {"<2 x i16>", "<2 x i16>"},
     "call <2 x i16> @llvm.ssub.sat.v2i16(<2 x i16> {0}, <2 x i16> {1})"},
    {"max_2i16",
     "<2 x i16>",
     {"<2 x i16>", "<2 x i16>"},
     "call <2 x i16> @llvm.smax.v2i16(<2 x i16> {0}, <2 x i16> {1})"},
    {"mul_2i16", "<2 x i16>", {"<2 x i16>", "<2 x i16>"}, "mul <2 x i16> {0}, {1}"},
    {"int_of_float", "i32", {"float"}, "call i32 @llvm.fptosi.sat.i32.f32(float {0})"},
    {"short_of_half", "i16", {"half"}, "call i16 @llvm.fptoui.sat.i16.f16(half {0})"},
};

bool is(const char* type, std::string_view name) { return type != nullptr && type == name; }

unsigned bits_of(std::string_view type) {
  if (type == "half" || type == "i16") return 16;
  return type == "double" ? 64 : 32;
}

using Samples = std::array<std::uint64_t, kSources>;

/// Ordinary numbers and any bits.
std::uint64_t sample(const char* type, std::mt19937_64& random) {
  const std::uint64_t any = random();
  if (is(type, "i5")) return any % 32;
  if (is(type, "i8")) return any % 64;
  const double ordinary = std::ldexp(static_cast<double>(static_cast<std::int64_t>(random())),
                                     -63 + static_cast<int>(any % 24) - 8);
  const bool plain = any >> 60 < 10;
  if (is(type, "float")) {
    return plain ? std::bit_cast<std::uint32_t>(static_cast<float>(ordinary)) : any & 0xffffffffU;
  }
  if (is(type, "double")) return plain ? std::bit_cast<std::uint64_t>(ordinary) : any;
  return any & (bits_of(type) == 16 ? 0xffffU : 0xffffffffU);
}

/// A source as a constant: its integer, or that cast.
std::string constant(const char* type, std::uint64_t value) {
  if (type[0] == 'i') return fmt::format("{}", value);
  return fmt::format("bitcast (i{} {} to {})", bits_of(type), value, type);
}

std::string with_sources(const Expression& e, const std::array<std::string, kSources>& sources) {
  return fmt::format(fmt::runtime(e.call), sources[0], sources[1], sources[2]);
}

/// The lines that make an i64 of %NAME.r.
std::string widened(const Expression& e, const std::string& name) {
  const unsigned bits = bits_of(e.result);
  std::string text = fmt::format("  %{0}.b = bitcast {1} %{0}.r to i{2}\n", name, e.result, bits);
  if (bits < 64) return text + fmt::format("  %{0}.w = zext i{1} %{0}.b to i64\n", name, bits);
  return text + fmt::format("  %{0}.w = add i64 %{0}.b, 0\n", name);
}

std::string folded_function(const Expression& e, const std::vector<Samples>& samples) {
  std::string text =
      fmt::format("define amdgpu_kernel void @{}(ptr addrspace(1) %out) {{\n", e.name);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    std::array<std::string, kSources> sources;
    for (unsigned k = 0; k < kSources; ++k) {
      if (e.types[k] != nullptr) sources[k] = constant(e.types[k], samples[i][k]);
    }
    const std::string name = fmt::format("c{}", i);
    text += fmt::format("  %{}.r = {}\n{}", name, with_sources(e, sources), widened(e, name));
    text += fmt::format("  store volatile i64 %{}.w, ptr addrspace(1) %out\n", name);
  }
  return text + "  ret void\n}\n";
}

std::string variable_module() {
  std::string text = "target triple = \"amdgcn-amd-amdhsa\"\n";
  for (const Expression& e : kExpressions) {
    text += fmt::format(
        "define amdgpu_kernel void @{}(ptr addrspace(1) %in, ptr addrspace(1) %out) {{\n"
        "  %id = call i32 @llvm.amdgcn.workitem.id.x()\n  %n = mul i32 %id, {}\n",
        e.name, kSources);
    std::array<std::string, kSources> sources;
    for (unsigned k = 0; k < kSources; ++k) {
      if (e.types[k] == nullptr) continue;
      const std::string type = e.types[k];
      const bool small = type == "i5" || type == "i8";
      const unsigned bits = bits_of(type);
      text += fmt::format(
          "  %k{0} = add i32 %n, {0}\n  %p{0} = getelementptr i64, ptr addrspace(1) %in, i32 "
          "%k{0}\n"
          "  %l{0} = load i64, ptr addrspace(1) %p{0}\n",
          k);
      text += bits == 64 ? fmt::format("  %t{0} = add i64 %l{0}, 0\n", k)
                         : fmt::format("  %t{0} = trunc i64 %l{0} to i{1}\n", k, bits);
      text += fmt::format("  %a{0} = bitcast i{1} %t{0} to {2}\n", k, bits, small ? "i32" : type);
      sources[k] = fmt::format("%a{}", k);
    }
    text += fmt::format("  %c.r = {}\n{}", with_sources(e, sources), widened(e, "c"));
    text +=
        "  %o = getelementptr i64, ptr addrspace(1) %out, i32 %id\n"
        "  store i64 %c.w, ptr addrspace(1) %o\n  ret void\n}\n";
  }
  return text + "declare i32 @llvm.amdgcn.workitem.id.x()\n";
}

/// By expression, what each case folded to; nothing where LLVM left it.
using Folded = std::map<std::string, std::vector<std::optional<std::uint64_t>>>;

Folded parse(const std::string& text) {
  Folded out;
  std::string current;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("define ")) {
      const auto at = line.find('@') + 1;
      current = line.substr(at, line.find('(', at) - at);
    }
    constexpr std::string_view kStore = "  store volatile i64 ";
    if (!line.starts_with(kStore)) continue;
    const std::string value = line.substr(kStore.size(), line.find(',') - kStore.size());
    const bool number = value[0] == '-' || (value[0] >= '0' && value[0] <= '9');
    out[current].push_back(number ? std::optional(static_cast<std::uint64_t>(std::stoll(value)))
                                  : std::nullopt);
  }
  return out;
}

std::vector<std::uint64_t> compiled(std::shared_ptr<const isa::CodeObject> object,
                                    const std::string& kernel,
                                    const std::vector<Samples>& samples) {
  BufferArgument in{.element = Element::u64, .count = kCases * kSources, .fill = {}};
  in.fill.kind = Fill::Kind::bytes;
  in.fill.bytes.resize(in.count * sizeof(std::uint64_t));
  std::memcpy(in.fill.bytes.data(), samples.data(), in.fill.bytes.size());
  KernelRun run;
  run.object = std::move(object);
  run.kernel = kernel;
  run.grid = run.workgroup = {kCases, 1, 1};
  run.arguments = {in, BufferArgument{.element = Element::u64, .count = kCases, .fill = {}}};
  const auto outcome = run_kernel(run);
  EXPECT_TRUE(outcome.has_value()) << kernel << ": " << outcome.error().message;
  return outcome ? values_of<std::uint64_t>(outcome->buffers[1])
                 : std::vector<std::uint64_t>(kCases);
}

bool runs(const std::vector<std::string>& argv, std::string* out = nullptr) {
  auto result = rpl::run({.argv = argv});
  if (result && out != nullptr) *out = std::move(result->out.text);
  EXPECT_TRUE(!result || result->ok()) << argv[0] << ": " << result->err.text;
  return result && result->ok();
}

bool both_nan(std::string_view type, std::uint64_t a, std::uint64_t b) {
  const auto nan = [&](std::uint64_t v) {
    if (type == "half") return (v & 0x7fffU) > 0x7c00U;
    if (type == "float") return (v & 0x7fffffffU) > 0x7f800000U;
    return type == "double" && (v & ~(std::uint64_t{1} << 63)) > 0x7ff0000000000000U;
  };
  return nan(a) && nan(b);
}

/// NaNs of pairs are compared half by half.
bool agree(std::string_view type, std::uint64_t a, std::uint64_t b) {
  if (type == "<2 x half>")
    return agree("half", a & 0xffff, b & 0xffff) && agree("half", a >> 16, b >> 16);
  return a == b || both_nan(type, a, b);
}

class Folding : public testing::TestWithParam<const char*> {};

TEST_P(Folding, WhatLlvmFoldsIsWhatTheCompiledCodeComputes) {
  if (!rpl::run({.argv = {"opt-19", "--version"}}) ||
      !rpl::run({.argv = {"llc-19", "--version"}}) ||
      !rpl::run({.argv = {"ld.lld-19", "--version"}}))
    GTEST_SKIP() << "LLVM 19 (opt-19, llc-19, ld.lld-19) is not installed";
  const std::string arch = GetParam();
  const testing_support::TempDir folder;
  std::mt19937_64 random(19);
  std::map<std::string, std::vector<Samples>> samples;
  std::string constants = "target triple = \"amdgcn-amd-amdhsa\"\n";
  const std::string cpu = "-mcpu=" + arch;
  for (const Expression& e : kExpressions) {
    auto& own = samples[e.name];
    own.resize(kCases);
    for (Samples& one : own) {
      for (unsigned k = 0; k < kSources; ++k)
        one[k] = e.types[k] == nullptr ? 0 : sample(e.types[k], random);
    }
    constants += folded_function(e, own);
  }
  std::string text;
  ASSERT_TRUE(runs({"opt-19", "-S", "-O1", cpu, folder.write("constants.ll", constants)}, &text));
  const Folded folded = parse(text);
  const std::string object = folder / "variables.o", linked = folder / "variables.co";
  ASSERT_TRUE(runs({"llc-19", "-O2", cpu, "-filetype=obj", "-o", object,
                    folder.write("variables.ll", variable_module())}));
  ASSERT_TRUE(runs({"ld.lld-19", "-shared", "-o", linked, object}));
  for (const Expression& e : kExpressions) {
    const auto found = compiled(isa::object_at(linked), e.name, samples[e.name]);
    const auto& expected = folded.at(e.name);
    unsigned compared = 0;
    for (unsigned i = 0; i < kCases; ++i) {
      // LLVM's table of 2 / pi ends before the hardware's, and gives zero from there on.
      const bool beyond_table = is(e.name, "trig") && expected[i] == 0U;
      if (!expected[i] || beyond_table) continue;
      ++compared;
      EXPECT_TRUE(agree(e.result, found[i], *expected[i])) << fmt::format(
          "{}: 0x{:x} 0x{:x} 0x{:x} gives 0x{:x}, LLVM says 0x{:x}", e.name, samples[e.name][i][0],
          samples[e.name][i][1], samples[e.name][i][2], found[i], *expected[i]);
    }
    EXPECT_GT(compared, kCases / 4) << e.name << " is hardly ever folded";
  }
}

INSTANTIATE_TEST_SUITE_P(Architectures, Folding, testing::Values("gfx90a", "gfx942"));

}  // namespace
}  // namespace rpl::emu
