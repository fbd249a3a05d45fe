s_load_dword s3, s[0:1], 0x24
s_load_dwordx2 s[4:5], s[0:1], 0x10
s_waitcnt lgkmcnt(0)
s_and_b32 s3, s3, 0xffff
s_mul_i32 s2, s2, s3
v_add_u32_e32 v0, s2, v0
v_cmp_gt_i32_e32 vcc, s4, v0
s_and_saveexec_b64 s[2:3], vcc
s_cbranch_execz 137
s_load_dwordx4 s[0:3], s[0:1], 0x0
v_mad_i64_i32 v[2:3], s[6:7], v0, s5, 0
s_cmp_lt_i32 s5, 2
s_waitcnt lgkmcnt(0)
v_lshl_add_u64 v[0:1], v[2:3], 2, s[0:1]
global_load_dword v6, v[0:1], off
s_cbranch_scc1 17
v_lshl_add_u64 v[4:5], v[2:3], 2, s[0:1]
s_add_i32 s4, s5, -1
v_lshl_add_u64 v[4:5], v[4:5], 0, 4
global_load_dword v7, v[4:5], off
s_waitcnt vmcnt(1)
v_max_f32_e32 v6, v6, v6
s_add_i32 s4, s4, -1
v_lshl_add_u64 v[4:5], v[4:5], 0, 4
s_cmp_eq_u32 s4, 0
s_waitcnt vmcnt(0)
v_max_f32_e32 v7, v7, v7
v_max_f32_e32 v6, v6, v7
s_cbranch_scc0 65524
s_cmp_gt_i32 s5, 0
s_cselect_b64 s[0:1], -1, 0
v_mov_b32_e32 v7, 0
s_cmp_lt_i32 s5, 1
s_cbranch_scc1 39
s_mov_b32 s4, 0x3fb8aa3b
s_mov_b32 s6, 0xc2ce8ed0
s_mov_b32 s7, 0x42b17218
v_mov_b32_e32 v8, 0x7f800000
v_mov_b64_e32 v[4:5], v[0:1]
s_mov_b32 s8, s5
global_load_dword v9, v[4:5], off
s_add_i32 s8, s8, -1
v_lshl_add_u64 v[4:5], v[4:5], 0, 4
s_cmp_eq_u32 s8, 0
s_waitcnt vmcnt(0)
v_sub_f32_e32 v9, v9, v6
v_mul_f32_e32 v10, 0x3fb8aa3b, v9
v_fma_f32 v11, v9, s4, -v10
v_rndne_f32_e32 v12, v10
v_fmac_f32_e32 v11, 0x32a5705f, v9
v_sub_f32_e32 v10, v10, v12
v_add_f32_e32 v10, v10, v11
v_cvt_i32_f32_e32 v12, v12
v_exp_f32_e32 v10, v10
v_cmp_ngt_f32_e32 vcc, s6, v9
v_ldexp_f32 v10, v10, v12
s_nop 0
v_cndmask_b32_e32 v10, 0, v10, vcc
v_cmp_nlt_f32_e32 vcc, s7, v9
s_nop 1
v_cndmask_b32_e32 v9, v8, v10, vcc
v_add_f32_e32 v7, v7, v9
s_cbranch_scc0 65507
s_andn2_b64 vcc, exec, s[0:1]
s_cbranch_vccnz 63
v_div_scale_f32 v4, s[0:1], v7, v7, 1.0
v_rcp_f32_e32 v5, v4
v_div_scale_f32 v8, vcc, 1.0, v7, 1.0
s_mov_b32 s0, 0x3fb8aa3b
v_fma_f32 v9, -v4, v5, 1.0
v_fmac_f32_e32 v5, v9, v5
v_mul_f32_e32 v9, v8, v5
v_fma_f32 v10, -v4, v9, v8
v_fmac_f32_e32 v9, v10, v5
v_fma_f32 v4, -v4, v9, v8
v_div_fmas_f32 v4, v4, v5, v9
v_mov_b32_e32 v8, s2
v_mov_b32_e32 v9, s3
v_div_fixup_f32 v4, v4, v7, 1.0
v_lshl_add_u64 v[2:3], v[2:3], 2, v[8:9]
s_mov_b32 s1, 0xc2ce8ed0
s_mov_b32 s2, 0x42b17218
v_mov_b32_e32 v5, 0x7f800000
global_load_dword v7, v[0:1], off
s_add_i32 s5, s5, -1
v_lshl_add_u64 v[0:1], v[0:1], 0, 4
s_cmp_lg_u32 s5, 0
s_waitcnt vmcnt(0)
v_sub_f32_e32 v7, v7, v6
v_mul_f32_e32 v8, 0x3fb8aa3b, v7
v_fma_f32 v9, v7, s0, -v8
v_rndne_f32_e32 v10, v8
v_fmac_f32_e32 v9, 0x32a5705f, v7
v_sub_f32_e32 v8, v8, v10
v_add_f32_e32 v8, v8, v9
v_cvt_i32_f32_e32 v10, v10
v_exp_f32_e32 v8, v8
v_cmp_ngt_f32_e32 vcc, s1, v7
v_ldexp_f32 v8, v8, v10
s_nop 0
v_cndmask_b32_e32 v8, 0, v8, vcc
v_cmp_nlt_f32_e32 vcc, s2, v7
s_nop 1
v_cndmask_b32_e32 v7, v5, v8, vcc
v_mul_f32_e32 v7, v4, v7
global_store_dword v[2:3], v7, off
v_lshl_add_u64 v[2:3], v[2:3], 0, 4
s_cbranch_scc1 65503
s_endpgm
