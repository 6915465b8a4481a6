import { expect, test } from 'vitest'
import { keyRecordOf } from '../../test/harness/key-record.ts'
import { createManualClock } from '../../test/harness/manual-clock.ts'
import { openScratchStore, scratchDirectory } from '../../test/harness/scratch-store.ts'
import type { KeyRecords } from '../store/contract.ts'
import { mintKey } from './key-format.ts'
import { createKeyRegistry } from './key-registry.ts'
import { createKeyVerifier } from './verify-key.ts'

/** A registry and a verifier over one real store; `questions` counts what reached the store. */
const setUp = async (lifetimeMs: number | null = null) => {
  const scratch = scratchDirectory()
  const store = await openScratchStore(scratch.path)
  const clock = createManualClock()
  let questions = 0
  let arrive = async (): Promise<void> => {}
  const records: Pick<KeyRecords, 'findByHash'> = {
    async findByHash(secretHash) {
      questions += 1
      const arrived = arrive
      const record = await store.keys.findByHash(secretHash)
      await arrived()
      return record
    },
  }
  const verifier = createKeyVerifier({ records, clock })
  const registry = createKeyRegistry({ store, clock, onChanged: verifier.forget })
  const made = await registry.create({ name: 'test', expiresAt: lifetimeMs && clock.now() + lifetimeMs })
  if (made.outcome !== 'created') throw new Error(made.reason)
  const { key, record } = made
  return {
    ...{ store, clock, verifier, registry, key, record },
    verify: () => verifier.verify(`Bearer ${key}`),
    questions: () => questions,
    /** What happens to answers of the store on their way, from now on. */
    onArrival: (then: () => Promise<void>) => {
      arrive = then
    },
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]()
      scratch[Symbol.dispose]()
    },
  }
}

test('a valid key identifies the caller, whatever the case of the scheme', async () => {
  await using it = await setUp()
  const { state: _, ...key } = it.record
  const valid = { outcome: 'valid', key, ownerId: key.organisationId }
  for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
    expect(await it.verifier.verify(`${scheme} ${it.key}`)).toEqual(valid)
  }
  expect(await it.verifier.verify(`  Bearer   ${it.key}  `)).toEqual(valid)
})

test('without a bearer token the key is missing', async () => {
  await using it = await setUp()
  for (const header of [undefined, '', '  ', 'Bearer', 'Bearer   ', 'Basic dXNlcjpwYXNz', 'Bearerx y', it.key]) {
    expect(await it.verifier.verify(header)).toEqual({ outcome: 'missing' })
  }
  expect(it.questions()).toBe(0)
})

test('a mistyped key is incorrect and is never looked up in the store', async () => {
  await using it = await setUp()
  const mistyped = it.key.slice(0, -1) + (it.key.endsWith('0') ? '1' : '0')
  for (const token of [
    mistyped,
    'sk-something-else-entirely',
    `${it.key} ${it.key}`,
    'x'.repeat(9_000),
    '\u0000\n\u001b',
  ]) {
    const verdict = await it.verifier.verify(`Bearer ${token}`)
    expect(verdict.outcome).toBe('incorrect')
    expect(JSON.stringify(verdict)).not.toContain(it.key.slice(8, 20))
    expect(JSON.stringify(verdict).length).toBeLessThan(100)
  }
  expect(it.questions()).toBe(0)
})

test('a well-formed key that does not exist is incorrect, and is looked up each time', async () => {
  await using it = await setUp()
  const stranger = mintKey()
  const verdict = { outcome: 'incorrect', shownKey: `hx_live_${'*'.repeat(32)}${stranger.slice(-4)}` }
  expect(await it.verifier.verify(`Bearer ${stranger}`)).toEqual(verdict)
  expect(await it.verifier.verify(`Bearer ${stranger}`)).toEqual(verdict)
  expect(it.questions()).toBe(2)
})

test('a valid key is cached for less than a second', async () => {
  await using it = await setUp()
  await it.verify()
  it.clock.advance(999)
  await it.verify()
  expect(it.questions()).toBe(1)
  it.clock.advance(1)
  await it.verify()
  expect(it.questions()).toBe(2)
})

test('concurrent calls share one lookup', async () => {
  await using it = await setUp()
  const verdicts = await Promise.all(Array.from({ length: 50 }, it.verify))
  expect(new Set(verdicts.map(({ outcome }) => outcome))).toEqual(new Set(['valid']))
  expect(it.questions()).toBe(1)
})

test('a revocation by this process takes effect at once', async () => {
  await using it = await setUp()
  expect((await it.verify()).outcome).toBe('valid')
  await it.registry.revoke('all', it.record.id)
  expect(await it.verify()).toEqual({ outcome: 'revoked', shownKey: `hx_live_${'*'.repeat(32)}${it.record.lastFour}` })
})

test('a revocation by another process takes effect within a second', async () => {
  await using it = await setUp()
  await it.verify()
  await it.store.keys.revoke('all', it.record.id, it.clock.now())
  it.clock.advance(1_000)
  expect((await it.verify()).outcome).toBe('revoked')
})

test('after a rotation both secrets work, the old one until its grace period ends, to the millisecond', async () => {
  await using it = await setUp()
  expect((await it.verify()).outcome).toBe('valid')
  const rotated = await it.registry.rotate('all', it.record.id, 60_000)
  if (rotated.outcome !== 'rotated') throw new Error(rotated.outcome)
  expect(await it.verifier.verify(`Bearer ${rotated.key}`)).toMatchObject({
    outcome: 'valid',
    key: { id: it.record.id },
  })
  it.clock.advance(59_999)
  expect((await it.verify()).outcome).toBe('valid')
  it.clock.advance(1)
  expect(await it.verify()).toEqual({ outcome: 'rotated', shownKey: `hx_live_${'*'.repeat(32)}${it.record.lastFour}` })
  expect((await it.verifier.verify(`Bearer ${rotated.key}`)).outcome).toBe('valid')
})

test('a rotation without a grace period disables the old secret at once, even if it is cached', async () => {
  await using it = await setUp()
  expect((await it.verify()).outcome).toBe('valid')
  await it.registry.rotate('all', it.record.id, 0)
  expect((await it.verify()).outcome).toBe('rotated')
})

test('a second rotation disables the oldest secret, whatever its grace period', async () => {
  await using it = await setUp()
  await it.registry.rotate('all', it.record.id, 60_000)
  await it.registry.rotate('all', it.record.id, 60_000)
  expect((await it.verify()).outcome).toBe('incorrect')
})

test('a change of a key takes effect at once', async () => {
  await using it = await setUp()
  await it.verify()
  await it.registry.change('all', it.record.id, { models: ['other'], limits: { requestsPerMinute: 3 } })
  expect(await it.verify()).toMatchObject({ key: { models: ['other'], limits: { requestsPerMinute: 3 } } })
})

test('a lookup that began before a revocation and ends after it is neither shared nor cached', async () => {
  await using it = await setUp()
  const late = Promise.withResolvers<void>()
  it.onArrival(() => late.promise)
  const early = it.verify()
  await it.registry.revoke('all', it.record.id)
  it.onArrival(async () => {})
  expect((await it.verify()).outcome).toBe('revoked')
  late.resolve()
  expect((await early).outcome).toBe('valid')
  expect((await it.verify()).outcome).toBe('revoked')
})

test('a key expires to the millisecond, even while it is cached', async () => {
  await using it = await setUp(500)
  it.clock.advance(499)
  expect((await it.verify()).outcome).toBe('valid')
  it.clock.advance(1)
  expect((await it.verify()).outcome).toBe('expired')
  expect(it.questions()).toBe(1)
})

test('a failure of the store reaches the caller, and the next call looks the key up again', async () => {
  await using it = await setUp()
  it.onArrival(() => Promise.reject(new Error('disk on fire')))
  await expect(it.verify()).rejects.toThrow('disk on fire')
  it.onArrival(async () => {})
  expect((await it.verify()).outcome).toBe('valid')
})

test('at most ten thousand keys are cached', async () => {
  const clock = createManualClock()
  let questions = 0
  const records: Pick<KeyRecords, 'findByHash'> = {
    async findByHash() {
      questions += 1
      return { record: keyRecordOf('org_1'), secret: 'current', suspended: null, ownerId: 'usr_1' }
    },
  }
  const verifier = createKeyVerifier({ records, clock })
  const [first = '', second = '', ...others] = Array.from({ length: 10_001 }, mintKey)
  const ask = (key: string) => verifier.verify(`Bearer ${key}`)
  for (const key of [first, second, first, ...others]) await ask(key)
  expect(questions).toBe(10_001)
  await ask(first)
  expect(questions).toBe(10_001)
  await ask(second)
  expect(questions).toBe(10_002)
})
