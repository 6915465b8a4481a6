import { expect, test } from 'vitest'
import { createManualClock } from '../harness/manual-clock.ts'
import { readChunks } from '../harness/read-events.ts'
import { readLedger } from '../harness/read-ledger.ts'
import { refuseRows } from '../harness/refuse-rows.ts'
import { startHelix } from '../harness/start-helix.ts'

test('while nothing can be reserved requests are refused before they begin, and later admitted again', async () => {
  let begun = 0
  const helix = await startHelix({
    config: { organisationRequestsInFlight: 1 },
    *answer() {
      begun += 1
      yield 'ok'
    },
  })
  const refusal = await refuseRows(helix, 'ledger_reservations')
  for (const stream of [false, true, false]) {
    const response = await helix.chat({ stream })
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after-ms')).toBe('1000')
    expect(await response.json()).toMatchObject({ error: { type: 'server_error', code: 'ledger_unavailable' } })
  }
  expect(begun).toBe(0)
  await refusal.allowAgain()
  // The limit of one request at a time knows that the others never ran.
  expect((await helix.chat({})).status).toBe(200)
  expect(await readLedger(helix)).toMatchObject([{ settlement: { outcome: 'completed', completionTokens: 1 } }])
})

test('a settlement that fails does not delay its answer, and is written once there is space', async () => {
  const clock = createManualClock()
  const helix = await startHelix({ clock })
  const refusal = await refuseRows(helix, 'ledger_settlements')
  expect(await readChunks(await helix.chat({ stream: true }))).not.toEqual([])
  await (await helix.chat({})).json()
  expect(await helix.logged({ event: 'ledger_write_failed' })).toMatchObject({
    level: 'error',
    what: 'settlements',
    cause: expect.stringContaining('disk is full'),
  })
  await refusal.allowAgain()
  await clock.awaited(1000)
  clock.advance(1000)
  await helix.logged({ event: 'ledger_write_recovered' })
  const rows = await readLedger(helix)
  expect(rows).toMatchObject([
    { settlement: { outcome: 'completed', completionTokens: 4 } },
    { settlement: { outcome: 'completed', completionTokens: 4 } },
  ])
})

test('requests that a server could not settle are settled at the next startup, at their last checkpoint', async () => {
  const clock = createManualClock()
  const told = Promise.withResolvers<void>()
  const checkpointed = Promise.withResolvers<void>()
  const helix = await startHelix({
    clock,
    *answer() {
      yield 'one '
      yield 'two '
      told.resolve()
      yield { pause: checkpointed.promise }
      yield 'three'
    },
  })
  const response = await helix.chat({ stream: true })
  await told.promise
  clock.advance(500)
  // Calls to the store take effect in their order: once this one is answered, the checkpoint is there.
  await helix.control('GET', '/control/keys')
  const refusal = await refuseRows(helix, 'ledger_settlements')
  checkpointed.resolve()
  await readChunks(response)
  await helix.server.close()
  expect(await helix.logged({ event: 'ledger_unsettled' })).toMatchObject({ level: 'error', requests: 1 })
  await refusal.allowAgain()
  const next = await startHelix({ clock, config: { dataDir: helix.dataDir } })
  expect(await next.logged({ event: 'ledger_recovered' })).toMatchObject({ level: 'warn', requests: 1 })
  expect(await readLedger(next)).toMatchObject([
    { settlement: { outcome: 'server_died', error: null, promptTokens: 2, completionTokens: 2 } },
  ])
})
