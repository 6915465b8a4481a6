import type { Clock } from '../../base/clock.ts'
import { connectionOptions } from '../postgres/connection-options.ts'
import { migrate } from '../postgres/migrate.ts'
import { removeMoveMark, writeMoveMark } from '../postgres/move-mark.ts'
import { type NodeLock, openNodeLock } from '../postgres/node-lock.ts'
import { StoreFailure } from '../store-failure.ts'
import type { MoveSource } from './move-store.ts'
import { createPostgresSession } from './postgres-session.ts'
import { postgresTables } from './postgres-tables.ts'

type SourceOptions = { url: string; clock: Clock; onLost(reason: string): void; signal: AbortSignal }

/** A PostgreSQL database. The lock of its nodes makes sure that no server uses it. */
export const openPostgresSource = ({ url, clock, onLost, signal }: SourceOptions): MoveSource => {
  const session = createPostgresSession({ url, onLost, signal })
  const tables = { ...postgresTables(session), close: () => session.close() }
  return {
    tables,
    async lock() {
      const lock = await tryLock(url, session.place)
      return (
        lock && {
          // Requests that a server left open are settled when the new database is first opened.
          settle: () => session.run((client) => migrate(client, clock.now())),
          markMoved: (mark) => session.transact((client) => writeMoveMark(client, mark)),
          release: () => lock.close(),
        }
      )
    },
    close: () => session.close(),
  }
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
