# Hardware counters: which there are, and how many runs it takes to read them.
$ counters list LDS --arch gfx942
arch   gfx942
known  247

counter                 block  unit          instances  description
SQ_INSTS_LDS            SQ     instructions  sum        LDS instructions
SQ_ACTIVE_INST_LDS      SQ     quad-cycles   sum        time in which LDS instructions were issued
SQ_LDS_ADDR_CONFLICT    SQ     cycles        sum        LDS cycles lost to equal addresses
SQ_LDS_ATOMIC_RETURN    SQ     cycles        sum        LDS cycles of atomics that return a value
SQ_LDS_BANK_CONFLICT    SQ     cycles        sum        LDS cycles lost to bank conflicts
SQ_LDS_IDX_ACTIVE       SQ     cycles        sum        LDS cycles of indexed.. conflicts among them
SQ_LDS_MEM_VIOLATIONS   SQ     accesses      sum        LDS accesses out of bounds
SQ_LDS_UNALIGNED_STALL  SQ     cycles        sum        LDS cycles lost to unaligned flat accesses
SQ_INST_LEVEL_LDS       SQ     instructions  sum        LDS instructions in f..for accumulate() only
SPI_RA_LDS_CU_FULL_CSN  SPI    cycles        sum        no LDS on a CU
(10 rows)

$ counters list FETCH --arch gfx950 --json
{
  "schema": "rpl.counters.list/1",
  "arch": "gfx950",
  "known": 247,
  "rows": [
    {"counter": "SQ_IFETCH", "block": "SQ", "unit": "requests", "instances": "sum", "slots": 1, "consumes": [], "description": "instruction fetches"},
    {"counter": "SQ_IFETCH_LEVEL", "block": "SQ", "unit": "requests", "instances": "sum", "slots": 2, "consumes": [], "description": "instruction fetches in flight; for accumulate() only"},
    {"counter": "CPF_CPF_STAT_BUSY", "block": "CPF", "unit": "cycles", "instances": "sum", "slots": 1, "consumes": [], "description": "fetcher of the command processor at work"},
    {"counter": "CPF_CPF_STAT_IDLE", "block": "CPF", "unit": "cycles", "instances": "sum", "slots": 1, "consumes": [], "description": "fetcher idle"},
    {"counter": "CPF_CPF_STAT_STALL", "block": "CPF", "unit": "cycles", "instances": "sum", "slots": 1, "consumes": [], "description": "fetcher stalled"},
    {"counter": "FETCH_SIZE", "block": "TCC", "unit": "KiB", "instances": "sum", "slots": 1, "consumes": ["TCC_EA0_RDREQ_sum", "TCC_EA0_RDREQ_32B_sum"], "description": "bytes read from the fabric, as the recorder computes them; half the truth on gfx950"}
  ],
  "notes": [],
  "provenance": "none"
}

$ counters list --arch gfx1100
arch   gfx1100
known  12

counter                 block  unit          instances  description
SQ_WAVES                SQ     waves         sum        waves started
SQ_INSTS_VALU           SQ     instructions  sum        vector ALU instructions
GRBM_COUNT              GRBM   cycles        max        clock of the GPU
GRBM_GUI_ACTIVE         GRBM   cycles        max        the GPU was at work
GL2C_HIT_sum            GL2C   requests      sum        L2 hits
GL2C_MISS_sum           GL2C   requests      sum        L2 misses
GL2C_EA_RDREQ_32B_sum   GL2C   requests      sum        reads to the fabric of 32 B
GL2C_EA_RDREQ_64B_sum   GL2C   requests      sum        reads to the fabric of 64 B
GL2C_EA_RDREQ_128B_sum  GL2C   requests      sum        reads to the fabric of 128 B
GL2C_EA_RDREQ_96B_sum   GL2C   requests      sum        reads to the fabric of 96 B
GL2C_EA_WRREQ_64B_sum   GL2C   requests      sum        writes to the fabric of 64 B
GL2C_MC_WRREQ_sum       GL2C   requests      sum        writes to the fabric of any size
(12 rows)
err: note: RDNA has no counters of floating-point operations: bytes, waves and instructions only

$ counters plan --set roofline --arch gfx942
roofline on gfx942: 34 counters in 3 passes, no plan has fewer
pass 1  GRBM 1/2  SQ 8/8  TCC 3/4  TCP 4/4
  TCP_TCC_READ_REQ_sum TCP_TCC_WRITE_REQ_sum TCP_TCC_ATOMIC_WITH_RET_REQ_sum
  TCP_TCC_ATOMIC_WITHOUT_RET_REQ_sum TCC_EA0_RDREQ_sum TCC_EA0_RDREQ_32B_sum TCC_BUBBLE_sum
  SQ_INSTS_VALU_ADD_F16 SQ_INSTS_VALU_MUL_F16 SQ_INSTS_VALU_FMA_F16 SQ_INSTS_VALU_TRANS_F16
  SQ_INSTS_VALU_ADD_F32 SQ_INSTS_VALU_MUL_F32 SQ_INSTS_VALU_FMA_F32 SQ_INSTS_VALU_TRANS_F32
  GRBM_GUI_ACTIVE
pass 2  SQ 8/8  TCC 4/4  TCP 1/4
  SQ_INSTS_VALU_ADD_F64 SQ_INSTS_VALU_MUL_F64 SQ_INSTS_VALU_FMA_F64 SQ_INSTS_VALU_TRANS_F64
  SQ_INSTS_VALU_MFMA_MOPS_F16 SQ_INSTS_VALU_MFMA_MOPS_BF16 SQ_INSTS_VALU_MFMA_MOPS_F32
  SQ_INSTS_VALU_MFMA_MOPS_F64 TCC_EA0_WRREQ_sum TCC_EA0_WRREQ_64B_sum TCC_HIT_sum TCC_MISS_sum
  TCP_TOTAL_CACHE_ACCESSES_sum
pass 3  SQ 5/8
  SQ_LDS_IDX_ACTIVE SQ_LDS_BANK_CONFLICT SQ_INSTS_VALU_MFMA_MOPS_I8 SQ_INSTS_VALU_MFMA_MOPS_F8
  SQ_WAVES
err: note: each pass runs the application once, and its times are not those of a normal run: record times apart with 'rocprofv3 --kernel-trace'

$ counters plan --set roofline --arch gfx90a --format yaml
\# gfx90a: 3 passes, each runs the application once
jobs:
  - pmc: [TCP_TCC_READ_REQ_sum, TCP_TCC_WRITE_REQ_sum, TCP_TCC_ATOMIC_WITH_RET_REQ_sum, TCP_TCC_ATOMIC_WITHOUT_RET_REQ_sum, SQ_INSTS_VALU_ADD_F16, SQ_INSTS_VALU_MUL_F16, SQ_INSTS_VALU_FMA_F16, SQ_INSTS_VALU_TRANS_F16, SQ_INSTS_VALU_ADD_F32, SQ_INSTS_VALU_MUL_F32, SQ_INSTS_VALU_FMA_F32, SQ_INSTS_VALU_TRANS_F32, TCC_EA_RDREQ_sum, TCC_EA_RDREQ_32B_sum, TCC_EA_WRREQ_sum, TCC_EA_WRREQ_64B_sum, GRBM_GUI_ACTIVE]
  - pmc: [SQ_INSTS_VALU_ADD_F64, SQ_INSTS_VALU_MUL_F64, SQ_INSTS_VALU_FMA_F64, SQ_INSTS_VALU_TRANS_F64, SQ_INSTS_VALU_MFMA_MOPS_F16, SQ_INSTS_VALU_MFMA_MOPS_BF16, SQ_INSTS_VALU_MFMA_MOPS_F32, SQ_INSTS_VALU_MFMA_MOPS_F64, TCC_HIT_sum, TCC_MISS_sum, TCP_TOTAL_CACHE_ACCESSES_sum]
  - pmc: [SQ_LDS_IDX_ACTIVE, SQ_LDS_BANK_CONFLICT, SQ_INSTS_VALU_MFMA_MOPS_I8, SQ_WAVES]
err: note: each pass runs the application once, and its times are not those of a normal run: record times apart with 'rocprofv3 --kernel-trace'

$ counters plan TCC_HIT TCC_MISS FETCH_SIZE --arch gfx942 --json
{
  "schema": "rpl.counters.plan/1",
  "arch": "gfx942",
  "passes": 2,
  "least_passes": 2,
  "path": null,
  "rows": [
    {"pass": 1, "used": {"TCC": 4}, "counters": ["FETCH_SIZE", "TCC_HIT_sum"]},
    {"pass": 2, "used": {"TCC": 1}, "counters": ["TCC_MISS_sum"]}
  ],
  "notes": ["each pass runs the application once, and its times are not those of a normal run: record times apart with 'rocprofv3 --kernel-trace'"],
  "provenance": "none"
}

$ counters plan memory lds SQ_WAVES --arch gfx942
memory, lds and chosen counters on gfx942: 24 counters in 2 passes, no plan has fewer
pass 1  GRBM 1/2  SQ 8/8  TCC 3/4  TCP 4/4
  TCP_TCC_READ_REQ_sum TCP_TCC_WRITE_REQ_sum TCP_TCC_ATOMIC_WITH_RET_REQ_sum
  TCP_TCC_ATOMIC_WITHOUT_RET_REQ_sum TCC_EA0_RDREQ_sum TCC_EA0_RDREQ_32B_sum TCC_BUBBLE_sum
  SQ_LDS_IDX_ACTIVE SQ_LDS_BANK_CONFLICT SQ_LDS_ADDR_CONFLICT SQ_LDS_UNALIGNED_STALL SQ_INSTS_LDS
  SQ_WAVES GRBM_GUI_ACTIVE SQ_INSTS_VMEM_RD SQ_INSTS_VMEM_WR
pass 2  SQ 3/8  TCC 4/4  TCP 1/4
  TCC_EA0_WRREQ_sum TCC_EA0_WRREQ_64B_sum TCC_HIT_sum TCC_MISS_sum SQC_DCACHE_HITS SQC_DCACHE_MISSES
  SQC_DCACHE_MISSES_DUPLICATE TCP_TOTAL_CACHE_ACCESSES_sum
err: note: each pass runs the application once, and its times are not those of a normal run: record times apart with 'rocprofv3 --kernel-trace'

$ counters plan --set lds --arch gfx1100
err: error: gfx1100 has no counters for the set 'lds'; counters list --arch gfx1100
? 1

$ counters plan TCC_BUBBLE --arch gfx90a
err: error: gfx90a has no counter 'TCC_BUBBLE' that is known here; it exists on gfx942
? 1

$ counters plan --set roofline --arch gfx950 -o plan.json
roofline on gfx950: 35 counters in 3 passes, no plan has fewer
pass 1  GRBM 1/2  SQ 8/8  TCC 3/4  TCP 4/4
  TCP_TCC_READ_REQ_sum TCP_TCC_WRITE_REQ_sum TCP_TCC_ATOMIC_WITH_RET_REQ_sum
  TCP_TCC_ATOMIC_WITHOUT_RET_REQ_sum TCC_EA0_RDREQ_sum TCC_EA0_RDREQ_32B_sum TCC_EA0_RDREQ_128B_sum
  SQ_INSTS_VALU_ADD_F16 SQ_INSTS_VALU_MUL_F16 SQ_INSTS_VALU_FMA_F16 SQ_INSTS_VALU_TRANS_F16
  SQ_INSTS_VALU_ADD_F32 SQ_INSTS_VALU_MUL_F32 SQ_INSTS_VALU_FMA_F32 SQ_INSTS_VALU_TRANS_F32
  GRBM_GUI_ACTIVE
pass 2  SQ 8/8  TCC 4/4  TCP 1/4
  SQ_INSTS_VALU_ADD_F64 SQ_INSTS_VALU_MUL_F64 SQ_INSTS_VALU_FMA_F64 SQ_INSTS_VALU_TRANS_F64
  SQ_INSTS_VALU_MFMA_MOPS_F16 SQ_INSTS_VALU_MFMA_MOPS_BF16 SQ_INSTS_VALU_MFMA_MOPS_F32
  SQ_INSTS_VALU_MFMA_MOPS_F64 TCC_EA0_WRREQ_sum TCC_EA0_WRREQ_64B_sum TCC_HIT_sum TCC_MISS_sum
  TCP_TOTAL_CACHE_ACCESSES_sum
pass 3  SQ 6/8
  SQ_LDS_IDX_ACTIVE SQ_LDS_BANK_CONFLICT SQ_INSTS_VALU_MFMA_MOPS_I8 SQ_INSTS_VALU_MFMA_MOPS_F8
  SQ_INSTS_VALU_MFMA_MOPS_F6F4 SQ_WAVES
wrote plan.json: rocprofv3 -i plan.json -- APP
err: note: each pass runs the application once, and its times are not those of a normal run: record times apart with 'rocprofv3 --kernel-trace'
