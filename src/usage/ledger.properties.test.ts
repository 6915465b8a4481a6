import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLogCatcher } from '../../test/harness/log-catcher.ts'
import { createManualClock, type ManualClock } from '../../test/harness/manual-clock.ts'
import { tempDir } from '../../test/harness/temp-dir.ts'
import type { LedgerRow, ReservationRecord, Settlement } from '../store/ledger-contract.ts'
import { StoreUnavailable } from '../store/store-failure.ts'
import type { Ending, Entry, Settling } from './ledger-contract.ts'
import { openLedger } from './open-ledger.ts'

/** How the database answers: as it should, not at all, or not although it has written, or with an error of its own. */
type Mood = 'well' | 'away' | 'lost' | 'broken'

const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('reserve' as const), isClaimed: fc.boolean() }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('count' as const),
        which: fc.nat(9),
        tokens: fc.integer({ min: 1, max: 50 }),
      }),
    },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('settle' as const), which: fc.nat(9) }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('turn' as const), turns: fc.constantFrom(1, 5) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('reserved' as const) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(300, 500, 1_000) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('mood' as const),
        mood: fc.constantFrom<Mood>('well', 'away', 'lost', 'broken'),
      }),
    },
  ),
  { maxLength: 40, size: 'max' },
)

const turn = async (turns: number): Promise<void> => {
  for (let left = turns; left > 0; left -= 1) await new Promise<void>((resolve) => setImmediate(resolve))
}

/** A database that has what was written, and breaks every rule of the ledger loudly. */
const createDatabase = () => {
  const reserved = new Set<string>()
  const settled = new Map<string, number>()
  const database = { mood: 'well' as Mood, reserved, settled, wrong: [] as string[] }
  const answer = (write: () => void): void => {
    if (database.mood === 'broken') throw new Error('broken')
    if (database.mood !== 'away') write()
    if (database.mood !== 'well') throw new StoreUnavailable(database.mood)
  }
  const records = {
    async reserve(reservations: readonly ReservationRecord[]) {
      answer(() => {
        for (const { requestId } of reservations) {
          if (reserved.has(requestId)) database.wrong.push(`${requestId} was reserved twice`)
          reserved.add(requestId)
        }
      })
    },
    checkpoint: async () => answer(() => {}),
    async settle(settlements: readonly Settlement[]) {
      answer(() => {
        // As the store does: only the first counts, and one without a reservation has no effect.
        for (const { requestId, completionTokens } of settlements)
          if (reserved.has(requestId) && !settled.has(requestId)) settled.set(requestId, completionTokens)
      })
      return settlements.length
    },
    recover: async () => 0,
    replaceGuess: async () => null,
    async find(requestId: string): Promise<LedgerRow | null> {
      answer(() => {})
      return reserved.has(requestId) ? rowOf(requestId) : null
    },
  }
  return { database, records }
}

const reservationOf = (requestId: string, isClaimed: boolean): ReservationRecord => ({
  requestId,
  organisationId: 'org_a',
  keyId: 'key_a',
  model: 'm',
  endpoint: 'chat.completions',
  stream: true,
  reservedTokens: 100,
  price: null,
  reservedMicros: null,
  limits: null,
  createdAt: 1,
  isClaimed,
})
const rowOf = (requestId: string): LedgerRow => ({ ...reservationOf(requestId, false), settlement: null })

const completed: Ending = {
  outcome: 'completed',
  finishReason: 'stop',
  error: null,
  queueMs: 1,
  firstTokenMs: 2,
  durationMs: 3,
}

type Accepted = { requestId: string; entry: Entry; tokens: number; settling: Settling | null }

/** Time passes until `done`: each second, for as long as what it starts takes. */
const passUntil = async (clock: ManualClock, done: Promise<unknown>): Promise<void> => {
  let isDone = false
  void done.finally(() => {
    isDone = true
  })
  for (let seconds = 0; !isDone && seconds < 200; seconds += 1) {
    clock.advance(1_000)
    await turn(20)
  }
  await done
}

test('whatever the database does, each accepted request is reserved once and settled once with its last counts', async () => {
  const directory = await tempDir()
  let run = 0
  await fc.assert(
    fc.asyncProperty(steps, fc.boolean(), async (all, hasSpool) => {
      const clock = createManualClock()
      const { log } = createLogCatcher({ clock, format: 'json' })
      const { database, records } = createDatabase()
      run += 1
      const ledger = await openLedger({
        ...{ records, clock, log, timeZone: 'UTC' },
        ...(hasSpool && { outage: { spoolPath: join(directory, `${run}.jsonl`), maxMs: 600_000 } }),
      })
      const accepted: Accepted[] = []
      const reserving: Promise<void>[] = []
      let count = 0
      for (const step of all) {
        if (step.do === 'reserve') {
          count += 1
          const requestId = `req_${count}`
          const begun = ledger.reserve(reservationOf(requestId, step.isClaimed))
          reserving.push(
            begun.then(
              (entry) => void accepted.push({ requestId, entry, tokens: 0, settling: null }),
              () => {},
            ),
          )
        } else if (step.do === 'mood') database.mood = step.mood
        else if (step.do === 'turn') await turn(step.turns)
        else if (step.do === 'reserved') await Promise.all(reserving)
        else if (step.do === 'wait') clock.advance(step.ms)
        else {
          const one = accepted[step.which % Math.max(1, accepted.length)]
          if (one === undefined || one.settling !== null) continue
          if (step.do === 'settle') one.settling = one.entry.settle(completed)
          else {
            one.tokens += step.tokens
            one.entry.count({ promptTokens: 1, cachedTokens: 0, completionTokens: one.tokens, reasoningTokens: 0 })
          }
        }
      }
      database.mood = 'well'
      await passUntil(clock, Promise.all(reserving))
      for (const one of accepted) one.settling ??= one.entry.settle(completed)
      await passUntil(clock, Promise.all(accepted.map(({ settling }) => settling?.durable)))
      await passUntil(clock, ledger.close())
      expect(database.wrong).toEqual([])
      const expected = Object.fromEntries(accepted.map(({ requestId, tokens }) => [requestId, tokens]))
      const others = [...database.settled].filter(([requestId]) => !(requestId in expected))
      expect(Object.fromEntries([...database.settled].filter(([id]) => id in expected))).toEqual(expected)
      // Refused, although the database may have them: closed at nothing.
      expect(others.filter(([, tokens]) => tokens > 0)).toEqual([])
      expect([...database.reserved].filter((id) => !database.settled.has(id))).toEqual([])
    }),
    { numRuns: 200 },
  )
})
