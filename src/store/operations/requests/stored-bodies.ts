import type { StoredBodies } from '../../body-contract.ts'
import { deleteText } from '../delete-text.ts'
import { all, first, type Query, run } from '../query.ts'
import { integer, type Row, text } from '../row.ts'

/** The maximum for an organisation. */
const maxKept = 10_000
const maxKeptBytes = 67_108_864
/** Of long ones only a few at a time: each page of them is overwritten, and requests wait for it. */
const removedAtOnce = 50
const removedAtOnceBytes = 4_194_304
const dayMs = 86_400_000
const retentionMs = `CAST(body_days AS BIGINT) * ${dayMs}`

const insert = `INSERT INTO request_bodies (
    request_id, organisation_id, created_at, bytes, is_request_cut, is_answer_cut, request, answer
  ) SELECT CAST($id AS TEXT), id, CAST($createdAt AS BIGINT),
    octet_length(CAST($request AS TEXT)) + coalesce(octet_length(CAST($answer AS TEXT)), 0),
    CAST($isRequestCut AS INTEGER), CAST($isAnswerCut AS INTEGER), CAST($request AS TEXT), CAST($answer AS TEXT)
  FROM organisations WHERE id = $organisation AND body_days IS NOT NULL
  ON CONFLICT DO NOTHING`

/** Checks again whether the organisation stores bodies: it may have been switched off since the request arrived. */
export function* storeBodies(bodies: readonly StoredBodies[]): Query<void> {
  for (const { requestId, organisationId, createdAt, request, answer } of bodies)
    yield* run(insert, {
      id: requestId,
      organisation: organisationId,
      createdAt,
      isRequestCut: Number(request.isCut),
      isAnswerCut: Number(answer?.isCut ?? false),
      request: request.text,
      answer: answer?.text ?? null,
    })
  for (const organisationId of new Set(bodies.map((one) => one.organisationId))) yield* makeRoom(organisationId)
}

function* makeRoom(organisationId: string): Query<void> {
  const sums = 'SELECT count(*) AS kept, coalesce(sum(bytes), 0) AS bytes FROM request_bodies WHERE organisation_id = ?'
  const row = (yield* first(sums, organisationId)) ?? {}
  let [kept, bytes] = [integer(row, 'kept'), integer(row, 'bytes')]
  const oldest = 'SELECT rowid, bytes FROM request_bodies WHERE organisation_id = ? ORDER BY created_at LIMIT ?'
  while (kept > maxKept || bytes > maxKeptBytes)
    for (const one of yield* all(oldest, organisationId, removedAtOnce)) {
      if (kept <= maxKept && bytes <= maxKeptBytes) return
      yield* remove(one)
      kept -= 1
      bytes -= integer(one, 'bytes')
    }
}

function* remove(row: Row): Query<void> {
  yield* deleteText(run('DELETE FROM request_bodies WHERE rowid = ?', integer(row, 'rowid')))
}

const find = `SELECT request, answer, is_request_cut, is_answer_cut, request_bodies.created_at FROM request_bodies
  JOIN organisations ON organisations.id = organisation_id
  WHERE request_id = ? AND organisation_id = ? AND request_bodies.created_at >= CAST(? AS BIGINT) - ${retentionMs}`

export function* findBodies(organisationId: string, requestId: string, now: number): Query<StoredBodies | null> {
  const row = yield* first(find, requestId, organisationId, now)
  if (row === undefined) return null
  return {
    requestId,
    organisationId,
    request: { text: text(row, 'request'), isCut: row.is_request_cut === 1 },
    answer: row.answer === null ? null : { text: text(row, 'answer'), isCut: row.is_answer_cut === 1 },
    createdAt: integer(row, 'created_at'),
  }
}

/** Starts with the organisations, so that only their expired rows are read. */
const due = (join: string): string => `SELECT request_bodies.rowid, bytes FROM organisations ${join} request_bodies
    ON organisation_id = organisations.id AND request_bodies.created_at <
      CASE WHEN body_days IS NULL THEN ${Number.MAX_SAFE_INTEGER} ELSE CAST($now AS BIGINT) - ${retentionMs} END
  LIMIT $limit`

export function* removeExpiredBodies(now: number): Query<number> {
  const sql = { sqlite: due('CROSS JOIN'), postgres: due('JOIN') }
  return yield* removeAFew(yield* all(sql, { now, limit: removedAtOnce }))
}

export function* removeUnwantedBodies(organisationId: string): Query<number> {
  const unwanted = `SELECT request_bodies.rowid, bytes FROM request_bodies
    JOIN organisations ON organisations.id = organisation_id
    WHERE organisation_id = ? AND body_days IS NULL LIMIT ?`
  return yield* removeAFew(yield* all(unwanted, organisationId, removedAtOnce))
}

function* removeAFew(rows: readonly Row[]): Query<number> {
  let removed = 0
  let removedBytes = 0
  for (const row of rows) {
    removedBytes += integer(row, 'bytes')
    if (removed > 0 && removedBytes > removedAtOnceBytes) break
    yield* remove(row)
    removed += 1
  }
  return removed
}
