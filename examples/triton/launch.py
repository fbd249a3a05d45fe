# SPDX-License-Identifier: MIT
# Launches the committed softmax through libamdhip64, which it opens by itself as Triton's runtime does: rpl profile -- python3 launch.py
import ctypes
import json
import math
import pathlib
import random

FOLDER = pathlib.Path(__file__).resolve().parent / "objects"
ROWS, COLUMNS = 8, 1008
TO_DEVICE, FROM_DEVICE = 1, 2

hip = ctypes.CDLL("libamdhip64.so")


def call(name, *arguments):
    status = getattr(hip, name)(*arguments)
    if status != 0:
        raise RuntimeError(f"{name} returned {status}")


def device_memory(count):
    pointer = ctypes.c_void_p()
    call("hipMalloc", ctypes.byref(pointer), ctypes.c_size_t(4 * count))
    return pointer


architecture = "gfx942"
metadata = json.loads((FOLDER / f"softmax.{architecture}.json").read_text())
module, function = ctypes.c_void_p(), ctypes.c_void_p()
call("hipModuleLoad", ctypes.byref(module), str(FOLDER / f"softmax.{architecture}.hsaco").encode())
call("hipModuleGetFunction", ctypes.byref(function), module, metadata["name"].encode())

random.seed(1)
values = (ctypes.c_float * (ROWS * COLUMNS))(*(random.uniform(-4, 4) for _ in range(ROWS * COLUMNS)))
source, result = device_memory(len(values)), device_memory(len(values))
call("hipMemcpy", source, values, ctypes.c_size_t(4 * len(values)), TO_DEVICE)

# The last argument is Triton's pointer to scratch memory, which this kernel needs none of.
arguments = [result, source, ctypes.c_int32(COLUMNS), ctypes.c_int32(COLUMNS), ctypes.c_void_p()]
pointers = (ctypes.c_void_p * len(arguments))(*(ctypes.addressof(one) for one in arguments))
workgroup = metadata["num_warps"] * metadata["warp_size"]
call("hipModuleLaunchKernel", function, ROWS, 1, 1, workgroup, 1, 1, metadata["shared"], None, pointers, None)

found = (ctypes.c_float * len(values))()
call("hipMemcpy", found, result, ctypes.c_size_t(4 * len(values)), FROM_DEVICE)
for row in range(ROWS):
    powers = [math.exp(value) for value in values[row * COLUMNS:(row + 1) * COLUMNS]]
    for column, power in enumerate(powers):
        expected = power / math.fsum(powers)
        assert abs(found[row * COLUMNS + column] - expected) <= 2e-6 * expected, (row, column)
print(f"{ROWS} rows are right")
