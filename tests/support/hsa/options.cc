// SPDX-License-Identifier: MIT
#include "tests/support/hsa/options.h"

#include <sys/mman.h>
#include <sys/personality.h>

#include <cstdlib>
#include <sstream>

namespace rpl::hsa_double {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

std::uint64_t number_of(const std::string& text, std::uint64_t without) {
  return text.empty() ? without : std::strtoull(text.c_str(), nullptr, 0);
}

}  // namespace

std::vector<Injection> parse_injections(const std::string& text) {
  std::vector<Injection> out;
  std::istringstream all(text);
  for (std::string one; std::getline(all, one, ',');) {
    std::istringstream parts(one);
    Injection injection;
    std::string number, status;
    if (!std::getline(parts, injection.function, ':') || !std::getline(parts, number, ':') ||
        !std::getline(parts, status))
      continue;
    injection.number = number_of(number, 1);
    if (status == "hang") injection.kind = Injection::Kind::hang;
    if (status == "crash") injection.kind = Injection::Kind::crash;
    injection.status = static_cast<hsa::Status>(number_of(status, 0));
    out.push_back(std::move(injection));
  }
  return out;
}

Options options_of_environment() {
  Options options;
  options.log = variable("RPL_HSA_DOUBLE_LOG");
  options.injections = parse_injections(variable("RPL_HSA_DOUBLE_FAIL"));
  options.frequency = number_of(variable("RPL_HSA_DOUBLE_FREQUENCY"), options.frequency);
  options.vmem = variable("RPL_HSA_DOUBLE_VMEM") != "0";
  if (const std::string arch = variable("RPL_HSA_DOUBLE_ARCH"); !arch.empty()) options.arch = arch;
  options.granule = number_of(variable("RPL_HSA_DOUBLE_GRANULE"), options.granule);
  options.relocate = number_of(variable("RPL_HSA_DOUBLE_RELOCATE"), 0);
  options.lock_moves = variable("RPL_HSA_DOUBLE_LOCK_MOVES") == "1";
  options.clock_instruction = number_of(variable("RPL_HSA_DOUBLE_CLOCK_INSTRUCTION"), 0);
  options.clock_step = number_of(variable("RPL_HSA_DOUBLE_CLOCK_STEP"), 0);
  return options;
}

void occupy_for_environment() {
  constexpr std::size_t kPage = 4096;
  const std::uint64_t address = number_of(variable("RPL_HSA_DOUBLE_OCCUPY"), 0);
  constexpr unsigned long kAsk = 0xffffffff;
  if (address == 0 || (::personality(kAsk) & ADDR_NO_RANDOMIZE) != 0) return;
  ::mmap(reinterpret_cast<void*>(address), kPage, PROT_READ,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
}

}  // namespace rpl::hsa_double
