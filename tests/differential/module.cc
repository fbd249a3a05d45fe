// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "tests/differential/function.h"

namespace rpl::differential {
namespace {

std::string for_target(std::string_view text, bool device) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '$' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    switch (text[++i]) {
      case 'G':
        out += device ? "ptr addrspace(1)" : "ptr";
        break;
      case 'P':
        out += device ? "ptr addrspace(5)" : "ptr";
        break;
      case 'K':
        out += device ? "ptr addrspace(4)" : "ptr";
        break;
      case 'A':
        out += device ? ", addrspace(5)" : "";
        break;
      case 'k':
        out += device ? "addrspace(4)" : "";
        break;
      case 's':
        out += device ? "syncscope(\"agent\")" : "";
        break;
      case 'c':
        out += device ? "addrspacecast ptr addrspace(5)" : "bitcast ptr";
        break;
      case 'F':
        out += device ? "llvm.fma.f16" : "fused_multiply_add_f16";
        break;
      default:
        out += '$';
        out += text[i];
    }
  }
  return out;
}

bool is_gone(const Function& function, int statement, const std::vector<bool>& removed) {
  for (int at = statement; at >= 0; at = function.statements[static_cast<std::size_t>(at)].parent) {
    if (static_cast<std::size_t>(at) < removed.size() && removed[static_cast<std::size_t>(at)])
      return true;
  }
  return false;
}

/// What stands for a statement that was removed: zeros, and where it was control flow its last label.
std::string replacement(const Statement& statement) {
  std::string text;
  if (!statement.join.empty()) text += fmt::format("  br label %{0}\n{0}:\n", statement.join);
  for (const Value& value : statement.defines)
    text +=
        fmt::format("  {} = freeze {} {}\n", value.name, value.type.name(), literal(value.type, 0));
  return text;
}

std::string body_of(const Function& function, bool device, const std::vector<bool>& removed) {
  std::string text;
  std::vector<bool> replaced(function.statements.size());
  for (const Line& line : function.lines) {
    if (line.statement < 0 || !is_gone(function, line.statement, removed)) {
      text += for_target(line.text, device) + '\n';
      continue;
    }
    // Only the outermost removed statement leaves something behind.
    int outermost = line.statement;
    for (int at = outermost; at >= 0; at = function.statements[static_cast<std::size_t>(at)].parent)
      if (removed[static_cast<std::size_t>(at)]) outermost = at;
    const auto index = static_cast<std::size_t>(outermost);
    if (replaced[index]) continue;
    replaced[index] = true;
    text += replacement(function.statements[index]);
  }
  return text;
}

constexpr const char* kDeviceHead = R"(
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %group32 = call i32 @llvm.amdgcn.workgroup.id.x()
  %first = mul i32 %group32, {}
  %item32 = add i32 %first, %lane
  %item = zext i32 %item32 to i64
  %group = zext i32 %group32 to i64
)";

// a * b is exact in double. The sum is rounded to odd, after which rounding to half rounds only once (Boldo and Melquiond 2008).
constexpr std::string_view kHostHead = R"(target triple = "x86_64-pc-linux-gnu"
define internal half @fused_multiply_add_f16(half %a, half %b, half %c) {
  %x = fpext half %a to double
  %y = fpext half %b to double
  %z = fpext half %c to double
  %p = fmul double %x, %y
  %s = fadd double %p, %z
  %zz = fsub double %s, %p
  %pp = fsub double %s, %zz
  %ep = fsub double %p, %pp
  %ez = fsub double %z, %zz
  %e = fadd double %ep, %ez
  %inexact = fcmp one double %e, 0.0
  %bits = bitcast double %s to i64
  %low = and i64 %bits, 1
  %even = icmp eq i64 %low, 0
  %moves = and i1 %inexact, %even
  %above = fcmp ogt double %e, 0.0
  %positive = fcmp ogt double %s, 0.0
  %away = icmp eq i1 %above, %positive
  %step = select i1 %away, i64 1, i64 -1
  %moved = add i64 %bits, %step
  %odd = select i1 %moves, i64 %moved, i64 %bits
  %sum = bitcast i64 %odd to double
  %r = fptrunc double %sum to half
  ret half %r
}
)";

std::string parameter_loads(const Function& function) {
  std::string text = fmt::format(
      "  %item_offset = mul i64 %item, {0}\n  %group_offset = mul i64 %group, {0}\n"
      "  %item_in = getelementptr i8, $G %lanes, i64 %item_offset\n"
      "  %group_in = getelementptr i8, $G %groups, i64 %group_offset\n"
      "  %out_offset = mul i64 %item, {1}\n"
      "  %out = getelementptr i8, $G %outs, i64 %out_offset\n",
      kInputBytes, kOutputBytes);
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const Parameter& parameter = function.parameters[i];
    text += fmt::format(
        "  %from{0} = getelementptr i8, $G %{1}_in, i64 {2}\n  %a{0} = load {3}, $G %from{0}, "
        "align {4}\n",
        i, parameter.uniform ? "group" : "item", i * kSlotBytes, parameter.type.name(), kSlotBytes);
  }
  return text;
}

std::string result_stores(const Function& function) {
  std::string text;
  for (std::size_t i = 0; i < function.results.size(); ++i) {
    const Value& value = function.results[i];
    text += fmt::format(
        "  %r{0} = getelementptr i8, $G %out, i64 {1}\n  store {2} {3}, $G %r{0}, align {4}\n", i,
        i * kSlotBytes, value.type.name(), value.name, kSlotBytes);
  }
  return text + "  ret void\n}\n";
}

std::string function_text(const Function& function, bool device, const std::vector<bool>& removed) {
  std::string text = fmt::format("; seed {}\n", function.seed);
  for (const std::string& global : function.globals) text += for_target(global, device) + '\n';
  text += for_target(
      fmt::format("define {} void @{}($G noalias readonly %lanes, $G noalias readonly %groups, $G "
                  "noalias readonly %table, $G noalias %outs{}) ",
                  device ? "amdgpu_kernel" : "", function.name,
                  device ? "" : ", i64 %item, i64 %group"),
      device);
  if (device)
    for (const std::string& attribute : function.attributes) text += attribute + ' ';
  text += '{';
  text += device ? fmt::format(kDeviceHead, function.lanes_of_group) : "\n";
  text += for_target(parameter_loads(function), device);
  text += body_of(function, device, removed);
  return text + for_target(result_stores(function), device);
}

}  // namespace

const char* to_string(Target target) {
  constexpr const char* kNames[] = {"host", "gfx90a", "gfx942"};
  return kNames[static_cast<std::size_t>(target)];
}

std::string module_text(const std::vector<Function>& functions, Target target,
                        const std::vector<bool>& removed) {
  const bool device = target != Target::host;
  std::string text = device ? "target triple = \"amdgcn-amd-amdhsa\"\n"
                              "declare i32 @llvm.amdgcn.workitem.id.x()\n"
                              "declare i32 @llvm.amdgcn.workgroup.id.x()\n"
                            : std::string(kHostHead);
  for (std::size_t i = 0; i < functions.size(); ++i)
    text += function_text(functions[i], device, i == 0 ? removed : std::vector<bool>());
  return text;
}

}  // namespace rpl::differential
