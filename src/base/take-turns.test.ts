import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFloodTurns, createTurns, waitForTurn } from './take-turns.ts'

/** An event loop by hand: what is scheduled runs in its turn, and time passes only if a test says so. */
const startTurns = () => {
  let nowMs = 0
  let due: { atMs: number; run: () => void }[] = []
  const turns = createTurns({
    nowMs: () => nowMs,
    nextTurn: (run) => due.push({ atMs: nowMs, run }),
    after: (ms, run) => due.push({ atMs: nowMs + ms, run }),
  })
  return {
    wait: turns.wait,
    pass: (ms: number) => {
      nowMs += ms
    },
    nowMs: () => nowMs,
    isIdle: () => due.length === 0,
    turn() {
      const now = due.filter(({ atMs }) => atMs <= nowMs)
      due = due.filter(({ atMs }) => atMs > nowMs)
      for (const { run } of now) run()
    },
  }
}

const sliceMs = fc.double({ min: 0.01, max: 1, noNaN: true })

test('slices are done one at a time, and tenants are served in turn', () => {
  const { wait, turn } = startTurns()
  const seen: string[] = []
  for (const tenant of ['flood', 'flood', 'flood', 'other']) wait(tenant, () => seen.push(tenant))
  expect(seen).toEqual([])
  const lengths: number[] = []
  for (let passed = 0; passed < 8; passed += 1) {
    turn()
    lengths.push(seen.length)
  }
  expect(lengths).toEqual([1, 1, 2, 2, 3, 3, 4, 4])
  expect(seen).toEqual(['flood', 'other', 'flood', 'flood'])
})

test('a slice may wait for the next turn at once', async () => {
  const seen: number[] = []
  const all = Promise.withResolvers<void>()
  const read = (slice: number): void => {
    seen.push(slice)
    if (slice < 3) waitForTurn('one', () => read(slice + 1))
    else all.resolve()
  }
  waitForTurn('one', () => read(1))
  await all.promise
  expect(seen).toEqual([1, 2, 3])
})

test('however long slices take, all are done, and everything else has twice the time', () => {
  const slices = fc.array(fc.double({ min: 0.01, max: 4, noNaN: true }), { minLength: 1, maxLength: 50 })
  fc.assert(
    fc.property(slices, (durationsMs) => {
      const loop = startTurns()
      let busyMs = 0
      for (const ms of durationsMs)
        loop.wait('one', () => {
          loop.pass(ms)
          busyMs += ms
        })
      while (!loop.isIdle()) {
        const before = busyMs
        loop.turn()
        // A third of the time, and what may be done before the first rest.
        expect(before).toBeLessThanOrEqual(loop.nowMs() / 3 + 4 + 1)
        if (busyMs === before) loop.pass(0.1)
      }
      expect(busyMs).toBeCloseTo(durationsMs.reduce((sum, ms) => sum + ms, 0))
    }),
  )
})

test('a newcomer waits for one slice of each other tenant at most, however much they have', () => {
  const others = fc.array(fc.record({ slices: fc.integer({ min: 1, max: 300 }), ms: sliceMs }), { maxLength: 8 })
  fc.assert(
    fc.property(others, fc.integer({ min: 0, max: 500 }), (work, turnsBefore) => {
      const loop = startTurns()
      let done = 0
      for (const [tenant, { slices, ms }] of work.entries())
        for (let slice = 0; slice < slices; slice += 1)
          loop.wait(`other ${tenant}`, () => {
            loop.pass(ms)
            done += 1
          })
      for (let passed = 0; passed < turnsBefore; passed += 1) {
        loop.turn()
        loop.pass(0.1)
      }
      const doneBefore = done
      let doneWhenServed: number | null = null
      loop.wait('newcomer', () => {
        doneWhenServed = done
      })
      while (doneWhenServed === null) {
        loop.turn()
        loop.pass(0.1)
      }
      expect(doneWhenServed - doneBefore).toBeLessThanOrEqual(work.length)
    }),
  )
})

test('a tenant whose work goes on has an eighth of the time, and all of it is done', () => {
  const tenants = fc.array(fc.array(sliceMs, { minLength: 1, maxLength: 200 }), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(tenants, (work) => {
      const loop = startTurns()
      const busyMs = work.map(() => 0)
      for (const [tenant, slices] of work.entries())
        for (const ms of slices)
          loop.wait(String(tenant), () => {
            loop.pass(ms)
            busyMs[tenant] = (busyMs[tenant] ?? 0) + ms
          })
      while (!loop.isIdle()) {
        loop.turn()
        // What may be done at once, and the slice that used it up.
        for (const ms of busyMs) expect(ms).toBeLessThanOrEqual(50 + 1 + loop.nowMs() / 8)
        loop.pass(0.1)
      }
      for (const [tenant, slices] of work.entries())
        expect(busyMs[tenant]).toBeCloseTo(slices.reduce((sum, ms) => sum + ms, 0))
    }),
    { numRuns: 30 },
  )
})

test('a tenant that has used up its share does not hold up one that has not', () => {
  const loop = startTurns()
  let floodMs = 0
  const flood = (): void => {
    loop.pass(1)
    floodMs += 1
    loop.wait('flood', flood)
  }
  loop.wait('flood', flood)
  while (loop.nowMs() < 1000) {
    loop.turn()
    loop.pass(0.1)
  }
  const startedMs = loop.nowMs()
  const floodBeforeMs = floodMs
  let slices = 0
  const read = (): void => {
    slices += 1
    loop.pass(0.2)
    if (slices < 100) loop.wait('newcomer', read)
  }
  loop.wait('newcomer', read)
  while (slices < 100) {
    loop.turn()
    loop.pass(0.1)
  }
  // In turns, it would have had as many slices as the newcomer.
  expect(floodMs - floodBeforeMs).toBeLessThanOrEqual(1 + (loop.nowMs() - startedMs) / 8)
  expect(floodMs - floodBeforeMs).toBeLessThan(25)
})

test('only a stream that says much within a moment waits for its turn', async () => {
  let nowMs = 0
  const turnAfter = createFloodTurns('one', { monotonicMs: () => nowMs })
  for (let piece = 0; piece < 1000; piece += 1) {
    expect(turnAfter(1000)).toBeUndefined()
    nowMs += 2
  }
  nowMs += 1000
  expect(turnAfter(65_536)).toBeUndefined()
  await expect(turnAfter(1)).resolves.toBeUndefined()
  nowMs += 1000
  expect(turnAfter(1)).toBeUndefined()
})
