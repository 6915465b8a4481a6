import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { NumberedEvent } from './choice.ts'
import { type GiveBack, interleave } from './interleave.ts'

/** Places on an engine, beside the one that the request has. */
const createPlaces = (free: number) => {
  let taken = 0
  let most = 0
  const tryTake = (): GiveBack | null => {
    if (taken >= free) return null
    taken += 1
    most = Math.max(most, taken)
    let given = false
    return () => {
      if (given) throw new Error('a place was given back twice')
      given = true
      taken -= 1
    }
  }
  return { tryTake, taken: () => taken, most: () => most }
}

const ownStays = { yieldOwn: () => null, releaseOwn: () => {} }

const emitted = { tokens: 0, reasoning: 0 }
const say = (choice: number, text: string): NumberedEvent => [choice, { type: 'content', text, tokens: [], emitted }]
const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason))
  })
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('every choice comes to its end, in its own order, on no more places than there are', async () => {
  const someTurns = fc.array(fc.array(fc.nat({ max: 3 }), { maxLength: 5 }), { minLength: 1, maxLength: 9 })
  await fc.assert(
    fc.asyncProperty(someTurns, fc.nat({ max: 4 }), async (choices, free) => {
      const places = createPlaces(free)
      let active = 0
      const open = async function* (number: number): AsyncGenerator<NumberedEvent, void> {
        active += 1
        expect(active).toBeLessThanOrEqual(free + 1)
        for (const [index, turns] of (choices[number] ?? []).entries()) {
          for (let waited = 0; waited < turns; waited += 1) await turn()
          yield say(number, `${index}`)
        }
        active -= 1
      }
      const heard = choices.map(() => [] as unknown[])
      for await (const [choice, event] of interleave({
        count: choices.length,
        open,
        ...ownStays,
        tryTake: places.tryTake,
      }))
        heard[choice]?.push(event)
      const expected = choices.map((turns, choice) => turns.map((_, index) => say(choice, `${index}`)[1]))
      expect(heard).toEqual(expected)
      expect(places.taken()).toBe(0)
      expect(places.most()).toBeLessThanOrEqual(Math.min(free, choices.length - 1))
    }),
  )
})

test('a choice that fails ends the others, also those that wait for their engine, and all places are given back', async () => {
  const places = createPlaces(3)
  const ended: number[] = []
  const open = async function* (number: number, signal: AbortSignal): AsyncGenerator<NumberedEvent, void> {
    try {
      yield say(number, 'first')
      if (number === 2) throw new Error('broken')
      await aborted(signal)
    } finally {
      ended.push(number)
    }
  }
  const heard = Array.fromAsync(interleave({ count: 9, open, ...ownStays, tryTake: places.tryTake }))
  await expect(heard).rejects.toThrow('broken')
  expect(ended.sort()).toEqual([0, 1, 2, 3])
  expect(places.taken()).toBe(0)
})

test('a reader that leaves ends every choice, also one that fails on its way out', async () => {
  const places = createPlaces(3)
  let active = 0
  const open = async function* (number: number, signal: AbortSignal): AsyncGenerator<NumberedEvent, void> {
    active += 1
    try {
      if (number > 0) await aborted(signal)
      yield say(number, 'first')
    } finally {
      active -= 1
      if (number === 1) await Promise.reject(new Error('and cannot even be ended'))
    }
  }
  for await (const [choice] of interleave({ count: 4, open, ...ownStays, tryTake: places.tryTake })) {
    expect(choice).toBe(0)
    expect(active).toBe(4)
    break
  }
  expect(active).toBe(0)
  expect(places.taken()).toBe(0)
})

test('the place that the request has never stands empty while others wait for places', async () => {
  const going = Promise.withResolvers<void>()
  let free = 1
  const tryTake = (): GiveBack | null => {
    if (free === 0) return null
    free -= 1
    // Given back, it goes to somebody who waits.
    return () => {}
  }
  const open = async function* (number: number): AsyncGenerator<NumberedEvent, void> {
    if (number === 1) await going.promise
    yield say(number, 'done')
  }
  const order: number[] = []
  for await (const [choice] of interleave({ count: 4, open, ...ownStays, tryTake })) {
    order.push(choice)
    if (choice === 3) going.resolve()
  }
  expect(order).toEqual([0, 2, 3, 1])
})

test('a choice that cannot even begin gives its place back', async () => {
  const places = createPlaces(2)
  const open = (number: number): AsyncGenerator<NumberedEvent, void> => {
    if (number === 1) throw new Error('no beginning')
    return (async function* () {
      yield say(number, 'never read')
    })()
  }
  await expect(Array.fromAsync(interleave({ count: 3, open, ...ownStays, tryTake: places.tryTake }))).rejects.toThrow(
    'no beginning',
  )
  expect(places.taken()).toBe(0)
})

test('between two choices the place goes to an organisation that holds none, and the rest follows on the next one', async () => {
  const events: string[] = []
  const regained = Promise.withResolvers<void>()
  const open = async function* (number: number): AsyncGenerator<NumberedEvent, void> {
    events.push(`begin ${number}`)
    yield say(number, 'x')
  }
  const yieldOwn = (): Promise<void> | null => {
    if (events.includes('yielded')) return null
    events.push('yielded')
    return regained.promise
  }
  const releaseOwn = () => void events.push('released')
  const heard = Array.fromAsync(interleave({ count: 3, open, tryTake: () => null, yieldOwn, releaseOwn }))
  await turn()
  await turn()
  expect(events).toEqual(['begin 0', 'yielded'])
  regained.resolve()
  expect(await heard).toHaveLength(3)
  expect(events).toEqual(['begin 0', 'yielded', 'begin 1', 'begin 2', 'released'])
})

test('a place of its own that no choice needs any more is released while the others go on', async () => {
  const rest = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const open = async function* (number: number): AsyncGenerator<NumberedEvent, void> {
    yield say(number, 'x')
    if (number > 0) await rest.promise
  }
  const places = createPlaces(1)
  const heard = Array.fromAsync(
    interleave({ count: 2, open, ...ownStays, tryTake: places.tryTake, releaseOwn: released.resolve }),
  )
  await released.promise
  rest.resolve()
  expect(await heard).toHaveLength(2)
})

test('a request that breaks off while it waits for a place ends that wait', async () => {
  const open = async function* (number: number): AsyncGenerator<NumberedEvent, void> {
    yield say(number, 'x')
  }
  const waiting = Promise.withResolvers<void>()
  const left = new Error('left')
  const yieldOwn = (signal: AbortSignal): Promise<void> => {
    waiting.resolve()
    return Promise.race([aborted(signal), aborted(leaving.signal)])
  }
  const leaving = new AbortController()
  const choices = interleave({ count: 2, open, ...ownStays, tryTake: () => null, yieldOwn })
  await choices.next()
  const next = choices.next()
  await waiting.promise
  leaving.abort(left)
  await expect(next).rejects.toBe(left)
})
