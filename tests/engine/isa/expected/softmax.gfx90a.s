s_load_dword s0, s[4:5], 0x24
s_load_dwordx2 s[8:9], s[4:5], 0x10
s_waitcnt lgkmcnt(0)
s_and_b32 s0, s0, 0xffff
s_mul_i32 s6, s6, s0
v_add_u32_e32 v0, s6, v0
v_cmp_gt_i32_e32 vcc, s8, v0
s_and_saveexec_b64 s[0:1], vcc
s_cbranch_execz 137
s_load_dwordx4 s[0:3], s[4:5], 0x0
v_mad_i64_i32 v[0:1], s[4:5], v0, s9, 0
v_lshlrev_b64 v[2:3], 2, v[0:1]
s_cmp_lt_i32 s9, 2
s_waitcnt lgkmcnt(0)
v_mov_b32_e32 v1, s1
v_add_co_u32_e32 v0, vcc, s0, v2
v_addc_co_u32_e32 v1, vcc, v1, v3, vcc
global_load_dword v6, v[0:1], off
s_cbranch_scc1 18
v_mov_b32_e32 v4, s1
v_add_co_u32_e32 v5, vcc, s0, v2
v_addc_co_u32_e32 v7, vcc, v3, v4, vcc
v_add_co_u32_e32 v4, vcc, 4, v5
s_add_i32 s4, s9, -1
v_addc_co_u32_e32 v5, vcc, 0, v7, vcc
global_load_dword v7, v[4:5], off
s_waitcnt vmcnt(1)
v_max_f32_e32 v6, v6, v6
s_add_i32 s4, s4, -1
v_add_co_u32_e32 v4, vcc, 4, v4
v_addc_co_u32_e32 v5, vcc, 0, v5, vcc
s_cmp_eq_u32 s4, 0
s_waitcnt vmcnt(0)
v_max_f32_e32 v7, v7, v7
v_max_f32_e32 v6, v6, v7
s_cbranch_scc0 65524
s_cmp_gt_i32 s9, 0
s_cselect_b64 s[0:1], -1, 0
v_mov_b32_e32 v7, 0
s_cmp_lt_i32 s9, 1
s_cbranch_scc1 38
s_mov_b32 s4, 0x3fb8aa3b
s_mov_b32 s5, 0xc2ce8ed0
s_mov_b32 s6, 0x42b17218
v_mov_b32_e32 v8, 0x7f800000
v_pk_mov_b32 v[4:5], v[0:1], v[0:1] op_sel:[0,1]
s_mov_b32 s7, s9
global_load_dword v9, v[4:5], off
v_add_co_u32_e32 v4, vcc, 4, v4
v_addc_co_u32_e32 v5, vcc, 0, v5, vcc
s_add_i32 s7, s7, -1
s_cmp_eq_u32 s7, 0
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
v_cmp_ngt_f32_e32 vcc, s5, v9
v_ldexp_f32 v10, v10, v12
v_cndmask_b32_e32 v10, 0, v10, vcc
v_cmp_nlt_f32_e32 vcc, s6, v9
v_cndmask_b32_e32 v9, v8, v10, vcc
v_add_f32_e32 v7, v7, v9
s_cbranch_scc0 65509
s_andn2_b64 vcc, exec, s[0:1]
s_cbranch_vccnz 60
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
v_mov_b32_e32 v5, s3
v_add_co_u32_e32 v2, vcc, s2, v2
v_div_fixup_f32 v4, v4, v7, 1.0
v_addc_co_u32_e32 v3, vcc, v5, v3, vcc
s_mov_b32 s1, 0xc2ce8ed0
s_mov_b32 s2, 0x42b17218
v_mov_b32_e32 v5, 0x7f800000
global_load_dword v7, v[0:1], off
v_add_co_u32_e32 v0, vcc, 4, v0
v_addc_co_u32_e32 v1, vcc, 0, v1, vcc
s_add_i32 s9, s9, -1
s_cmp_lg_u32 s9, 0
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
v_cndmask_b32_e32 v8, 0, v8, vcc
v_cmp_nlt_f32_e32 vcc, s2, v7
v_cndmask_b32_e32 v7, v5, v8, vcc
v_mul_f32_e32 v7, v4, v7
global_store_dword v[2:3], v7, off
v_add_co_u32_e32 v2, vcc, 4, v2
v_addc_co_u32_e32 v3, vcc, 0, v3, vcc
s_cbranch_scc1 65505
s_endpgm
