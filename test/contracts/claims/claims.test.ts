import { describe, expect, test } from 'vitest'
import { createLocalClaims } from '../../../src/replay/claims/local-claims.ts'
import type { Claim, Claims } from '../../../src/store/claim-contract.ts'
import { reservationOf } from '../../harness/ledger-records.ts'
import { openSharedStores } from '../../harness/postgres/open-shared-stores.ts'
import { startedPostgres } from '../../harness/postgres/started-postgres.ts'

const postgres = await startedPostgres()

const keyHash = (byte: number): Uint8Array => Uint8Array.from({ length: 32 }, () => byte)
const name = { organisationId: 'org_1', keyHash: keyHash(1) }
const claimOf = (requestId: string): Claim => ({
  requestId,
  completionId: `chatcmpl-${requestId}`,
  bodyHash: keyHash(9),
  stream: true,
})

type Opened = AsyncDisposable & { a: Claims; b: Claims }

/** What `Claims` promises: `a` and `b` are two users of the same claims. */
const suite = (open: () => Promise<Opened>): void => {
  test('of several requests at the same moment one gets the claim, and the others find it', async () => {
    await using opened = await open()
    const { a, b } = opened
    const ids = ['req_1', 'req_2', 'req_3', 'req_4']
    const found = await Promise.all(ids.map((id, n) => (n % 2 === 0 ? a : b).claim(name, claimOf(id))))
    const [winner = ''] = ids.filter((_, n) => found[n] === null)
    const claimed = { ...claimOf(winner), isHeld: true }
    expect(found.filter((one) => one !== null)).toEqual([claimed, claimed, claimed])
    expect(await b.find(name)).toEqual(claimed)
  })

  test('claims are for one key of one organisation', async () => {
    await using opened = await open()
    const { a, b } = opened
    expect(await a.claim(name, claimOf('req_1'))).toBe(null)
    expect(await b.claim({ ...name, keyHash: keyHash(2) }, claimOf('req_2'))).toBe(null)
    expect(await b.claim({ ...name, organisationId: 'org_2' }, claimOf('req_3'))).toBe(null)
    expect(await b.held(['req_1', 'req_2', 'req_3', 'req_4'])).toEqual(new Set(['req_1', 'req_2', 'req_3']))
  })

  test('a claim is released only by its own request, and can then be had again', async () => {
    await using opened = await open()
    const { a, b } = opened
    await a.claim(name, claimOf('req_1'))
    await b.release(name, 'req_2')
    expect(await b.claim(name, claimOf('req_2'))).toMatchObject({ requestId: 'req_1' })
    await a.release(name, 'req_1')
    expect(await b.find(name)).toBe(null)
    expect(await b.held(['req_1'])).toEqual(new Set())
    expect(await b.claim(name, claimOf('req_2'))).toBe(null)
  })

  test('a server lists its own claims', async () => {
    await using opened = await open()
    const { a } = opened
    await a.claim(name, claimOf('req_1'))
    await a.claim({ ...name, organisationId: 'org_2' }, claimOf('req_2'))
    await a.release(name, 'req_1')
    expect(await a.own()).toEqual([{ name: { ...name, organisationId: 'org_2' }, requestId: 'req_2' }])
  })

  test('a claim that is held is neither taken over nor removed', async () => {
    await using opened = await open()
    const { a, b } = opened
    await a.claim(name, claimOf('req_1'))
    expect(await b.takeOver(name, 'req_1', claimOf('req_2'))).toBe(false)
    expect(await b.removeDead()).toBe(0)
    expect(await b.find(name)).toEqual({ ...claimOf('req_1'), isHeld: true })
  })
}

describe('in one process', () =>
  suite(async () => {
    const claims = createLocalClaims()
    return { a: claims, b: claims, [Symbol.asyncDispose]: async () => {} }
  }))

/** Two nodes that share a database, and what makes one of them die. */
const openNodes = async () => {
  const shared = await openSharedStores(postgres, 2)
  const nodes = await Promise.all(
    shared.stores.map(async (store, n) => {
      const id = `node_${n + 1}`
      await store.nodes.register({
        id,
        name: id,
        address: '',
        version: '1.2.3',
        status: '{}',
        certificate: '',
        engine: null,
      })
      if (store.claims === null) throw new Error('it is shared')
      return { store, claims: store.claims }
    }),
  )
  const [a, b] = nodes
  if (a === undefined || b === undefined) throw new Error('two were opened')
  const hourMs = 3_600_000
  const end = async (): Promise<void> => {
    await shared.age('node_1', hourMs)
    await b.store.nodes.endSilent(30_000)
  }
  return {
    ...{ a, b, end, exec: shared.exec },
    /** Its lease ended a while ago, and what it left open is settled. */
    die: async () => {
      await end()
      await shared.age('node_1', hourMs)
      await b.store.nodes.settle('node_1', 1_000, 20011115)
    },
    age: () => shared.age('node_1', hourMs),
    [Symbol.asyncDispose]: () => shared[Symbol.asyncDispose](),
  }
}

describe.skipIf(postgres === null)('on PostgreSQL', () => {
  suite(async () => {
    const nodes = await openNodes()
    return { a: nodes.a.claims, b: nodes.b.claims, [Symbol.asyncDispose]: () => nodes[Symbol.asyncDispose]() }
  })

  test('the claim of a node that died is taken over by one of the others', async () => {
    await using nodes = await openNodes()
    const { a, b, die } = nodes
    await a.claims.claim(name, claimOf('req_1'))
    await die()
    expect(await b.claims.claim(name, claimOf('req_2'))).toEqual({ ...claimOf('req_1'), isHeld: false })
    expect(await b.claims.held(['req_1'])).toEqual(new Set())
    const taken = await Promise.all(['req_2', 'req_3'].map((id) => b.claims.takeOver(name, 'req_1', claimOf(id))))
    expect(taken.filter(Boolean)).toHaveLength(1)
    expect(await b.claims.find(name)).toMatchObject({ isHeld: true })
    await a.claims.release(name, 'req_1')
    expect(await b.claims.find(name)).not.toBe(null)
  })

  test('a node that was taken for dead cannot reserve under another id for a claim that it had', async () => {
    await using nodes = await openNodes()
    const { a, b, die } = nodes
    const { id: organisationId } = await a.store.organisations.first()
    const [mine, theirs] = ['req_1', 'req_2'].map((requestId) => reservationOf(organisationId, { requestId }))
    if (mine === undefined || theirs === undefined) throw new Error('two were made')
    await a.claims.claim(name, claimOf('req_1'))
    await die()
    const again = { name: 'node_1', address: '', version: '1.2.3', status: '{}', certificate: '', engine: null }
    await a.store.nodes.register({ id: 'node_3', ...again })
    const refused = expect.objectContaining({ message: expect.stringContaining('has ended') })
    await expect(a.store.ledger.reserve([{ ...mine, isClaimed: true }])).rejects.toEqual(refused)
    expect(await b.claims.claim(name, claimOf('req_2'))).toMatchObject({ isHeld: false })
    expect(await b.claims.takeOver(name, 'req_1', claimOf('req_2'))).toBe(true)
    await expect(a.store.ledger.reserve([{ ...mine, isClaimed: true }])).rejects.toEqual(refused)
    await b.store.ledger.reserve([{ ...theirs, isClaimed: true }])
    // Without a claim nobody else executes it.
    await a.store.ledger.reserve([mine])
  })

  test('the claim stands until the request of the dead node is settled, so that it is not billed twice', async () => {
    await using nodes = await openNodes()
    const { a, b, end, age } = nodes
    const { id: organisationId } = await a.store.organisations.first()
    await a.claims.claim(name, claimOf('req_1'))
    await a.store.ledger.reserve([reservationOf(organisationId, { requestId: 'req_1' })])
    await end()
    await age()
    expect(await b.claims.takeOver(name, 'req_1', claimOf('req_2'))).toBe(false)
    await b.store.nodes.settle('node_1', 1_000, 20011115)
    expect(await b.claims.takeOver(name, 'req_1', claimOf('req_2'))).toBe(true)
  })

  test('the claim of a node whose lease has just ended still stands: a reservation may be on its way', async () => {
    await using nodes = await openNodes()
    const { a, b, end } = nodes
    await a.claims.claim(name, claimOf('req_1'))
    await end()
    expect(await b.claims.takeOver(name, 'req_1', claimOf('req_2'))).toBe(false)
  })

  test('claims that nobody took over are removed with their node', async () => {
    await using nodes = await openNodes()
    const { a, b, die } = nodes
    await a.claims.claim(name, claimOf('req_1'))
    await die()
    expect(await b.claims.removeDead()).toBe(0)
    expect(await b.store.nodes.removeEnded('node_1')).toBe(true)
    expect(await b.claims.removeDead()).toBe(1)
    expect(await b.claims.find(name)).toBe(null)
  })
})
