s_load_dwordx4 s[12:15], s[4:5], 0x18
s_load_dwordx4 s[16:19], s[4:5], 0x0
s_load_dwordx2 s[20:21], s[4:5], 0x10
v_lshrrev_b32_e32 v9, 2, v0
v_lshrrev_b32_e32 v4, 1, v0
s_mov_b32 s2, 0
s_waitcnt lgkmcnt(0)
s_cmp_gt_i32 s14, 0
v_and_b32_e32 v5, 31, v0
v_lshrrev_b32_e32 v8, 3, v0
s_cbranch_scc1 4
v_and_b32_e32 v2, 31, v0
v_and_b32_e32 v3, 4, v8
s_mov_b64 s[0:1], 0
s_branch 1
s_mov_b64 s[0:1], -1
s_lshl_b32 s15, s7, 6
s_lshl_b32 s24, s6, 6
v_and_b32_e32 v1, 32, v9
v_and_b32_e32 v4, 32, v4
s_andn2_b64 vcc, exec, s[0:1]
v_accvgpr_write_b32 a0, s2
v_accvgpr_write_b32 a1, s2
v_accvgpr_write_b32 a2, s2
v_accvgpr_write_b32 a3, s2
v_accvgpr_write_b32 a4, s2
v_accvgpr_write_b32 a5, s2
v_accvgpr_write_b32 a6, s2
v_accvgpr_write_b32 a7, s2
v_accvgpr_write_b32 a8, s2
v_accvgpr_write_b32 a9, s2
v_accvgpr_write_b32 a10, s2
v_accvgpr_write_b32 a11, s2
v_accvgpr_write_b32 a12, s2
v_accvgpr_write_b32 a13, s2
v_accvgpr_write_b32 a14, s2
v_accvgpr_write_b32 a15, s2
s_cbranch_vccnz 289
s_add_u32 s25, s16, 2
s_addc_u32 s26, s17, 0
s_add_u32 s27, s18, 2
s_addc_u32 s28, s19, 0
s_add_u32 s29, s16, 4
v_lshlrev_b32_e32 v2, 2, v0
s_addc_u32 s30, s17, 0
v_lshrrev_b32_e32 v6, 4, v0
v_and_b32_e32 v0, 12, v2
v_and_b32_e32 v2, 60, v2
s_add_u32 s31, s18, 4
v_or_b32_e32 v13, s24, v2
s_addc_u32 s33, s19, 0
v_add_u32_e32 v3, s15, v9
v_lshlrev_b32_e32 v10, 1, v0
v_or_b32_e32 v14, 1, v13
s_add_u32 s34, s16, 6
v_cmp_gt_i32_e32 vcc, s12, v3
v_mul_lo_u32 v7, v3, s14
v_and_b32_e32 v3, 4, v8
v_or_b32_e32 v11, v4, v5
v_cmp_gt_i32_e64 s[0:1], s13, v13
v_mad_u32_u24 v9, v9, 40, v10
v_mul_u32_u24_e32 v10, 40, v2
v_cmp_gt_i32_e64 s[2:3], s13, v14
v_or_b32_e32 v14, 2, v13
v_or_b32_e32 v13, 3, v13
s_addc_u32 s35, s17, 0
v_or_b32_e32 v8, v1, v5
v_lshlrev_b32_e32 v12, 1, v3
v_lshl_or_b32 v10, v6, 1, v10
s_movk_i32 s8, 0xa00
v_cmp_gt_i32_e64 s[6:7], s13, v13
v_mul_u32_u24_e32 v11, 40, v11
s_add_u32 s36, s18, 6
v_mul_lo_u32 v13, s13, v6
v_mad_u32_u24 v8, v8, 40, v12
v_add_u32_e32 v10, 0xa00, v10
v_cmp_gt_i32_e64 s[4:5], s13, v14
v_add3_u32 v11, v11, v12, s8
s_addc_u32 s37, s19, 0
v_add_u32_e32 v12, v7, v0
v_add_u32_e32 v13, s24, v13
s_lshl_b32 s38, s13, 4
s_mov_b32 s39, 0
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
s_or_b64 exec, exec, s[10:11]
s_waitcnt vmcnt(0)
ds_write_b16 v10, v14 offset:120
s_waitcnt lgkmcnt(0)
s_barrier
ds_read2_b64 v[14:17], v8 offset1:2
ds_read2_b64 v[18:21], v11 offset1:2
s_waitcnt lgkmcnt(0)
v_mfma_f32_32x32x8f16 a[0:15], v[14:15], v[18:19], a[0:15]
s_add_i32 s39, s39, 16
v_add_u32_e32 v13, s38, v13
s_cmp_ge_i32 s39, s14
s_barrier
v_mfma_f32_32x32x8f16 a[0:15], v[16:17], v[20:21], a[0:15]
s_cbranch_scc1 179
v_add_u32_e32 v14, s39, v0
v_cmp_gt_i32_e64 s[8:9], s14, v14
s_and_b64 s[8:9], vcc, s[8:9]
v_mov_b32_e32 v15, 0
s_and_saveexec_b64 s[10:11], s[8:9]
s_cbranch_execz 11
v_add_u32_e32 v16, s39, v12
v_ashrrev_i32_e32 v17, 31, v16
v_lshlrev_b64 v[16:17], 1, v[16:17]
v_mov_b32_e32 v15, s17
v_add_co_u32_e64 v16, s[8:9], s16, v16
v_addc_co_u32_e64 v17, s[8:9], v15, v17, s[8:9]
global_load_ushort v15, v[16:17], off
s_or_b64 exec, exec, s[10:11]
v_add_u32_e32 v16, s39, v6
v_cmp_gt_i32_e64 s[8:9], s14, v16
s_and_b64 s[10:11], s[8:9], s[0:1]
v_mov_b32_e32 v16, 0
s_waitcnt vmcnt(0)
ds_write_b16 v9, v15
s_and_saveexec_b64 s[22:23], s[10:11]
s_cbranch_execz 11
v_add_u32_e32 v16, v2, v13
v_ashrrev_i32_e32 v17, 31, v16
v_lshlrev_b64 v[16:17], 1, v[16:17]
v_mov_b32_e32 v15, s19
v_add_co_u32_e64 v16, s[10:11], s18, v16
v_addc_co_u32_e64 v17, s[10:11], v15, v17, s[10:11]
global_load_ushort v16, v[16:17], off
s_or_b64 exec, exec, s[22:23]
s_waitcnt vmcnt(0)
ds_write_b16 v10, v16
v_add_u32_e32 v16, 1, v14
v_add_u32_e32 v15, s39, v7
v_cmp_gt_i32_e64 s[10:11], s14, v16
s_and_b64 s[10:11], vcc, s[10:11]
v_mov_b32_e32 v18, 0
v_ashrrev_i32_e32 v16, 31, v15
v_mov_b32_e32 v17, 0
s_and_saveexec_b64 s[22:23], s[10:11]
s_cbranch_execz 13
v_add_co_u32_e64 v20, s[10:11], v15, v0
v_addc_co_u32_e64 v21, s[10:11], 0, v16, s[10:11]
v_lshlrev_b64 v[20:21], 1, v[20:21]
v_mov_b32_e32 v17, s26
v_add_co_u32_e64 v20, s[10:11], s25, v20
v_addc_co_u32_e64 v21, s[10:11], v17, v21, s[10:11]
global_load_ushort v17, v[20:21], off
s_or_b64 exec, exec, s[22:23]
s_and_b64 s[10:11], s[8:9], s[2:3]
s_waitcnt vmcnt(0)
ds_write_b16 v9, v17 offset:2
v_ashrrev_i32_e32 v17, 31, v13
s_and_saveexec_b64 s[22:23], s[10:11]
s_cbranch_execz 13
v_add_co_u32_e64 v18, s[10:11], v13, v2
v_addc_co_u32_e64 v19, s[10:11], 0, v17, s[10:11]
v_lshlrev_b64 v[18:19], 1, v[18:19]
v_mov_b32_e32 v20, s28
v_add_co_u32_e64 v18, s[10:11], s27, v18
v_addc_co_u32_e64 v19, s[10:11], v20, v19, s[10:11]
global_load_ushort v18, v[18:19], off
s_or_b64 exec, exec, s[22:23]
s_waitcnt vmcnt(0)
ds_write_b16 v10, v18 offset:40
v_add_u32_e32 v18, 2, v14
v_cmp_gt_i32_e64 s[10:11], s14, v18
s_and_b64 s[10:11], vcc, s[10:11]
v_mov_b32_e32 v18, 0
v_mov_b32_e32 v19, 0
s_and_saveexec_b64 s[22:23], s[10:11]
s_cbranch_execz 13
v_add_co_u32_e64 v20, s[10:11], v15, v0
v_addc_co_u32_e64 v21, s[10:11], 0, v16, s[10:11]
v_lshlrev_b64 v[20:21], 1, v[20:21]
v_mov_b32_e32 v19, s30
v_add_co_u32_e64 v20, s[10:11], s29, v20
v_addc_co_u32_e64 v21, s[10:11], v19, v21, s[10:11]
global_load_ushort v19, v[20:21], off
s_or_b64 exec, exec, s[22:23]
s_and_b64 s[10:11], s[8:9], s[4:5]
s_waitcnt vmcnt(0)
ds_write_b16 v9, v19 offset:4
s_and_saveexec_b64 s[22:23], s[10:11]
s_cbranch_execz 13
v_add_co_u32_e64 v18, s[10:11], v13, v2
v_addc_co_u32_e64 v19, s[10:11], 0, v17, s[10:11]
v_lshlrev_b64 v[18:19], 1, v[18:19]
v_mov_b32_e32 v20, s33
v_add_co_u32_e64 v18, s[10:11], s31, v18
v_addc_co_u32_e64 v19, s[10:11], v20, v19, s[10:11]
global_load_ushort v18, v[18:19], off
s_or_b64 exec, exec, s[22:23]
v_add_u32_e32 v14, 3, v14
v_cmp_gt_i32_e64 s[10:11], s14, v14
s_waitcnt vmcnt(0)
ds_write_b16 v10, v18 offset:80
s_and_b64 s[10:11], vcc, s[10:11]
v_mov_b32_e32 v14, 0
v_mov_b32_e32 v18, 0
s_and_saveexec_b64 s[22:23], s[10:11]
s_cbranch_execz 13
v_add_co_u32_e64 v18, s[10:11], v15, v0
v_addc_co_u32_e64 v19, s[10:11], 0, v16, s[10:11]
v_lshlrev_b64 v[18:19], 1, v[18:19]
v_mov_b32_e32 v15, s35
v_add_co_u32_e64 v18, s[10:11], s34, v18
v_addc_co_u32_e64 v19, s[10:11], v15, v19, s[10:11]
global_load_ushort v18, v[18:19], off
s_or_b64 exec, exec, s[22:23]
s_and_b64 s[8:9], s[8:9], s[6:7]
s_waitcnt vmcnt(0)
ds_write_b16 v9, v18 offset:6
s_and_saveexec_b64 s[10:11], s[8:9]
s_cbranch_execz 65351
v_add_co_u32_e64 v14, s[8:9], v13, v2
v_addc_co_u32_e64 v15, s[8:9], 0, v17, s[8:9]
v_lshlrev_b64 v[14:15], 1, v[14:15]
v_mov_b32_e32 v16, s37
v_add_co_u32_e64 v14, s[8:9], s36, v14
v_addc_co_u32_e64 v15, s[8:9], v16, v15, s[8:9]
global_load_ushort v14, v[14:15], off
s_branch 65337
v_mov_b32_e32 v2, v5
v_add_u32_e32 v1, s15, v1
v_or3_b32 v0, s24, v2, v4
v_or_b32_e32 v1, v1, v3
v_cmp_gt_i32_e32 vcc, s13, v0
v_cmp_gt_i32_e64 s[0:1], s12, v1
s_and_b64 s[0:1], s[0:1], vcc
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 13
v_mad_u64_u32 v[2:3], s[0:1], v1, s13, v[0:1]
v_ashrrev_i32_e32 v3, 31, v2
v_lshlrev_b64 v[2:3], 2, v[2:3]
v_mov_b32_e32 v4, s21
v_add_co_u32_e64 v2, s[0:1], s20, v2
v_addc_co_u32_e64 v3, s[0:1], v4, v3, s[0:1]
s_nop 2
global_store_dword v[2:3], a0, off
s_or_b64 exec, exec, s[2:3]
v_or_b32_e32 v2, 1, v1
v_cmp_gt_i32_e64 s[0:1], s12, v2
s_and_b64 s[0:1], s[0:1], vcc
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 12
v_mad_u64_u32 v[2:3], s[0:1], v2, s13, v[0:1]
v_ashrrev_i32_e32 v3, 31, v2
v_lshlrev_b64 v[2:3], 2, v[2:3]
v_mov_b32_e32 v4, s21
v_add_co_u32_e64 v2, s[0:1], s20, v2
v_addc_co_u32_e64 v3, s[0:1], v4, v3, s[0:1]
global_store_dword v[2:3], a1, off
s_or_b64 exec, exec, s[2:3]
v_or_b32_e32 v2, 2, v1
v_cmp_gt_i32_e64 s[0:1], s12, v2
s_and_b64 s[0:1], s[0:1], vcc
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 12
v_mad_u64_u32 v[2:3], s[0:1], v2, s13, v[0:1]
v_ashrrev_i32_e32 v3, 31, v2
v_lshlrev_b64 v[2:3], 2, v[2:3]
v_mov_b32_e32 v4, s21
v_add_co_u32_e64 v2, s[0:1], s20, v2
v_addc_co_u32_e64 v3, s[0:1], v4, v3, s[0:1]
global_store_dword v[2:3], a2, off
s_or_b64 exec, exec, s[2:3]
v_or_b32_e32 v2, 3, v1
v_cmp_gt_i32_e64 s[0:1], s12, v2
s_and_b64 s[0:1], s[0:1], vcc
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 12
v_mad_u64_u32 v[2:3], s[0:1], v2, s13, v[0:1]
v_ashrrev_i32_e32 v3, 31, v2
v_lshlrev_b64 v[2:3], 2, v[2:3]
v_mov_b32_e32 v4, s21
v_add_co_u32_e64 v2, s[0:1], s20, v2
v_addc_co_u32_e64 v3, s[0:1], v4, v3, s[0:1]
global_store_dword v[2:3], a3, off
s_or_b64 exec, exec, s[2:3]
v_or_b32_e32 v2, 8, v1
v_cmp_gt_i32_e64 s[0:1], s12, v2
s_and_b64 s[0:1], s[0:1], vcc
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 12
v_mad_u64_u32 v[2:3], s[0:1], v2, s13, v[0:1]
v_ashrrev_i32_e32 v3, 31, v2
v_lshlrev_b64 v[2:3], 2, v[2:3]
v_mov_b32_e32 v4, s21
v_add_co_u32_e64 v2, s[0:1], s20, v2
v_addc_co_u32_e64 v3, s[0:1], v4, v3, s[0:1]
global_store_dword v[2:3], a4, off
s_or_b64 exec, exec, s[2:3]
v_or_b32_e32 v2, 9, v1
v_cmp_gt_i32_e64 s[0:1], s12, v2
s_and_b64 s[0:1], s[0:1], vcc
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 12
v_mad_u64_u32 v[2:3], s[0:1], v2, s13, v[0:1]
v_ashrrev_i32_e32 v3, 31, v2
v_lshlrev_b64 v[2:3], 2, v[2:3]
v_mov_b32_e32 v4, s21
v_add_co_u32_e64 v2, s[0:1], s20, v2
v_addc_co_u32_e64 v3, s[0:1], v4, v3, s[0:1]
global_store_dword v[2:3], a5, off
s_or_b64 exec, exec, s[2:3]
v_or_b32_e32 v2, 10, v1
v_cmp_gt_i32_e64 s[0:1], s12, v2
s_and_b64 s[0:1], s[0:1], vcc
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 12
v_mad_u64_u32 v[2:3], s[0:1], v2, s13, v[0:1]
v_ashrrev_i32_e32 v3, 31, v2
v_lshlrev_b64 v[2:3], 2, v[2:3]
v_mov_b32_e32 v4, s21
v_add_co_u32_e64 v2, s[0:1], s20, v2
v_addc_co_u32_e64 v3, s[0:1], v4, v3, s[0:1]
global_store_dword v[2:3], a6, off
s_or_b64 exec, exec, s[2:3]
v_or_b32_e32 v2, 11, v1
v_cmp_gt_i32_e64 s[0:1], s12, v2
s_and_b64 s[0:1], s[0:1], vcc
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 12
v_mad_u64_u32 v[2:3], s[0:1], v2, s13, v[0:1]
v_ashrrev_i32_e32 v3, 31, v2
v_lshlrev_b64 v[2:3], 2, v[2:3]
v_mov_b32_e32 v4, s21
v_add_co_u32_e64 v2, s[0:1], s20, v2
v_addc_co_u32_e64 v3, s[0:1], v4, v3, s[0:1]
global_store_dword v[2:3], a7, off
s_or_b64 exec, exec, s[2:3]
v_or_b32_e32 v2, 16, v1
v_cmp_gt_i32_e64 s[0:1], s12, v2
s_and_b64 s[0:1], s[0:1], vcc
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 12
v_mad_u64_u32 v[2:3], s[0:1], v2, s13, v[0:1]
v_ashrrev_i32_e32 v3, 31, v2
v_lshlrev_b64 v[2:3], 2, v[2:3]
v_mov_b32_e32 v4, s21
v_add_co_u32_e64 v2, s[0:1], s20, v2
v_addc_co_u32_e64 v3, s[0:1], v4, v3, s[0:1]
global_store_dword v[2:3], a8, off
s_or_b64 exec, exec, s[2:3]
v_or_b32_e32 v2, 17, v1
v_cmp_gt_i32_e64 s[0:1], s12, v2
s_and_b64 s[0:1], s[0:1], vcc
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 12
v_mad_u64_u32 v[2:3], s[0:1], v2, s13, v[0:1]
v_ashrrev_i32_e32 v3, 31, v2
v_lshlrev_b64 v[2:3], 2, v[2:3]
v_mov_b32_e32 v4, s21
v_add_co_u32_e64 v2, s[0:1], s20, v2
v_addc_co_u32_e64 v3, s[0:1], v4, v3, s[0:1]
global_store_dword v[2:3], a9, off
s_or_b64 exec, exec, s[2:3]
v_or_b32_e32 v2, 18, v1
v_cmp_gt_i32_e64 s[0:1], s12, v2
s_and_b64 s[0:1], s[0:1], vcc
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 12
v_mad_u64_u32 v[2:3], s[0:1], v2, s13, v[0:1]
v_ashrrev_i32_e32 v3, 31, v2
v_lshlrev_b64 v[2:3], 2, v[2:3]
v_mov_b32_e32 v4, s21
v_add_co_u32_e64 v2, s[0:1], s20, v2
v_addc_co_u32_e64 v3, s[0:1], v4, v3, s[0:1]
global_store_dword v[2:3], a10, off
s_or_b64 exec, exec, s[2:3]
v_or_b32_e32 v2, 19, v1
v_cmp_gt_i32_e64 s[0:1], s12, v2
s_and_b64 s[0:1], s[0:1], vcc
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 12
v_mad_u64_u32 v[2:3], s[0:1], v2, s13, v[0:1]
v_ashrrev_i32_e32 v3, 31, v2
v_lshlrev_b64 v[2:3], 2, v[2:3]
v_mov_b32_e32 v4, s21
v_add_co_u32_e64 v2, s[0:1], s20, v2
v_addc_co_u32_e64 v3, s[0:1], v4, v3, s[0:1]
global_store_dword v[2:3], a11, off
s_or_b64 exec, exec, s[2:3]
v_or_b32_e32 v2, 24, v1
v_cmp_gt_i32_e64 s[0:1], s12, v2
s_and_b64 s[0:1], s[0:1], vcc
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 12
v_mad_u64_u32 v[2:3], s[0:1], v2, s13, v[0:1]
v_ashrrev_i32_e32 v3, 31, v2
v_lshlrev_b64 v[2:3], 2, v[2:3]
v_mov_b32_e32 v4, s21
v_add_co_u32_e64 v2, s[0:1], s20, v2
v_addc_co_u32_e64 v3, s[0:1], v4, v3, s[0:1]
global_store_dword v[2:3], a12, off
s_or_b64 exec, exec, s[2:3]
v_or_b32_e32 v2, 25, v1
v_cmp_gt_i32_e64 s[0:1], s12, v2
s_and_b64 s[0:1], s[0:1], vcc
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 12
v_mad_u64_u32 v[2:3], s[0:1], v2, s13, v[0:1]
v_ashrrev_i32_e32 v3, 31, v2
v_lshlrev_b64 v[2:3], 2, v[2:3]
v_mov_b32_e32 v4, s21
v_add_co_u32_e64 v2, s[0:1], s20, v2
v_addc_co_u32_e64 v3, s[0:1], v4, v3, s[0:1]
global_store_dword v[2:3], a13, off
s_or_b64 exec, exec, s[2:3]
v_or_b32_e32 v2, 26, v1
v_cmp_gt_i32_e64 s[0:1], s12, v2
s_and_b64 s[0:1], s[0:1], vcc
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 12
v_mad_u64_u32 v[2:3], s[0:1], v2, s13, v[0:1]
v_ashrrev_i32_e32 v3, 31, v2
v_lshlrev_b64 v[2:3], 2, v[2:3]
v_mov_b32_e32 v4, s21
v_add_co_u32_e64 v2, s[0:1], s20, v2
v_addc_co_u32_e64 v3, s[0:1], v4, v3, s[0:1]
global_store_dword v[2:3], a14, off
s_or_b64 exec, exec, s[2:3]
v_or_b32_e32 v1, 27, v1
v_cmp_gt_i32_e64 s[0:1], s12, v1
s_and_b64 s[0:1], s[0:1], vcc
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 10
v_mad_u64_u32 v[0:1], s[0:1], v1, s13, v[0:1]
v_ashrrev_i32_e32 v1, 31, v0
v_lshlrev_b64 v[0:1], 2, v[0:1]
v_mov_b32_e32 v2, s21
v_add_co_u32_e32 v0, vcc, s20, v0
v_addc_co_u32_e32 v1, vcc, v2, v1, vcc
global_store_dword v[0:1], a15, off
s_endpgm
