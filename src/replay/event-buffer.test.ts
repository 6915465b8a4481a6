import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createByteBudget } from './byte-budget.ts'
import { createEventBuffer, type EventBuffer, type Reader } from './event-buffer.ts'

const never = new AbortController().signal
const plenty = 1_000_000

const open = ({ limitBytes = plenty, memoryBytes = plenty, diskBytes = plenty, leastBytes = 0 } = {}) => {
  const memory = createByteBudget(memoryBytes).lease('org_1', leastBytes)
  const disk = createByteBudget(diskBytes).lease('org_1', leastBytes)
  if (memory === null) throw new Error('no room')
  return createEventBuffer({ completionId: 'chatcmpl-1', limitBytes, memory, disk })
}
/** Reads one event after the other, as far as the test says. */
const follow = (reader: Reader, signal: AbortSignal = never) => {
  const events = reader.events(signal)
  return {
    next: async (): Promise<string | null> => {
      const { done, value } = await events.next()
      return done ? null : value.data
    },
    rest: () => Array.fromAsync(events, ({ data }) => data),
    close: reader.close,
  }
}
const fill = (recording: EventBuffer, ...events: string[]): void => {
  for (const data of events) void recording.append(data)
}

test('each reader gets everything from its place on, however late it comes', async () => {
  const recording = open()
  fill(recording, 'a', 'b')
  const early = follow(recording.read(0))
  expect(await early.next()).toBe('a')
  fill(recording, 'c')
  const resumed = follow(recording.read(2))
  recording.end()
  const late = follow(recording.read(0))
  expect(await early.rest()).toEqual(['b', 'c'])
  expect(await resumed.rest()).toEqual(['c'])
  expect(await late.rest()).toEqual(['a', 'b', 'c'])
  expect(recording.content()).toBe('a\nb\nc')
})

test('events are numbered from 0', async () => {
  const recording = open()
  fill(recording, 'a', 'b')
  recording.end()
  const ids = await Array.fromAsync(recording.read(0).events(never), ({ id }) => id)
  expect(ids).toEqual(['chatcmpl-1:0', 'chatcmpl-1:1'])
})

test('a reader waits for the next event', async () => {
  const recording = open()
  const reader = follow(recording.read(0))
  const waiting = reader.next()
  fill(recording, 'a')
  expect(await waiting).toBe('a')
})

test('the last events are not seen before the end', async () => {
  const recording = open()
  const reader = follow(recording.read(0))
  fill(recording, 'a')
  expect(await reader.next()).toBe('a')
  const waiting = reader.next()
  recording.appendLast(['{}'])
  const seen = await Promise.race([waiting, Promise.resolve('nothing')])
  recording.end()
  expect(seen).toBe('nothing')
  expect(await waiting).toBe('{}')
  expect(recording.content()).toBe('a\n{}')
})

test('a slow reader gets what is there before it hears of the failure', async () => {
  const recording = open()
  const reader = follow(recording.read(0))
  fill(recording, 'a', 'b')
  recording.fail(new Error('broken'))
  expect(await reader.next()).toBe('a')
  expect(await reader.next()).toBe('b')
  await expect(reader.next()).rejects.toThrow('broken')
})

test('a reader whose signal is aborted leaves with its reason', async () => {
  const recording = open()
  const leaving = new AbortController()
  const waiting = follow(recording.read(0), leaving.signal).next()
  leaving.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
})

test('beyond the limit it drops what all have read, and is not whole any more', async () => {
  const recording = open({ limitBytes: 4 })
  const fast = follow(recording.read(0))
  fill(recording, 'a', 'b')
  expect(recording.isWhole).toBe(true)
  await fast.next()
  await fast.next()
  const parked = fast.next()
  expect(recording.append('c')).toBeUndefined()
  expect(recording.isWhole).toBe(false)
  expect(await parked).toBe('c')
  expect(() => recording.read(0)).toThrow(expect.objectContaining({ errorName: 'answer_not_kept' }))
  expect(await follow(recording.read(1)).next()).toBe('b')
})

test('beyond the limit the answer waits for the slowest reader', async () => {
  const recording = open({ limitBytes: 4 })
  const slow = follow(recording.read(0))
  const fast = follow(recording.read(0))
  fill(recording, 'a', 'b')
  const waiting = recording.append('c')
  const told = Promise.resolve(waiting).then(() => 'room')
  expect([await fast.next(), await fast.next(), await fast.next()]).toEqual(['a', 'b', 'c'])
  expect(await Promise.race([told, Promise.resolve('full')])).toBe('full')
  expect([await slow.next(), await slow.next()]).toEqual(['a', 'b'])
  expect(await told).toBe('room')
})

test('a reader that leaves is not waited for', async () => {
  const recording = open({ limitBytes: 2 })
  const slow = follow(recording.read(0))
  const fast = follow(recording.read(0))
  fill(recording, 'a')
  const waiting = recording.append('b')
  await fast.next()
  const parked = fast.next()
  slow.close()
  await waiting
  expect(await parked).toBe('b')
})

test('without any reader nothing is dropped: the answer waits until somebody comes, or its signal says no', async () => {
  const recording = open({ limitBytes: 2 })
  const abandoned = new AbortController()
  fill(recording, 'a')
  const waiting = recording.append('b', abandoned.signal)
  expect(await follow(recording.read(0)).next()).toBe('a')
  abandoned.abort(new Error('nobody came'))
  await expect(waiting).rejects.toThrow('nobody came')
})

test('where the disk is full the answer goes on, but cannot be kept', () => {
  const recording = open({ diskBytes: 3 })
  fill(recording, 'a')
  expect(recording.isWhole).toBe(true)
  expect(recording.append('b')).toBeUndefined()
  expect(recording.isWhole).toBe(false)
})

test('where memory is full an answer still goes on with what it was sure of', async () => {
  const recording = open({ memoryBytes: 5, leastBytes: 4 })
  const reader = follow(recording.read(0))
  fill(recording, 'a', 'b')
  const waiting = recording.append('c')
  expect(waiting).toBeDefined()
  await reader.next()
  await reader.next()
  await waiting
  expect(await reader.next()).toBe('c')
})

test('any pace: no hole, nothing twice, and never more in memory than the limit and one event', async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('append' as const), length: fc.integer({ min: 0, max: 9 }) }),
    fc.record({ do: fc.constantFrom('open' as const, 'read' as const, 'close' as const), which: fc.nat(3) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.integer({ min: 10, max: 40 }), async (steps, limitBytes) => {
      const recording = open({ limitBytes })
      const sent: string[] = []
      const readers = new Map<number, { place: number; from: ReturnType<typeof follow> }>()
      let room: Promise<void> | undefined
      for (const one of steps) {
        if (one.do === 'append') {
          // Who does not wait for room does not keep the bargain.
          const free = await Promise.race([Promise.resolve(room).then(() => true), tick()])
          if (!free) continue
          sent.push(`${sent.length}`.padEnd(one.length, '.'))
          room = recording.append(sent.at(-1) ?? '')
          expect(recording.bytes).toBeLessThanOrEqual(limitBytes + 10)
          continue
        }
        const reader = readers.get(one.which)
        if (one.do === 'open' && reader === undefined) {
          if (recording.isWhole) readers.set(one.which, { place: 0, from: follow(recording.read(0)) })
        } else if (one.do === 'close') {
          reader?.from.close()
          readers.delete(one.which)
        } else if (reader !== undefined && reader.place < sent.length) {
          expect(await reader.from.next()).toBe(sent[reader.place])
          reader.place += 1
        }
      }
      recording.end()
      for (const { place, from } of readers.values()) expect(await from.rest()).toEqual(sent.slice(place))
      if (recording.isWhole) expect(recording.content()).toBe(sent.join('\n'))
    }),
  )
})

const tick = async (): Promise<false> => {
  for (let turn = 0; turn < 10; turn += 1) await null
  return false
}
