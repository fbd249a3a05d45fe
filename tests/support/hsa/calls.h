// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>

#include "engine/hsa/api.h"
#include "tests/support/hsa/machine.h"

namespace rpl::hsa_double {

/// The runtime's functions, by their names in hsa::Api. As symbols they have their C names, which the shared library exports.
namespace calls {
using namespace hsa;  // NOLINT: the list spells types as the runtime's header does
#define RPL_HSA_DECLARE(member, symbol, ...) std::type_identity_t<__VA_ARGS__> member asm(#symbol);
RPL_HSA_FUNCTIONS(RPL_HSA_DECLARE)
#undef RPL_HSA_DECLARE
}  // namespace calls

/// All of them, for who calls them in this process.
const hsa::Api& api();

}  // namespace rpl::hsa_double
