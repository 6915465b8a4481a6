import { mkdirSync } from 'node:fs'
import { enableCompileCache, getCompileCacheDir } from 'node:module'
import { join, resolve } from 'node:path'

/**
 * A built server compiles into its data directory, the only place where it writes, and starts faster the next time. Modules that
 * are loaded before this call are compiled anew at every start. From a clone, `launch.mjs` has chosen another place.
 */
export const keepCompiledCode = (dataDir: string): void => {
  if (getCompileCacheDir() !== undefined) return
  const folder = join(resolve(dataDir), 'compiled')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch {
    // What is wrong with the data directory is said when it is locked.
    return
  }
  // For threads and processes.
  process.env.NODE_COMPILE_CACHE = folder
  enableCompileCache(folder)
}
