// SPDX-License-Identifier: MIT
#include "engine/base/entropy.h"

#include <sys/random.h>

#include <cerrno>
#include <stdexcept>

namespace rpl {

std::uint64_t system_entropy() {
  std::uint64_t out = 0;
  for (;;) {
    // Up to 256 bytes come whole, once the kernel has any to give.
    const ssize_t got = ::getrandom(&out, sizeof out, 0);
    if (got == static_cast<ssize_t>(sizeof out)) return out;
    if (got < 0 && errno != EINTR)
      throw std::runtime_error("the system gives no random numbers (getrandom)");
  }
}

}  // namespace rpl
