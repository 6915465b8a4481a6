import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readAhead } from './read-ahead.ts'

const never = new AbortController().signal
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const turns = async (count: number): Promise<void> => {
  for (let taken = 0; taken < count; taken += 1) await turn()
}

/** A source of numbers that counts how far it was read. */
const createSource = (count: number, { pauses = 0, failure }: { pauses?: number; failure?: Error } = {}) => {
  const state = { said: 0, isEnded: false, held: 0, max: 0 }
  const open = async function* (signal: AbortSignal): AsyncGenerator<number, void> {
    try {
      for (let number = 0; number < count; number += 1) {
        await turns(pauses)
        signal.throwIfAborted()
        state.said += 1
        yield number
      }
      if (failure !== undefined) throw failure
    } finally {
      state.isEnded = true
    }
  }
  return { open, state }
}
type Source = ReturnType<typeof createSource>

const start = ({ open, state }: Source, limitBytes: number, signal = never) => {
  let ends = 0
  const items = readAhead({
    open,
    measure: () => 10,
    hold(bytes) {
      state.held = bytes
      state.max = Math.max(state.max, bytes)
      return bytes <= limitBytes
    },
    onRead: () => undefined,
    signal,
    onEnd: () => {
      ends += 1
    },
  })
  return { items, ends: () => ends }
}

test('the source ends even if only its first item was read', async () => {
  const source = createSource(100)
  const { items, ends } = start(source, 10_000)
  expect(await items.next()).toEqual({ done: false, value: 0 })
  await turns(3)
  expect(source.state).toMatchObject({ said: 100, isEnded: true })
  expect(ends()).toBe(1)
  expect(await Array.fromAsync(items)).toEqual(Array.from({ length: 99 }, (_, index) => index + 1))
  expect(source.state.held).toBe(0)
})

test('if there is no space for more, the source waits for the reader', async () => {
  const source = createSource(100)
  const { items, ends } = start(source, 50)
  await items.next()
  await turns(3)
  expect(source.state.said).toBeLessThan(10)
  expect(ends()).toBe(0)
  expect(await Array.fromAsync(items)).toHaveLength(99)
  expect(source.state.max).toBeLessThanOrEqual(60)
})

test('items before a failure are read first', async () => {
  const { items } = start(createSource(3, { failure: new Error('broken') }), 1000)
  const seen: number[] = []
  const reading = (async () => {
    for await (const item of items) seen.push(item)
  })()
  await expect(reading).rejects.toThrow('broken')
  expect(seen).toEqual([0, 1, 2])
})

test('a source that waits for its engine or for space ends immediately when the reader leaves', async () => {
  for (const limitBytes of [1000, 0]) {
    const aborted = Promise.withResolvers<void>()
    const state = { said: 0, isEnded: false, held: 0, max: 0 }
    const open = async function* (signal: AbortSignal): AsyncGenerator<number, void> {
      try {
        yield 1
        yield 2
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      } finally {
        state.isEnded = true
        aborted.resolve()
      }
    }
    const { items, ends } = start({ open, state }, limitBytes)
    for await (const _ of items) break
    await aborted.promise
    expect(state).toMatchObject({ isEnded: true, held: 0 })
    expect(ends()).toBe(1)
  }
})

test('at any pace and with any space, every item arrives once and in order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat({ max: 30 }),
      fc.nat({ max: 2 }),
      fc.array(fc.nat({ max: 3 }), { minLength: 1 }),
      fc.nat({ max: 120 }),
      async (count, pauses, delays, limitBytes) => {
        const source = createSource(count, { pauses })
        const { items, ends } = start(source, limitBytes)
        const seen: number[] = []
        for await (const item of items) {
          seen.push(item)
          await turns(delays[item % delays.length] ?? 0)
        }
        expect(seen).toEqual(Array.from({ length: count }, (_, index) => index))
        expect(source.state.max).toBeLessThanOrEqual(limitBytes + 20)
        expect(source.state.held).toBe(0)
        expect(ends()).toBe(1)
      },
    ),
    { numRuns: 60 },
  )
})
