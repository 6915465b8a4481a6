import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createManualClock } from '../../test/harness/manual-clock.ts'
import { tempDir } from '../../test/harness/temp-dir.ts'
import { checkBackup } from './check-backup.ts'
import { judgeClock } from './check-clock.ts'
import { judgeFreeSpace } from './check-disk.ts'
import { createSelfChecks } from './self-checks.ts'

test.each([
  [50e9, 'ok'],
  [1e9, 'ok'],
  [999e6, 'warning'],
  [99e6, 'failed'],
])('%d free bytes are %s', (freeBytes, state) => {
  expect(judgeFreeSpace(freeBytes, 100e9).state).toBe(state)
})

test('a clock is wrong if it certainly differs by more than two seconds, however long the answer took', () => {
  expect(judgeClock(10_000, 12_000, 12_000)).toEqual({ state: 'ok', detail: '2.0 s ahead of the database' })
  expect(judgeClock(10_000, 12_001, 12_001).state).toBe('failed')
  expect(judgeClock(20_000, 17_000, 17_000).detail).toBe(
    '3.0 s behind the database; synchronise the clocks of both machines',
  )
  // The database may have been asked at any moment of these six seconds.
  expect(judgeClock(10_000, 12_000, 18_000).state).toBe('ok')
})

test('a backup is old after two intervals, or after a week without a schedule', async () => {
  const directory = await tempDir()
  mkdirSync(directory, { recursive: true })
  const at = Date.UTC(2001, 0, 1)
  writeFileSync(join(directory, 'last-backup'), new Date(at).toISOString())
  const hourMs = 3_600_000
  const stateAfter = async (hours: number, backupDir: string | null) =>
    (await checkBackup({ store: null, backupDir, backupIntervalHours: 12 }, directory, at + hours * hourMs)).state
  expect([await stateAfter(24, '/x'), await stateAfter(25, '/x')]).toEqual(['ok', 'warning'])
  expect([await stateAfter(168, null), await stateAfter(169, null)]).toEqual(['ok', 'warning'])
})

test('a check that hangs or throws does not keep the others from being reported', async () => {
  const clock = createManualClock()
  const checks = createSelfChecks(clock)
  checks.add('hangs', () => new Promise(() => {}))
  checks.add('throws', () => {
    throw new Error('no\nsuch file')
  })
  checks.add('works', () => ({ state: 'ok', detail: 'fine' }))
  const found = checks.run()
  await clock.awaited(4_900)
  clock.advance(4_900)
  expect(await found).toMatchObject([
    { check: 'hangs', state: 'failed', detail: 'no answer within 5 seconds' },
    { check: 'throws', state: 'failed', detail: 'no such file' },
    { check: 'works', state: 'ok', detail: 'fine' },
  ])
})
