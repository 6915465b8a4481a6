import { createHash } from 'node:crypto'
import { type Client, DatabaseError } from 'pg'
import type { Row } from '../operations/row.ts'

/**
 * Names of statements on the server: a statement with a name is parsed and planned once for a connection. A name belongs to
 * one text, in every version of the program: if another process has prepared it, it is the same statement.
 */
export interface StatementNames {
  /** To be added to a query; without a name the statement is planned each time. */
  of(text: string): { name?: string }
  /** After a failure of names. */
  failed(error: unknown): void
}

/** A statement failed, with nothing done, because of its name. It can be repeated on another connection. */
export const isNameFailure = (error: unknown): boolean => isMisplaced(error) || isOutdated(error)

/** It is missing or exists already: consecutive transactions had different connections to the server. */
const isMisplaced = (error: unknown): boolean =>
  error instanceof DatabaseError && (error.code === '26000' || error.code === '42P05')
/** Its result has other columns since a migration. */
const isOutdated = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery'

const nameBytes = 12

/** Uses no names on a connection that is not direct, and none any more after the first one that is missing or exists already. */
export const createStatementNames = (isDirect: boolean): StatementNames => {
  const names = new Map<string, { name: string }>()
  let areUsed = isDirect
  return {
    of(text) {
      if (!areUsed) return {}
      const known = names.get(text)
      if (known !== undefined) return known
      const hash = createHash('sha256').update(text).digest('hex')
      const named = { name: `helix_${hash.slice(0, 2 * nameBytes)}` }
      names.set(text, named)
      return named
    },
    failed(error) {
      if (isMisplaced(error)) areUsed = false
    },
  }
}

/**
 * Whether the connection is one of the server itself. A pooler such as pgbouncer gives its clients an id for cancelling that is
 * its own, not that of a process of the server.
 */
export const isDirectConnection = async (client: Client): Promise<boolean> => {
  const { rows } = await client.query<Row>('SELECT pg_backend_pid() AS id')
  return rows[0]?.id === readCancelId(client)
}

/** The driver stores what the server has sent at the start; its types do not have it. */
const readCancelId = (client: Client): unknown => ('processID' in client ? client.processID : null)
