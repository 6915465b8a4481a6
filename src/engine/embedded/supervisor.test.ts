import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Clock } from '../../base/clock.ts'
import type { Log, LogFields } from '../../base/log.ts'
import { restartDelayMs } from './restart-delay.ts'
import { encodeResults, resultsDescriptor } from './results-pipe.ts'
import { Supervisor } from './supervisor.ts'

let folder: string
let closing: Supervisor[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'helix-worker-'))
})
afterEach(async () => {
  for (const supervisor of closing) await supervisor.close()
  closing = []
  await rm(folder, { recursive: true })
})

/** Time that only moves when told; callbacks that are due run at once. */
const manualClock = () => {
  let nowMs = 0
  let waiting: { atMs: number; callback: () => void }[] = []
  const clock: Clock = {
    now: () => nowMs,
    monotonicMs: () => nowMs,
    after(delayMs, callback) {
      const entry = { atMs: nowMs + delayMs, callback }
      waiting.push(entry)
      return () => {
        waiting = waiting.filter((other) => other !== entry)
      }
    },
  }
  const advance = (ms: number) => {
    nowMs += ms
    const due = waiting.filter(({ atMs }) => atMs <= nowMs)
    waiting = waiting.filter(({ atMs }) => atMs > nowMs)
    for (const { callback } of due) callback()
  }
  return { clock, advance }
}

/** A log that can be waited on: `next` is the following event of that name, in order. */
const eventLog = () => {
  const seen: { event: string; fields: LogFields }[] = []
  const readers: { event: string; resolve: (fields: LogFields) => void }[] = []
  const note = (event: string, fields: LogFields = {}) => {
    const index = readers.findIndex((reader) => reader.event === event)
    const [reader] = index < 0 ? [] : readers.splice(index, 1)
    if (reader) reader.resolve(fields)
    else seen.push({ event, fields })
  }
  const next = async (event: string): Promise<LogFields> => {
    const index = seen.findIndex((entry) => entry.event === event)
    const [entry] = index < 0 ? [] : seen.splice(index, 1)
    if (entry) return entry.fields
    const { promise, resolve } = Promise.withResolvers<LogFields>()
    readers.push({ event, resolve })
    return promise
  }
  const log: Log = { info: note, warn: note, error: note }
  return { log, note, next }
}

/** A real process that reacts to the first message with `onLoad`. */
const supervise = async (onLoad: string, onPing = "process.send({ type: 'pong', progress: null })") => {
  const workerPath = join(folder, 'worker.mjs')
  await writeFile(
    workerPath,
    `import { existsSync, writeFileSync, writeSync } from 'node:fs'
     const starts = ${JSON.stringify(join(folder, 'started'))}
     const again = existsSync(starts)
     writeFileSync(starts, '')
     const ready = () => process.send({ type: 'ready', opened: { contextTokens: 7 } })
     process.on('disconnect', () => process.exit())
     process.on('message', ({ type }) => {
       if (type === 'ping') { ${onPing} }
       if (type === 'load') { ${onLoad} }
     })`,
  )
  const { clock, advance } = manualClock()
  const { log, note, next } = eventLog()
  let received = 0
  const supervisor = new Supervisor({
    workerPath,
    settings: {
      kind: 'chat',
      weightsPath: '',
      files: [],
      endTokens: { texts: [], ids: [] },
      contextTokens: 1,
      slots: 1,
      threads: 1,
      gpu: false,
      cacheType: 'f16',
      flashAttention: 'auto',
      speculation: 'auto',
    },
    silenceLimitMs: 28_000,
    clock,
    log,
    onReady: ({ contextTokens, pid }) => note('ready', { contextTokens, pid }),
    onMessage: () => {
      received += 1
    },
    onGone: () => note('gone', { received }),
  })
  closing.push(supervisor)
  return { supervisor, advance, next }
}

test('a changed number of threads is logged next to the configured one', async () => {
  const { next } = await supervise("process.send({ type: 'threads', threads: 3 })")
  expect(await next('engine_threads')).toEqual({ threads: 3, configured: 1 })
})

test('the memory of the process is that of its last answer, and forgotten with it', async () => {
  const onPing = "process.send({ type: 'pong', progress: null, processBytes: 5000 })"
  const onLoad = "process.send({ type: 'ready', opened: { contextTokens: 7 }, processBytes: 4000 })"
  const { supervisor, advance, next } = await supervise(onLoad, onPing)
  expect(supervisor.processBytes()).toBe(null)
  const { pid } = await next('ready')
  expect(supervisor.processBytes()).toBe(4000)
  advance(4000)
  await expect.poll(() => supervisor.processBytes()).toBe(5000)
  process.kill(Number(pid), 'SIGKILL')
  await next('gone')
  expect(supervisor.processBytes()).toBe(null)
})

test('all results that a process wrote before its end arrive before the news of its end', async () => {
  const token = { type: 'token' as const, id: 1, token: 2, bytes: Buffer.alloc(1000) }
  const frame = JSON.stringify(encodeResults([token, token]).toString('base64'))
  const { next } = await supervise(
    `for (let step = 0; step < 500; step += 1) writeSync(${resultsDescriptor}, Buffer.from(${frame}, 'base64'))
     process.kill(process.pid, 'SIGKILL')`,
  )
  expect(await next('gone')).toEqual({ received: 1000 })
})

test('the wait before a restart doubles from 250 ms to 10 s', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 99].map(restartDelayMs)).toEqual([250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000])
})

test('a process that is killed is started again, later each time it fails soon', async () => {
  const { supervisor, advance, next } = await supervise('ready()')
  for (const restartMs of [250, 500, 1000]) {
    const { pid } = await next('ready')
    expect(supervisor.state()).toBe('ready')
    process.kill(Number(pid), 'SIGKILL')
    expect(await next('engine_exited')).toMatchObject({ signal: 'SIGKILL', restartMs })
    await next('gone')
    expect(supervisor.state()).toBe('loading')
    expect(supervisor.retryAfterMs()).toBeGreaterThanOrEqual(1000)
    advance(restartMs)
  }
  await next('ready')
})

test('after a minute of steady work the wait is short again', async () => {
  const { advance, next } = await supervise('ready()')
  const kill = async () => {
    const { pid } = await next('ready')
    process.kill(Number(pid), 'SIGKILL')
    const { restartMs } = await next('engine_exited')
    advance(Number(restartMs))
    return restartMs
  }
  await kill()
  expect(await kill()).toBe(500)
  const { pid } = await next('ready')
  advance(60_000)
  process.kill(Number(pid), 'SIGKILL')
  expect(await next('engine_exited')).toMatchObject({ restartMs: 250 })
})

test('a model that is refused at the first load is not tried again', async () => {
  const { supervisor, next } = await supervise("process.send({ type: 'refused', reason: 'no such file' })")
  expect(await supervisor.firstLoad).toEqual({ outcome: 'refused', reason: 'no such file' })
  await next('gone')
  expect(supervisor.state()).toBe('stopped')
})

test('a model that ends the process at its first load three times is refused, with the signal', async () => {
  const { supervisor, advance, next } = await supervise("process.kill(process.pid, 'SIGABRT')")
  for (const restartMs of [250, 500]) {
    expect(await next('engine_exited')).toMatchObject({ signal: 'SIGABRT', restartMs })
    advance(restartMs)
  }
  expect(await next('engine_exited')).toMatchObject({ signal: 'SIGABRT', restartMs: null })
  const reason = expect.stringContaining('the engine process ended each time (SIGABRT)')
  expect(await supervisor.firstLoad).toEqual({ outcome: 'refused', reason })
  expect(supervisor.state()).toBe('stopped')
  expect(supervisor.pid()).toBeNull()
})

test('a model that is refused later is tried again', async () => {
  const { supervisor, advance, next } = await supervise(
    "if (again) process.send({ type: 'refused', reason: 'damaged' }); else ready()",
  )
  expect(await supervisor.firstLoad).toEqual({ outcome: 'ready' })
  process.kill(supervisor.pid() ?? 0, 'SIGKILL')
  await next('engine_exited')
  advance(250)
  expect(await next('engine_refused')).toEqual({ reason: 'damaged' })
  expect(await next('engine_exited')).toMatchObject({ restartMs: 500 })
  expect(supervisor.state()).toBe('loading')
})

test('what the process prints becomes lines of the log', async () => {
  const { next } = await supervise("console.error('a line'); ready()")
  expect(await next('engine_output')).toEqual({ text: 'a line' })
})

test('closing ends the process and a start that is waited for', async () => {
  const { supervisor, advance, next } = await supervise('ready()')
  const { pid } = await next('ready')
  await supervisor.close()
  expect(() => process.kill(Number(pid), 0)).toThrow()
  expect(supervisor.state()).toBe('stopped')
  advance(100_000)
  expect(supervisor.pid()).toBeNull()
})

test('closing before the model is loaded settles the first load', async () => {
  const { supervisor } = await supervise('')
  await supervisor.close()
  expect(await supervisor.firstLoad).toEqual({ outcome: 'closed' })
})

test('a process that does not end by itself is killed after the grace time', async () => {
  const { supervisor, advance, next } = await supervise(
    "process.removeAllListeners('disconnect'); setInterval(() => {}, 1000); ready()",
  )
  await next('ready')
  const closed = supervisor.close()
  advance(2000)
  await closed
  expect(supervisor.pid()).toBeNull()
})

test('a process that is stopped from outside is noticed within 30 seconds, killed and started again', async () => {
  const { supervisor, advance, next } = await supervise('ready()')
  const { pid } = await next('ready')
  process.kill(Number(pid), 'SIGSTOP')
  let waitedMs = 0
  for (; supervisor.state() === 'ready'; waitedMs += 1000) advance(1000)
  expect(waitedMs).toBeLessThan(30_000)
  expect(await next('engine_hung')).toMatchObject({ pid, reason: 'silent' })
  // Whoever waits for an answer is told before the process has ended.
  await next('gone')
  expect(await next('engine_exited')).toMatchObject({ signal: 'SIGKILL', restartMs: 250 })
  advance(250)
  expect((await next('ready')).pid).not.toBe(pid)
  expect(supervisor.state()).toBe('ready')
})

test('a process that never comes to the end of its loading is given up as well', async () => {
  const { advance, next } = await supervise('while (true);')
  for (let waitedMs = 0; waitedMs < 150_000; waitedMs += 4000) advance(4000)
  expect(await next('engine_hung')).toMatchObject({ reason: 'silent' })
  expect(await next('engine_exited')).toMatchObject({ signal: 'SIGKILL' })
})
