/* GCC 12 tells its optimiser that ldtilecfg reads 8 bytes of the 64-byte tile configuration, so the
   rest may never be written and the instruction faults: llama-server then dies at start-up on CPUs
   with AMX. serve.py puts this header before every source; it declares the whole 64 bytes as read. */
#if defined(__cplusplus) && defined(__AMX_TILE__) && defined(__GNUC__) && !defined(__clang__)
#include <immintrin.h>
#undef _tile_loadconfig
#define _tile_loadconfig(config) \
    __asm__ volatile("ldtilecfg\t%0" ::"m"(*(const char(*)[64])(config)) : "memory")
#endif
