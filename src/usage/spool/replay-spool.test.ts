import { expect, test } from 'vitest'
import { replayOf, reservationOf, settlementOf } from '../../../test/harness/ledger-records.ts'
import { createLogCatcher } from '../../../test/harness/log-catcher.ts'
import { createManualClock } from '../../../test/harness/manual-clock.ts'
import { openScratchStore, scratchDirectory } from '../../../test/harness/scratch-store.ts'
import { bodyHash } from '../../replay/body-hash.ts'
import { hashIdempotencyKey } from '../../replay/idempotency-key.ts'
import { replaySpool } from './replay-spool.ts'
import { readSpoolLine, spoolLine } from './spool-record.ts'

const counts = { promptTokens: 7, cachedTokens: 0, completionTokens: 5, reasoningTokens: 0 }

test('each request is written once, however often the spool is replayed', async () => {
  using folder = scratchDirectory()
  const clock = createManualClock()
  await using store = await openScratchStore(folder.path, clock)
  const { id } = await store.organisations.first()
  const log = createLogCatcher({ clock, format: 'json' })
  const dependencies = { records: store.ledger, clock, today: () => 20261115, log: log.log }
  const [ended, died, known, running] = [reservationOf(id), reservationOf(id), reservationOf(id), reservationOf(id)]
  // The database had these two before it went away; the second is running.
  await store.ledger.reserve([known, running])
  const lines = [
    spoolLine({ kind: 'reservation', reservation: ended }),
    spoolLine({ kind: 'reservation', reservation: died }),
    spoolLine({ kind: 'checkpoint', checkpoint: { requestId: died.requestId, ...counts, completionTokens: 2 } }),
    spoolLine({ kind: 'checkpoint', checkpoint: { requestId: died.requestId, ...counts } }),
    spoolLine({ kind: 'checkpoint', checkpoint: { requestId: running.requestId, ...counts } }),
    spoolLine({ kind: 'settlement', settlement: settlementOf(ended.requestId), replay: replayOf(ended) }),
    spoolLine({ kind: 'settlement', settlement: settlementOf(known.requestId), replay: null }),
    '{"kind":"settle',
  ]
  await replaySpool(lines, dependencies)
  await replaySpool(lines, dependencies)

  expect(await store.ledger.find(ended.requestId)).toMatchObject({
    settlement: { outcome: 'completed', completionTokens: 20 },
  })
  expect(await store.ledger.find(known.requestId)).toMatchObject({
    settlement: { outcome: 'completed', completionTokens: 20 },
  })
  expect(await store.ledger.find(died.requestId)).toMatchObject({
    settlement: { outcome: 'server_died', completionTokens: 5 },
  })
  expect(await store.replays.find(id, replayOf(ended).keyHash, 3_000)).toMatchObject({
    content: replayOf(ended).content,
  })
  expect((await store.usage.verify()).differences).toEqual([])
  const replayed = { event: 'ledger_spool_replayed', requests: 3, damagedLines: 1 }
  expect(log.lines.map((line) => JSON.parse(line))).toMatchObject([
    { ...replayed, written: 3 },
    { ...replayed, written: 0 },
  ])
  // The checkpoint was written as well: recovery settles at it.
  await store.ledger.recover(clock.now(), 20261115)
  expect(await store.ledger.find(running.requestId)).toMatchObject({
    settlement: { outcome: 'server_died', completionTokens: 5 },
  })
})

test('what another node has settled in the meantime is replaced once by what the spool knows, and named in the log', async () => {
  using folder = scratchDirectory()
  const clock = createManualClock()
  await using store = await openScratchStore(folder.path, clock)
  const { id } = await store.organisations.first()
  const log = createLogCatcher({ clock, format: 'json' })
  const used: string[] = []
  const corrected: unknown[] = []
  const dependencies = {
    ...{ records: store.ledger, clock, today: () => 20261115, log: log.log },
    onSettled: (model: string, { requestId }: { requestId: string }) => void used.push(`${model} ${requestId}`),
    onCorrected: (one: unknown) => void corrected.push(one),
  }
  const [delivered, running, unsettled] = [reservationOf(id), reservationOf(id), reservationOf(id)]
  await store.ledger.reserve([delivered, running])
  const early = [delivered, running].map(({ requestId }) => ({ requestId, ...counts, completionTokens: 1 }))
  await store.ledger.checkpoint(early, 2_000)
  // The lease of the node has ended: another settles its requests at their last checkpoints.
  await store.ledger.recover(clock.now(), 20261115)
  await store.ledger.reserve([unsettled])
  const lines = [
    spoolLine({ kind: 'checkpoint', checkpoint: { requestId: running.requestId, ...counts, completionTokens: 9 } }),
    spoolLine({ kind: 'settlement', settlement: settlementOf(delivered.requestId), replay: null }),
    spoolLine({ kind: 'settlement', settlement: settlementOf(unsettled.requestId), replay: null }),
  ]
  await replaySpool(lines, dependencies)
  await replaySpool(lines, dependencies)

  expect(await store.ledger.find(delivered.requestId)).toMatchObject({
    settlement: { outcome: 'completed', completionTokens: 20 },
  })
  expect(await store.ledger.find(running.requestId)).toMatchObject({
    settlement: { outcome: 'server_died', completionTokens: 9 },
  })
  expect((await store.usage.verify()).differences).toEqual([])
  const replaced = log.lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'ledger_guess_replaced')
  expect(replaced).toMatchObject([
    { requestId: delivered.requestId, completionTokens: 20, guessedCompletionTokens: 1 },
    { requestId: running.requestId, completionTokens: 9, guessedCompletionTokens: 1 },
  ])
  const whose = { organisationId: id, keyId: 'key_1', days: [20261115] }
  expect(corrected).toMatchObject([whose, whose])
  // Each once: the second replay found them settled.
  const inSpool = [delivered, unsettled].map(({ requestId }) => `helix-v1 ${requestId}`)
  expect(used.filter((one) => inSpool.includes(one)).sort()).toEqual(inSpool.sort())
})

test('the answer of a request with an idempotency key is found again under its key, whoever settled it first', async () => {
  using folder = scratchDirectory()
  const clock = createManualClock()
  await using store = await openScratchStore(folder.path, clock)
  const { id } = await store.organisations.first()
  const { log } = createLogCatcher({ clock, format: 'json' })
  const [guessed, unsettled] = [reservationOf(id), reservationOf(id)]
  await store.ledger.reserve([guessed])
  await store.ledger.recover(clock.now(), 20261115)
  await store.ledger.reserve([unsettled])
  const replays = [guessed, unsettled].map((reservation, n) =>
    replayOf(reservation, { keyHash: hashIdempotencyKey(`order ${n}`), bodyHash: bodyHash({ n }) }),
  )
  const lines = replays.map((replay) =>
    spoolLine({ kind: 'settlement', settlement: settlementOf(replay.requestId), replay }),
  )
  await replaySpool(lines, { records: store.ledger, clock, today: () => 20261115, log })

  for (const [n, { requestId, content }] of replays.entries()) {
    expect(await store.ledger.find(requestId)).toMatchObject({ settlement: { outcome: 'completed' } })
    const found = await store.replays.find(id, hashIdempotencyKey(`order ${n}`), 3_000)
    expect(found).toMatchObject({ requestId, content, bodyHash: new Uint8Array(bodyHash({ n })) })
  }
})

test('a spool of an earlier version, which wrote hashes as lists of numbers, is read as well', () => {
  const replay = replayOf(reservationOf('org_1'))
  const hashes = { keyHash: Buffer.from(replay.keyHash), bodyHash: Buffer.from(replay.bodyHash) }
  const settlement = settlementOf(replay.requestId)
  const written = JSON.stringify({ kind: 'settlement', settlement, replay: { ...replay, ...hashes } })
  expect(written).toContain('"type":"Buffer"')
  expect(readSpoolLine(written)).toEqual({ kind: 'settlement', settlement, replay })
})
