// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/files.h"
#include "engine/process/run.h"
#include "engine/source/build/build.h"

/// The same kernels by two compilers, or by one with two sets of flags: what differs, and which part of a compiler made the difference.
namespace rpl::regress {

/// One of the two that are compared.
struct Side {
  std::string name;  ///< "A" or "B"
  Compiler compiler;
  std::vector<std::string> flags = {};  ///< as BuildRequest::flags, and checked as those
};

/// The parts of a compiler, in the order in which they work. A file between two of them is LLVM bitcode.
enum class Stage : std::uint8_t { front_end, optimizer, code_generation };
inline constexpr int kStages = 3;
std::string_view to_string(Stage stage);

/// A pass that the compiler may leave out; passes count from 1 in each stage.
struct Pass {
  std::int64_t number = 0;
  std::string name, target;  ///< "LoopUnrollPass", "function (slow)"
  /// "LoopUnrollPass on function (slow)".
  [[nodiscard]] std::string text() const { return name + " on " + target; }
};

/// Which passes run, of those that the compiler may leave out.
struct Cut {
  std::optional<std::int64_t> limit = {};    ///< the first so many
  std::optional<std::int64_t> without = {};  ///< all but this one; see takes_intervals()
};

/// What a stage made. It lies in a folder of Stages.
struct Made {
  std::string path;
  std::string hash;          ///< of its bytes
  std::string command = {};  ///< of the front end: as it could be typed
  std::string failed;        ///< what the compiler says where it made nothing; else empty
  [[nodiscard]] bool ok() const { return failed.empty(); }
};

/// Runs the stages of compilers one by one, each confined and limited as the builds of others' sources are (engine/source/build/confined.h). A result is kept in the compiler's cache by
/// the toolchain, the words, the cut and the bytes that went in. What the three stages make of a source one after the other is what the compiler makes of it at once.
class Stages {
 public:
  /// `architecture`: "gfx942". Fails with io.
  static Result<Stages> make(std::string architecture);

  /// The source as the optimizer finds it, with tables of lines, which name its path and are not kept longer than this object. LLVM IR is taken as it is. Fails as build_hip() does; a source with errors is `failed`.
  Result<Made> front_end(const Side& side, const std::string& source);
  /// The optimizer or code generation on what came before; the latter makes a code object. Fails with interrupted, timeout, io.
  Result<Made> run(Stage stage, const Side& side, const Made& in, const Cut& cut = {});
  /// The passes of a stage that may be left out, as they ran on `in`. Fails as run() does, and with unsupported where the compiler lists none.
  Result<std::vector<Pass>> passes(Stage stage, const Side& side, const Made& in);
  /// What the compiler prints with these options of LLVM, at most 64 MiB. Fails as run() does.
  Result<std::string> printed(Stage stage, const Side& side, const Made& in,
                              const std::vector<std::string>& options);
  /// Whether the compiler can leave out one pass alone (-opt-bisect, from clang 22 on).
  Result<bool> takes_intervals(const Side& side, const Made& in);
  /// The command of a stage as it could be typed, with `in` and `out` for its files.
  [[nodiscard]] std::string command(Stage stage, const Side& side, const Cut& cut,
                                    const std::string& in, const std::string& out) const;

  /// Compilers that ran, and results that were kept from before.
  [[nodiscard]] std::uint64_t runs() const { return runs_; }
  [[nodiscard]] std::uint64_t kept() const { return kept_; }

 private:
  Stages(std::string architecture, ScratchFolder folder)
      : architecture_(std::move(architecture)), folder_(std::move(folder)) {}
  [[nodiscard]] std::vector<std::string> words(Stage stage, const Side& side, const Cut& cut) const;
  Result<Exit> compile(const Side& side, const std::vector<std::string>& argv, const Made& in);

  std::string architecture_;
  ScratchFolder folder_;
  std::uint64_t runs_ = 0, kept_ = 0, files_ = 0;
  std::map<std::string, Made> made_;             ///< by key
  std::map<std::string, bool> takes_intervals_;  ///< by path of the compiler
};

/// Whether a path names LLVM IR, as text or bitcode: ".ll", ".bc", or Triton's ".llir".
bool is_llvm_ir(const std::string& path);

/// The lines "BISECT: running pass (7) NAME on TARGET" of what a compiler printed; numbers count from 1 where they begin later.
std::vector<Pass> read_passes(std::string_view printed);

}  // namespace rpl::regress
