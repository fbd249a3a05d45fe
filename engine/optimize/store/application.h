// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/optimize/store/user_check.h"

namespace rpl {

/// One kernel in one run of an application.
struct ApplicationKernel {
  std::string name;  ///< in the code object
  std::uint64_t calls = 0;
  std::int64_t path_ns = 0;   ///< its time on the critical path
  double share = 0;           ///< path_ns / critical_path_ns: its dominance
  std::uint64_t longest = 1;  ///< which of its dispatches took longest, from 1
};

/// What one run of an application showed.
struct ApplicationRun {
  bool modelled = true;  ///< times are of the emulated device
  std::string
      architecture;  ///< of the GPU with most dispatches, where a clock measured; "" for a model
  std::int64_t span_ns = 0;  ///< from the first start to the last end of dispatches and copies
  std::int64_t critical_path_ns = 0;       ///< kernels and copies on the path
  std::vector<ApplicationKernel> kernels;  ///< most time on the path first
  std::string output_sha256;               ///< of what it printed on stdout
  int exit_code = 0;

  /// Null where it did not run.
  [[nodiscard]] const ApplicationKernel* kernel(std::string_view name) const;
};

/// One run of an application that was timed by a clock.
struct TimedRun {
  double span_ns = 0;         ///< as ApplicationRun::span_ns
  std::string output_sha256;  ///< likewise
  int exit_code = 0;
};

/// A file of the user whose place a text of ours takes while the application is built.
struct ReplacedFile {
  std::string path;       ///< absolute, the user's
  std::string text_path;  ///< the file that is read instead
};

/// An application whose dominant kernels are to become faster, one after the other. Kept in the session whole after every stage.
struct Application {
  std::int64_t number = 0;
  std::vector<std::string> argv;  ///< the program as the user built it, and its arguments
  std::string
      source;  ///< the file with the kernels; empty: the line table of each kernel's code object says it
  std::string
      main_source;  ///< compiled and linked into the program again; empty: build_command does that, or nothing
  std::string build_command;       ///< of the user; {output} in it is where the program goes
  std::vector<std::string> flags;  ///< for the compiler
  std::string folder;              ///< for captures, overlays and programs
  Stage reached = Stage::
      application;  ///< the last stage: application, target, capture, round or confirm; end when there is no more to do
  std::string ended;           ///< why there is no more to do; empty before
  bool output_repeats = true;  ///< all runs of the unchanged program printed the same
  double noise =
      0;  ///< where a clock measures: what the unchanged program shows against itself, see application_noise()
  ApplicationRun first, now;            ///< as it was, and with everything that was confirmed
  std::string program;                  ///< built with what was confirmed; empty: argv[0]
  std::string kernel;                   ///< whose turn it is
  std::string capture;                  ///< folder of a dispatch of it
  std::vector<std::string> finished;    ///< kernels for which nothing more was accepted
  std::vector<std::int64_t> confirmed;  ///< proposals, in the order of their confirmation
  std::int64_t rounds = 0;              ///< so far

  /// Whether the application can be rebuilt with changed sources.
  [[nodiscard]] bool can_be_built() const { return !main_source.empty() || !build_command.empty(); }
};

/// What the loop asks of the target and the compiler. An error of any is the stage's error: it can be tried again.
struct ApplicationTools {
  /// Runs the program once and analyses what it did.
  std::function<Result<ApplicationRun>(const std::vector<std::string>& argv)> run;
  /// Freezes one dispatch: the `dispatch`-th of that kernel, from 1. The folder does not exist.
  std::function<Status(const std::vector<std::string>& argv, const std::string& kernel,
                       std::uint64_t dispatch, const std::string& folder)>
      capture;
  /// The source of a captured kernel, absolute.
  std::function<Result<std::string>(const std::string& capture, const std::string& kernel)>
      source_of;
  /// Builds the program into `output` with these files replaced. Fails with corrupt when it does not compile.
  std::function<Status(const Application& application, const std::vector<ReplacedFile>& replaced,
                       const std::string& output)>
      build;
  /// Times one run by a clock, disturbed as little as it can be; null where the times of `run` are a model's, of which equal runs are equal.
  std::function<Result<TimedRun>(const std::vector<std::string>& argv)> time = {};
};

Columns<ApplicationKernel> bound(const ApplicationKernel*);
Columns<ApplicationRun> bound(const ApplicationRun*);
Columns<Application> bound(const Application*);
/// Fails with corrupt, naming the field.
Result<Application> application_from(const Value& value, std::vector<std::string>* notes = nullptr);

/// How the whole application compares with a change in it.
struct Confirmation {
  bool passed = false;
  double ratio = 1;  ///< span before / span now: above 1 is faster
  std::string
      rule;  ///< when not passed: application-regression, application-output, application-exit
  std::string message;  ///< what was found, a sentence
};
/// Refuses another exit status, and another output where the unchanged program always printed the same: then rule and message are set.
bool behaves_as_before(const Application& before, int exit_code, const std::string& output_sha256,
                       Confirmation& out);
/// By one modelled run. Refuses what behaves otherwise, and a span that is longer by more than `floor`, a fraction.
Confirmation confirm(const Application& before, const ApplicationRun& with_change, double floor);

}  // namespace rpl
