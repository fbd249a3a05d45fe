// SPDX-License-Identifier: MIT
// Precompiled for the shell: what nearly all of it sees and what seldom changes.
#pragma once

#include "engine/base/pch.h"
#include "engine/document/document.h"
#include "shell/core/command/define.h"
