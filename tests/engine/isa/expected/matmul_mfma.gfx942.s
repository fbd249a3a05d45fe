s_load_dwordx4 s[12:15], s[0:1], 0x18
s_load_dwordx4 s[16:19], s[0:1], 0x0
s_load_dwordx2 s[20:21], s[0:1], 0x10
v_lshrrev_b32_e32 v1, 2, v0
v_lshrrev_b32_e32 v4, 1, v0
s_mov_b32 s4, 0
s_waitcnt lgkmcnt(0)
s_cmp_gt_i32 s14, 0
v_and_b32_e32 v11, 31, v0
v_lshrrev_b32_e32 v3, 3, v0
s_cbranch_scc1 4
v_and_b32_e32 v2, 31, v0
v_and_b32_e32 v8, 4, v3
s_mov_b64 s[0:1], 0
s_branch 1
s_mov_b64 s[0:1], -1
s_lshl_b32 s15, s3, 6
s_lshl_b32 s33, s2, 6
v_and_b32_e32 v9, 32, v1
v_and_b32_e32 v10, 32, v4
s_andn2_b64 vcc, exec, s[0:1]
v_accvgpr_write_b32 a0, s4
v_accvgpr_write_b32 a1, s4
v_accvgpr_write_b32 a2, s4
v_accvgpr_write_b32 a3, s4
v_accvgpr_write_b32 a4, s4
v_accvgpr_write_b32 a5, s4
v_accvgpr_write_b32 a6, s4
v_accvgpr_write_b32 a7, s4
v_accvgpr_write_b32 a8, s4
v_accvgpr_write_b32 a9, s4
v_accvgpr_write_b32 a10, s4
v_accvgpr_write_b32 a11, s4
v_accvgpr_write_b32 a12, s4
v_accvgpr_write_b32 a13, s4
v_accvgpr_write_b32 a14, s4
v_accvgpr_write_b32 a15, s4
s_cbranch_vccnz 239
s_add_u32 s22, s16, 2
v_lshlrev_b32_e32 v2, 2, v0
s_addc_u32 s23, s17, 0
v_lshrrev_b32_e32 v12, 4, v0
v_and_b32_e32 v0, 12, v2
s_add_u32 s24, s18, 2
v_and_b32_e32 v2, 60, v2
v_and_b32_e32 v8, 4, v3
v_lshlrev_b32_e32 v6, 1, v0
s_addc_u32 s25, s19, 0
v_add_u32_e32 v4, s15, v1
v_or_b32_e32 v3, v9, v11
v_lshlrev_b32_e32 v5, 1, v8
v_mad_u32_u24 v15, v1, 40, v6
v_mul_u32_u24_e32 v1, 40, v2
s_add_u32 s26, s16, 4
v_mad_u32_u24 v14, v3, 40, v5
v_or_b32_e32 v3, s33, v2
v_lshl_or_b32 v1, v12, 1, v1
s_addc_u32 s27, s17, 0
v_add_u32_e32 v16, 0xa00, v1
v_or_b32_e32 v1, 1, v3
s_add_u32 s28, s18, 4
v_cmp_gt_i32_e64 s[2:3], s13, v1
v_or_b32_e32 v1, 2, v3
s_addc_u32 s29, s19, 0
v_cmp_gt_i32_e32 vcc, s12, v4
v_mul_lo_u32 v13, v4, s14
v_or_b32_e32 v4, v10, v11
v_cmp_gt_i32_e64 s[4:5], s13, v1
v_or_b32_e32 v1, 3, v3
s_add_u32 s30, s16, 6
s_movk_i32 s8, 0xa00
v_cmp_gt_i32_e64 s[6:7], s13, v1
v_mul_u32_u24_e32 v1, 40, v4
s_addc_u32 s31, s17, 0
v_add3_u32 v17, v1, v5, s8
v_mov_b32_e32 v1, 0
s_add_u32 s34, s18, 6
v_mul_lo_u32 v4, s13, v12
v_cmp_gt_i32_e64 s[0:1], s13, v3
v_mov_b32_e32 v3, v1
s_addc_u32 s35, s19, 0
v_add_u32_e32 v18, v13, v0
v_add_u32_e32 v4, s33, v4
s_lshl_b32 s36, s13, 4
s_mov_b32 s37, 0
v_accvgpr_write_b32 a15, 0
v_accvgpr_write_b32 a14, 0
v_accvgpr_write_b32 a13, 0
v_accvgpr_write_b32 a12, 0
v_accvgpr_write_b32 a11, 0
v_accvgpr_write_b32 a10, 0
v_accvgpr_write_b32 a9, 0
v_accvgpr_write_b32 a8, 0
v_accvgpr_write_b32 a7, 0
v_accvgpr_write_b32 a6, 0
v_accvgpr_write_b32 a5, 0
v_accvgpr_write_b32 a4, 0
v_accvgpr_write_b32 a3, 0
v_accvgpr_write_b32 a2, 0
v_accvgpr_write_b32 a1, 0
v_accvgpr_write_b32 a0, 0
s_branch 20
s_or_b64 exec, exec, s[8:9]
s_waitcnt vmcnt(0)
ds_write_b16 v16, v19 offset:120
s_waitcnt lgkmcnt(0)
s_barrier
ds_read2_b64 v[20:23], v14 offset1:2
ds_read2_b64 v[24:27], v17 offset1:2
s_waitcnt lgkmcnt(0)
v_mfma_f32_32x32x8_f16 a[0:15], v[20:21], v[24:25], a[0:15]
s_add_i32 s37, s37, 16
s_cmp_ge_i32 s37, s14
v_add_u32_e32 v4, s36, v4
s_barrier
v_mfma_f32_32x32x8_f16 a[0:15], v[22:23], v[26:27], a[0:15]
s_cbranch_scc1 127
v_add_u32_e32 v19, s37, v0
v_cmp_gt_i32_e64 s[8:9], s14, v19
s_and_b64 s[10:11], vcc, s[8:9]
v_mov_b32_e32 v5, 0
s_and_saveexec_b64 s[8:9], s[10:11]
s_cbranch_execz 6
v_add_u32_e32 v6, s37, v18
v_ashrrev_i32_e32 v7, 31, v6
v_lshl_add_u64 v[6:7], v[6:7], 1, s[16:17]
global_load_ushort v5, v[6:7], off
s_or_b64 exec, exec, s[8:9]
v_add_u32_e32 v6, s37, v12
v_cmp_gt_i32_e64 s[8:9], s14, v6
s_and_b64 s[38:39], s[8:9], s[0:1]
s_waitcnt vmcnt(0)
ds_write_b16 v15, v5
v_mov_b32_e32 v5, 0
s_and_saveexec_b64 s[10:11], s[38:39]
s_cbranch_execz 6
v_add_u32_e32 v6, v2, v4
v_ashrrev_i32_e32 v7, 31, v6
v_lshl_add_u64 v[6:7], v[6:7], 1, s[18:19]
global_load_ushort v5, v[6:7], off
s_or_b64 exec, exec, s[10:11]
s_waitcnt vmcnt(0)
ds_write_b16 v16, v5
v_add_u32_e32 v5, 1, v19
v_add_u32_e32 v6, s37, v13
v_cmp_gt_i32_e64 s[10:11], s14, v5
s_and_b64 s[38:39], vcc, s[10:11]
v_mov_b32_e32 v20, 0
v_ashrrev_i32_e32 v7, 31, v6
v_mov_b32_e32 v5, 0
s_and_saveexec_b64 s[10:11], s[38:39]
s_cbranch_execz 6
v_lshl_add_u64 v[22:23], v[6:7], 0, v[0:1]
v_lshl_add_u64 v[22:23], v[22:23], 1, s[22:23]
global_load_ushort v5, v[22:23], off
s_or_b64 exec, exec, s[10:11]
s_and_b64 s[38:39], s[8:9], s[2:3]
s_waitcnt vmcnt(0)
ds_write_b16 v15, v5 offset:2
v_ashrrev_i32_e32 v5, 31, v4
s_and_saveexec_b64 s[10:11], s[38:39]
s_cbranch_execz 6
v_lshl_add_u64 v[20:21], v[4:5], 0, v[2:3]
v_lshl_add_u64 v[20:21], v[20:21], 1, s[24:25]
global_load_ushort v20, v[20:21], off
s_or_b64 exec, exec, s[10:11]
s_waitcnt vmcnt(0)
ds_write_b16 v16, v20 offset:40
v_add_u32_e32 v20, 2, v19
v_cmp_gt_i32_e64 s[10:11], s14, v20
s_and_b64 s[38:39], vcc, s[10:11]
v_mov_b32_e32 v20, 0
v_mov_b32_e32 v21, 0
s_and_saveexec_b64 s[10:11], s[38:39]
s_cbranch_execz 6
v_lshl_add_u64 v[22:23], v[6:7], 0, v[0:1]
v_lshl_add_u64 v[22:23], v[22:23], 1, s[26:27]
global_load_ushort v21, v[22:23], off
s_or_b64 exec, exec, s[10:11]
s_and_b64 s[38:39], s[8:9], s[4:5]
s_waitcnt vmcnt(0)
ds_write_b16 v15, v21 offset:4
s_and_saveexec_b64 s[10:11], s[38:39]
s_cbranch_execz 6
v_lshl_add_u64 v[20:21], v[4:5], 0, v[2:3]
v_lshl_add_u64 v[20:21], v[20:21], 1, s[28:29]
global_load_ushort v20, v[20:21], off
s_or_b64 exec, exec, s[10:11]
v_add_u32_e32 v19, 3, v19
v_cmp_gt_i32_e64 s[10:11], s14, v19
s_waitcnt vmcnt(0)
ds_write_b16 v16, v20 offset:80
s_and_b64 s[38:39], vcc, s[10:11]
v_mov_b32_e32 v19, 0
v_mov_b32_e32 v20, 0
s_and_saveexec_b64 s[10:11], s[38:39]
s_cbranch_execz 6
v_lshl_add_u64 v[6:7], v[6:7], 0, v[0:1]
v_lshl_add_u64 v[6:7], v[6:7], 1, s[30:31]
global_load_ushort v20, v[6:7], off
s_or_b64 exec, exec, s[10:11]
s_and_b64 s[10:11], s[8:9], s[6:7]
s_waitcnt vmcnt(0)
ds_write_b16 v15, v20 offset:6
s_and_saveexec_b64 s[8:9], s[10:11]
s_cbranch_execz 65396
v_lshl_add_u64 v[6:7], v[4:5], 0, v[2:3]
v_lshl_add_u64 v[6:7], v[6:7], 1, s[34:35]
global_load_ushort v19, v[6:7], off
s_branch 65389
v_mov_b32_e32 v2, v11
v_add_u32_e32 v1, s15, v9
v_or3_b32 v0, s33, v2, v10
v_or_b32_e32 v1, v1, v8
v_cmp_gt_i32_e32 vcc, s13, v0
v_cmp_gt_i32_e64 s[0:1], s12, v1
s_and_b64 s[2:3], s[0:1], vcc
s_and_saveexec_b64 s[0:1], s[2:3]
s_cbranch_execz 7
v_mad_u64_u32 v[2:3], s[2:3], v1, s13, v[0:1]
v_ashrrev_i32_e32 v3, 31, v2
v_lshl_add_u64 v[2:3], v[2:3], 2, s[20:21]
global_store_dword v[2:3], a0, off
s_or_b64 exec, exec, s[0:1]
v_or_b32_e32 v2, 1, v1
v_cmp_gt_i32_e64 s[0:1], s12, v2
s_and_b64 s[2:3], s[0:1], vcc
s_and_saveexec_b64 s[0:1], s[2:3]
s_cbranch_execz 7
v_mad_u64_u32 v[2:3], s[2:3], v2, s13, v[0:1]
v_ashrrev_i32_e32 v3, 31, v2
v_lshl_add_u64 v[2:3], v[2:3], 2, s[20:21]
global_store_dword v[2:3], a1, off
s_or_b64 exec, exec, s[0:1]
v_or_b32_e32 v2, 2, v1
v_cmp_gt_i32_e64 s[0:1], s12, v2
s_and_b64 s[2:3], s[0:1], vcc
s_and_saveexec_b64 s[0:1], s[2:3]
s_cbranch_execz 7
v_mad_u64_u32 v[2:3], s[2:3], v2, s13, v[0:1]
v_ashrrev_i32_e32 v3, 31, v2
v_lshl_add_u64 v[2:3], v[2:3], 2, s[20:21]
global_store_dword v[2:3], a2, off
s_or_b64 exec, exec, s[0:1]
v_or_b32_e32 v2, 3, v1
v_cmp_gt_i32_e64 s[0:1], s12, v2
s_and_b64 s[2:3], s[0:1], vcc
s_and_saveexec_b64 s[0:1], s[2:3]
s_cbranch_execz 7
v_mad_u64_u32 v[2:3], s[2:3], v2, s13, v[0:1]
v_ashrrev_i32_e32 v3, 31, v2
v_lshl_add_u64 v[2:3], v[2:3], 2, s[20:21]
global_store_dword v[2:3], a3, off
s_or_b64 exec, exec, s[0:1]
v_or_b32_e32 v2, 8, v1
v_cmp_gt_i32_e64 s[0:1], s12, v2
s_and_b64 s[2:3], s[0:1], vcc
s_and_saveexec_b64 s[0:1], s[2:3]
s_cbranch_execz 7
v_mad_u64_u32 v[2:3], s[2:3], v2, s13, v[0:1]
v_ashrrev_i32_e32 v3, 31, v2
v_lshl_add_u64 v[2:3], v[2:3], 2, s[20:21]
global_store_dword v[2:3], a4, off
s_or_b64 exec, exec, s[0:1]
v_or_b32_e32 v2, 9, v1
v_cmp_gt_i32_e64 s[0:1], s12, v2
s_and_b64 s[2:3], s[0:1], vcc
s_and_saveexec_b64 s[0:1], s[2:3]
s_cbranch_execz 7
v_mad_u64_u32 v[2:3], s[2:3], v2, s13, v[0:1]
v_ashrrev_i32_e32 v3, 31, v2
v_lshl_add_u64 v[2:3], v[2:3], 2, s[20:21]
global_store_dword v[2:3], a5, off
s_or_b64 exec, exec, s[0:1]
v_or_b32_e32 v2, 10, v1
v_cmp_gt_i32_e64 s[0:1], s12, v2
s_and_b64 s[2:3], s[0:1], vcc
s_and_saveexec_b64 s[0:1], s[2:3]
s_cbranch_execz 7
v_mad_u64_u32 v[2:3], s[2:3], v2, s13, v[0:1]
v_ashrrev_i32_e32 v3, 31, v2
v_lshl_add_u64 v[2:3], v[2:3], 2, s[20:21]
global_store_dword v[2:3], a6, off
s_or_b64 exec, exec, s[0:1]
v_or_b32_e32 v2, 11, v1
v_cmp_gt_i32_e64 s[0:1], s12, v2
s_and_b64 s[2:3], s[0:1], vcc
s_and_saveexec_b64 s[0:1], s[2:3]
s_cbranch_execz 7
v_mad_u64_u32 v[2:3], s[2:3], v2, s13, v[0:1]
v_ashrrev_i32_e32 v3, 31, v2
v_lshl_add_u64 v[2:3], v[2:3], 2, s[20:21]
global_store_dword v[2:3], a7, off
s_or_b64 exec, exec, s[0:1]
v_or_b32_e32 v2, 16, v1
v_cmp_gt_i32_e64 s[0:1], s12, v2
s_and_b64 s[2:3], s[0:1], vcc
s_and_saveexec_b64 s[0:1], s[2:3]
s_cbranch_execz 7
v_mad_u64_u32 v[2:3], s[2:3], v2, s13, v[0:1]
v_ashrrev_i32_e32 v3, 31, v2
v_lshl_add_u64 v[2:3], v[2:3], 2, s[20:21]
global_store_dword v[2:3], a8, off
s_or_b64 exec, exec, s[0:1]
v_or_b32_e32 v2, 17, v1
v_cmp_gt_i32_e64 s[0:1], s12, v2
s_and_b64 s[2:3], s[0:1], vcc
s_and_saveexec_b64 s[0:1], s[2:3]
s_cbranch_execz 7
v_mad_u64_u32 v[2:3], s[2:3], v2, s13, v[0:1]
v_ashrrev_i32_e32 v3, 31, v2
v_lshl_add_u64 v[2:3], v[2:3], 2, s[20:21]
global_store_dword v[2:3], a9, off
s_or_b64 exec, exec, s[0:1]
v_or_b32_e32 v2, 18, v1
v_cmp_gt_i32_e64 s[0:1], s12, v2
s_and_b64 s[2:3], s[0:1], vcc
s_and_saveexec_b64 s[0:1], s[2:3]
s_cbranch_execz 7
v_mad_u64_u32 v[2:3], s[2:3], v2, s13, v[0:1]
v_ashrrev_i32_e32 v3, 31, v2
v_lshl_add_u64 v[2:3], v[2:3], 2, s[20:21]
global_store_dword v[2:3], a10, off
s_or_b64 exec, exec, s[0:1]
v_or_b32_e32 v2, 19, v1
v_cmp_gt_i32_e64 s[0:1], s12, v2
s_and_b64 s[2:3], s[0:1], vcc
s_and_saveexec_b64 s[0:1], s[2:3]
s_cbranch_execz 7
v_mad_u64_u32 v[2:3], s[2:3], v2, s13, v[0:1]
v_ashrrev_i32_e32 v3, 31, v2
v_lshl_add_u64 v[2:3], v[2:3], 2, s[20:21]
global_store_dword v[2:3], a11, off
s_or_b64 exec, exec, s[0:1]
v_or_b32_e32 v2, 24, v1
v_cmp_gt_i32_e64 s[0:1], s12, v2
s_and_b64 s[2:3], s[0:1], vcc
s_and_saveexec_b64 s[0:1], s[2:3]
s_cbranch_execz 7
v_mad_u64_u32 v[2:3], s[2:3], v2, s13, v[0:1]
v_ashrrev_i32_e32 v3, 31, v2
v_lshl_add_u64 v[2:3], v[2:3], 2, s[20:21]
global_store_dword v[2:3], a12, off
s_or_b64 exec, exec, s[0:1]
v_or_b32_e32 v2, 25, v1
v_cmp_gt_i32_e64 s[0:1], s12, v2
s_and_b64 s[2:3], s[0:1], vcc
s_and_saveexec_b64 s[0:1], s[2:3]
s_cbranch_execz 7
v_mad_u64_u32 v[2:3], s[2:3], v2, s13, v[0:1]
v_ashrrev_i32_e32 v3, 31, v2
v_lshl_add_u64 v[2:3], v[2:3], 2, s[20:21]
global_store_dword v[2:3], a13, off
s_or_b64 exec, exec, s[0:1]
v_or_b32_e32 v2, 26, v1
v_cmp_gt_i32_e64 s[0:1], s12, v2
s_and_b64 s[2:3], s[0:1], vcc
s_and_saveexec_b64 s[0:1], s[2:3]
s_cbranch_execz 7
v_mad_u64_u32 v[2:3], s[2:3], v2, s13, v[0:1]
v_ashrrev_i32_e32 v3, 31, v2
v_lshl_add_u64 v[2:3], v[2:3], 2, s[20:21]
global_store_dword v[2:3], a14, off
s_or_b64 exec, exec, s[0:1]
v_or_b32_e32 v1, 27, v1
v_cmp_gt_i32_e64 s[0:1], s12, v1
s_and_b64 s[0:1], s[0:1], vcc
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 7
v_mad_u64_u32 v[0:1], s[0:1], v1, s13, v[0:1]
v_ashrrev_i32_e32 v1, 31, v0
v_lshl_add_u64 v[0:1], v[0:1], 2, s[20:21]
global_store_dword v[0:1], a15, off
s_endpgm
