import { first, type Query, run } from '../../../operations/query.ts'
import { text } from '../../../operations/row.ts'

export function* findFingerprint(): Query<string | null> {
  const row = yield* first('SELECT fingerprint FROM secret_fingerprint')
  return row === undefined ? null : text(row, 'fingerprint')
}

export function* agreeOnFingerprint(fingerprint: string): Query<string> {
  yield* run('INSERT INTO secret_fingerprint (id, fingerprint) VALUES (1, ?) ON CONFLICT (id) DO NOTHING', fingerprint)
  return (yield* findFingerprint()) ?? fingerprint
}

export function* replaceFingerprint(fingerprint: string): Query<void> {
  const upsert = `INSERT INTO secret_fingerprint (id, fingerprint) VALUES (1, ?)
    ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint`
  yield* run(upsert, fingerprint)
}
