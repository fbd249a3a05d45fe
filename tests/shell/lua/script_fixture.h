// SPDX-License-Identifier: MIT
#pragma once

#include <gmock/gmock.h>

#include <string>
#include <string_view>
#include <vector>

#include "shell/commands/all.h"
#include "shell/core/run/console.h"
#include "shell/core/session/context.h"
#include "shell/lua/host.h"
#include "shell/render/render.h"
#include "tests/support/temp_dir.h"

namespace rpl::testing_support {

/// One dispatch of a recording made for a test.
struct TinyDispatch {
  std::string kernel;
  std::int64_t start_ns = 0;
  std::int64_t duration_ns = 0;
  int stream = 0;
};

/// Writes a rocprofv3 kernel trace of one GPU, one queue, and returns its path.
inline std::string write_trace(const TempDir& folder, std::string_view name,
                               const std::vector<TinyDispatch>& dispatches) {
  std::string text =
      "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Stream_Id\",\"Thread_Id\",\"Dispatch_Id\",\"Kernel_"
      "Id\","
      "\"Kernel_Name\",\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\",\"LDS_Block_Size\","
      "\"Scratch_Size\",\"VGPR_Count\",\"Accum_VGPR_Count\",\"SGPR_Count\",\"Workgroup_Size_X\","
      "\"Workgroup_Size_Y\",\"Workgroup_Size_Z\",\"Grid_Size_X\",\"Grid_Size_Y\",\"Grid_Size_Z\"\n";
  std::size_t number = 0;
  for (const TinyDispatch& one : dispatches) {
    ++number;
    text += fmt::format(
        "\"KERNEL_DISPATCH\",\"Agent "
        "4\",1,{},100,{},10,\"{}\",{},{},{},0,0,8,4,16,64,1,1,1024,1,1\n",
        one.stream, number, one.kernel, number, one.start_ns, one.start_ns + one.duration_ns);
  }
  return folder.write(name, text);
}

/// A shell with Lua, its output kept as text.
class ScriptTest : public testing::Test {
 protected:
  void SetUp() override {
    add_all_commands(context.registry());
    context.use(make_script_host(context));
  }

  /// Runs a line as typed; its output is in `out`, errors and notes in `err`.
  int run(std::string_view line) {
    out.clear();
    err.clear();
    return console.run(line);
  }
  /// What a piece of Lua shows, or its error.
  std::string lua(std::string_view code) {
    run("lua " + std::string(code));
    std::string shown = err.empty() ? out : err;
    while (shown.ends_with('\n')) shown.pop_back();
    return shown;
  }
  /// Runs a script file of this text; gives its exit status.
  int script(std::string_view code, std::string_view arguments = {}) {
    const std::string path = folder.write("script.lua", code);
    return run(fmt::format("source {}{}{}", path, arguments.empty() ? "" : " -- ", arguments));
  }
  /// gemm twice on stream 0 (100 and 300 ns), softmax on stream 1 (50 ns), between 1000 and 2000 ns.
  std::string small_trace() {
    return write_trace(folder, "small_kernel_trace.csv",
                       {{"gemm", 1000, 100, 0}, {"softmax", 1200, 50, 1}, {"gemm", 1700, 300, 0}});
  }

 public:
  static Sink into(std::string& text) {
    return [&text](OutputBytes more) {
      text += more.bytes();
      return Status();
    };
  }

 protected:
  TempDir folder;
  Context context;
  std::string out, err;
  Console console{context, render, into(out), into(err)};
};

}  // namespace rpl::testing_support
