import { Client } from 'pg'
import { textColumns } from '../operations/delete-text.ts'
import { connectionOptions } from './connection-options.ts'

/**
 * Lets PostgreSQL use the space of deleted text again soon. It would wait until a fifth of a table was deleted, which may never
 * happen. Only what is written there next overwrites the text.
 */
export interface TextVacuum {
  /** Text was deleted, and that is committed. */
  deleted(): void
  /** Does not wait for a vacuum: PostgreSQL ends it when the connection is closed. */
  close(): Promise<void>
}

type TextVacuumOptions = {
  url: string
  /** Calls back once after this time, unless it was cancelled. */
  after?: (delayMs: number, callback: () => void) => () => void
}

/** All deletions of this time are vacuumed together. */
const waitMs = 60_000

const afterTimeout = (delayMs: number, callback: () => void): (() => void) => {
  const timer = setTimeout(callback, delayMs).unref()
  return () => clearTimeout(timer)
}

/** It does not wait for tables that are locked, and has no time-out: a vacuum locks out neither readers nor writers. */
const vacuum = `VACUUM (SKIP_LOCKED) ${Object.keys(textColumns).join(', ')}`

export const createTextVacuum = ({ url, after = afterTimeout }: TextVacuumOptions): TextVacuum => {
  let cancel: (() => void) | null = null
  let running: Client | null = null

  const run = async (): Promise<void> => {
    const client = new Client(connectionOptions(url))
    client.on('error', () => {})
    running = client
    try {
      await client.connect()
      await client.query(vacuum)
    } catch {
      // PostgreSQL's own vacuum remains, and the next deletion asks again.
    } finally {
      running = null
      await client.end().catch(() => {})
    }
  }
  const start = (): void => {
    cancel = null
    // The one before takes long: deletions since are for the next one.
    if (running === null) void run()
    else cancel = after(waitMs, start)
  }
  return {
    deleted() {
      cancel ??= after(waitMs, start)
    },
    async close() {
      cancel?.()
      await running?.end().catch(() => {})
    },
  }
}
