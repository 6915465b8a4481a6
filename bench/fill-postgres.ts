import pg from 'pg'

export type StoredAmount = { keys: number; requests: number }

const days = 90
const organisations = 100
const keysEach = 10
const atOnce = 200_000

/** Unused keys, and ended requests of the last 90 days with their totals, for a hundred organisations with ten keys each. */
export const fillPostgres = async (url: string, organisationId: string, amount: StoredAmount): Promise<void> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const [from, to] of ranges(amount.keys)) await client.query(keys, [from, to, organisationId])
    await client.query(callers, [organisationId, keysEach, organisations])
    const { rows } = await client.query('SELECT coalesce(max(sequence), 0)::INTEGER AS last FROM ledger_reservations')
    const last = Number(rows[0]?.last)
    for (const [from, to] of ranges(amount.requests)) {
      await client.query('BEGIN')
      await client.query(reservations, [last + from, last + to, Date.now()])
      await client.query(settlements, [last + from, last + to, Date.now(), days])
      await client.query('COMMIT')
    }
    await client.query(`SELECT setval(pg_get_serial_sequence('ledger_reservations', 'sequence'), $1)`, [
      last + amount.requests,
    ])
    await client.query(totals)
    await client.query('VACUUM ANALYZE')
  } finally {
    await client.end()
  }
}

function* ranges(count: number): Generator<[from: number, to: number]> {
  for (let from = 1; from <= count; from += atOnce) yield [from, Math.min(count, from + atOnce - 1)]
}

const keys = `INSERT INTO api_keys (id, organisation_id, name, prefix, last_four, secret_hash, created_at)
  SELECT 'key_unused' || i, $3, 'unused', 'hx_abcd', 'wxyz', sha256(convert_to('unused' || i, 'UTF8')), 0
  FROM generate_series($1::INTEGER, $2::INTEGER) AS i`

const callers = `INSERT INTO ledger_parties (organisation_id, key_id)
  SELECT CASE WHEN i < $2::INTEGER THEN $1 ELSE 'org_bench' || i % $3::INTEGER END, 'key_bench' || i
  FROM generate_series(0, $2::INTEGER * $3::INTEGER - 1) AS i`

const bench = `(SELECT array_agg(id ORDER BY id) AS ids FROM ledger_parties WHERE key_id LIKE 'key_bench%') AS bench`

const reservations = `INSERT INTO ledger_reservations
    (sequence, transaction_id, node, request_id, party, model, endpoint, is_stream, reserved_tokens, created_at)
  OVERRIDING SYSTEM VALUE
  SELECT i, pg_current_xact_id()::TEXT::BIGINT, 'bench', 'req_bench' || i, ids[1 + i % cardinality(ids)], 'helix-v1',
    'chat.completions', 1, 1000, $3::BIGINT
  FROM generate_series($1::INTEGER, $2::INTEGER) AS i, ${bench}`

const settlements = `INSERT INTO ledger_settlements
    (reservation, prompt_tokens, cached_tokens, completion_tokens, reasoning_tokens, is_estimated, outcome, finish_reason,
      queue_ms, first_token_ms, duration_ms, ended_at, day)
  SELECT i, 100 + i % 50, 10, 40 + i % 30, 0, 0, CASE i % 100 WHEN 0 THEN 'failed' ELSE 'completed' END, 'stop',
    1, 100 + i % 40, 900, $3::BIGINT,
    to_char(to_timestamp($3::BIGINT / 1000) - make_interval(days => i / 1000 % $4::INTEGER), 'YYYYMMDD')::INTEGER
  FROM generate_series($1::INTEGER, $2::INTEGER) AS i`

const totals = `INSERT INTO usage_days
    (party, day, model, requests, failed, client_closed, estimated, cost, prompt_tokens, cached_tokens,
      completion_tokens, reasoning_tokens, first_tokens, first_token_ms, duration_ms)
  SELECT party, day, model, count(*), count(*) FILTER (WHERE outcome = 'failed'), 0, 0, 0, sum(prompt_tokens),
    sum(cached_tokens), sum(completion_tokens), 0, count(first_token_ms), sum(first_token_ms), sum(duration_ms)
  FROM ledger_settlements JOIN ledger_reservations ON sequence = reservation WHERE node = 'bench'
  GROUP BY party, day, model`
