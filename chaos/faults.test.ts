import { expect, test } from 'vitest'
import { isFullGrid } from '../test/harness/grid.ts'
import { scratchPath } from '../test/harness/scratch-path.ts'
import { checkLedger } from './check/check.ts'
import { recordLedgerRun } from './record-ledger-run.ts'

/** A real server with a real fault. */
const brokenRules = async (fault: URL, lives: { kills: number; lifeMs: number }): Promise<string[]> => {
  const folder = scratchPath()
  await recordLedgerRun({ folder, seed: 3, seconds: 600, ...lives, fault: fault.href })
  return [...new Set(checkLedger(folder).violations.map(({ rule }) => rule))]
}

test('a server that settles everything twice does not pass', async () => {
  const fault = new URL('./faults/double-settlement.ts', import.meta.url)
  expect(await brokenRules(fault, { kills: 1, lifeMs: 800 })).toContain('settled once')
}, 400_000)

test.skipIf(!isFullGrid)(
  'a server that writes no progress does not pass',
  async () => {
    const fault = new URL('./faults/skip-progress.ts', import.meta.url)
    // Long enough for more than one round of progress checkpoints.
    expect(await brokenRules(fault, { kills: 3, lifeMs: 3000 })).toContain('never less')
  },
  400_000,
)
