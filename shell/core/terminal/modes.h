// SPDX-License-Identifier: MIT
#pragma once

/// The modes of the terminal that stdin is, which programs change: a child that is killed leaves them as it liked them.
namespace rpl::terminal_modes {

/// Keeps them; nothing where stdin is no terminal whose foreground we are.
void note();
/// Makes the terminal what it was at the last note(), and takes it back from a group to which a child may have given it.
void put_back();

}  // namespace rpl::terminal_modes
