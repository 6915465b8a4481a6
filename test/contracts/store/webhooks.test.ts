import { expect, test } from 'vitest'
import { newId } from '../../../src/base/ids.ts'
import type { Store } from '../../../src/store/contract.ts'
import {
  type AttemptRecord,
  type EndpointRecord,
  maxPendingDeliveries,
  type WebhookEvent,
} from '../../../src/store/webhook-contract.ts'
import { claimServer, eventOf, joinTeam, signUp } from '../../harness/account-records.ts'
import { eachStore } from './each-store.ts'

const endpointOf = (organisationId: string | null, changes: Partial<EndpointRecord> = {}): EndpointRecord => ({
  ...{ id: newId('whk'), organisationId, channel: 'webhook', url: 'https://example.com/hook', description: 'Pager' },
  ...{ events: ['budget.reached'], sealedSecret: 'sealed', sealedPrevious: null, previousUntil: null },
  ...{ isEnabled: true, createdAt: 5 },
  ...changes,
})
const mailOf = (organisationId: string | null) =>
  endpointOf(organisationId, { channel: 'mail', url: null, sealedSecret: null })
const happening = (organisationId: string | null, createdAt: number, type = 'budget.reached'): WebhookEvent => ({
  ...{ id: newId('evt'), organisationId, type, data: '{"percent":80}', createdAt },
})
const added = eventOf('webhook.added')
const delivered: AttemptRecord = { state: 'delivered', dueAt: null, status: 200, error: null, durationMs: 7 }

const addEndpoint = async ({ webhooks }: Store, record: EndpointRecord): Promise<EndpointRecord> => {
  expect(await webhooks.insert(record, 3, added)).toBe(true)
  return record
}

eachStore((create) => {
  test('endpoints belong to one organisation or the server, are bounded, and are deleted with it', async () => {
    await using data = await create()
    await using store = await data.open()
    const { webhooks } = store
    await claimServer(store)
    const [ann, ben] = [await signUp(store, 'ann@example.com'), await signUp(store, 'ben@example.com')]
    const own = await addEndpoint(store, endpointOf(ann.organisationId))
    const mail = await addEndpoint(store, { ...mailOf(ann.organisationId), createdAt: 6 })
    const server = await addEndpoint(store, endpointOf(null))
    expect(await webhooks.list(ann.organisationId)).toEqual([own, mail])
    expect(await webhooks.list(null)).toEqual([server])
    for (const scope of [ben.organisationId, null]) {
      expect(await webhooks.find(scope, own.id)).toBeNull()
      expect(await webhooks.change(scope, own.id, { isEnabled: false })).toBeNull()
      expect(await webhooks.remove(scope, own.id)).toBe(false)
    }
    await addEndpoint(store, endpointOf(ann.organisationId, { createdAt: 7 }))
    expect(await webhooks.insert(endpointOf(ann.organisationId), 3, added)).toBe(false)
    expect(await webhooks.insert(endpointOf('org_gone'), 3, added)).toBe(false)
    const changes = {
      url: 'https://example.org/',
      events: ['key.expiring'],
      sealedPrevious: 'sealed',
      previousUntil: 9,
    }
    expect(await webhooks.change(ann.organisationId, own.id, changes)).toEqual({ ...own, ...changes })
    expect(await webhooks.find(ann.organisationId, own.id)).toEqual({ ...own, ...changes })
    expect(await webhooks.subscribers(null, 9)).toEqual([ann.organisationId])
    expect(await webhooks.subscribers(ann.organisationId, 9)).toEqual([])
    await webhooks.raise(happening(ann.organisationId, 10), { name: 'one', until: 99 })
    const next = { id: 'org_next', name: 'Next', createdAt: 5 }
    expect(await store.accounts.remove(ann.id, next)).toMatchObject({ outcome: 'deleted' })
    expect(await webhooks.list(ann.organisationId)).toEqual([])
    expect(await webhooks.nextDueAt()).toBeNull()
    expect(await webhooks.subscribers(null, 9)).toEqual([])
  })

  test('of many callers that notice the same, one creates the event, until it has not been noticed for long enough', async () => {
    await using data = await create()
    await using store = await data.open()
    const { webhooks } = store
    const endpoint = await addEndpoint(store, endpointOf(null))
    const raise = (createdAt: number, until: number) => webhooks.raise(happening(null, createdAt), { name: 'x', until })
    const raised = await Promise.all([10, 10, 10, 10].map((at) => raise(at, 20)))
    expect(raised.filter(Boolean)).toHaveLength(1)
    expect([await raise(15, 30), await raise(25, 28), await raise(30, 40)]).toEqual([false, false, false])
    expect(await raise(41, 50)).toBe(true)
    expect(await webhooks.deliveries(null, endpoint.id, null, 9)).toMatchObject([
      { createdAt: 41, state: 'pending', attempts: 0, dueAt: 41 },
      { createdAt: 10 },
    ])
    // Nobody is told of this, so that somebody who asks for it later still is.
    expect(await webhooks.raise(happening(null, 60, 'disk.low'), { name: 'disk', until: 99 })).toBe(false)
    await webhooks.change(null, endpoint.id, { events: ['disk.low'] })
    expect(await webhooks.raise(happening(null, 61, 'disk.low'), { name: 'disk', until: 99 })).toBe(true)
  })

  test('a delivery is claimed by one caller, one at a time for each endpoint, and again after its lease', async () => {
    await using data = await create()
    await using store = await data.open()
    const { webhooks } = store
    const [one, other] = [await addEndpoint(store, endpointOf(null)), await addEndpoint(store, endpointOf(null))]
    for (const at of [10, 11]) await webhooks.raise(happening(null, at), { name: `at ${at}`, until: 99 })
    expect(await webhooks.nextDueAt()).toBe(10)
    expect(await webhooks.claim(9, 50, 9)).toEqual([])
    const claims = await Promise.all([webhooks.claim(20, 50, 9), webhooks.claim(20, 50, 9)])
    const [first, second, ...more] = claims.flat()
    expect(more).toEqual([])
    expect([first?.endpoint.id, second?.endpoint.id].sort()).toEqual([one.id, other.id].sort())
    expect(first).toMatchObject({ attempt: 1, event: { type: 'budget.reached', createdAt: 10 }, recipient: null })
    if (first === undefined || second === undefined) throw new Error('nothing was claimed')
    expect(await webhooks.claim(49, 90, 9)).toEqual([])
    expect(await webhooks.record(first, delivered)).toBe(true)
    expect(await webhooks.record(first, { ...delivered, state: 'failed' })).toBe(false)
    for (const due of await webhooks.claim(50, 90, 9)) {
      expect(due.event.createdAt).toBe(11)
      await webhooks.record(due, delivered)
    }
    expect(await webhooks.claim(51, 90, 9)).toMatchObject([
      { id: second.id, attempt: 2, event: { id: second.event.id } },
    ])
    // The node whose lease ended comes too late.
    expect(await webhooks.record(second, delivered)).toBe(false)
    expect(await webhooks.deliveries(null, first.endpoint.id, null, 9)).toMatchObject([
      { createdAt: 11, state: 'delivered' },
      { id: first.id, state: 'delivered', status: 200, error: null, durationMs: 7, attemptedAt: 20, dueAt: null },
    ])
  })

  test('a delivery can be repeated with the same event, and what waits for a disabled endpoint fails', async () => {
    await using data = await create()
    await using store = await data.open()
    const { webhooks } = store
    const endpoint = await addEndpoint(store, endpointOf(null))
    const sent = await webhooks.send(null, endpoint.id, happening(null, 10, 'test'))
    const [claimed] = await webhooks.claim(10, 50, 1)
    if (claimed === undefined || sent === null) throw new Error('nothing was sent')
    expect(await webhooks.replay(null, endpoint.id, claimed.id, 11)).toBeNull()
    await webhooks.record(claimed, delivered)
    expect(await webhooks.replay('org_other', endpoint.id, claimed.id, 12)).toBeNull()
    expect(await webhooks.replay(null, endpoint.id, claimed.id, 12)).toMatchObject({
      ...{ id: sent.id, state: 'pending', dueAt: 12, attempts: 0, event: { id: sent.event.id } },
    })
    await webhooks.change(null, endpoint.id, { isEnabled: false })
    expect(await webhooks.deliveries(null, endpoint.id, null, 9)).toMatchObject([
      { state: 'failed', error: 'disabled', dueAt: null },
    ])
    expect(await webhooks.replay(null, endpoint.id, claimed.id, 13)).toBeNull()
    expect(await webhooks.send(null, endpoint.id, happening(null, 14, 'test'))).toBeNull()
    expect(await webhooks.raise(happening(null, 15), { name: 'x', until: 99 })).toBe(false)
  })

  test('a mail goes to owners and admins whose address is confirmed, in their language', async () => {
    await using data = await create()
    await using store = await data.open()
    const { webhooks } = store
    const owner = await claimServer(store)
    const ann = await signUp(store, 'ann@example.com')
    const by = { organisationId: ann.organisationId, accountId: ann.id }
    for (const role of ['admin', 'member', 'viewer'] as const)
      await joinTeam(store, by, (await signUp(store, `${role}@example.com`)).id, role)
    const mail = await addEndpoint(store, mailOf(ann.organisationId))
    expect(await webhooks.raise(happening(ann.organisationId, 10), { name: 'unconfirmed', until: 99 })).toBe(false)
    await data.exec("UPDATE accounts SET email_verified_at = 1, language = 'ja' WHERE email <> 'owner@example.com'")
    expect(await webhooks.raise(happening(ann.organisationId, 11), { name: 'confirmed', until: 99 })).toBe(true)
    expect(await webhooks.deliveries(ann.organisationId, mail.id, null, 9)).toHaveLength(2)
    const recipients = []
    for (let now = 20; now < 22; now += 1)
      for (const due of await webhooks.claim(now, now, 9)) {
        recipients.push(due.recipient)
        await webhooks.record(due, delivered)
      }
    expect(recipients).toHaveLength(2)
    expect(recipients).toContainEqual({ email: 'ann@example.com', language: 'ja' })
    expect(recipients).toContainEqual({ email: 'admin@example.com', language: 'ja' })
    await data.exec(`UPDATE accounts SET email_verified_at = 1 WHERE id = '${owner.id}'`)
    await addEndpoint(store, mailOf(null))
    await webhooks.raise(happening(null, 30), { name: 'server', until: 99 })
    expect((await webhooks.claim(31, 40, 9)).map(({ recipient }) => recipient?.email)).toEqual(['owner@example.com'])
  })

  test('events about somebody are deleted with their account', async () => {
    await using data = await create()
    await using store = await data.open()
    const { webhooks } = store
    await claimServer(store)
    const [ann, ben] = [await signUp(store, 'ann@example.com'), await signUp(store, 'ben@example.com')]
    const endpoint = await addEndpoint(store, endpointOf(ben.organisationId, { events: ['sign_in.new_place'] }))
    for (const { id } of [ann, ben]) {
      const data = JSON.stringify({ account_id: id })
      await webhooks.raise({ ...happening(ben.organisationId, 10, 'sign_in.new_place'), data }, { name: id, until: 99 })
    }
    await store.accounts.remove(ann.id, { id: 'org_next', name: 'Next', createdAt: 5 })
    const left = await webhooks.deliveries(ben.organisationId, endpoint.id, null, 9)
    expect(left.map(({ event }) => event.data)).toEqual([JSON.stringify({ account_id: ben.id })])
  })

  test('an endpoint has so many waiting deliveries and no more', async () => {
    await using data = await create()
    await using store = await data.open()
    const { webhooks } = store
    const endpoint = await addEndpoint(store, endpointOf(null))
    await webhooks.raise(happening(null, 10), { name: 'first', until: 99 })
    const rows = `WITH RECURSIVE n (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM n WHERE n < ${maxPendingDeliveries})`
    await data.exec(`INSERT INTO webhook_deliveries (id, event_id, endpoint_id, state, attempts, due_at, created_at)
      ${rows} SELECT 'dlv_' || n, (SELECT id FROM webhook_events), '${endpoint.id}', 'pending', 0, 10, 10 FROM n`)
    expect(await webhooks.raise(happening(null, 20), { name: 'second', until: 99 })).toBe(true)
    expect(await webhooks.deliveries(null, endpoint.id, null, 1)).toMatchObject([
      { createdAt: 20, state: 'failed', error: 'queue_full', dueAt: null },
    ])
  })

  test('old events, ended occurrences and places of long ago are pruned, waiting deliveries are not', async () => {
    await using data = await create()
    await using store = await data.open()
    const { webhooks } = store
    const endpoint = await addEndpoint(store, endpointOf(null))
    for (const at of [10, 11, 30]) await webhooks.raise(happening(null, at), { name: `at ${at}`, until: at })
    const [claimed] = await webhooks.claim(12, 50, 1)
    if (claimed === undefined) throw new Error('nothing was claimed')
    await webhooks.record(claimed, delivered)
    expect(await webhooks.prune({ events: 20, occurrences: 20, places: 0 }, 1)).toBe(2)
    expect(await webhooks.prune({ events: 20, occurrences: 20, places: 0 }, 9)).toBe(1)
    expect(await webhooks.prune({ events: 20, occurrences: 20, places: 0 }, 9)).toBe(0)
    const page = await webhooks.deliveries(null, endpoint.id, null, 1)
    expect(page).toMatchObject([{ createdAt: 30 }])
    expect(await webhooks.deliveries(null, endpoint.id, page[0] ?? null, 9)).toMatchObject([{ createdAt: 11 }])
  })

  test('a place is new unless it is the first one of the account, or was seen before', async () => {
    await using data = await create()
    await using store = await data.open()
    const { webhooks } = store
    await claimServer(store)
    const [ann, ben] = [await signUp(store, 'ann@example.com'), await signUp(store, 'ben@example.com')]
    const seen = async (id: string, place: string, at = 5) => webhooks.rememberPlace(id, place, at)
    expect([await seen(ann.id, 'a'), await seen(ann.id, 'a', 9), await seen(ann.id, 'b')]).toEqual([
      'first',
      'known',
      'new',
    ])
    expect(await seen(ben.id, 'b')).toBe('first')
    expect(await webhooks.prune({ events: 0, occurrences: 0, places: 6 }, 9)).toBe(0)
    expect([await seen(ann.id, 'a'), await seen(ann.id, 'b')]).toEqual(['known', 'new'])
  })
})
