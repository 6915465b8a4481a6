import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { scratchDirectory } from '../../../../test/harness/scratch-store.ts'
import type { OperationName } from '../operations/operations.ts'
import { openCommitSync } from './commit-sync.ts'

const full = 2
const normal = 1

/** A database with a log, whose syncs are counted and end when the test says so. */
const openLog = (ledgerDelayMs: number) => {
  const scratch = scratchDirectory()
  const file = `${scratch.path}/helix.db`
  const db = new DatabaseSync(file)
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE t (x)')
  const running: ((error: unknown) => void)[] = []
  const timers: { ms: number; run: () => void }[] = []
  const sync = openCommitSync(db, file, ledgerDelayMs, {
    fdatasync: (_file, done) => void running.push(done),
    after(ms, run) {
      const timer = { ms, run }
      timers.push(timer)
      return () => void timers.splice(timers.indexOf(timer), 1)
    },
  })
  return {
    ...{ running, timers },
    /** Returns how the commit was made. */
    commit(...writes: OperationName[]) {
      sync.prepare(writes)
      const mode = db.prepare('PRAGMA synchronous').get()?.synchronous
      db.exec('INSERT INTO t VALUES (1)')
      sync.noteCommit()
      return mode
    },
    size: () => statSync(`${file}-wal`).size,
    elapse() {
      const timer = timers.shift()
      timer?.run()
      return timer?.ms
    },
    [Symbol.dispose]() {
      sync.close()
      db.close()
      scratch[Symbol.dispose]()
    },
  }
}

test('only a reservation does not wait for the disk, and is synced within a second', () => {
  using log = openLog(0)
  expect(log.commit('reserveRequests')).toBe(normal)
  expect(log.commit('reserveRequests', 'settleRequests')).toBe(full)
  expect(log.commit('checkpointProgress')).toBe(full)
  expect(log.commit('reserveRequests')).toBe(normal)
  // A synced commit need not have written anything.
  expect(log.timers).toHaveLength(1)
  expect(log.elapse()).toBe(1000)
  expect(log.running).toHaveLength(1)
})

test('with a delay no request waits for the disk, while keys and all else still do', () => {
  using log = openLog(50)
  expect(log.commit('reserveRequests', 'checkpointProgress', 'settleRequests')).toBe(normal)
  expect(log.commit('changeKey')).toBe(full)
  expect(log.commit('settleRequests', 'changeKey')).toBe(full)
  expect(log.commit('settleRequests')).toBe(normal)
  expect(log.commit('settleRequests')).toBe(normal)
  expect(log.timers).toHaveLength(1)
  expect(log.elapse()).toBe(50)
})

test('what is committed during a sync is synced by another one, and never two at a time', () => {
  using log = openLog(50)
  log.commit('settleRequests')
  log.elapse()
  log.commit('settleRequests')
  log.elapse()
  expect(log.running).toHaveLength(1)
  log.running[0]?.(null)
  log.elapse()
  expect(log.running).toHaveLength(2)
})

test('after a sync that failed the log begins anew, and every commit waits for the disk', () => {
  using log = openLog(50)
  for (let commit = 0; commit < 10; commit += 1) log.commit('settleRequests')
  const before = log.size()
  log.elapse()
  log.running[0]?.(new Error('EIO'))
  expect(log.commit('settleRequests')).toBe(full)
  expect(log.size()).toBeLessThan(before)
})
