import { writeFileSync } from 'node:fs'
import { setTimeout as after } from 'node:timers/promises'
import pg from 'pg'

/** What the checker sees of PostgreSQL: plain rows, read by SQL that shares nothing with the program. */
export type LedgerDump = {
  requests: {
    requestId: string
    /** An id of the process that reserved it. */
    node: string
    keyId: string | null
    createdAt: number
    outcome: string | null
    promptTokens: number | null
    completionTokens: number | null
    isEstimated: number | null
  }[]
  days: { requests: number; tokens: number }[]
}

const requests = `SELECT request_id AS "requestId", node, key_id AS "keyId", created_at::float8 AS "createdAt", outcome,
    prompt_tokens::float8 AS "promptTokens", completion_tokens::float8 AS "completionTokens", is_estimated::int AS "isEstimated"
  FROM ledger_reservations AS r JOIN ledger_parties AS p ON p.id = r.party
  LEFT JOIN ledger_settlements AS s ON s.reservation = r.sequence ORDER BY r.created_at`
const days = `SELECT sum(requests)::float8 AS requests, sum(prompt_tokens + completion_tokens)::float8 AS tokens FROM usage_days`
const open = `SELECT count(*)::int AS open FROM ledger_reservations AS r
  WHERE NOT EXISTS (SELECT 1 FROM ledger_settlements WHERE reservation = r.sequence)`

const connect = async (socketFolder: string, database: string): Promise<pg.Client> => {
  const client = new pg.Client({ host: socketFolder, user: 'postgres', database })
  await client.connect()
  return client
}

export const createDatabase = async (socketFolder: string): Promise<void> => {
  const client = await connect(socketFolder, 'postgres')
  await client.query('CREATE DATABASE helix')
  await client.end()
}

/** Waits until the requests of dead nodes have been settled by others; after this time some may be open. */
export const waitForSettlements = async (socketFolder: string, waitMs: number): Promise<void> => {
  const client = await connect(socketFolder, 'helix')
  const untilMs = performance.now() + waitMs
  while (performance.now() < untilMs) {
    const { rows } = await client.query<{ open: number }>(open)
    if (rows[0]?.open === 0) break
    await after(500)
  }
  await client.end()
}

export const dumpLedger = async (socketFolder: string, file: string): Promise<void> => {
  const client = await connect(socketFolder, 'helix')
  const dump = { requests: (await client.query(requests)).rows, days: (await client.query(days)).rows }
  await client.end()
  writeFileSync(file, JSON.stringify(dump))
}
