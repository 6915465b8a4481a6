import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import { connectionOptions } from '../postgres/connection-options.ts'
import { migrate } from '../postgres/migrate.ts'
import { removeMoveMark, writeMoveMark } from '../postgres/move-mark.ts'
import { type NodeLock, openNodeLock } from '../postgres/node-lock.ts'
import { spoolPath } from '../spool-path.ts'
import { StoreFailure } from '../store-failure.ts'
import type { MoveSource } from './move-store.ts'
import { createPostgresSession } from './postgres-session.ts'
import { postgresTables } from './postgres-tables.ts'

type SourceOptions = {
  url: string
  /** Of the server that runs the command. */
  dataDir: string
  clock: Clock
  onLost(reason: string): void
  signal: AbortSignal
}

/** A PostgreSQL database. The lock of its nodes makes sure that no server uses it. */
export const openPostgresSource = ({ url, dataDir, clock, onLost, signal }: SourceOptions): MoveSource => {
  const session = createPostgresSession({ url, onLost, signal })
  const tables = { ...postgresTables(session), close: () => session.close() }
  return {
    tables,
    async lock() {
      const lock = await tryLock(url, session.place)
      return (
        lock && {
          // Requests that a server left open are settled when the new database is first opened.
          async settle() {
            requireWritten(spoolPath(resolve(dataDir)))
            await session.run((client) => migrate(client, clock.now()))
          },
          markMoved: (mark) => session.transact((client) => writeMoveMark(client, mark)),
          release: () => lock.close(),
        }
      )
    },
    close: () => session.close(),
  }
}

/** What a server wrote to its disk while PostgreSQL was away would be missing. */
const requireWritten = (file: string): void => {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0)
    throw new StoreFailure(
      `${file} contains requests that are not in PostgreSQL yet: start the server, which writes them, and then run the command again.`,
    )
}

/** Waits for a moment. */
const tryLock = async (url: string, place: string): Promise<NodeLock | null> => {
  try {
    return await openNodeLock(connectionOptions(url), { database: place, isShared: false })
  } catch (error) {
    if (error instanceof StoreFailure) return null
    throw error
  }
}

/** Lets a server use a database again that was moved. */
export const reopenPostgres = async (url: string): Promise<void> => {
  const signal = new AbortController().signal
  const session = createPostgresSession({ url, onLost: () => {}, signal })
  try {
    const lock = await openNodeLock(connectionOptions(url), { database: session.place, isShared: false })
    try {
      await session.transact(removeMoveMark)
    } finally {
      await lock.close()
    }
  } finally {
    await session.close()
  }
}
