// SPDX-License-Identifier: MIT
// The interface of hiprtc: sources that are compiled while the program runs.
#include <cstring>

#include "engine/device/hip/api/call.h"
#include "engine/device/hip/api/runtime_compilation.h"

using namespace rpl::emu::hip;

namespace {

/// hiprtcResult
enum class Outcome : int {
  success = 0,
  creation_failure = 2,
  invalid_input = 3,
  invalid_program = 4,
  invalid_option = 5,
  compilation = 6,
  no_lowered_names = 9,
  invalid_name = 10,
  internal_error = 11,
};

int number_of(Outcome outcome) { return static_cast<int>(outcome); }

std::map<const void*, std::unique_ptr<SourceProgram>>& programs() {
  static auto* const all = new std::map<const void*, std::unique_ptr<SourceProgram>>();
  return *all;
}

SourceProgram* program_of(const void* handle) {
  const auto found = programs().find(handle);
  return found == programs().end() ? nullptr : found->second.get();
}

/// How many bytes there are, or they themselves.
template <class Bytes>
int give_size(const char* name, void* handle, std::size_t* bytes, Bytes of) {
  Call call(name, kHostCosts.call_ns);
  const SourceProgram* program = program_of(handle);
  if (program == nullptr) return number_of(Outcome::invalid_program);
  if (bytes == nullptr) return number_of(Outcome::invalid_input);
  *bytes = of(*program);
  return number_of(Outcome::success);
}

}  // namespace

RPL_HIP hiprtcVersion(int* major, int* minor) {
  if (major == nullptr || minor == nullptr) return number_of(Outcome::invalid_input);
  *major = interface_version();
  *minor = 0;
  return number_of(Outcome::success);
}

RPL_HIP hiprtcCreateProgram(void** program, const char* source, const char* name, int count,
                            const char** headers, const char** include_names) {
  Call call("hiprtcCreateProgram", kHostCosts.create_ns);
  if (program == nullptr || source == nullptr || count < 0)
    return number_of(Outcome::invalid_input);
  auto made = std::make_unique<SourceProgram>();
  made->source = source;
  made->name = name == nullptr || *name == '\0' ? "CompileSource" : name;
  for (int i = 0; i < count; ++i) {
    if (headers == nullptr || include_names == nullptr || headers[i] == nullptr ||
        include_names[i] == nullptr)
      return number_of(Outcome::invalid_input);
    made->headers.emplace_back(include_names[i], headers[i]);
  }
  *program = made.get();
  programs()[*program] = std::move(made);
  return number_of(Outcome::success);
}

RPL_HIP hiprtcDestroyProgram(void** program) {
  Call call("hiprtcDestroyProgram", kHostCosts.create_ns);
  if (program == nullptr) return number_of(Outcome::invalid_input);
  if (programs().erase(*program) == 0) return number_of(Outcome::invalid_program);
  *program = nullptr;
  return number_of(Outcome::success);
}

RPL_HIP hiprtcAddNameExpression(void* handle, const char* expression) {
  Call call("hiprtcAddNameExpression", kHostCosts.call_ns);
  SourceProgram* program = program_of(handle);
  if (program == nullptr) return number_of(Outcome::invalid_program);
  if (expression == nullptr) return number_of(Outcome::invalid_input);
  if (program->compiled) return number_of(Outcome::invalid_program);
  program->expressions.emplace_back(expression);
  return number_of(Outcome::success);
}

RPL_HIP hiprtcCompileProgram(void* handle, int count, const char** options) {
  Call call("hiprtcCompileProgram", kHostCosts.load_ns);
  SourceProgram* program = program_of(handle);
  if (program == nullptr) return number_of(Outcome::invalid_program);
  if (count < 0 || (count > 0 && options == nullptr)) return number_of(Outcome::invalid_input);
  std::string asked = program->source;
  for (int i = 0; i < count; ++i)
    asked += std::string("\n") + (options[i] == nullptr ? "" : options[i]);
  call.loads(asked);
  const auto built = compile_program(*program, rpl::isa::to_string(call.runtime().kind().arch),
                                     {options, options + count});
  if (built) return number_of(*built ? Outcome::success : Outcome::compilation);
  const rpl::Error& error = built.error();
  program->log = error.message + (error.hint.empty() ? "" : "; " + error.hint) + "\n";
  return number_of(error.code == rpl::Errc::usage ? Outcome::invalid_option
                                                  : Outcome::internal_error);
}

RPL_HIP hiprtcGetLoweredName(void* handle, const char* expression, const char** lowered) {
  Call call("hiprtcGetLoweredName", kHostCosts.call_ns);
  const SourceProgram* program = program_of(handle);
  if (program == nullptr) return number_of(Outcome::invalid_program);
  if (expression == nullptr || lowered == nullptr) return number_of(Outcome::invalid_input);
  if (!program->compiled) return number_of(Outcome::no_lowered_names);
  const auto found = program->lowered.find(expression);
  if (found == program->lowered.end()) return number_of(Outcome::invalid_name);
  *lowered = found->second.c_str();
  return number_of(Outcome::success);
}

// With the zero at its end.
RPL_HIP hiprtcGetProgramLogSize(void* handle, std::size_t* bytes) {
  return give_size("hiprtcGetProgramLogSize", handle, bytes,
                   [](const auto& program) { return program.log.size() + 1; });
}
RPL_HIP hiprtcGetProgramLog(void* handle, char* log) {
  Call call("hiprtcGetProgramLog", kHostCosts.call_ns);
  const SourceProgram* program = program_of(handle);
  if (program == nullptr) return number_of(Outcome::invalid_program);
  if (log == nullptr) return number_of(Outcome::invalid_input);
  std::memcpy(log, program->log.c_str(), program->log.size() + 1);
  return number_of(Outcome::success);
}
RPL_HIP hiprtcGetCodeSize(void* handle, std::size_t* bytes) {
  return give_size("hiprtcGetCodeSize", handle, bytes,
                   [](const auto& program) { return program.code.size(); });
}
RPL_HIP hiprtcGetCode(void* handle, char* code) {
  Call call("hiprtcGetCode", kHostCosts.call_ns);
  const SourceProgram* program = program_of(handle);
  if (program == nullptr || !program->compiled) return number_of(Outcome::invalid_program);
  if (code == nullptr) return number_of(Outcome::invalid_input);
  std::memcpy(code, program->code.data(), program->code.size());
  return number_of(Outcome::success);
}

extern "C" __attribute__((visibility("default"))) const char* hiprtcGetErrorString(int result) {
  constexpr const char* kNames[] = {"HIPRTC_SUCCESS",
                                    "HIPRTC_ERROR_OUT_OF_MEMORY",
                                    "HIPRTC_ERROR_PROGRAM_CREATION_FAILURE",
                                    "HIPRTC_ERROR_INVALID_INPUT",
                                    "HIPRTC_ERROR_INVALID_PROGRAM",
                                    "HIPRTC_ERROR_INVALID_OPTION",
                                    "HIPRTC_ERROR_COMPILATION",
                                    "HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE",
                                    "HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
                                    "HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
                                    "HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
                                    "HIPRTC_ERROR_INTERNAL_ERROR"};
  constexpr int kLinking = 100;
  if (result == kLinking) return "HIPRTC_ERROR_LINKING";
  return result >= 0 && static_cast<std::size_t>(result) < std::size(kNames) ? kNames[result]
                                                                             : "unknown";
}
