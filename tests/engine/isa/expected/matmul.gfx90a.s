s_load_dwordx4 s[12:15], s[4:5], 0x0
s_load_dwordx2 s[16:17], s[4:5], 0x10
s_load_dwordx4 s[8:11], s[4:5], 0x18
s_lshl_b32 s2, s6, 4
v_and_b32_e32 v4, 0x3ff, v0
v_bfe_u32 v5, v0, 10, 10
v_add_u32_e32 v2, s2, v4
v_lshl_add_u32 v3, s7, 4, v5
s_waitcnt lgkmcnt(0)
s_cmp_lt_i32 s10, 1
v_cmp_gt_i32_e32 vcc, s8, v3
v_cmp_gt_i32_e64 s[0:1], s9, v2
s_cbranch_scc1 127
v_lshlrev_b32_e32 v0, 2, v4
v_lshlrev_b32_e32 v8, 6, v5
v_add_u32_e32 v9, v8, v0
v_add_u32_e32 v10, 0x400, v0
v_mul_lo_u32 v0, v5, s9
v_add3_u32 v0, v4, v0, s2
v_mad_u64_u32 v[6:7], s[2:3], v3, s10, v[4:5]
v_add_u32_e32 v11, v10, v8
s_lshl_b32 s6, s9, 4
s_mov_b32 s7, 0
v_mov_b32_e32 v7, 0
s_branch 71
s_or_b64 exec, exec, s[4:5]
s_waitcnt vmcnt(0)
ds_write_b32 v11, v1
s_waitcnt lgkmcnt(0)
s_barrier
ds_read2_b32 v[28:29], v10 offset1:16
ds_read_b128 v[12:15], v8
ds_read_b128 v[16:19], v8 offset:16
ds_read2_b32 v[30:31], v10 offset0:32 offset1:48
ds_read_b128 v[20:23], v8 offset:32
ds_read_b128 v[24:27], v8 offset:48
ds_read2_b32 v[32:33], v10 offset0:64 offset1:80
s_waitcnt lgkmcnt(5)
v_fmac_f32_e32 v7, v12, v28
v_fmac_f32_e32 v7, v13, v29
s_waitcnt lgkmcnt(3)
v_fmac_f32_e32 v7, v14, v30
v_fmac_f32_e32 v7, v15, v31
ds_read2_b32 v[12:13], v10 offset0:96 offset1:112
s_waitcnt lgkmcnt(1)
v_pk_mul_f32 v[14:15], v[16:17], v[32:33]
v_add_f32_e32 v1, v7, v14
v_add_f32_e32 v1, v1, v15
ds_read2_b32 v[14:15], v10 offset0:128 offset1:144
s_waitcnt lgkmcnt(1)
v_pk_mul_f32 v[12:13], v[18:19], v[12:13]
v_add_f32_e32 v1, v1, v12
v_add_f32_e32 v1, v1, v13
ds_read2_b32 v[12:13], v10 offset0:160 offset1:176
s_waitcnt lgkmcnt(1)
v_pk_mul_f32 v[14:15], v[20:21], v[14:15]
v_add_f32_e32 v1, v1, v14
v_add_f32_e32 v1, v1, v15
ds_read2_b32 v[14:15], v10 offset0:192 offset1:208
ds_read2_b32 v[16:17], v10 offset0:224 offset1:240
s_waitcnt lgkmcnt(2)
v_pk_mul_f32 v[12:13], v[22:23], v[12:13]
v_add_f32_e32 v1, v1, v12
v_add_f32_e32 v1, v1, v13
s_waitcnt lgkmcnt(1)
v_pk_mul_f32 v[12:13], v[24:25], v[14:15]
v_add_f32_e32 v1, v1, v12
v_add_f32_e32 v1, v1, v13
s_waitcnt lgkmcnt(0)
v_pk_mul_f32 v[12:13], v[26:27], v[16:17]
v_add_f32_e32 v1, v1, v12
s_add_i32 s7, s7, 16
v_add_f32_e32 v7, v1, v13
s_cmp_ge_i32 s7, s10
v_add_u32_e32 v0, s6, v0
s_barrier
s_cbranch_scc1 41
v_add_u32_e32 v1, s7, v4
v_cmp_gt_i32_e64 s[2:3], s10, v1
s_and_b64 s[2:3], vcc, s[2:3]
v_mov_b32_e32 v1, 0
s_and_saveexec_b64 s[4:5], s[2:3]
s_cbranch_execz 11
v_add_u32_e32 v12, s7, v6
v_ashrrev_i32_e32 v13, 31, v12
v_lshlrev_b64 v[12:13], 2, v[12:13]
v_mov_b32_e32 v1, s13
v_add_co_u32_e64 v12, s[2:3], s12, v12
v_addc_co_u32_e64 v13, s[2:3], v1, v13, s[2:3]
global_load_dword v1, v[12:13], off
s_or_b64 exec, exec, s[4:5]
v_add_u32_e32 v12, s7, v5
v_cmp_gt_i32_e64 s[2:3], s10, v12
s_waitcnt vmcnt(0)
ds_write_b32 v9, v1
s_and_b64 s[2:3], s[0:1], s[2:3]
v_mov_b32_e32 v1, 0
s_and_saveexec_b64 s[4:5], s[2:3]
s_cbranch_execz 65436
v_ashrrev_i32_e32 v1, 31, v0
v_lshlrev_b64 v[12:13], 2, v[0:1]
v_mov_b32_e32 v1, s15
v_add_co_u32_e64 v12, s[2:3], s14, v12
v_addc_co_u32_e64 v13, s[2:3], v1, v13, s[2:3]
global_load_dword v1, v[12:13], off
s_branch 65425
v_mov_b32_e32 v7, 0
v_cmp_gt_i32_e32 vcc, s8, v3
v_cmp_gt_i32_e64 s[0:1], s9, v2
s_and_b64 s[0:1], vcc, s[0:1]
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 10
v_mad_u64_u32 v[0:1], s[0:1], v3, s9, v[2:3]
v_ashrrev_i32_e32 v1, 31, v0
v_lshlrev_b64 v[0:1], 2, v[0:1]
v_mov_b32_e32 v2, s17
v_add_co_u32_e32 v0, vcc, s16, v0
v_addc_co_u32_e32 v1, vcc, v2, v1, vcc
global_store_dword v[0:1], v7, off
s_endpgm
