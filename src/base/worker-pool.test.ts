import { afterEach, expect, test } from 'vitest'
import { createManualClock } from '../../test/harness/manual-clock.ts'
import type { SampleJob } from '../../test/harness/sample-jobs-thread.ts'
import { WorkerPool, type WorkerPoolOptions } from './worker-pool.ts'

const open = new Set<WorkerPool<SampleJob, unknown>>()
afterEach(async () => {
  for (const pool of open) await pool.close()
  open.clear()
})

const file = new URL('../../test/harness/sample-jobs-thread.ts', import.meta.url)
const timeoutMs = 1_234
const openPool = (options: Partial<WorkerPoolOptions> = {}) => {
  const clock = createManualClock()
  const pool = new WorkerPool<SampleJob, unknown>({ file, name: 'sample', timeoutMs, clock, ...options })
  open.add(pool)
  return { pool, clock }
}
const newFlag = (): Int32Array => new Int32Array(new SharedArrayBuffer(4))
const wake = (flag: Int32Array): void => {
  Atomics.store(flag, 0, 1)
  Atomics.notify(flag, 0)
}
const failure = (kind: string) => expect.objectContaining({ kind })

test('one warm thread runs one job after another', async () => {
  const { pool, clock } = openPool()
  expect(await pool.run({ do: 'double', value: 4 }, { tenant: 'a' })).toEqual([8, 1])
  expect(await pool.run({ do: 'double', value: 5 }, { tenant: 'b' })).toEqual([10, 2])
  expect(clock.pending()).toBe(0)
})

test('bytes can be transferred instead of copied', async () => {
  const { pool } = openPool()
  const bytes = new Uint8Array(1000)
  const job = pool.run({ do: 'measure', bytes }, { tenant: 'a', transfer: [bytes.buffer] })
  expect(bytes.length).toBe(0)
  expect(await job).toBe(1000)
})

test('a job that exceeds its time is killed, and the next one runs on a new thread', async () => {
  const { pool, clock } = openPool()
  const endless = pool.run({ do: 'loop' }, { tenant: 'a' })
  const next = pool.run({ do: 'double', value: 1 }, { tenant: 'a' })
  await clock.awaited(timeoutMs)
  clock.advance(timeoutMs)
  await expect(endless).rejects.toEqual(failure('timeout'))
  expect(await next).toEqual([2, 1])
})

test('a thread that does not start is no job that takes long', async () => {
  const { pool, clock } = openPool({ file: new URL('data:text/javascript,setInterval(() => {}, 1e9)') })
  const job = pool.run({ do: 'loop' }, { tenant: 'a' })
  await clock.awaited(60_000)
  clock.advance(60_000)
  await expect(job).rejects.toEqual(failure('not_started'))
})

test('a job that throws keeps its thread; one that crashes it or exhausts its memory does not', async () => {
  const { pool } = openPool({ resourceLimits: { maxOldGenerationSizeMb: 16 } })
  await expect(pool.run({ do: 'throw' }, { tenant: 'a' })).rejects.toEqual(failure('failed'))
  expect(await pool.run({ do: 'double', value: 1 }, { tenant: 'a' })).toEqual([2, 2])
  await expect(pool.run({ do: 'exit' }, { tenant: 'a' })).rejects.toEqual(failure('crashed'))
  await expect(pool.run({ do: 'hoard' }, { tenant: 'a' })).rejects.toMatchObject({
    ...{ kind: 'crashed', message: expect.stringContaining('memory limit') },
  })
  expect(await pool.run({ do: 'double', value: 1 }, { tenant: 'a' })).toEqual([2, 1])
})

test('a job that cannot be sent to a thread fails without affecting others', async () => {
  const { pool } = openPool()
  const uncloneable = { do: 'double', value: () => 1 } as unknown as SampleJob
  await expect(pool.run(uncloneable, { tenant: 'a' })).rejects.toEqual(failure('failed'))
  expect(await pool.run({ do: 'double', value: 1 }, { tenant: 'a' })).toEqual([2, 1])
})

test('tenants are served in turn, however many jobs one of them has', async () => {
  const { pool } = openPool()
  const flag = newFlag()
  const first = pool.run({ do: 'wait', flag }, { tenant: 'flood' })
  const order: string[] = []
  const noted = (tenant: string, value: number) =>
    pool.run({ do: 'double', value }, { tenant }).then(() => order.push(`${tenant}${value}`))
  const flood = [1, 2, 3, 4].map((value) => noted('flood', value))
  const others = [noted('b', 1), noted('c', 1), noted('b', 2)]
  wake(flag)
  await Promise.all([first, ...flood, ...others])
  expect(order).toEqual(['flood1', 'b1', 'c1', 'flood2', 'b2', 'flood3', 'flood4'])
})

test('a tenant with a running job waits behind tenants without one', async () => {
  const { pool } = openPool({ threads: 2 })
  const flags = [newFlag(), newFlag()] as const
  const started = flags.map((flag, index) => pool.run({ do: 'wait', flag }, { tenant: index === 0 ? 'flood' : 'b' }))
  const order: string[] = []
  const noted = (tenant: string) => pool.run({ do: 'double', value: 1 }, { tenant }).then(() => order.push(tenant))
  const rest = [noted('flood'), noted('flood'), noted('c')]
  wake(flags[1])
  await Promise.all([started[1], ...rest])
  expect(order[0]).toBe('c')
  wake(flags[0])
  await started[0]
})

test('the queue is bounded, in total and for each tenant', async () => {
  const { pool } = openPool({ maxQueued: 3, maxQueuedPerTenant: 2 })
  const flag = newFlag()
  const double: SampleJob = { do: 'double', value: 1 }
  const taken = [pool.run({ do: 'wait', flag }, { tenant: 'a' })]
  taken.push(pool.run(double, { tenant: 'a' }), pool.run(double, { tenant: 'a' }))
  await expect(pool.run(double, { tenant: 'a' })).rejects.toEqual(failure('tenant_queue_full'))
  taken.push(pool.run(double, { tenant: 'b' }))
  await expect(pool.run(double, { tenant: 'c' })).rejects.toEqual(failure('queue_full'))
  wake(flag)
  await Promise.all(taken)
  await pool.run(double, { tenant: 'c' })
})

test('an aborted job leaves the queue, and the result of a running one is discarded', async () => {
  const { pool } = openPool()
  const flag = newFlag()
  const [running, waiting] = [new AbortController(), new AbortController()]
  const first = pool.run({ do: 'wait', flag }, { tenant: 'a', signal: running.signal })
  const second = pool.run({ do: 'loop' }, { tenant: 'a', signal: waiting.signal })
  running.abort(new Error('gone'))
  waiting.abort(new Error('gone too'))
  await expect(first).rejects.toThrow('gone')
  await expect(second).rejects.toThrow('gone too')
  expect(pool.queued).toBe(0)
  wake(flag)
  expect(await pool.run({ do: 'double', value: 3 }, { tenant: 'a' })).toEqual([6, 2])
})

test('closing ends running and waiting jobs', async () => {
  const { pool } = openPool()
  const jobs = [pool.run({ do: 'loop' }, { tenant: 'a' }), pool.run({ do: 'loop' }, { tenant: 'b' })]
  const ended = Promise.all(jobs.map((job) => expect(job).rejects.toEqual(failure('closed'))))
  await pool.close()
  await ended
  await expect(pool.run({ do: 'loop' }, { tenant: 'a' })).rejects.toEqual(failure('closed'))
})
