import type { DatabaseSync } from 'node:sqlite'
import type { ReplayRecord } from '../../../ledger-contract.ts'
import { prepared } from '../../database/prepared.ts'

/** Replaces an expired one; one that has not expired stays. Nothing is stored for an organisation that was deleted. */
export const storeReplay = (db: DatabaseSync, replay: ReplayRecord): void => {
  const insert = `INSERT INTO replays (
      organisation_id, key_hash, body_hash, completion_id, request_id, is_stream, created_at, expires_at, bytes, content
    ) SELECT $organisation, $keyHash, $bodyHash, $completion, $request, $stream, $createdAt, $expiresAt,
      octet_length($content), $content WHERE EXISTS (SELECT 1 FROM organisations WHERE id = $organisation)
    ON CONFLICT (organisation_id, key_hash) DO UPDATE SET body_hash = excluded.body_hash,
      completion_id = excluded.completion_id, request_id = excluded.request_id, is_stream = excluded.is_stream,
      created_at = excluded.created_at, expires_at = excluded.expires_at, bytes = excluded.bytes,
      content = excluded.content
    WHERE replays.expires_at <= excluded.created_at`
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
