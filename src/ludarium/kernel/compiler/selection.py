"""`nth` as LLVM assembly: the place of a set bit, given by how many lie below it, without branches.

Processors that spread bits at once need three instructions. Others count the set bits up to the end of each byte, all bytes
side by side in one word; the first byte whose count is high enough has the bit, and its own bits are counted in the same way.
"""

from __future__ import annotations

from functools import cache

_SLOW = ("bdver4", "znver1", "znver2")
"""Processors that spread bits one by one."""

_ONES = 0x0101010101010101  # a one in each byte
_TOPS = 0x8080808080808080 - (1 << 64)  # the highest bit of each byte, as LLVM writes it
_STEPS = 0x8040201008040201 - (1 << 64)  # another bit in each byte

SPREAD = """define internal i64 @nth(i64 %bits, i64 %number) alwaysinline nounwind {
  %count = and i64 %number, 63
  %source = shl i64 1, %count
  %bit = call i64 @llvm.x86.bmi.pdep.64(i64 %source, i64 %bits)
  %place = call i64 @llvm.cttz.i64(i64 %bit, i1 false)
  ret i64 %place
}
declare i64 @llvm.x86.bmi.pdep.64(i64, i64)"""

COUNTED = f"""define internal i64 @nth(i64 %bits, i64 %number) alwaysinline nounwind {{
  %count = and i64 %number, 63
  %high1 = lshr i64 %bits, 1
  %odd1 = and i64 %high1, {0x5555555555555555}
  %pairs = sub i64 %bits, %odd1
  %low2 = and i64 %pairs, {0x3333333333333333}
  %high2 = lshr i64 %pairs, 2
  %odd2 = and i64 %high2, {0x3333333333333333}
  %fours = add i64 %low2, %odd2
  %high4 = lshr i64 %fours, 4
  %both = add i64 %fours, %high4
  %bytes = and i64 %both, {0x0F0F0F0F0F0F0F0F}
  %sums = mul i64 %bytes, {_ONES}
  %all = lshr i64 %sums, 56
  %known = icmp ult i64 %count, %all
  %far = add i64 %count, 1
  %wanted = mul i64 %far, {_ONES}
  %open = or i64 %sums, {_TOPS}
  %left = sub i64 %open, %wanted
  %enough = and i64 %left, {_TOPS}
  %zeros = call i64 @llvm.cttz.i64(i64 %enough, i1 false)
  %begin = and i64 %zeros, 56
  %shifted = shl i64 %sums, 8
  %below = lshr i64 %shifted, %begin
  %before = and i64 %below, 255
  %beyond = sub i64 %far, %before
  %rest = lshr i64 %bits, %begin
  %byte = and i64 %rest, 255
  %copies = mul i64 %byte, {_ONES}
  %apart = and i64 %copies, {_STEPS}
  %carried = add i64 %apart, {0x7F7F7F7F7F7F7F7F}
  %lowered = lshr i64 %carried, 7
  %each = and i64 %lowered, {_ONES}
  %sums2 = mul i64 %each, {_ONES}
  %wanted2 = mul i64 %beyond, {_ONES}
  %open2 = or i64 %sums2, {_TOPS}
  %left2 = sub i64 %open2, %wanted2
  %enough2 = and i64 %left2, {_TOPS}
  %zeros2 = call i64 @llvm.cttz.i64(i64 %enough2, i1 false)
  %step = lshr i64 %zeros2, 3
  %found = add i64 %begin, %step
  %place = select i1 %known, i64 %found, i64 64
  ret i64 %place
}}"""


@cache
def nth_here() -> str:
    """The definition for the processor that this runs on."""
    import llvmlite.binding as llvm

    spreads = llvm.get_host_cpu_features().get("bmi2") and llvm.get_host_cpu_name() not in _SLOW
    return SPREAD if spreads else COUNTED
