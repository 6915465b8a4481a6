import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { environment } from '../../config/load-config.ts'
import type { ModelKind } from '../contract.ts'

/**
 * The environment of processes that load llama.cpp. If this process has a compile cache, they and their children use the same
 * one. When llama.cpp aborts, it would start a debugger for a backtrace, if there is one: that takes seconds, in which requests
 * wait. What llama.cpp computes in the background runs on Node's thread pool, one call at a time, each on the thread that has
 * slept longest; with fewer threads it wakes up sooner. The second one reads files, for example the code of a thread that is
 * started meanwhile.
 */
export const workerEnvironment = (kind: ModelKind = 'chat'): NodeJS.ProcessEnv => {
  const ours = getCompileCacheDir()
  const inherited = {
    ...{ GGML_NO_BACKTRACE: '1', UV_THREADPOOL_SIZE: '2' },
    ...(kind === 'chat' ? {} : smallMemory),
    ...environment(),
  }
  // Node appends a subfolder for its own version.
  return ours === undefined ? inherited : { ...inherited, NODE_COMPILE_CACHE: dirname(ours) }
}

/**
 * For glibc, others ignore it. An encoder takes little memory, of which a tenth was what its file's vocabulary had used during
 * loading and glibc kept.
 */
const smallMemory = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' }
