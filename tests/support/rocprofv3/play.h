// SPDX-License-Identifier: MIT
#pragma once

#include "tests/support/rocprofv3/options.h"

namespace rpl::stand_in {

struct Ending {
  int status = 0, signal = 0;
};

/// Runs the program on the emulated device that RPL_STAND_IN_GPU names (what suits its code without it) and writes the files.
/// RPL_STAND_IN_FAILURE, each as rocprofv3 was reported to do it:
///   kfd             /dev/kfd may not be opened: the program finds no device
///   counter-lock    the GPU cannot be locked for counting: a warning
///   decoder         --att: no decoder library, nothing runs
///   decoder-broken  --att: a decoder that cannot be loaded
///   too-many        --pmc: the set does not fit, abort at the first dispatch (also of itself, for a set that does not fit)
///   hang            --pmc: nothing happens any more
///   no-kernels      a database without a dispatch
///   half            the database ends in the middle of the file
///   abort           ';' in the arguments: an error of SQLite, abort, names alone in the database
///   old             options of ROCm 7 are not known
///   no-sampling     PC sampling is not supported
///   leave-nothing   no file at all
Ending play(const Options& options);

}  // namespace rpl::stand_in
