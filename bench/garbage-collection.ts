import { access, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Lets a bench collect the garbage of processes that it starts with `environment`. */
export interface GarbageCollection {
  readonly environment: NodeJS.ProcessEnv
  /** Resolves when the process has collected. */
  collect(pid: number): Promise<void>
  close(): Promise<void>
}

const limitMs = 30_000

export const openGarbageCollection = async (): Promise<GarbageCollection> => {
  const folder = await mkdtemp(join(tmpdir(), 'helix-bench-'))
  const file = join(folder, 'collected')
  const script = new URL('./collect-on-signal.ts', import.meta.url).href
  return {
    environment: { BENCH_COLLECTED_FILE: file, NODE_OPTIONS: `--import=${script}` },
    async collect(pid) {
      const written = `${file}.${pid}`
      process.kill(pid, 'SIGUSR2')
      const startedMs = performance.now()
      const isWritten = () =>
        access(written).then(
          () => true,
          () => false,
        )
      while (!(await isWritten())) {
        if (performance.now() - startedMs > limitMs) throw new Error(`process ${pid} did not collect its garbage`)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      await rm(written)
    },
    close: () => rm(folder, { recursive: true, force: true }),
  }
}
