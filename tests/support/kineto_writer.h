// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/base/result.h"
#include "tests/support/generate.h"

namespace rpl::test {

/// The moment from which times of generated files count, in nanoseconds since 1970.
inline constexpr std::int64_t kKinetoBaseNs = 1'735'632'360'000'000'000;

/// The workload of `options` (of one process; rank first_process of `ranks`) as PyTorch's profiler would have written it: kernels, copies, calls with `api`, ranges with
/// `markers`, each call within an operator. Times are those of the rocpd database that generate_rocpd() writes, on the clock of kKinetoBaseNs.
std::string kineto_text(const GenerateOptions& options, unsigned ranks = 1);

/// The same as a file, packed where its name ends with .gz or .zst.
Status generate_kineto(const GenerateOptions& options, unsigned ranks = 1);

}  // namespace rpl::test
