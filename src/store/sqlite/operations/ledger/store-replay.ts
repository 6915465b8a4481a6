import type { DatabaseSync } from 'node:sqlite'
import { replayColumns } from '../../../operations/replays/replays.ts'
import type { ReplayRecord } from '../../../replay-contract.ts'
import { noteDeletedText } from '../../database/noted-deletions.ts'
import { prepared } from '../../database/prepared.ts'

/** Replaces an expired one; one that has not expired stays. Nothing is stored for an organisation that was deleted. */
export const storeReplay = (db: DatabaseSync, replay: ReplayRecord): void => {
  const removeExpired = 'DELETE FROM replays WHERE organisation_id = ? AND key_hash = ? AND expires_at <= ?'
  const removed = prepared(db, removeExpired).run(replay.organisationId, replay.keyHash, replay.createdAt)
  if (removed.changes > 0) noteDeletedText(db)
  const insert = `INSERT INTO replays (${replayColumns})
    SELECT $organisation, $keyHash, $bodyHash, $completion, $request, $stream, $createdAt, $expiresAt,
      octet_length($content), $content WHERE EXISTS (SELECT 1 FROM organisations WHERE id = $organisation)
    ON CONFLICT (organisation_id, key_hash) DO NOTHING`
  prepared(db, insert).run({
    organisation: replay.organisationId,
    keyHash: replay.keyHash,
    bodyHash: replay.bodyHash,
    completion: replay.completionId,
    request: replay.requestId,
    stream: replay.stream ? 1 : 0,
    createdAt: replay.createdAt,
    expiresAt: replay.expiresAt,
    content: replay.content,
  })
}
