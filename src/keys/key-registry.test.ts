import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createManualClock } from '../../test/harness/manual-clock.ts'
import { openScratchStore, scratchDirectory } from '../../test/harness/scratch-store.ts'
import { createKeyRegistry, type KeyRegistry, type NewKey } from './key-registry.ts'

const created = async (registry: KeyRegistry, wanted: NewKey) => {
  const made = await registry.create(wanted)
  if (made.outcome !== 'created') throw new Error(made.reason)
  return made
}

test('a new key is shown once; afterwards only how it begins and ends is known', async () => {
  using scratch = scratchDirectory()
  await using store = await openScratchStore(scratch.path)
  const clock = createManualClock()
  const registry = createKeyRegistry({ store, clock })
  const { key, record } = await created(registry, { name: ' laptop ' })
  expect(record).toEqual({
    id: expect.stringMatching(/^key_/),
    organisationId: (await store.organisations.first()).id,
    name: 'laptop',
    prefix: key.slice(0, 12),
    lastFour: key.slice(-4),
    createdAt: clock.now(),
    expiresAt: null,
    revokedAt: null,
    createdBy: null,
    scopes: ['chat', 'models', 'completions.read', 'completions.write'],
    models: null,
    networks: null,
    limits: {
      requestsPerMinute: null,
      tokensPerMinute: null,
      requestsInFlight: null,
      tokensPerDay: null,
      tokensPerMonth: null,
    },
    lastUsedAt: null,
    previousUntil: null,
    state: 'active',
  })
  expect(await registry.list('all')).toEqual([record])
  const files = readdirSync(scratch.path).map((name) => readFileSync(join(scratch.path, name), 'latin1'))
  expect(files.some((content) => content.includes(key.slice(12, -4)))).toBe(false)
  expect(files.some((content) => content.includes(record.prefix))).toBe(true)
})

test('a list shows what became of each key', async () => {
  using scratch = scratchDirectory()
  await using store = await openScratchStore(scratch.path)
  const clock = createManualClock()
  const revoked: string[] = []
  const registry = createKeyRegistry({ store, clock, onRevoked: (id) => revoked.push(id) })
  await created(registry, { name: 'stays' })
  await created(registry, { name: 'ends', expiresAt: clock.now() + 1_000 })
  const { record } = await created(registry, { name: 'goes', expiresAt: clock.now() + 1_000 })
  expect(await registry.revoke('all', record.id)).toEqual({ outcome: 'revoked' })
  expect(revoked).toEqual([record.id])
  expect((await registry.list('all')).map(({ state }) => state)).toEqual(['active', 'active', 'revoked'])
  clock.advance(1_000)
  expect((await registry.list('all')).map(({ state }) => state)).toEqual(['active', 'expired', 'revoked'])
  expect(await registry.revoke('all', record.id)).toEqual({ outcome: 'already_revoked' })
  expect(await registry.revoke('all', 'key_unknown')).toEqual({ outcome: 'not_found' })
})

test('a name must be one honest line of 1 to 100 characters, in any language', async () => {
  using scratch = scratchDirectory()
  await using store = await openScratchStore(scratch.path)
  const registry = createKeyRegistry({ store, clock: createManualClock() })
  for (const name of [
    '',
    '   ',
    'a'.repeat(101),
    'two\nlines',
    'bell\u0007',
    'esc\u001b[31m',
    'half \ud83d',
    '\u202egnp',
  ]) {
    expect(await registry.create({ name })).toMatchObject({ outcome: 'refused', field: 'name' })
  }
  for (const name of ['a', 'a'.repeat(100), '🔑'.repeat(100), '開発用の鍵', "O'Brien; DROP TABLE api_keys"]) {
    expect((await created(registry, { name })).record.name).toBe(name)
  }
  expect(await registry.list('all')).toHaveLength(5)
})

test('an expiry that has passed, or is no time at all, is refused', async () => {
  using scratch = scratchDirectory()
  await using store = await openScratchStore(scratch.path)
  const clock = createManualClock()
  const registry = createKeyRegistry({ store, clock })
  for (const expiresAt of [clock.now(), 0, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(await registry.create({ name: 'late', expiresAt })).toMatchObject({ outcome: 'refused', field: 'expiresAt' })
  }
  expect(await registry.list('all')).toEqual([])
})
