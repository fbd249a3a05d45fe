// SPDX-License-Identifier: MIT
// fault: module-loading-in-loop
// Expressions are compiled when they are asked for: the slow one compiles anew for each evaluation, the fast one keeps what it has compiled.
#include <hip/hip_runtime.h>
#include <hip/hiprtc.h>

#include <cstdio>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

class Expression {
 public:
  explicit Expression(const std::string& text) {
    const std::string source = "extern \"C\" __global__ void evaluate(const float* x, float* y, int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) y[i] = " + text + ";\n}\n";
    hiprtcProgram program;
    must(hiprtcCreateProgram(&program, source.c_str(), "expression.hip", 0, nullptr, nullptr));
    must(hiprtcCompileProgram(program, 0, nullptr));  // fault
    size_t bytes = 0;
    must(hiprtcGetCodeSize(program, &bytes));
    std::vector<char> code(bytes);
    must(hiprtcGetCode(program, code.data()));
    must(hiprtcDestroyProgram(&program));
    must(hipModuleLoadData(&module_, code.data()));  // fault
    must(hipModuleGetFunction(&function_, module_, "evaluate"));
  }
  Expression(const Expression&) = delete;
  ~Expression() { (void)hipModuleUnload(module_); }
  void operator()(const float* x, float* y, int n) const {
    void* arguments[] = {&x, &y, &n};
    must(hipModuleLaunchKernel(function_, (n + 255) / 256, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  }

 private:
  template <class Status> static void must(Status status) {
    if (static_cast<int>(status) != 0) throw std::runtime_error("status " + std::to_string(static_cast<int>(status)));
  }
  hipModule_t module_;
  hipFunction_t function_;
};

int main(int argc, char** argv) {
  const bool keep = argc > 1 && std::strcmp(argv[1], "fast") == 0;
  constexpr int n = 1 << 16;
  float *x, *y;
  if (hipMalloc((void**)&x, n * 4) != hipSuccess || hipMalloc((void**)&y, n * 4) != hipSuccess) return 1;
  if (hipMemset(x, 0, n * 4) != hipSuccess) return 1;
  const char* formulas[] = {"x[i] * 2 + 1", "x[i] * x[i]"};
  std::map<std::string, Expression> kept;
  for (int round = 0; round < 8; ++round) {
    const std::string formula = formulas[round % 2];
    if (keep) {
      kept.try_emplace(formula, formula).first->second(x, y, n);
    } else {
      Expression expression(formula);  // fault
      expression(x, y, n);
      if (hipDeviceSynchronize() != hipSuccess) return 1;
    }
    std::swap(x, y);
  }
  if (hipDeviceSynchronize() != hipSuccess) return 1;
  std::puts("done");
}
