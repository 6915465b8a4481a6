import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newRequestId } from '../src/base/ids.ts'
import { openAdmission } from './admission.ts'
import { openBareInserts } from './bare-inserts.ts'
import { ratioSpread, report, spreadOf, takeTurns } from './measure.ts'

/**
 * Measures the cost of authentication, admission and the ledger: CPU per request for verify, admit, reserve and settle,
 * across all threads, against two bare inserts with the same driver, durability and concurrency. Repeats the
 * measurement with more keys in the database.
 */
const rounds = 15
const busy = { requests: 6_400, atOnce: 64 }
/** At this concurrency the thread, the disk and the wake-ups cost more than the work for a request. */
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

/** CPU microseconds per request. Excludes creating the id: the server assigns one to every request. */
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
  // Each key has its own windows and totals.
  hundredUsed: () => measure((id) => millionKeys.request(id, 100), busy),
  bareQuiet: () => measure(bare.request, quiet),
  oursQuiet: () => measure((id) => oneKey.request(id, 1), quiet),
}
await takeTurns(2, turns) // The first rounds include JIT compilation.
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
