# Machine code, and what another build made of it.
# example add.co: hip/objects/vector_add.gfx90a.co
# example add942.co: hip/objects/vector_add.gfx942.co
$ disassemble add.co
kernel        vector_add
object        o1
architecture  gfx90a
instructions  29

address  label  instruction                             target  source  encoding
0x1900   -      s_load_dword s0, s[4:5], 0x2c           -       -       c0020002 0000002c
0x1908   -      s_load_dword s1, s[4:5], 0x18           -       -       c0020042 00000018
0x1910   -      s_waitcnt lgkmcnt(0)                    -       -       bf8cc07f
0x1914   -      s_and_b32 s0, s0, 0xffff                -       -       8600ff00 0000ffff
0x191c   -      s_mul_i32 s6, s6, s0                    -       -       92060006
0x1920   -      v_add_u32_e32 v0, s6, v0                -       -       68000006
0x1924   -      v_cmp_gt_i32_e32 vcc, s1, v0            -       -       7d880001
0x1928   -      s_and_saveexec_b64 s[0:1], vcc          -       -       be80206a
0x192c   -      s_cbranch_execz 25                      L1      -       bf880019
0x1930   -      s_load_dwordx4 s[0:3], s[4:5], 0x0      -       -       c00a0002 00000000
0x1938   -      s_load_dwordx2 s[6:7], s[4:5], 0x10     -       -       c0060182 00000010
0x1940   -      v_ashrrev_i32_e32 v1, 31, v0            -       -       2202009f
0x1944   -      v_lshlrev_b64 v[0:1], 2, v[0:1]         -       -       d28f0000 00020082
0x194c   -      s_waitcnt lgkmcnt(0)                    -       -       bf8cc07f
0x1950   -      v_mov_b32_e32 v3, s3                    -       -       7e060203
0x1954   -      v_add_co_u32_e32 v2, vcc, s2, v0        -       -       32040002
0x1958   -      v_addc_co_u32_e32 v3, vcc, v3, v1, vcc  -       -       38060303
0x195c   -      v_mov_b32_e32 v5, s1                    -       -       7e0a0201
0x1960   -      v_add_co_u32_e32 v4, vcc, s0, v0        -       -       32080000
0x1964   -      v_addc_co_u32_e32 v5, vcc, v5, v1, vcc  -       -       380a0305
0x1968   -      global_load_dword v6, v[4:5], off       -       -       dc508000 067f0004
0x1970   -      global_load_dword v7, v[2:3], off       -       -       dc508000 077f0002
0x1978   -      v_mov_b32_e32 v2, s7                    -       -       7e040207
0x197c   -      v_add_co_u32_e32 v0, vcc, s6, v0        -       -       32000006
0x1980   -      v_addc_co_u32_e32 v1, vcc, v2, v1, vcc  -       -       38020302
0x1984   -      s_waitcnt vmcnt(0)                      -       -       bf8c0f70
0x1988   -      v_add_f32_e32 v2, v6, v7                -       -       02040f06
0x198c   -      global_store_dword v[0:1], v2, off      -       -       dc708000 007f0200
0x1994   L1     s_endpgm                                -       -       bf810000
(29 rows, recorded)
err: note: no source lines: built without -gline-tables-only, which leaves the code as it is

$ object diff add.co add942.co
--- add.co
+++ add942.co
@@ -1,28 +1,22 @@
-s_load_dword s0, s[4:5], 0x2c
-s_load_dword s1, s[4:5], 0x18
+s_load_dword s3, s[0:1], 0x2c
+s_load_dword s4, s[0:1], 0x18
 s_waitcnt lgkmcnt(0)
-s_and_b32 s0, s0, 0xffff
-s_mul_i32 s6, s6, s0
-v_add_u32_e32 v0, s6, v0
-v_cmp_gt_i32_e32 vcc, s1, v0
-s_and_saveexec_b64 s[0:1], vcc
-s_cbranch_execz 25
-s_load_dwordx4 s[0:3], s[4:5], 0x0
-s_load_dwordx2 s[6:7], s[4:5], 0x10
+s_and_b32 s3, s3, 0xffff
+s_mul_i32 s2, s2, s3
+v_add_u32_e32 v0, s2, v0
+v_cmp_gt_i32_e32 vcc, s4, v0
+s_and_saveexec_b64 s[2:3], vcc
+s_cbranch_execz 22
+s_load_dwordx4 s[4:7], s[0:1], 0x0
+s_load_dwordx2 s[2:3], s[0:1], 0x10
 v_ashrrev_i32_e32 v1, 31, v0
 v_lshlrev_b64 v[0:1], 2, v[0:1]
 s_waitcnt lgkmcnt(0)
-v_mov_b32_e32 v3, s3
-v_add_co_u32_e32 v2, vcc, s2, v0
-v_addc_co_u32_e32 v3, vcc, v3, v1, vcc
-v_mov_b32_e32 v5, s1
-v_add_co_u32_e32 v4, vcc, s0, v0
-v_addc_co_u32_e32 v5, vcc, v5, v1, vcc
+v_lshl_add_u64 v[4:5], s[4:5], 0, v[0:1]
+v_lshl_add_u64 v[2:3], s[6:7], 0, v[0:1]
 global_load_dword v6, v[4:5], off
 global_load_dword v7, v[2:3], off
-v_mov_b32_e32 v2, s7
-v_add_co_u32_e32 v0, vcc, s6, v0
-v_addc_co_u32_e32 v1, vcc, v2, v1, vcc
+v_lshl_add_u64 v[0:1], s[2:3], 0, v[0:1]
 s_waitcnt vmcnt(0)
 v_add_f32_e32 v2, v6, v7
 global_store_dword v[0:1], v2, off

what           before  after  change
vgprs               8      8       0
sgprs              12     14       2
kernarg_bytes     288    288       0
code_bytes        152    140     -12
instructions       29     23      -6
valu               14      8      -6
salu                3      3       0
smem                4      4       0
vmem                3      3       0
branch              1      1       0
wait                3      3       0
other               1      1       0
(12 rows, recorded)

$ object diff/q add.co add.co
true
