import { deleteText } from '../delete-text.ts'
import { type Query, run } from '../query.ts'

/** How long an ended invitation is kept, so that its link can say how it ended. */
const endedInvitationMs = 90 * 24 * 3_600_000

/** Removes expired sessions, links and challenges, and invitations whose end is long past; at most `limit` of each. */
export function* removeExpiredAccess(now: number, limit: number): Query<number> {
  const sessions = `DELETE FROM sessions WHERE token_hash IN (
    SELECT token_hash FROM sessions WHERE expires_at <= ? LIMIT ?)`
  const challenges = `DELETE FROM challenges WHERE token_hash IN (
    SELECT token_hash FROM challenges WHERE expires_at <= ? LIMIT ?)`
  const links = `DELETE FROM links WHERE token_hash IN (SELECT token_hash FROM links WHERE expires_at <= ? LIMIT ?)`
  const invitations = `DELETE FROM invitations WHERE token_hash IN (
    SELECT token_hash FROM invitations WHERE expires_at <= ? LIMIT ?)`
  return (
    (yield* deleteText(run(sessions, now, limit))) +
    (yield* deleteText(run(challenges, now, limit))) +
    (yield* run(links, now, limit)) +
    (yield* deleteText(run(invitations, now - endedInvitationMs, limit)))
  )
}
