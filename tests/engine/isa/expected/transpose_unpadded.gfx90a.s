s_load_dwordx4 s[8:11], s[4:5], 0x0
s_load_dwordx2 s[2:3], s[4:5], 0x10
s_lshl_b32 s6, s6, 5
v_and_b32_e32 v1, 0x3ff, v0
s_lshl_b32 s7, s7, 5
v_bfe_u32 v3, v0, 10, 10
v_add_u32_e32 v2, s6, v1
v_add_u32_e32 v4, s7, v3
s_waitcnt lgkmcnt(0)
v_cmp_gt_i32_e32 vcc, s3, v2
v_cmp_gt_i32_e64 s[0:1], s2, v4
s_and_b64 s[0:1], vcc, s[0:1]
v_lshlrev_b32_e32 v0, 2, v1
s_and_saveexec_b64 s[4:5], s[0:1]
s_cbranch_execz 17
v_mad_u64_u32 v[6:7], s[0:1], v4, s3, v[2:3]
v_ashrrev_i32_e32 v7, 31, v6
v_lshlrev_b64 v[6:7], 2, v[6:7]
v_mov_b32_e32 v5, s9
v_add_co_u32_e64 v6, s[0:1], s8, v6
v_addc_co_u32_e64 v7, s[0:1], v5, v7, s[0:1]
global_load_dword v5, v[6:7], off
v_lshl_add_u32 v6, v3, 7, v0
s_waitcnt vmcnt(0)
ds_write_b32 v6, v5
s_or_b64 exec, exec, s[4:5]
s_and_saveexec_b64 s[0:1], vcc
s_cbranch_execz 59
v_add_u32_e32 v5, 8, v4
v_cmp_gt_i32_e32 vcc, s2, v5
s_and_saveexec_b64 s[4:5], vcc
s_cbranch_execz 15
v_mad_u64_u32 v[6:7], s[12:13], v5, s3, v[2:3]
v_ashrrev_i32_e32 v7, 31, v6
v_lshlrev_b64 v[6:7], 2, v[6:7]
v_mov_b32_e32 v5, s9
v_add_co_u32_e32 v6, vcc, s8, v6
v_addc_co_u32_e32 v7, vcc, v5, v7, vcc
global_load_dword v5, v[6:7], off
v_lshl_add_u32 v6, v3, 7, v0
s_waitcnt vmcnt(0)
ds_write_b32 v6, v5 offset:1024
s_or_b64 exec, exec, s[4:5]
v_add_u32_e32 v5, 16, v4
v_cmp_gt_i32_e32 vcc, s2, v5
s_and_saveexec_b64 s[4:5], vcc
s_cbranch_execz 15
v_mad_u64_u32 v[6:7], s[12:13], v5, s3, v[2:3]
v_ashrrev_i32_e32 v7, 31, v6
v_lshlrev_b64 v[6:7], 2, v[6:7]
v_mov_b32_e32 v5, s9
v_add_co_u32_e32 v6, vcc, s8, v6
v_addc_co_u32_e32 v7, vcc, v5, v7, vcc
global_load_dword v5, v[6:7], off
v_lshl_add_u32 v6, v3, 7, v0
s_waitcnt vmcnt(0)
ds_write_b32 v6, v5 offset:2048
s_or_b64 exec, exec, s[4:5]
v_add_u32_e32 v4, 24, v4
v_cmp_gt_i32_e32 vcc, s2, v4
s_and_b64 exec, exec, vcc
s_cbranch_execz 15
v_mad_u64_u32 v[4:5], s[4:5], v4, s3, v[2:3]
v_ashrrev_i32_e32 v5, 31, v4
v_lshlrev_b64 v[4:5], 2, v[4:5]
v_mov_b32_e32 v2, s9
v_add_co_u32_e32 v4, vcc, s8, v4
v_addc_co_u32_e32 v5, vcc, v2, v5, vcc
global_load_dword v2, v[4:5], off
v_lshl_add_u32 v0, v3, 7, v0
s_waitcnt vmcnt(0)
ds_write_b32 v0, v2 offset:3072
s_or_b64 exec, exec, s[0:1]
v_add_u32_e32 v0, s7, v1
v_add_u32_e32 v4, s6, v3
v_cmp_gt_i32_e32 vcc, s2, v0
v_cmp_gt_i32_e64 s[0:1], s3, v4
s_and_b64 s[0:1], vcc, s[0:1]
v_lshlrev_b32_e32 v2, 2, v3
s_waitcnt lgkmcnt(0)
s_barrier
s_and_saveexec_b64 s[4:5], s[0:1]
s_cbranch_execz 17
v_lshl_add_u32 v3, v1, 7, v2
ds_read_b32 v3, v3
v_mad_u64_u32 v[6:7], s[0:1], v4, s2, v[0:1]
v_ashrrev_i32_e32 v7, 31, v6
v_lshlrev_b64 v[6:7], 2, v[6:7]
v_mov_b32_e32 v5, s11
v_add_co_u32_e64 v6, s[0:1], s10, v6
v_addc_co_u32_e64 v7, s[0:1], v5, v7, s[0:1]
s_waitcnt lgkmcnt(0)
global_store_dword v[6:7], v3, off
s_or_b64 exec, exec, s[4:5]
s_and_saveexec_b64 s[0:1], vcc
s_cbranch_execz 59
v_add_u32_e32 v3, 8, v4
v_cmp_gt_i32_e32 vcc, s3, v3
s_and_saveexec_b64 s[0:1], vcc
s_cbranch_execz 15
v_lshl_add_u32 v5, v1, 7, v2
ds_read_b32 v5, v5 offset:32
v_mad_u64_u32 v[6:7], s[4:5], v3, s2, v[0:1]
v_ashrrev_i32_e32 v7, 31, v6
v_lshlrev_b64 v[6:7], 2, v[6:7]
v_mov_b32_e32 v3, s11
v_add_co_u32_e32 v6, vcc, s10, v6
v_addc_co_u32_e32 v7, vcc, v3, v7, vcc
s_waitcnt lgkmcnt(0)
global_store_dword v[6:7], v5, off
s_or_b64 exec, exec, s[0:1]
v_add_u32_e32 v3, 16, v4
v_cmp_gt_i32_e32 vcc, s3, v3
s_and_saveexec_b64 s[0:1], vcc
s_cbranch_execz 15
v_lshl_add_u32 v5, v1, 7, v2
ds_read_b32 v5, v5 offset:64
v_mad_u64_u32 v[6:7], s[4:5], v3, s2, v[0:1]
v_ashrrev_i32_e32 v7, 31, v6
v_lshlrev_b64 v[6:7], 2, v[6:7]
v_mov_b32_e32 v3, s11
v_add_co_u32_e32 v6, vcc, s10, v6
v_addc_co_u32_e32 v7, vcc, v3, v7, vcc
s_waitcnt lgkmcnt(0)
global_store_dword v[6:7], v5, off
s_or_b64 exec, exec, s[0:1]
v_add_u32_e32 v3, 24, v4
v_cmp_gt_i32_e32 vcc, s3, v3
s_and_b64 exec, exec, vcc
s_cbranch_execz 15
v_lshl_add_u32 v1, v1, 7, v2
ds_read_b32 v2, v1 offset:96
v_mad_u64_u32 v[0:1], s[0:1], v3, s2, v[0:1]
v_ashrrev_i32_e32 v1, 31, v0
v_lshlrev_b64 v[0:1], 2, v[0:1]
v_mov_b32_e32 v3, s11
v_add_co_u32_e32 v0, vcc, s10, v0
v_addc_co_u32_e32 v1, vcc, v3, v1, vcc
s_waitcnt lgkmcnt(0)
global_store_dword v[0:1], v2, off
s_endpgm
