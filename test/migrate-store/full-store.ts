import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { systemClock } from '../../src/base/clock.ts'
import { openScratchStore } from '../harness/scratch-store.ts'

/** Texts that a database could spoil: other scripts, an emoji, quotes, a backslash, line ends. */
const oddText = `Grüße, 世界 🌍 "quoted" 'single' \\back\\slash {a,NULL}\r\n\t\u0001\u{10ffff} end`

/** Every byte. */
const allBytes = Uint8Array.from({ length: 256 }, (_, index) => index)

const bytes = (first: number): Uint8Array => Uint8Array.from({ length: 32 }, (_, index) => (first + index) % 256)

/** A store in which every table has rows, some of them with gaps in their numbers. No server uses it. */
export const fillStore = async (path: string): Promise<void> => {
  const store = await openScratchStore(path, systemClock)
  await store[Symbol.asyncDispose]()
  using db = new DatabaseSync(join(path, 'helix.db'))
  const organisation = String(db.prepare('SELECT id FROM organisations').get()?.id)
  const add = (table: string, row: Record<string, string | number | null | Uint8Array>): void => {
    const columns = Object.keys(row)
    const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
    db.prepare(sql).run(...Object.values(row))
  }
  db.exec('BEGIN')
  db.prepare('UPDATE organisations SET name = ?, body_days = 7, cost_per_day = ?').run(oddText, 9_007_199_254_740_991)
  add('organisations', { id: 'org_two', name: '', created_at: 2 })
  for (const [id, rowid] of [
    ['acc_b', 7],
    ['acc_a', 9],
  ] as const)
    add('accounts', { rowid, id, email: `${id}@例え.jp`, email_key: id, is_owner: 0, language: 'ja', created_at: 1 })
  add('credentials', { account_id: 'acc_a', kind: 'password', secret: '$argon2id$…' })
  add('memberships', { account_id: 'acc_a', organisation_id: organisation, role: 'owner', created_at: 1 })
  add('memberships', { account_id: 'acc_b', organisation_id: organisation, role: 'viewer', created_at: 2 })
  for (let key = 0; key < 1_200; key += 1)
    add('api_keys', {
      id: `key_${key}`,
      organisation_id: organisation,
      name: key === 3 ? oddText : `Key ${key}`,
      secret_hash: Buffer.from(`secret ${key}`),
      prefix: 'sk-helix-',
      last_four: 'abcd',
      created_at: key,
      created_by: key % 2 === 0 ? 'acc_a' : null,
      previous_hash: key === 5 ? allBytes : null,
    })
  const session = { account_id: 'acc_a', organisation_id: organisation, created_at: 1, last_seen_at: 2, expires_at: 3 }
  add('sessions', { id: 'ses_1', token_hash: bytes(1), ...session, address: '::1', user_agent: oddText })
  add('links', { token_hash: bytes(2), kind: 'reset', account_id: 'acc_a', created_at: 1, expires_at: null })
  const invitation = { organisation_id: organisation, role: 'admin', invited_by: 'acc_a', created_at: 1, expires_at: 2 }
  add('invitations', { id: 'inv_1', token_hash: bytes(3), ...invitation, email: 'guest@example.com' })
  add('totp_factors', { account_id: 'acc_a', sealed_secret: 'sealed', last_step: 5, created_at: 1, confirmed_at: 2 })
  add('recovery_codes', { account_id: 'acc_a', code_hash: bytes(4) })
  const passkey = {
    account_id: 'acc_a',
    counter: 4_294_967_295,
    transports: '[]',
    relying_party: 'localhost',
    created_at: 1,
  }
  add('passkeys', { id: 'pas_1', credential_id: 'cred', name: oddText, public_key: allBytes, ...passkey })
  add('identities', { id: 'ide_1', account_id: 'acc_a', issuer: 'https://idp', subject: 'me', created_at: 1 })
  const challenge = { account_id: null, content: '{}', tries_left: 3, expires_at: 9 }
  add('challenges', { token_hash: bytes(5), kind: 'passkey', ...challenge })
  add('audit_parties', { id: 1, kind: 'account', subject_id: 'acc_a', name: oddText, address: '127.0.0.1' })
  add('audit_events', { at: 5, organisation_id: organisation, action: 'key.created', actor: 1, details: '{}' })
  add('write_checks', { id: 1, checked_at: 77 })
  addContent(db, add, organisation)
  addLedger(db, add, organisation)
  db.exec('COMMIT')
}

type Add = (table: string, row: Record<string, string | number | null | Uint8Array>) => void

const addContent = (db: DatabaseSync, add: Add, organisation: string): void => {
  const owned = { organisation_id: organisation, created_at: 10 }
  const completion = {
    ...owned,
    model: 'helix-v1',
    metadata: '{}',
    completion: oddText,
    messages: 'x'.repeat(2_500_000),
  }
  for (const id of ['cmp_1', 'cmp_2', 'cmp_3', 'cmp_gone']) add('stored_completions', { id, ...completion })
  // The last number was given away, and must not be given again.
  db.exec("DELETE FROM stored_completions WHERE id = 'cmp_gone'")
  add('stored_completion_pairs', { ...owned, pair: 'nul\0inside', sequence: 1 })
  add('stored_completion_pairs', { ...owned, pair: 'a=b', sequence: 2 })
  for (const id of ['resp_1', 'resp_2'])
    add('stored_responses', { id, ...owned, bytes: 100, response: '{}', input: '[]' })
  add('stored_response_items', { organisation_id: organisation, id: 'msg_1', sequence: 1 })
  add('upstreams', {
    name: 'gpu',
    definition: '{"url":"http://x"}',
    sealed_key: 'sealed',
    is_draining: 1,
    created_at: 1,
  })
  const draft = { account_id: 'acc_a', organisation_id: organisation, content: 'a\0b\0', version: 2, saved_at: 3 }
  add('playground_drafts', draft)
  const prompt = {
    organisation_id: organisation,
    account_id: 'acc_a',
    is_shared: 1,
    created_at: 1,
    saved_at: 2,
    version: 3,
  }
  add('prompts', { id: 'prompt_1', name: 'N\0UL', ...prompt })
  const conversation = {
    ...{ id: 'cnv_1', account_id: 'acc_a', organisation_id: organisation, title: 'T', is_pinned: 1, version: 2 },
    ...{ bytes: 5, created_at: 1, saved_at: 2, search_text: 'a', content: '{}' },
  }
  add('playground_conversations', conversation)
  add('playground_shares', { id: 'shr_1', conversation_id: 'cnv_1', created_at: 3, content: oddText })
  add('prompt_versions', { prompt_id: 'prompt_1', version: 3, content: oddText, saved_at: 2 })
}

/** Settled requests, one that is running with a checkpoint, and one without. */
const addLedger = (db: DatabaseSync, add: Add, organisation: string): void => {
  add('ledger_parties', { id: 3, organisation_id: organisation, key_id: 'key_1' })
  add('ledger_parties', { id: 4, organisation_id: organisation, key_id: null })
  const reserved = {
    model: 'helix-v1',
    endpoint: 'chat.completions',
    is_stream: 1,
    reserved_tokens: 50,
    created_at: 1_000,
  }
  const counts = { prompt_tokens: 7, cached_tokens: 2, completion_tokens: 9, reasoning_tokens: 1, is_estimated: 0 }
  const settled = { ...counts, outcome: 'completed', duration_ms: 400, ended_at: 2_000, day: 20261115, cost: 3 }
  for (let sequence = 5; sequence < 1_205; sequence += 1) {
    add('ledger_reservations', { sequence, request_id: `req_${sequence}`, party: 3, ...reserved })
    const pauses = sequence % 3 === 0 ? '[2,1500]' : null
    const timed_ms = sequence % 3 === 0 ? 300 : null
    add('ledger_settlements', {
      reservation: sequence,
      ...settled,
      route: sequence % 2 === 0 ? oddText : null,
      pauses,
      timed_ms,
    })
  }
  for (const sequence of [1_205, 1_206])
    add('ledger_reservations', { sequence, request_id: `req_${sequence}`, party: 4, ...reserved, price: null })
  add('ledger_progress', { reservation: 1_206, ...counts, written_at: 1_500 })
  db.exec('UPDATE ledger_settled SET up_to = 1204; INSERT INTO ledger_horizon VALUES (1, 20261101)')
  const totals = { requests: 1_200, failed: 0, client_closed: 0, estimated: 0, cost: 3_600, prompt_tokens: 8_400 }
  const more = {
    cached_tokens: 2_400,
    completion_tokens: 10_800,
    reasoning_tokens: 1_200,
    first_tokens: 0,
    first_token_ms: 0,
    timed_tokens: 3_200,
    timed_ms: 120_000,
  }
  add('usage_days', { party: 3, day: 20261115, model: 'helix-v1', ...totals, ...more, duration_ms: 480_000 })
  const timed = { first_tokens: 1, first_token_ms: 80, timed_tokens: 8, timed_ms: 300 }
  const used = { requests: 2, errors: 1, ...timed, prompt_tokens: 7, completion_tokens: 9, cost: 3 }
  add('upstream_hours', { hour: 498_000, upstream: 'gpu', model: oddText, ...used })
  const refusal = { organisation_id: organisation, endpoint: 'chat.completions', error: 'invalid_json', created_at: 5 }
  for (const sequence of [4, 9])
    add('refused_requests', { sequence, request_id: `refused_${sequence}`, ...refusal, duration_ms: 1, left_out: 0 })
  const body = { organisation_id: organisation, created_at: 5, bytes: 12, is_request_cut: 0, is_answer_cut: 1 }
  add('request_bodies', { request_id: 'req_5', ...body, request: oddText, answer: null })
  const replay = {
    organisation_id: organisation,
    completion_id: 'cmp',
    request_id: 'req_5',
    is_stream: 0,
    created_at: 1,
  }
  const cached = { organisation_id: organisation, key_hash: bytes(8), request_id: 'req_5', checksum: bytes(9) }
  add('cached_answers', { ...cached, created_at: 1, expires_at: 9, bytes: 6, facts: '{}', content: oddText })
  add('replays', { key_hash: bytes(6), body_hash: bytes(7), ...replay, expires_at: 9, bytes: 4, content: 'data' })
}
