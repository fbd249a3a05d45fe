s_load_dword s7, s[4:5], 0x24
s_load_dwordx4 s[0:3], s[4:5], 0x0
s_load_dword s11, s[4:5], 0x10
s_add_u32 s8, s4, 24
s_addc_u32 s9, s5, 0
s_waitcnt lgkmcnt(0)
s_and_b32 s10, s7, 0xffff
s_mul_i32 s6, s6, s10
v_add_u32_e32 v2, s6, v0
v_cmp_gt_i32_e32 vcc, s11, v2
v_mov_b32_e32 v4, 0
s_and_saveexec_b64 s[4:5], vcc
s_cbranch_execz 22
s_load_dword s8, s[8:9], 0x0
s_mov_b64 s[6:7], 0
v_mov_b32_e32 v4, 0
v_mov_b32_e32 v1, s1
s_waitcnt lgkmcnt(0)
s_mul_i32 s8, s8, s10
v_ashrrev_i32_e32 v3, 31, v2
v_lshlrev_b64 v[6:7], 2, v[2:3]
v_add_co_u32_e32 v6, vcc, s0, v6
v_addc_co_u32_e32 v7, vcc, v1, v7, vcc
global_load_dword v3, v[6:7], off
v_add_u32_e32 v2, s8, v2
v_cmp_le_i32_e32 vcc, s11, v2
s_or_b64 s[6:7], vcc, s[6:7]
s_waitcnt vmcnt(0)
v_add_f32_e32 v4, v4, v3
s_andn2_b64 exec, exec, s[6:7]
s_cbranch_execnz 65522
s_or_b64 exec, exec, s[6:7]
s_or_b64 exec, exec, s[4:5]
v_mbcnt_lo_u32_b32 v1, -1, 0
v_mbcnt_hi_u32_b32 v6, -1, v1
v_and_b32_e32 v7, 63, v6
v_cmp_gt_u32_e32 vcc, 32, v7
v_cndmask_b32_e64 v1, 0, 1, vcc
v_lshlrev_b32_e32 v1, 5, v1
v_add_lshl_u32 v1, v1, v6, 2
ds_bpermute_b32 v2, v1, v4
v_cmp_gt_u32_e32 vcc, 48, v7
v_cndmask_b32_e64 v3, 0, 1, vcc
v_lshlrev_b32_e32 v3, 4, v3
v_cmp_gt_u32_e32 vcc, 56, v7
s_waitcnt lgkmcnt(0)
v_add_f32_e32 v4, v4, v2
v_add_lshl_u32 v2, v3, v6, 2
ds_bpermute_b32 v3, v2, v4
v_cndmask_b32_e64 v5, 0, 1, vcc
v_lshlrev_b32_e32 v5, 3, v5
v_cmp_gt_u32_e32 vcc, 60, v7
v_cndmask_b32_e64 v8, 0, 1, vcc
s_waitcnt lgkmcnt(0)
v_add_f32_e32 v4, v4, v3
v_add_lshl_u32 v3, v5, v6, 2
ds_bpermute_b32 v5, v3, v4
v_lshlrev_b32_e32 v8, 2, v8
v_cmp_gt_u32_e32 vcc, 62, v7
v_cndmask_b32_e64 v9, 0, 1, vcc
v_lshlrev_b32_e32 v9, 1, v9
s_waitcnt lgkmcnt(0)
v_add_f32_e32 v5, v4, v5
v_add_lshl_u32 v4, v8, v6, 2
ds_bpermute_b32 v8, v4, v5
v_cmp_ne_u32_e32 vcc, 63, v7
v_and_b32_e32 v7, 63, v0
s_waitcnt lgkmcnt(0)
v_add_f32_e32 v8, v5, v8
v_add_lshl_u32 v5, v9, v6, 2
ds_bpermute_b32 v9, v5, v8
v_addc_co_u32_e32 v6, vcc, 0, v6, vcc
v_lshlrev_b32_e32 v6, 2, v6
v_cmp_eq_u32_e32 vcc, 0, v7
s_waitcnt lgkmcnt(0)
v_add_f32_e32 v8, v8, v9
ds_bpermute_b32 v9, v6, v8
s_and_saveexec_b64 s[0:1], vcc
s_cbranch_execz 5
s_waitcnt lgkmcnt(0)
v_add_f32_e32 v8, v8, v9
v_lshrrev_b32_e32 v9, 4, v0
ds_write_b32 v9, v8
s_or_b64 exec, exec, s[0:1]
v_cmp_gt_u32_e64 s[0:1], 64, v0
s_waitcnt lgkmcnt(0)
s_barrier
s_and_saveexec_b64 s[4:5], s[0:1]
s_cbranch_execz 71
s_add_i32 s10, s10, 63
s_lshr_b32 s0, s10, 6
v_cmp_gt_u32_e64 s[0:1], s0, v7
v_mov_b32_e32 v0, 0
s_and_saveexec_b64 s[4:5], s[0:1]
s_cbranch_execz 3
v_lshlrev_b32_e32 v0, 2, v7
ds_read_b32 v0, v0
s_or_b64 exec, exec, s[4:5]
s_waitcnt lgkmcnt(0)
ds_bpermute_b32 v1, v1, v0
s_waitcnt lgkmcnt(0)
v_add_f32_e32 v0, v0, v1
ds_bpermute_b32 v1, v2, v0
s_waitcnt lgkmcnt(0)
v_add_f32_e32 v0, v0, v1
ds_bpermute_b32 v1, v3, v0
s_waitcnt lgkmcnt(0)
v_add_f32_e32 v0, v0, v1
ds_bpermute_b32 v1, v4, v0
s_waitcnt lgkmcnt(0)
v_add_f32_e32 v0, v0, v1
ds_bpermute_b32 v1, v5, v0
s_waitcnt lgkmcnt(0)
v_add_f32_e32 v0, v0, v1
ds_bpermute_b32 v1, v6, v0
s_and_b64 exec, exec, vcc
s_cbranch_execz 35
s_mov_b64 s[0:1], exec
s_waitcnt lgkmcnt(0)
v_add_f32_e32 v0, v0, v1
v_bfrev_b32_e32 v2, 1
s_ff1_i32_b64 s4, s[0:1]
v_readlane_b32 s6, v0, s4
s_lshl_b64 s[4:5], 1, s4
s_andn2_b64 s[0:1], s[0:1], s[4:5]
s_cmp_lg_u64 s[0:1], 0
v_add_f32_e32 v2, s6, v2
s_cbranch_scc1 65528
v_mbcnt_lo_u32_b32 v0, exec_lo, 0
v_mbcnt_hi_u32_b32 v0, exec_hi, v0
v_cmp_eq_u32_e32 vcc, 0, v0
s_and_saveexec_b64 s[0:1], vcc
s_xor_b64 s[0:1], exec, s[0:1]
s_cbranch_execz 15
s_load_dword s4, s[2:3], 0x0
s_mov_b64 s[0:1], 0
v_mov_b32_e32 v3, 0
s_waitcnt lgkmcnt(0)
v_mov_b32_e32 v1, s4
v_add_f32_e32 v0, v1, v2
global_atomic_cmpswap v0, v3, v[0:1], s[2:3] glc
s_waitcnt vmcnt(0)
v_cmp_eq_u32_e32 vcc, v0, v1
s_or_b64 s[0:1], vcc, s[0:1]
v_mov_b32_e32 v1, v0
s_andn2_b64 exec, exec, s[0:1]
s_cbranch_execnz 65527
s_endpgm
