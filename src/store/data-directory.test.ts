import { chmodSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startScratchProcess } from '../../test/harness/scratch-process.ts'
import { scratchDirectory } from '../../test/harness/scratch-store.ts'
import { type Clock, systemClock } from '../base/clock.ts'
import { DataDirectoryBusy, lockDataDirectory } from './data-directory.ts'

const lockNow = (path: string) => lockDataDirectory(path, { clock: systemClock, waitMs: 0 })

test('a directory that does not exist is created, for its owner only', async () => {
  using scratch = scratchDirectory()
  const path = join(scratch.path, 'deep', 'data')
  const directory = await lockNow(path)
  expect(directory.path).toBe(path)
  expect(statSync(path).mode & 0o777).toBe(0o700)
  expect(statSync(join(path, 'helix.lock')).mode & 0o777).toBe(0o600)
  directory.release()
})

test('a second holder in the same process is refused until the first lets go', async () => {
  using scratch = scratchDirectory()
  const first = await lockNow(scratch.path)
  await expect(lockNow(scratch.path)).rejects.toThrow(DataDirectoryBusy)
  await expect(lockNow(scratch.path)).rejects.toThrow(
    `The data directory ${scratch.path} is in use by another Helix process.`,
  )
  first.release()
  first.release()
  const second = await lockNow(scratch.path)
  second.release()
})

const holdLock = (path: string): string => `
  import { lockDataDirectory } from ${JSON.stringify(new URL('./data-directory.ts', import.meta.url).href)}
  import { systemClock } from ${JSON.stringify(new URL('../base/clock.ts', import.meta.url).href)}
  await lockDataDirectory(${JSON.stringify(path)}, { clock: systemClock, waitMs: 0 })
  await new Promise(setImmediate)
  globalThis.gc()
  console.log('locked')
  setInterval(() => {}, 1000)
`

test('another process holds the directory until it is killed, and leaves nothing in the way', async () => {
  using scratch = scratchDirectory()
  const holder = await startScratchProcess(holdLock(scratch.path))
  expect(holder.line).toBe('locked')
  await expect(lockNow(scratch.path)).rejects.toThrow(DataDirectoryBusy)
  await holder.kill()
  const directory = await lockNow(scratch.path)
  expect(readdirSync(scratch.path)).toEqual(['helix.lock'])
  directory.release()
})

test('a failed attempt of our own does not free the lock for other processes', async () => {
  using scratch = scratchDirectory()
  const directory = await lockNow(scratch.path)
  await expect(lockNow(scratch.path)).rejects.toThrow(DataDirectoryBusy)
  const script = holdLock(scratch.path).replace(
    /await (lock.*)\n/,
    'await $1.catch((error) => console.log(error.name))\n',
  )
  const other = await startScratchProcess(script)
  expect(other.line).toBe('DataDirectoryBusy')
  await other.kill()
  directory.release()
})

test('a short holder is waited for', async () => {
  using scratch = scratchDirectory()
  const first = await lockNow(scratch.path)
  let nowMs = 0
  const clock: Clock = {
    now: () => nowMs,
    monotonicMs: () => nowMs,
    after(delayMs, callback) {
      nowMs += delayMs
      if (nowMs >= 1_000) first.release()
      queueMicrotask(callback)
      return () => {}
    },
  }
  const second = await lockDataDirectory(scratch.path, { clock, waitMs: 2_000 })
  expect(nowMs).toBe(1_000)
  await expect(lockDataDirectory(scratch.path, { clock, waitMs: 2_000 })).rejects.toThrow(DataDirectoryBusy)
  expect(nowMs).toBe(3_000)
  second.release()
})

test('a file in the place of the directory is named as the reason', async () => {
  using scratch = scratchDirectory()
  const path = join(scratch.path, 'data')
  writeFileSync(path, 'not a directory')
  await expect(lockNow(path)).rejects.toThrow(`Cannot use ${path} as the data directory: it is not a directory.`)
  const below = join(path, 'below')
  await expect(lockNow(below)).rejects.toThrow(/a part of its path is not a directory/)
})

test.skipIf(process.getuid?.() === 0)('a directory that cannot be written is refused in one line', async () => {
  using scratch = scratchDirectory()
  chmodSync(scratch.path, 0o500)
  await expect(lockNow(scratch.path)).rejects.toThrow(
    `Cannot use ${scratch.path} as the data directory: permission denied.`,
  )
  expect(existsSync(join(scratch.path, 'helix.lock'))).toBe(false)
  chmodSync(scratch.path, 0o700)
})
