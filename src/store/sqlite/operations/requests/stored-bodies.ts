import type { DatabaseSync } from 'node:sqlite'
import type { StoredBodies } from '../../../body-contract.ts'
import { integer, type Row, text } from '../../../operations/row.ts'
import { prepared } from '../../database/prepared.ts'
import { emptyLogAfterCommit } from '../../thread/after-commit.ts'

/** Of one organisation. */
const mostKept = 10_000
const mostKeptBytes = 67_108_864
/** Of long ones only a few at a time: each page of them is overwritten, and requests wait for it. */
const removedAtOnce = 50
const removedAtOnceBytes = 4_194_304
const dayMs = 86_400_000

/** Whether they are wanted is asked here once more: it may have been switched off since the request came. */
export const storeBodies = (db: DatabaseSync, bodies: readonly StoredBodies[]): void => {
  const insert = prepared(
    db,
    `INSERT INTO request_bodies (
      request_id, organisation_id, created_at, bytes, is_request_cut, is_answer_cut, request, answer
    ) SELECT $id, $organisation, $createdAt, octet_length($request) + coalesce(octet_length($answer), 0),
      $isRequestCut, $isAnswerCut, $request, $answer
    FROM organisations WHERE id = $organisation AND body_days IS NOT NULL
    ON CONFLICT DO NOTHING`,
  )
  for (const { requestId, organisationId, createdAt, request, answer } of bodies)
    insert.run({
      id: requestId,
      organisation: organisationId,
      createdAt,
      isRequestCut: Number(request.isCut),
      isAnswerCut: Number(answer?.isCut ?? false),
      request: request.text,
      answer: answer?.text ?? null,
    })
  for (const organisationId of new Set(bodies.map((one) => one.organisationId))) makeRoom(db, organisationId)
}

const makeRoom = (db: DatabaseSync, organisationId: string): void => {
  const sums = 'SELECT count(*) AS kept, coalesce(sum(bytes), 0) AS bytes FROM request_bodies WHERE organisation_id = ?'
  const row = prepared(db, sums).get(organisationId) ?? {}
  let [kept, bytes] = [integer(row, 'kept'), integer(row, 'bytes')]
  const oldest = 'SELECT rowid, bytes FROM request_bodies WHERE organisation_id = ? ORDER BY created_at LIMIT ?'
  while (kept > mostKept || bytes > mostKeptBytes)
    for (const one of prepared(db, oldest).all(organisationId, removedAtOnce)) {
      if (kept <= mostKept && bytes <= mostKeptBytes) return
      remove(db, one)
      kept -= 1
      bytes -= integer(one, 'bytes')
    }
}

const remove = (db: DatabaseSync, row: Row): void => {
  prepared(db, 'DELETE FROM request_bodies WHERE rowid = ?').run(integer(row, 'rowid'))
}

export const findBodies = (
  db: DatabaseSync,
  organisationId: string,
  requestId: string,
  now: number,
): StoredBodies | null => {
  const find = `SELECT request, answer, is_request_cut, is_answer_cut, request_bodies.created_at FROM request_bodies
    JOIN organisations ON organisations.id = organisation_id
    WHERE request_id = ? AND organisation_id = ? AND request_bodies.created_at >= ? - body_days * ${dayMs}`
  const row = prepared(db, find).get(requestId, organisationId, now)
  if (row === undefined) return null
  return {
    requestId,
    organisationId,
    request: { text: text(row, 'request'), isCut: row.is_request_cut === 1 },
    answer: row.answer === null ? null : { text: text(row, 'answer'), isCut: row.is_answer_cut === 1 },
    createdAt: integer(row, 'created_at'),
  }
}

export const removeExpiredBodies = (db: DatabaseSync, now: number): number => {
  // The organisations first, so that of each only what is due is looked at.
  const due = `SELECT request_bodies.rowid, bytes FROM organisations CROSS JOIN request_bodies
      ON organisation_id = organisations.id
      AND request_bodies.created_at < CASE WHEN body_days IS NULL THEN 9e15 ELSE $now - body_days * ${dayMs} END
    LIMIT $limit`
  return removeAFew(db, prepared(db, due).all({ now, limit: removedAtOnce }))
}

export const removeUnwantedBodies = (db: DatabaseSync, organisationId: string): number => {
  const unwanted = `SELECT request_bodies.rowid, bytes FROM request_bodies
    JOIN organisations ON organisations.id = organisation_id
    WHERE organisation_id = ? AND body_days IS NULL LIMIT ?`
  return removeAFew(db, prepared(db, unwanted).all(organisationId, removedAtOnce))
}

const removeAFew = (db: DatabaseSync, rows: readonly Row[]): number => {
  let removed = 0
  let removedBytes = 0
  for (const row of rows) {
    removedBytes += integer(row, 'bytes')
    if (removed > 0 && removedBytes > removedAtOnceBytes) break
    remove(db, row)
    removed += 1
  }
  if (removed > 0) emptyLogAfterCommit(db)
  return removed
}
