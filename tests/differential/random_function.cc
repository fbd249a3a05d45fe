// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "tests/differential/statements.h"

namespace rpl::differential {
namespace {

void add_local_array(Writer& w) {
  w.local_array = "%local";
  w.line("  %local = alloca [{} x i8], align 16$A", kLocalBytes);
  for (unsigned i = 0; i < kLocalBytes / 8; ++i) {
    w.line("  %local{} = getelementptr i8, $P %local, i32 {}", i, i * 8);
    w.line("  store i64 {}, $P %local{}, align 8", w.any(kI64).name, i);
  }
}

/// A function that others call, as text.
std::string called_function(Random& random, const std::string& name, const Features& features) {
  Function function;
  function.name = name;
  Writer w(function, random, features);
  w.is_helper = true;
  w.offer_parameter({kI32, "%a"});
  w.offer_parameter({kI64, "%b"});
  w.offer_parameter({kF32, "%c"});
  w.offer_parameter({kF64, "%d"});
  if (random.percent(35)) add_local_array(w);
  const std::size_t count = 3 + random.below(7);
  for (std::size_t i = 0; i < count; ++i) write_statement(w);
  const Value result = w.variable(kI32);
  std::string text;
  for (const std::string& global : function.globals) text += global + '\n';
  text += fmt::format("define internal i32 @{}(i32 %a, i64 %b, float %c, double %d) noinline {{\n",
                      name);
  for (const Line& line : function.lines) text += line.text + '\n';
  return text + fmt::format("  ret i32 {}\n}}", result.name);
}

void add_parameters(Writer& w, Function& function) {
  Random& random = w.random();
  const bool all_uniform = random.percent(25);
  const std::size_t count = 3 + random.below(kMostParameters - 2);
  for (std::size_t i = 0; i < count; ++i) {
    function.parameters.push_back({w.any_type(), all_uniform || random.percent(25)});
    w.offer_parameter({function.parameters.back().type, fmt::format("%a{}", i)});
  }
}

void add_attributes(Random& random, Function& function) {
  constexpr std::array kWaves{"2,2", "4,4", "8,8"};
  function.attributes.push_back(random.percent(60) ? "\"amdgpu-flat-work-group-size\"=\"1,64\""
                                                   : "\"amdgpu-flat-work-group-size\"=\"1,1024\"");
  if (random.percent(20))
    function.attributes.push_back(
        fmt::format("\"amdgpu-waves-per-eu\"=\"{}\"", random.pick(kWaves)));
}

}  // namespace

Function random_function(std::uint64_t seed, std::string name, const Features& features) {
  Random random(seed);
  Function function;
  function.name = std::move(name);
  function.seed = seed;
  Writer w(function, random, features);
  add_parameters(w, function);
  add_attributes(random, function);
  if (features.calls && random.percent(10)) {
    for (int i = 0; i < 2; ++i) {
      const std::string callee = fmt::format("{}_called{}", function.name, i);
      function.globals.push_back(called_function(random, callee, features));
      w.helpers.push_back('@' + callee);
    }
  }
  if (random.percent(20)) add_local_array(w);
  const bool has_lanes =
      std::ranges::any_of(function.parameters, [](const Parameter& p) { return !p.uniform; });
  const std::size_t count = 8 + random.below(22);
  for (std::size_t i = 0; i < count; ++i) write_statement(w);
  while (w.direct_calls < w.helpers.size()) write_call_statement(w);
  if (!w.helpers.empty()) write_call_statement(w);
  const std::size_t results = 3 + random.below(kMostResults - 2);
  for (std::size_t i = 0; i < results; ++i) function.results.push_back(w.variable(w.any_type()));
  function.lanes_of_group = has_lanes ? kLanesOfGroup : 2;
  return function;
}

}  // namespace rpl::differential
