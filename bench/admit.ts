import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newRequestId } from '../src/base/ids.ts'
import { openAdmission } from './admission.ts'
import { openBareInserts } from './bare-inserts.ts'
import { ratioSpread, report, spreadOf, takeTurns } from './measure.ts'

/**
 * What it costs to know who asks, to let them in and to keep the ledger: CPU for each request of verify, admit, reserve and
 * settle, all threads together, against two bare inserts with the same driver, the same durability and as many requests at
 * once. Then the same with more keys in the database than one.
 */
const rounds = 15
const busy = { requests: 6_400, atOnce: 64 }
/** Then the thread, the disk and the wake-ups between them cost more than what is done for a request. */
const quiet = { requests: 800, atOnce: 8 }

const root = mkdtempSync(join(tmpdir(), 'helix-bench-'))
process.once('exit', () => rmSync(root, { recursive: true, force: true }))
const folder = (name: string): string => {
  const path = join(root, name)
  mkdirSync(path)
  return path
}

const bare = await openBareInserts(folder('bare'))
const oneKey = await openAdmission(folder('one'), 1)
const thousandKeys = await openAdmission(folder('thousand'), 1_000)
const millionKeys = await openAdmission(folder('million'), 1_000_000)

type Request = (requestId: string) => Promise<void>

/** Microseconds of CPU for one request. Its id was there before: the server gives one to whatever comes. */
const measure = async (request: Request, { requests, atOnce }: typeof busy): Promise<number> => {
  const waiting = Array.from({ length: requests }, () => newRequestId(Date.now())).values()
  const before = process.cpuUsage()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const id of waiting) await request(id)
    }),
  )
  const { user, system } = process.cpuUsage(before)
  return (user + system) / requests
}

const turns = {
  bare: () => measure(bare.request, busy),
  oneKey: () => measure((id) => oneKey.request(id, 1), busy),
  thousandKeys: () => measure((id) => thousandKeys.request(id, 1), busy),
  millionKeys: () => measure((id) => millionKeys.request(id, 1), busy),
  // Each of them has windows and totals of its own.
  hundredUsed: () => measure((id) => millionKeys.request(id, 100), busy),
  bareQuiet: () => measure(bare.request, quiet),
  oursQuiet: () => measure((id) => oneKey.request(id, 1), quiet),
}
await takeTurns(2, turns) // The first rounds pay for the compiler.
const results = await takeTurns(rounds, turns)
await bare.close()
for (const admission of [oneKey, thousandKeys, millionKeys]) await admission.close()

const ratio = ratioSpread(results.oneKey, results.bare)
report({
  bench: 'admit',
  ratio,
  target: 'ratio <= 2',
  met: ratio.median <= 2,
  rounds,
  figures: {
    bareMicros: spreadOf(results.bare),
    oursMicros: spreadOf(results.oneKey),
    requestsAtOnce: busy.atOnce,
    ratioEightAtOnce: ratioSpread(results.oursQuiet, results.bareQuiet),
  },
})
const growth = ratioSpread(results.millionKeys, results.oneKey)
report({
  bench: 'admit, a million keys',
  ratio: growth,
  target: 'ratio <= 1.5',
  met: growth.median <= 1.5,
  rounds,
  figures: {
    oneKeyMicros: spreadOf(results.oneKey),
    thousandKeysMicros: spreadOf(results.thousandKeys),
    millionKeysMicros: spreadOf(results.millionKeys),
    ratioThousandKeys: ratioSpread(results.thousandKeys, results.oneKey),
    ratioHundredOfThemUsed: ratioSpread(results.hundredUsed, results.oneKey),
  },
})
