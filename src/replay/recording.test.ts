import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLogCatcher } from '../../test/harness/log-catcher.ts'
import { createManualClock } from '../../test/harness/manual-clock.ts'
import { type ByteLease, createByteBudget } from '../base/byte-budget.ts'
import type { ReplayRecord } from '../store/replay-contract.ts'
import { EventBuffer } from './event-buffer.ts'
import { Recording } from './recording.ts'
import type { Subscription } from './subscription.ts'

const never = new AbortController().signal
const plenty = 1_000_000

const leaseOf = (limitBytes: number, minBytes: number): ByteLease => {
  const lease = createByteBudget(limitBytes).lease('org_1', minBytes)
  if (lease === null) throw new Error('the budget is too small')
  return lease
}
const open = ({ limitBytes = plenty, memoryBytes = plenty, diskBytes = plenty, minBytes = 0 } = {}) => {
  const clock = createManualClock()
  const memory = leaseOf(memoryBytes, minBytes)
  let heldBytes = 0
  const counted: ByteLease = {
    ...memory,
    resize(bytes) {
      heldBytes = bytes
      return memory.resize(bytes)
    },
  }
  const recording = new Recording({
    record: {
      organisationId: 'org_1',
      keyHash: new Uint8Array(),
      bodyHash: new Uint8Array(),
      completionId: 'chatcmpl-1',
      requestId: 'req_1',
      stream: true,
      createdAt: 0,
      expiresAt: 1,
    },
    buffer: new EventBuffer({ limitBytes, memory: counted, disk: leaseOf(diskBytes, minBytes) }),
    graceMs: 30_000,
    clock,
    log: createLogCatcher({ clock, format: 'json' }).log,
    abandoned: () => new Error('abandoned'),
  })
  const append = (data: string, signal = never) => recording.append(data, signal)
  return {
    recording,
    append,
    fill: (...events: string[]): void => {
      for (const data of events) void append(data)
    },
    /** Ends the response; resolves to what is stored of it. */
    async end(...lastEvents: string[]): Promise<string> {
      const stored: ReplayRecord[] = []
      await recording.end(lastEvents, async (record) => void stored.push(record))
      return stored.map(({ content }) => content).join()
    },
    subscribe: (lastEventId: string | null = null) => follow(recording.subscribe(lastEventId, { replayed: false })),
    heldBytes: () => heldBytes,
  }
}
/** Reads one event after the other, as far as the test says. */
const follow = (subscription: Subscription, signal: AbortSignal = never) => {
  const events = subscription.events(signal)
  return {
    next: async (): Promise<string | null> => {
      const { done, value } = await events.next()
      return done ? null : value.data
    },
    rest: () => Array.fromAsync(events, ({ data }) => data),
    close: subscription.close,
  }
}

test('each subscriber gets everything from its position, however late it comes', async () => {
  const { fill, end, subscribe } = open()
  fill('a', 'b')
  const early = subscribe()
  expect(await early.next()).toBe('a')
  fill('c')
  const resumed = subscribe('chatcmpl-1:1')
  expect(await end()).toBe('a\nb\nc')
  const late = subscribe()
  expect(await early.rest()).toEqual(['b', 'c'])
  expect(await resumed.rest()).toEqual(['c'])
  expect(await late.rest()).toEqual(['a', 'b', 'c'])
})

test('events are numbered from 0', async () => {
  const { recording, fill, end } = open()
  const { events } = recording.subscribe(null, { replayed: false })
  fill('a', 'b')
  await end()
  expect(await Array.fromAsync(events(never), ({ id }) => id)).toEqual(['chatcmpl-1:0', 'chatcmpl-1:1'])
})

test('a subscriber waits for the next event', async () => {
  const { fill, subscribe } = open()
  const waiting = subscribe().next()
  fill('a')
  expect(await waiting).toBe('a')
})

test('the last events are withheld until the response is stored', async () => {
  const { recording, fill, subscribe } = open()
  const durable = Promise.withResolvers<void>()
  const subscriber = subscribe()
  fill('a')
  expect(await subscriber.next()).toBe('a')
  const waiting = subscriber.next()
  const ending = recording.end(['{}'], () => durable.promise)
  expect(await Promise.race([waiting, tick()])).toBe(false)
  durable.resolve()
  await ending
  expect(await waiting).toBe('{}')
})

test('what was withheld is not sent if the settlement fails', async () => {
  const { recording, fill, subscribe } = open()
  const subscriber = subscribe()
  fill('a')
  await recording.run((recorder) => recorder.end(['{}'], () => Promise.reject(new Error('not settled'))))
  expect(await subscriber.next()).toBe('a')
  await expect(subscriber.next()).rejects.toThrow('not settled')
})

test('a slow subscriber gets what is there before it gets the failure', async () => {
  const { recording, subscribe } = open()
  const subscriber = subscribe()
  await recording.run(async (recorder) => {
    for (const data of ['a', 'b']) await recorder.append(data, never)
    throw new Error('broken')
  })
  expect(await subscriber.next()).toBe('a')
  expect(await subscriber.next()).toBe('b')
  await expect(subscriber.next()).rejects.toThrow('broken')
})

test('a subscriber whose signal is aborted ends with its reason', async () => {
  const { recording } = open()
  const leaving = new AbortController()
  const waiting = follow(recording.subscribe(null, { replayed: false }), leaving.signal).next()
  leaving.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
})

test('a response that was told to end is not stored', async () => {
  const { recording, fill } = open()
  fill('a')
  recording.abort(new Error('revoked'))
  let isStored = false
  const ending = recording.end([], async () => {
    isStored = true
  })
  await expect(ending).rejects.toThrow('revoked')
  expect(isStored).toBe(false)
})

test('beyond the limit it drops what all subscribers have read, and is not stored', async () => {
  const { append, fill, end, subscribe } = open({ limitBytes: 4 })
  const fast = subscribe()
  fill('a', 'b')
  await fast.next()
  await fast.next()
  const parked = fast.next()
  expect(append('c')).toBeUndefined()
  expect(await parked).toBe('c')
  expect(() => subscribe()).toThrow(expect.objectContaining({ errorName: 'answer_not_kept' }))
  expect(await subscribe('chatcmpl-1:0').next()).toBe('b')
  expect(await end()).toBe('')
})

test('beyond the limit the response waits for the slowest subscriber', async () => {
  const { append, fill, subscribe } = open({ limitBytes: 4 })
  const slow = subscribe()
  const fast = subscribe()
  fill('a', 'b')
  const appended = Promise.resolve(append('c')).then(() => true)
  expect([await fast.next(), await fast.next(), await fast.next()]).toEqual(['a', 'b', 'c'])
  expect(await Promise.race([appended, tick()])).toBe(false)
  expect([await slow.next(), await slow.next()]).toEqual(['a', 'b'])
  expect(await appended).toBe(true)
})

test('the response does not wait for a subscriber that leaves', async () => {
  const { append, fill, subscribe } = open({ limitBytes: 2 })
  const slow = subscribe()
  const fast = subscribe()
  fill('a')
  const waiting = append('b')
  await fast.next()
  const parked = fast.next()
  slow.close()
  await waiting
  expect(await parked).toBe('b')
})

test('without subscribers nothing is dropped: the response waits for one, or until its signal is aborted', async () => {
  const { append, fill, subscribe } = open({ limitBytes: 2 })
  const abandoned = new AbortController()
  fill('a')
  const waiting = append('b', abandoned.signal)
  expect(await subscribe().next()).toBe('a')
  abandoned.abort(new Error('abandoned'))
  await expect(waiting).rejects.toThrow('abandoned')
})

test('if the disk is full the response continues, but is not stored', async () => {
  const { append, fill, end } = open({ diskBytes: 3 })
  fill('a')
  expect(append('b')).toBeUndefined()
  expect(await end()).toBe('')
})

test('if memory is full a response continues with what was reserved for it', async () => {
  const { append, fill, subscribe } = open({ memoryBytes: 5, minBytes: 4 })
  const subscriber = subscribe()
  fill('a', 'b')
  const waiting = append('c')
  expect(waiting).toBeDefined()
  await subscriber.next()
  await subscriber.next()
  await waiting
  expect(await subscriber.next()).toBe('c')
})

test('at any pace nothing is missing or repeated, and memory never exceeds the limit by more than one event', async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('append' as const), length: fc.integer({ min: 0, max: 9 }) }),
    fc.record({ do: fc.constantFrom('open' as const, 'read' as const, 'close' as const), which: fc.nat(3) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.integer({ min: 10, max: 40 }), async (steps, limitBytes) => {
      const { append, end, subscribe, heldBytes } = open({ limitBytes })
      const sent: string[] = []
      const subscribers = new Map<number, { position: number; from: ReturnType<typeof follow> }>()
      let isDropped = false
      let room: Promise<void> | undefined
      for (const one of steps) {
        if (one.do === 'append') {
          // The next event may be appended only once there is space.
          const isFree = await Promise.race([Promise.resolve(room).then(() => true), tick()])
          if (!isFree) continue
          sent.push(`${sent.length}`.padEnd(one.length, '.'))
          room = append(sent.at(-1) ?? '')
          expect(heldBytes()).toBeLessThanOrEqual(limitBytes + 10)
          continue
        }
        const subscriber = subscribers.get(one.which)
        if (one.do === 'open' && subscriber === undefined) {
          try {
            subscribers.set(one.which, { position: 0, from: subscribe() })
          } catch {
            isDropped = true
          }
        } else if (one.do === 'close') {
          subscriber?.from.close()
          subscribers.delete(one.which)
        } else if (subscriber !== undefined && subscriber.position < sent.length) {
          expect(await subscriber.from.next()).toBe(sent[subscriber.position])
          subscriber.position += 1
        }
      }
      const isTooLong = sent.reduce((sum, data) => sum + data.length + 1, 0) > limitBytes
      if (isDropped) expect(isTooLong).toBe(true)
      expect(await end()).toBe(isTooLong ? '' : sent.join('\n'))
      for (const { position, from } of subscribers.values()) expect(await from.rest()).toEqual(sent.slice(position))
    }),
  )
})

const tick = async (): Promise<false> => {
  for (let turn = 0; turn < 10; turn += 1) await null
  return false
}
