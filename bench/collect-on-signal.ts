/**
 * Loaded into a measured process by `--import`. On SIGUSR2 it collects all garbage of the main thread, gives the memory back
 * to the system and then writes a file that says so.
 */
import { writeFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'

const file = process.env.BENCH_COLLECTED_FILE
if (isMainThread && file !== undefined) {
  setFlagsFromString('--expose-gc')
  const collect: (options: Record<string, string>) => void = runInNewContext('gc')
  process.on('SIGUSR2', () => {
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    writeFileSync(`${file}.${process.pid}`, '')
  })
}
