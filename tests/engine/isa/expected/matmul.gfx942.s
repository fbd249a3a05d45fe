s_load_dwordx4 s[8:11], s[0:1], 0x0
s_load_dwordx2 s[12:13], s[0:1], 0x10
s_load_dwordx4 s[4:7], s[0:1], 0x18
s_lshl_b32 s2, s2, 4
v_and_b32_e32 v4, 0x3ff, v0
v_bfe_u32 v5, v0, 10, 10
v_add_u32_e32 v2, s2, v4
v_lshl_add_u32 v3, s3, 4, v5
s_waitcnt lgkmcnt(0)
s_cmp_lt_i32 s6, 1
v_cmp_gt_i32_e32 vcc, s4, v3
v_cmp_gt_i32_e64 s[0:1], s5, v2
s_cbranch_scc1 117
v_lshlrev_b32_e32 v0, 2, v4
v_lshlrev_b32_e32 v8, 6, v5
v_add_u32_e32 v9, v8, v0
v_add_u32_e32 v10, 0x400, v0
v_mul_lo_u32 v0, v5, s5
v_add3_u32 v0, v4, v0, s2
v_mad_u64_u32 v[6:7], s[2:3], v3, s6, v[4:5]
v_add_u32_e32 v11, v10, v8
s_lshl_b32 s7, s5, 4
s_mov_b32 s14, 0
v_mov_b32_e32 v7, 0
s_branch 71
s_or_b64 exec, exec, s[2:3]
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
ds_read2_b32 v[16:17], v10 offset0:224 offset1:240
v_add_f32_e32 v1, v7, v14
v_add_f32_e32 v1, v1, v15
ds_read2_b32 v[14:15], v10 offset0:128 offset1:144
s_waitcnt lgkmcnt(2)
v_pk_mul_f32 v[12:13], v[18:19], v[12:13]
s_add_i32 s14, s14, 16
v_add_f32_e32 v1, v1, v12
v_add_f32_e32 v1, v1, v13
ds_read2_b32 v[12:13], v10 offset0:160 offset1:176
s_waitcnt lgkmcnt(1)
v_pk_mul_f32 v[14:15], v[20:21], v[14:15]
s_cmp_ge_i32 s14, s6
v_add_f32_e32 v1, v1, v14
v_add_f32_e32 v1, v1, v15
ds_read2_b32 v[14:15], v10 offset0:192 offset1:208
s_waitcnt lgkmcnt(1)
v_pk_mul_f32 v[12:13], v[22:23], v[12:13]
v_add_u32_e32 v0, s7, v0
v_add_f32_e32 v1, v1, v12
v_add_f32_e32 v1, v1, v13
s_waitcnt lgkmcnt(0)
v_pk_mul_f32 v[12:13], v[24:25], v[14:15]
s_nop 0
v_add_f32_e32 v1, v1, v12
v_add_f32_e32 v1, v1, v13
v_pk_mul_f32 v[12:13], v[26:27], v[16:17]
s_barrier
v_add_f32_e32 v1, v1, v12
v_add_f32_e32 v7, v1, v13
s_cbranch_scc1 31
v_add_u32_e32 v1, s14, v4
v_cmp_gt_i32_e64 s[2:3], s6, v1
s_and_b64 s[16:17], vcc, s[2:3]
v_mov_b32_e32 v1, 0
s_and_saveexec_b64 s[2:3], s[16:17]
s_cbranch_execz 6
v_add_u32_e32 v12, s14, v6
v_ashrrev_i32_e32 v13, 31, v12
v_lshl_add_u64 v[12:13], v[12:13], 2, s[8:9]
global_load_dword v1, v[12:13], off
s_or_b64 exec, exec, s[2:3]
v_add_u32_e32 v12, s14, v5
v_cmp_gt_i32_e64 s[2:3], s6, v12
s_waitcnt vmcnt(0)
ds_write_b32 v9, v1
s_and_b64 s[16:17], s[0:1], s[2:3]
v_mov_b32_e32 v1, 0
s_and_saveexec_b64 s[2:3], s[16:17]
s_cbranch_execz 65441
v_ashrrev_i32_e32 v1, 31, v0
v_lshl_add_u64 v[12:13], v[0:1], 2, s[10:11]
global_load_dword v1, v[12:13], off
s_branch 65435
v_mov_b32_e32 v7, 0
v_cmp_gt_i32_e32 vcc, s4, v3
v_cmp_gt_i32_e64 s[0:1], s5, v2
s_and_b64 s[0:1], vcc, s[0:1]
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 9
v_mad_u64_u32 v[2:3], s[0:1], v3, s5, v[2:3]
v_mov_b32_e32 v0, s12
v_mov_b32_e32 v1, s13
v_ashrrev_i32_e32 v3, 31, v2
v_lshl_add_u64 v[0:1], v[2:3], 2, v[0:1]
global_store_dword v[0:1], v7, off
s_endpgm
