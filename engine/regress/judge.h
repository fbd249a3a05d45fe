// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/element.h"
#include "engine/device/execute/launch/launch.h"
#include "engine/device/findings/finding.h"
#include "engine/isa/code/program_text.h"
#include "engine/isa/object/code_object.h"

namespace rpl::regress {

/// A buffer after a run.
struct Output {
  std::string name;  ///< "argument 2"
  Element element = Element::u8;
  std::vector<std::byte> bytes;
};

struct Ran {
  emu::Executed executed;
  std::vector<Output> outputs;
};

struct RunWish {
  bool keep_record = false;            ///< for findings
  std::uint64_t max_instructions = 0;  ///< of waves, after which the run fails with limit; 0: none
};

/// Runs a kernel of a code object on the emulated device with the cycle model, each time on the same inputs. Fails as emu::execute() does.
using RunKernel = std::function<Result<Ran>(const std::shared_ptr<const isa::CodeObject>& object,
                                            const RunWish& wish)>;

/// One kernel as a compiler made it.
struct Code {
  std::shared_ptr<const isa::CodeObject> object;
  const isa::Kernel* kernel = nullptr;  ///< of `object`
  isa::StaticFacts facts;

  /// Equal for code that runs alike: instructions, registers, LDS and scratch.
  [[nodiscard]] std::string key() const;
};
/// Fails as CodeObject::open(), CodeObject::kernel() and static_facts() do.
Result<Code> read_code(const std::string& path, const std::string& kernel);

/// A kernel with everything that is compared.
struct Judged {
  Code code;
  Ran ran;
  std::vector<findings::Finding> found;

  [[nodiscard]] double time_ns() const { return ran.executed.modelled->time_ns; }
};
/// Runs it and asks for findings. `parameters`: null for those of the usual GPU of the architecture. Fails as the run and findings::find() do.
Result<Judged> judge(Code code, const RunKernel& run,
                     const std::shared_ptr<const cycle::Parameters>& parameters);

/// Modelled times of one kernel by many builds, each code once.
class Clock {
 public:
  Clock(std::string kernel, RunKernel run, std::uint64_t max_instructions)
      : kernel_(std::move(kernel)), run_(std::move(run)), max_instructions_(max_instructions) {}
  /// Of a code object, in ns; nothing where the code cannot be run: it faults, or takes more than the instructions allowed. Fails with interrupted.
  Result<std::optional<double>> time(const std::string& path);
  /// Says of a code what its time is.
  void know(const Code& code, double ns) { times_[code.key()] = ns; }
  [[nodiscard]] std::uint64_t runs() const { return runs_; }

 private:
  std::string kernel_;
  RunKernel run_;
  std::uint64_t max_instructions_, runs_ = 0;
  std::map<std::string, std::optional<double>> times_;
};

/// How what two builds left in memory compares.
enum class Results { equal, close, different };
/// "equal", "close", "differ".
std::string_view to_string(Results results);
struct ResultsCompared {
  Results results = Results::equal;
  std::string
      says;  ///< of the first buffer that differs: where, and what is there; "" for equal ones
};
/// Close: within the tolerance that verification has for the type of the elements.
ResultsCompared compare_results(const std::vector<Output>& a, const std::vector<Output>& b);

}  // namespace rpl::regress
