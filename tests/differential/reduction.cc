// SPDX-License-Identifier: MIT
#include "tests/differential/reduction.h"

#include "tests/differential/statements.h"

namespace rpl::differential {
namespace {

/// Leaves out "%v = freeze TYPE 0" whose value nothing names.
std::string without_unused_zeros(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t start = at, end = text.find('\n', at) + 1;
    const std::string line = text.substr(at, end - at);
    at = end;
    const auto freeze = line.find(" = freeze ");
    if (freeze == std::string::npos) {
      out += line;
      continue;
    }
    const std::string name = line.substr(2, freeze - 2);
    bool is_used = false;
    for (auto use = text.find(name); use != std::string::npos; use = text.find(name, use + 1)) {
      const bool is_whole = std::isdigit(static_cast<unsigned char>(text[use + name.size()])) == 0;
      is_used |= is_whole && use != start + 2;
    }
    if (is_used) out += line;
  }
  return out;
}

class Reduction {
 public:
  Reduction(const Plan& plan, const Finding& finding)
      : plan_(plan),
        finding_(finding),
        function_(random_function(finding.seed, "reduced", plan.features)),
        inputs_(inputs_for(function_)) {}

  std::string run() {
    std::vector<bool> removed(function_.statements.size());
    auto message = still_differs(removed);
    if (!message) return "; alone it does what the host does\n";
    for (std::size_t i = removed.size(); i-- > 0;) {
      removed[i] = true;
      if (auto smaller = still_differs(removed)) {
        message = smaller;
      } else {
        removed[i] = false;
      }
    }
    keep_one_result(removed);
    message = still_differs(removed);
    return fmt::format("{}\n{}", message.value_or("the result depends on the others"),
                       without_unused_zeros(module_text({function_}, finding_.target, removed)));
  }

 private:
  void keep_one_result(const std::vector<bool>& removed) {
    const auto all = function_.results;
    for (const Value& result : all) {
      function_.results = {result};
      if (still_differs(removed)) return;
    }
    function_.results = all;
  }

  std::optional<std::string> still_differs(const std::vector<bool>& removed) {
    const std::string stem = plan_.folder + "/reduced";
    const auto host = HostModule::compile(module_text({function_}, Target::host, removed), 0,
                                          fmt::format("{}{}", stem, attempt_++));
    const auto object = compile_device(module_text({function_}, finding_.target, removed),
                                       finding_.target, finding_.level, stem);
    if (!host || !object) return std::nullopt;
    auto message = disagreement(function_, *host, *object, inputs_);
    // A stop must remain a stop.
    return message && message->starts_with(kStopped) == finding_.stopped() ? message : std::nullopt;
  }

  const Plan& plan_;
  const Finding& finding_;
  Function function_;
  Inputs inputs_;
  unsigned attempt_ = 0;  ///< names the shared object: one that is loaded must not be written again
};

}  // namespace

std::optional<std::string> disagreement(const Function& function, const HostModule& host,
                                        const std::shared_ptr<const isa::CodeObject>& object,
                                        const Inputs& inputs) {
  const HostFunction code = host.function(function.name);
  if (code == nullptr) return fmt::format("{}not on the host", kStopped);
  const auto device = run_emulated(function, object, inputs);
  if (!device) return fmt::format("{}{}", kStopped, device.error().message);
  const auto found = difference(function, inputs, run_on_host(function, code, inputs), *device);
  return found ? std::optional(found->text) : std::nullopt;
}

std::string reduced_case(const Plan& plan, const Finding& finding) {
  return Reduction(plan, finding).run();
}

}  // namespace rpl::differential
