import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { createManualClock } from '../../test/harness/manual-clock.ts'
import { processGone } from '../../test/harness/process-gone.ts'
import type { SampleJob } from '../../test/harness/sample-jobs-thread.ts'
import { WorkerPool } from './worker-pool.ts'

const file = new URL('../../test/harness/sample-jobs-thread.ts', import.meta.url)
const timeoutMs = 1_234
const openPool = () => {
  const clock = createManualClock()
  const pool = new WorkerPool<SampleJob, unknown>({ file, name: 'sample', timeoutMs, clock, processEnv: process.env })
  onTestFinished(() => pool.close())
  return { pool, clock }
}
const failure = (kind: string, message: RegExp = /./) =>
  expect.objectContaining({ kind, message: expect.stringMatching(message) })

test('one process runs one job after another, and a job that throws keeps it', async () => {
  const { pool } = openPool()
  expect(await pool.run({ do: 'double', value: 4 }, { tenant: 'a' })).toEqual([8, 1])
  expect(await pool.run({ do: 'measure', bytes: new Uint8Array(1000) }, { tenant: 'a' })).toBe(1000)
  await expect(pool.run({ do: 'throw' }, { tenant: 'a' })).rejects.toEqual(failure('failed'))
  const uncloneable = { do: 'double', value: () => 1 } as unknown as SampleJob
  await expect(pool.run(uncloneable, { tenant: 'a' })).rejects.toEqual(failure('failed'))
  expect(await pool.run({ do: 'double', value: 5 }, { tenant: 'b' })).toEqual([10, 4])
})

test('a process that ends takes only its job with it, and the next one runs in a new process', async () => {
  const { pool } = openPool()
  await expect(pool.run({ do: 'abort' }, { tenant: 'a' })).rejects.toEqual(failure('crashed', /SIGABRT/))
  await expect(pool.run({ do: 'exit' }, { tenant: 'a' })).rejects.toEqual(failure('crashed', /status 3/))
  expect(await pool.run({ do: 'double', value: 1 }, { tenant: 'a' })).toEqual([2, 1])
})

test('a job that exceeds its time is killed with its process', async () => {
  const { pool, clock } = openPool()
  const endless = pool.run({ do: 'loop' }, { tenant: 'a' })
  const next = pool.run({ do: 'double', value: 1 }, { tenant: 'a' })
  await clock.awaited(timeoutMs)
  clock.advance(timeoutMs)
  await expect(endless).rejects.toEqual(failure('timeout'))
  expect(await next).toEqual([2, 1])
})

test.each([
  ['an idle process does not keep the program running, and exits with it', ''],
  ['a closed pool has ended its processes', 'await pool.close()'],
])('%s', async (_, close) => {
  const program = `
    import { WorkerPool } from ${JSON.stringify(new URL('./worker-pool.ts', import.meta.url))}
    const file = new URL(${JSON.stringify(file)})
    const pool = new WorkerPool({ file, name: 'sample', timeoutMs: 60_000, processEnv: process.env })
    const pid = await pool.run({ do: 'pid' }, { tenant: 'a' })
    ${close}
    console.log(pid)`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])
  await processGone(Number(stdout))
})
