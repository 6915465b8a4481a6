import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const days = 90
const organisations = 100
const keysEach = 10
const atOnce = 100_000

const dayNumbers = Array.from({ length: days }, (_, ago) =>
  Number(new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')),
)

/** Ended requests of the last 90 days, with totals, for a hundred organisations with ten keys each. */
export const fillLedger = (dataDir: string, organisationId: string, requests: number): void => {
  const db = new DatabaseSync(join(dataDir, 'helix.db'), { timeout: 10_000 })
  try {
    const insertCaller = db.prepare('INSERT INTO ledger_parties (organisation_id, key_id) VALUES (?, ?) RETURNING id')
    const callers = Array.from({ length: organisations * keysEach }, (_, index) => {
      const owner = index < keysEach ? organisationId : `org_bench${index % organisations}`
      return Number(insertCaller.get(owner, `key_bench${index}`)?.id)
    })
    db.exec('CREATE TEMP TABLE bench_days (place INTEGER PRIMARY KEY, day INTEGER NOT NULL)')
    const day = db.prepare('INSERT INTO temp.bench_days VALUES (?, ?)')
    for (const [place, number] of dayNumbers.entries()) day.run(place, number)
    const first = Number(
      db.prepare('SELECT coalesce(max(sequence), 0) + 1 AS next FROM ledger_reservations').get()?.next,
    )
    for (let done = 0; done < requests; done += atOnce) {
      const range = { from: first + done, to: first + Math.min(requests, done + atOnce) - 1 }
      db.exec('BEGIN IMMEDIATE')
      db.prepare(reservations).run({ ...range, caller: callers[0] ?? 1, callers: callers.length, now: Date.now() })
      db.prepare(settlements).run({ ...range, days, now: Date.now() })
      db.exec('COMMIT')
    }
    db.prepare(totals).run({ first })
  } finally {
    db.close()
  }
}

const numbers = 'WITH RECURSIVE numbers (i) AS (SELECT $from UNION ALL SELECT i + 1 FROM numbers WHERE i < $to)'

const reservations = `${numbers} INSERT INTO ledger_reservations
  (sequence, request_id, party, model, endpoint, is_stream, reserved_tokens, created_at)
  SELECT i, 'req_bench' || i, $caller + i % $callers, 'helix-v1', 'chat.completions', 1, 1000, $now FROM numbers`

const settlements = `${numbers} INSERT INTO ledger_settlements
  (reservation, prompt_tokens, cached_tokens, completion_tokens, reasoning_tokens, is_estimated, outcome, finish_reason,
    queue_ms, first_token_ms, duration_ms, ended_at, day)
  SELECT i, 100 + i % 50, 10, 40 + i % 30, 0, 0, CASE i % 100 WHEN 0 THEN 'failed' ELSE 'completed' END, 'stop',
    1, 100 + i % 40, 900, $now, day
  FROM numbers JOIN temp.bench_days ON place = i / 1000 % $days`

const totals = `INSERT INTO usage_days
  (party, day, model, requests, failed, client_closed, estimated, cost, prompt_tokens, cached_tokens, completion_tokens,
    reasoning_tokens, first_tokens, first_token_ms, duration_ms)
  SELECT party, day, model, count(*), sum(outcome = 'failed'), 0, 0, 0, sum(prompt_tokens), sum(cached_tokens),
    sum(completion_tokens), 0, count(first_token_ms), sum(first_token_ms), sum(duration_ms)
  FROM ledger_settlements JOIN ledger_reservations ON sequence = reservation WHERE reservation >= $first
  GROUP BY party, day, model`
