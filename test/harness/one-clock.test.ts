import { expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { createManualClock, manualDay } from './manual-clock.ts'
import { runProgram } from './run-program.ts'
import { openScratchStore, scratchDirectory } from './scratch-store.ts'
import { openHelix, startHelix } from './start-helix.ts'
import { startProgram } from './start-program.ts'
import { tempDir } from './temp-dir.ts'

const mixed = 'pass the same clock to both'

test("a data directory of a manual clock is not opened with the system's, by whatever part of the harness", async () => {
  const dataDir = await tempDir()
  const clock = createManualClock()
  await (await openHelix({ clock, config: { dataDir } })).close()
  await expect(openHelix({ config: { dataDir } })).rejects.toThrow(mixed)
  await expect(openScratchStore(dataDir, systemClock)).rejects.toThrow(mixed)
  await expect(startProgram({ dataDir })).rejects.toThrow(mixed)
  await expect(runProgram(['keys', 'list', '--data-dir', dataDir])).rejects.toThrow(mixed)
  await startHelix({ clock, config: { dataDir } })
})

test("nor one of the system's clock with a manual one", async () => {
  const dataDir = await tempDir()
  await (await openHelix({ config: { dataDir } })).close()
  await expect(openHelix({ clock: createManualClock(), config: { dataDir } })).rejects.toThrow(mixed)
})

test('a store that is opened without a clock has the one of its directory, and a manual one in a new directory', async () => {
  const dataDir = await tempDir()
  await (await openHelix({ config: { dataDir } })).close()
  await using _ = await openScratchStore(dataDir)
  using scratch = scratchDirectory()
  await using store = await openScratchStore(scratch.path)
  expect(await store.organisations.list()).toMatchObject([{ createdAt: manualDay }])
})

test('a manual clock does not begin on a day that the system could still come to, or came from lately', () => {
  expect(createManualClock().now()).toBe(manualDay)
  expect(createManualClock(0).now()).toBe(0)
  for (const year of [2025, 2026, 2027, 2099])
    expect(() => createManualClock(Date.UTC(year))).toThrow('begin it before 2010')
})

test('a program that a test starts has its date and time zone, also where they were moved for the run', async () => {
  const script = 'console.log(Math.floor(Date.now() / 86_400_000), new Date(0).getTimezoneOffset())'
  const today = () => Math.floor(Date.now() / 86_400_000)
  const before = today()
  const { stdout } = await runProgram(['--eval', script], { command: process.execPath })
  const [day, offset] = stdout.trim().split(' ').map(Number)
  expect([before, today()]).toContain(day)
  expect(offset).toBe(new Date(0).getTimezoneOffset())
})
