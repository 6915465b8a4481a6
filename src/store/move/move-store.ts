/**
 * Moves a store to another database: copies its tables while a server goes on writing, waits until the server has stopped,
 * copies what changed since, compares every row, and only then declares one the store and the other a former one. At no
 * moment can a server open both. Whatever ends this process, the same call continues.
 */
import type { Clock } from '../../base/clock.ts'
import { migrations } from '../migrations/migrations.ts'
import { StoreFailure } from '../store-failure.ts'
import { copyAll } from './copy-all.ts'
import type { MoveEvent } from './move-event.ts'
import { requireEqualUsage } from './require-equal-usage.ts'
import { sharedTables } from './shared-tables.ts'
import type { MoveMark, StoreTables, TargetTables } from './store-tables.ts'

/** Where the data comes from. A server may be using it. */
export interface MoveSource {
  readonly tables: StoreTables
  /** Makes sure that no server uses it. Null if one still does after this time. */
  lock(waitMs: number): Promise<SourceLock | null>
  close(): Promise<void>
}

interface SourceLock {
  /** Brings the schema up to date, and settles the requests that a server left open. */
  settle(): Promise<void>
  /** From now on no server may use it. */
  markMoved(mark: MoveMark): Promise<void>
  release(): Promise<void>
}

type MoveOptions = {
  source: MoveSource
  /** Opens the empty store, or the one that was being filled from the store with this id and size. */
  openTarget(store: string, sourceBytes: number): Promise<TargetTables>
  clock: Clock
  onEvent(event: MoveEvent): void
  signal: AbortSignal
}

/** How long changes may accumulate while the server goes on. */
const copyAgainMs = 60_000
/** How often an interruption is noticed meanwhile. */
const waitMs = 1_000

export const moveStore = async (options: MoveOptions): Promise<{ tables: number; rows: number }> => {
  const { source, openTarget, clock } = options
  const { tables } = source
  const mark = await tables.readMark()
  if (mark?.state === 'incoming') throw new StoreFailure(`The copy in ${tables.place} is itself not complete.`)
  const unused = await source.lock(0)
  try {
    if (mark === null) await unused?.settle()
    await requireVersion(tables)
    const store = await tables.store()
    if (store === null) throw new StoreFailure(`There is no data in ${tables.place}.`)
    const target = await openTarget(store, await tables.sizeBytes())
    try {
      if (mark !== null) await requireContinuation(mark, tables, target)
      await target.prepare({ state: 'incoming', place: tables.place, store, at: clock.now() })
      if (unused !== null) return await switchStores(options, unused, target, store)
      const lock = await copyUntilStopped(options, target)
      try {
        await lock.settle()
        return await switchStores(options, lock, target, store)
      } finally {
        await lock.release()
      }
    } finally {
      await target.close()
    }
  } finally {
    await unused?.release()
  }
}

const requireVersion = async (tables: StoreTables): Promise<void> => {
  const newest = migrations.at(-1)?.id ?? 0
  const version = await tables.version()
  if (version !== newest)
    throw new StoreFailure(
      `The database ${tables.place} is at version ${version}, and this program needs version ${newest}: run the command with the version of Helix that the server has.`,
    )
}

/** It was marked as moved, but the last step is missing: only the same target can be completed. */
const requireContinuation = async (mark: MoveMark, tables: StoreTables, target: TargetTables): Promise<void> => {
  const incoming = await target.readMark()
  if (mark.place !== target.place || incoming === null)
    throw new StoreFailure(
      `The data of ${tables.place} was moved to ${mark.place} already. To use this copy again, run 'helix migrate-store --reopen'.`,
    )
}

/** Twice, because the first copy takes long and much changes in the meantime. */
const copyUntilStopped = async (options: MoveOptions, target: TargetTables): Promise<SourceLock> => {
  const { source, clock, onEvent, signal } = options
  onEvent({ type: 'copying', isLive: true })
  await copyShared(options, target, false)
  for (;;) {
    await copyShared(options, target, false)
    onEvent({ type: 'waiting' })
    const againAtMs = clock.monotonicMs() + copyAgainMs
    while (clock.monotonicMs() < againAtMs) {
      signal.throwIfAborted()
      const lock = await source.lock(waitMs)
      if (lock !== null) return lock
    }
    await requireVersion(source.tables)
  }
}

const switchStores = async (
  options: MoveOptions,
  lock: SourceLock,
  target: TargetTables,
  store: string,
): Promise<{ tables: number; rows: number }> => {
  const { source, clock, onEvent, signal } = options
  const { tables } = source
  onEvent({ type: 'switching' })
  await requireVersion(tables)
  const copied = await copyShared(options, target, true)
  await target.complete(await tables.lastNumbers())
  await requireEqualUsage(tables, target)
  signal.throwIfAborted()
  // In this order: between the two no server can use either.
  await lock.markMoved({ state: 'moved', place: target.place, store, at: clock.now() })
  await target.release()
  return copied
}

const copyShared = async (
  { source, onEvent, signal }: MoveOptions,
  target: TargetTables,
  isFinal: boolean,
): Promise<{ tables: number; rows: number }> => {
  const tables = sharedTables(await target.list(), await source.tables.list())
  const rows = await copyAll({ source: source.tables, target, tables, isFinal, onEvent, signal })
  return { tables: tables.length, rows }
}
