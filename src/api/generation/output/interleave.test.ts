import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { NumberedEvent } from './choice.ts'
import { interleave, type Release } from './interleave.ts'

/** Slots of an engine, apart from the one that the request has. */
const createSlots = (free: number) => {
  let taken = 0
  let max = 0
  const tryTake = (): Release | null => {
    if (taken >= free) return null
    taken += 1
    max = Math.max(max, taken)
    let isReleased = false
    return () => {
      if (isReleased) throw new Error('a slot was released twice')
      isReleased = true
      taken -= 1
    }
  }
  return { tryTake, taken: () => taken, max: () => max }
}

const keepOwn = { yieldOwn: () => null, releaseOwn: () => {} }

const emitted = { tokens: 0, reasoning: 0 }
const content = (choice: number, text: string): NumberedEvent => [
  choice,
  { type: 'content', text, tokens: [], emitted },
]
const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason))
  })
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('every choice is generated completely and in order, on no more slots than there are', async () => {
  const someTurns = fc.array(fc.array(fc.nat({ max: 3 }), { maxLength: 5 }), { minLength: 1, maxLength: 9 })
  await fc.assert(
    fc.asyncProperty(someTurns, fc.nat({ max: 4 }), async (choices, free) => {
      const slots = createSlots(free)
      let active = 0
      const open = async function* (number: number): AsyncGenerator<NumberedEvent, void> {
        active += 1
        expect(active).toBeLessThanOrEqual(free + 1)
        for (const [index, turns] of (choices[number] ?? []).entries()) {
          for (let waited = 0; waited < turns; waited += 1) await turn()
          yield content(number, `${index}`)
        }
        active -= 1
      }
      const received = choices.map(() => [] as unknown[])
      for await (const [choice, event] of interleave({
        count: choices.length,
        open,
        ...keepOwn,
        tryTake: slots.tryTake,
      }))
        received[choice]?.push(event)
      const expected = choices.map((turns, choice) => turns.map((_, index) => content(choice, `${index}`)[1]))
      expect(received).toEqual(expected)
      expect(slots.taken()).toBe(0)
      expect(slots.max()).toBeLessThanOrEqual(Math.min(free, choices.length - 1))
    }),
  )
})

test('a choice that fails ends the others, even while they wait for their engine, and all slots are released', async () => {
  const slots = createSlots(3)
  const ended: number[] = []
  const open = async function* (number: number, signal: AbortSignal): AsyncGenerator<NumberedEvent, void> {
    try {
      yield content(number, 'first')
      if (number === 2) throw new Error('broken')
      await aborted(signal)
    } finally {
      ended.push(number)
    }
  }
  const received = Array.fromAsync(interleave({ count: 9, open, ...keepOwn, tryTake: slots.tryTake }))
  await expect(received).rejects.toThrow('broken')
  expect(ended.sort()).toEqual([0, 1, 2, 3])
  expect(slots.taken()).toBe(0)
})

test('a reader that leaves ends every choice, even one that fails while it ends', async () => {
  const slots = createSlots(3)
  let active = 0
  const open = async function* (number: number, signal: AbortSignal): AsyncGenerator<NumberedEvent, void> {
    active += 1
    try {
      if (number > 0) await aborted(signal)
      yield content(number, 'first')
    } finally {
      active -= 1
      if (number === 1) await Promise.reject(new Error('fails while it ends'))
    }
  }
  for await (const [choice] of interleave({ count: 4, open, ...keepOwn, tryTake: slots.tryTake })) {
    expect(choice).toBe(0)
    expect(active).toBe(4)
    break
  }
  expect(active).toBe(0)
  expect(slots.taken()).toBe(0)
})

test('the slot of the request itself is never idle while its choices wait for slots', async () => {
  const going = Promise.withResolvers<void>()
  let free = 1
  const tryTake = (): Release | null => {
    if (free === 0) return null
    free -= 1
    // Another request gets it.
    return () => {}
  }
  const open = async function* (number: number): AsyncGenerator<NumberedEvent, void> {
    if (number === 1) await going.promise
    yield content(number, 'done')
  }
  const order: number[] = []
  for await (const [choice] of interleave({ count: 4, open, ...keepOwn, tryTake })) {
    order.push(choice)
    if (choice === 3) going.resolve()
  }
  expect(order).toEqual([0, 2, 3, 1])
})

test('a choice that cannot start releases its slot', async () => {
  const slots = createSlots(2)
  const open = (number: number): AsyncGenerator<NumberedEvent, void> => {
    if (number === 1) throw new Error('cannot start')
    return (async function* () {
      yield content(number, 'never read')
    })()
  }
  await expect(Array.fromAsync(interleave({ count: 3, open, ...keepOwn, tryTake: slots.tryTake }))).rejects.toThrow(
    'cannot start',
  )
  expect(slots.taken()).toBe(0)
})

test('between two choices the slot goes to an organisation that has none, and the remaining choices run on the next one', async () => {
  const events: string[] = []
  const regained = Promise.withResolvers<void>()
  const open = async function* (number: number): AsyncGenerator<NumberedEvent, void> {
    events.push(`begin ${number}`)
    yield content(number, 'x')
  }
  const yieldOwn = (): Promise<void> | null => {
    if (events.includes('yielded')) return null
    events.push('yielded')
    return regained.promise
  }
  const releaseOwn = () => void events.push('released')
  const received = Array.fromAsync(interleave({ count: 3, open, tryTake: () => null, yieldOwn, releaseOwn }))
  await turn()
  await turn()
  expect(events).toEqual(['begin 0', 'yielded'])
  regained.resolve()
  expect(await received).toHaveLength(3)
  expect(events).toEqual(['begin 0', 'yielded', 'begin 1', 'begin 2', 'released'])
})

test('two requests that always make room for each other both go on', async () => {
  const open = async function* (number: number): AsyncGenerator<NumberedEvent, void> {
    yield content(number, 'x')
  }
  const yieldOwn = async (): Promise<void> => {}
  expect(await Array.fromAsync(interleave({ count: 3, open, ...keepOwn, tryTake: () => null, yieldOwn }))).toHaveLength(
    3,
  )
})

test('the slot of the request itself is released while its last choices run on others', async () => {
  const rest = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const open = async function* (number: number): AsyncGenerator<NumberedEvent, void> {
    yield content(number, 'x')
    if (number > 0) await rest.promise
  }
  const slots = createSlots(1)
  const received = Array.fromAsync(
    interleave({ count: 2, open, ...keepOwn, tryTake: slots.tryTake, releaseOwn: released.resolve }),
  )
  await released.promise
  rest.resolve()
  expect(await received).toHaveLength(2)
})

test('a request that is aborted stops waiting for a slot', async () => {
  const open = async function* (number: number): AsyncGenerator<NumberedEvent, void> {
    yield content(number, 'x')
  }
  const waiting = Promise.withResolvers<void>()
  const left = new Error('left')
  const yieldOwn = (signal: AbortSignal): Promise<void> => {
    waiting.resolve()
    return Promise.race([aborted(signal), aborted(leaving.signal)])
  }
  const leaving = new AbortController()
  const choices = interleave({ count: 2, open, ...keepOwn, tryTake: () => null, yieldOwn })
  await choices.next()
  const next = choices.next()
  await waiting.promise
  leaving.abort(left)
  await expect(next).rejects.toBe(left)
})
