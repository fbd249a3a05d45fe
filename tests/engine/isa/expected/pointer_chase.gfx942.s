s_load_dword s3, s[0:1], 0x2c
s_load_dwordx2 s[8:9], s[0:1], 0x18
s_waitcnt lgkmcnt(0)
s_and_b32 s3, s3, 0xffff
s_mul_i32 s2, s2, s3
v_add_u32_e32 v4, s2, v0
v_cmp_gt_i32_e32 vcc, s8, v4
s_and_saveexec_b64 s[2:3], vcc
s_cbranch_execz 31
s_load_dwordx4 s[4:7], s[0:1], 0x0
s_load_dwordx2 s[2:3], s[0:1], 0x10
v_ashrrev_i32_e32 v5, 31, v4
s_cmp_lt_i32 s9, 1
v_mov_b64_e32 v[6:7], 0
s_waitcnt lgkmcnt(0)
v_mov_b32_e32 v0, s4
v_mov_b32_e32 v1, s5
v_lshl_add_u64 v[0:1], v[4:5], 4, v[0:1]
s_cbranch_scc1 8
flat_load_dwordx4 v[0:3], v[0:1]
s_add_i32 s9, s9, -1
s_cmp_eq_u32 s9, 0
s_waitcnt vmcnt(0) lgkmcnt(0)
v_lshl_add_u64 v[6:7], v[2:3], 0, v[6:7]
s_cbranch_scc0 65528
v_lshlrev_b64 v[2:3], 3, v[4:5]
v_lshl_add_u64 v[4:5], s[6:7], 0, v[2:3]
global_store_dwordx2 v[4:5], v[0:1], off
v_lshl_add_u64 v[0:1], s[2:3], 0, v[2:3]
global_store_dwordx2 v[0:1], v[6:7], off
s_endpgm
