import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createManualClock } from '../../test/harness/manual-clock.ts'
import { openScratchStore, scratchDirectory } from '../../test/harness/scratch-store.ts'
import { noLimits } from '../store/limit-names.ts'
import { createKeyRegistry, type KeyRegistry } from './key-registry.ts'
import type { NewKey } from './read-key.ts'

const created = async (registry: KeyRegistry, wanted: NewKey) => {
  const made = await registry.create(wanted)
  if (made.outcome !== 'created') throw new Error(made.reason)
  return made
}

test('a new key is shown once; later only its ends are known', async () => {
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
    limits: noLimits,
    lastUsedAt: null,
    previousUntil: null,
    suspendedAt: null,
    pausedAt: null,
    state: 'active',
  })
  expect(await registry.list('all')).toEqual([record])
  const files = readdirSync(scratch.path).map((name) => readFileSync(join(scratch.path, name), 'latin1'))
  expect(files.some((content) => content.includes(key.slice(12, -4)))).toBe(false)
  expect(files.some((content) => content.includes(record.prefix))).toBe(true)
})

test('a list shows the state of each key', async () => {
  using scratch = scratchDirectory()
  await using store = await openScratchStore(scratch.path)
  const clock = createManualClock()
  const revoked: string[] = []
  const registry = createKeyRegistry({ store, clock, onChanged: (id) => revoked.push(id) })
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

test('a name must be a single visible line of 1 to 100 characters, in any language', async () => {
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

test('an expiry in the past, or one that is not a time, is refused', async () => {
  using scratch = scratchDirectory()
  await using store = await openScratchStore(scratch.path)
  const clock = createManualClock()
  const registry = createKeyRegistry({ store, clock })
  for (const expiresAt of [clock.now(), 0, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(await registry.create({ name: 'late', expiresAt })).toMatchObject({ outcome: 'refused', field: 'expiresAt' })
  }
  expect(await registry.list('all')).toEqual([])
})

test.each([
  ['scopes', { scopes: [] }, 'specify at least one scope'],
  ['scopes', { scopes: ['chat', 'admin'] }, "unknown scope 'admin'; the scopes are chat, models, "],
  ['scopes', { scopes: ['manage', 'chat'] }, "'manage' cannot be combined"],
  ['models', { models: [] }, 'specify at least one'],
  ['models', { models: ['two words'] }, "'two words' is not a valid model name"],
  ['networks', { networks: [] }, 'specify at least one'],
  ['networks', { networks: ['10.0.0.0/8', '10.0.0.0/33'] }, "'10.0.0.0/33' is not"],
  ['networks', { networks: Array.from({ length: 101 }, (_, at) => `10.0.0.${at}`) }, 'at most 100'],
  ['limits.requestsPerMinute', { limits: { requestsPerMinute: 0 } }, 'a whole number from 1'],
  ['limits.tokensPerDay', { limits: { tokensPerDay: 1.5 } }, 'a whole number from 1'],
  ['limits.requestsInFlight', { limits: { requestsInFlight: Number.NaN } }, 'a whole number from 1'],
])('%s is refused with a reason: %j', async (field, wanted, reason) => {
  using scratch = scratchDirectory()
  await using store = await openScratchStore(scratch.path)
  const registry = createKeyRegistry({ store, clock: createManualClock() })
  const refused = { outcome: 'refused', field, reason: expect.stringContaining(reason) }
  expect(await registry.create({ name: 'x', ...wanted })).toEqual(refused)
  const { record } = await created(registry, { name: 'x' })
  expect(await registry.change('all', record.id, wanted)).toEqual(refused)
  expect(await registry.list('all')).toEqual([record])
})

test('duplicates and other spellings are stored once, in canonical form', async () => {
  using scratch = scratchDirectory()
  await using store = await openScratchStore(scratch.path)
  const registry = createKeyRegistry({ store, clock: createManualClock() })
  const { record } = await created(registry, {
    name: 'x',
    scopes: ['models', 'chat', 'models'],
    models: ['a', 'b', 'a'],
    networks: ['10.1.2.3/8', ' 10.0.0.0/8 ', '2001:DB8::/32'],
    limits: { tokensPerMonth: 1_000 },
  })
  expect(record).toMatchObject({
    scopes: ['chat', 'models'],
    models: ['a', 'b'],
    networks: ['10.0.0.0/8', '2001:db8::/32'],
    limits: { ...noLimits, tokensPerMonth: 1_000 },
  })
  expect(await registry.find('all', record.id)).toEqual(record)
})

test('a change leaves omitted fields as they are', async () => {
  using scratch = scratchDirectory()
  await using store = await openScratchStore(scratch.path)
  const clock = createManualClock()
  const registry = createKeyRegistry({ store, clock })
  const { record } = await created(registry, { name: 'x', limits: { tokensPerDay: 5 }, expiresAt: clock.now() + 1 })
  const change = (fields: Parameters<typeof registry.change>[2]) => registry.change('all', record.id, fields)
  const first = { ...record, limits: { ...noLimits, tokensPerDay: 5, requestsPerMinute: 7 } }
  expect(await change({ limits: { requestsPerMinute: 7 } })).toEqual({ outcome: 'changed', record: first })
  const second = { ...first, name: 'y', networks: ['::1'], limits: { ...noLimits, requestsPerMinute: 7 } }
  const changes = { name: ' y ', networks: ['::1'], limits: { tokensPerDay: null }, expiresAt: record.expiresAt }
  expect(await change(changes)).toEqual({ outcome: 'changed', record: second })
  clock.advance(1)
  expect(await change(changes)).toMatchObject({ outcome: 'changed', record: { state: 'expired' } })
  expect(await change({ expiresAt: null, networks: null })).toEqual({
    outcome: 'changed',
    record: { ...second, networks: null, expiresAt: null },
  })
})

test('the scopes of a key change, but none becomes a management key or stops being one', async () => {
  using scratch = scratchDirectory()
  await using store = await openScratchStore(scratch.path)
  const registry = createKeyRegistry({ store, clock: createManualClock() })
  const { record: plain } = await created(registry, { name: 'plain' })
  const { record: manager } = await created(registry, { name: 'manager', scopes: ['manage'] })
  const change = (id: string, scopes: readonly string[]) => registry.change('all', id, { scopes })
  const fewer = { ...plain, scopes: ['chat', 'models'] }
  expect(await change(plain.id, ['models', 'chat'])).toEqual({ outcome: 'changed', record: fewer })
  expect(await registry.find('all', plain.id)).toEqual(fewer)
  const refused = { outcome: 'refused', field: 'scopes', reason: expect.stringContaining("'manage' cannot be added") }
  expect(await change(plain.id, ['manage'])).toEqual(refused)
  expect(await change(manager.id, ['chat'])).toEqual(refused)
  expect(await change(manager.id, ['manage'])).toEqual({ outcome: 'changed', record: manager })
})

test('a rotated key has a new secret and is otherwise unchanged', async () => {
  using scratch = scratchDirectory()
  await using store = await openScratchStore(scratch.path)
  const clock = createManualClock()
  const told: string[] = []
  const registry = createKeyRegistry({ store, clock, onChanged: (id) => told.push(id) })
  const { key, record } = await created(registry, { name: 'x' })
  const rotated = await registry.rotate('all', record.id, 30 * 86_400_000)
  if (rotated.outcome !== 'rotated') throw new Error(rotated.outcome)
  expect(rotated.key).not.toBe(key)
  expect(rotated.record).toEqual({
    ...record,
    prefix: rotated.key.slice(0, 12),
    lastFour: rotated.key.slice(-4),
    previousUntil: clock.now() + 30 * 86_400_000,
  })
  expect(told).toEqual([record.id])
  expect(await registry.rotate('all', record.id, 0)).toMatchObject({ record: { previousUntil: null } })
})

test('a key cannot be rotated with more than 30 days of grace, if it is inactive, or if it does not exist', async () => {
  using scratch = scratchDirectory()
  await using store = await openScratchStore(scratch.path)
  const clock = createManualClock()
  const registry = createKeyRegistry({ store, clock })
  const { record } = await created(registry, { name: 'x', expiresAt: clock.now() + 1_000 })
  for (const graceMs of [-1, 30 * 86_400_000 + 1, Number.NaN, 0.5])
    expect(await registry.rotate('all', record.id, graceMs)).toMatchObject({ outcome: 'refused', field: 'graceMs' })
  expect(await registry.rotate('all', 'key_none', 0)).toEqual({ outcome: 'not_found' })
  expect(await registry.rotate({ organisationId: 'org_other' }, record.id, 0)).toEqual({ outcome: 'not_found' })
  expect(await registry.change({ organisationId: 'org_other' }, record.id, { name: 'y' })).toEqual({
    outcome: 'not_found',
  })
  clock.advance(1_000)
  expect(await registry.rotate('all', record.id, 0)).toEqual({ outcome: 'inactive', state: 'expired' })
  await registry.revoke('all', record.id)
  expect(await registry.rotate('all', record.id, 0)).toEqual({ outcome: 'inactive', state: 'revoked' })
  expect(await registry.change('all', record.id, { name: 'y' })).toEqual({ outcome: 'inactive', state: 'revoked' })
})

test('a use that is not written yet is already shown', async () => {
  using scratch = scratchDirectory()
  await using store = await openScratchStore(scratch.path)
  let unwritten: number | null = 5
  const registry = createKeyRegistry({ store, clock: createManualClock(), unwrittenUse: () => unwritten })
  const { record } = await created(registry, { name: 'x' })
  expect((await registry.find('all', record.id))?.lastUsedAt).toBe(5)
  await store.keys.touch([{ id: record.id, lastUsedAt: 7 }])
  unwritten = null
  expect((await registry.find('all', record.id))?.lastUsedAt).toBe(7)
})
