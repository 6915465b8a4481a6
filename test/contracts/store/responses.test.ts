import { expect, test } from 'vitest'
import { newId } from '../../../src/base/ids.ts'
import type { StoredResponse } from '../../../src/store/response-contract.ts'
import { eachStore } from './each-store.ts'

const responseOf = (organisationId: string, changes: Partial<StoredResponse> = {}): StoredResponse => ({
  id: newId('resp'),
  organisationId,
  createdAt: 1_000,
  previousId: null,
  response: '{"output":[]}',
  input: '[]',
  deltas: null,
  ...changes,
})
const limits = { maxResponses: 3, maxCharacters: 1_000 }

eachStore((create) => {
  test('a response comes back as it went in, for its organisation and until it expires', async () => {
    await using data = await create()
    await using store = await data.open()
    const { responses } = store
    const { id } = await store.organisations.first()
    const other = await data.addOrganisation()
    const record = responseOf(id, { input: '[{"id":"日本"}]', deltas: '[["call"]]' })
    await responses.insert(record, ['msg_1', 'msg_1'])
    expect(await responses.find(id, record.id, 1_000)).toEqual(record)
    expect(await responses.find(id, record.id, 1_001)).toBeNull()
    expect(await responses.find(other, record.id, 0)).toBeNull()
    expect(await responses.withItems(id, ['msg_1', 'msg_2'], 0)).toEqual(new Map([['msg_1', record.response]]))
    expect(await responses.withItems(other, ['msg_1'], 0)).toEqual(new Map())
    expect(await responses.remove(other, record.id)).toBe(false)
    expect(await responses.remove(id, record.id)).toBe(true)
    expect(await responses.remove(id, record.id)).toBe(false)
    expect(await responses.withItems(id, ['msg_1'], 0)).toEqual(new Map())
  })

  test('a conversation is read from its beginning, within limits', async () => {
    await using data = await create()
    await using store = await data.open()
    const { responses } = store
    const { id } = await store.organisations.first()
    const first = responseOf(id)
    const second = responseOf(id, { previousId: first.id })
    const third = responseOf(id, { previousId: second.id })
    const fourth = responseOf(id, { previousId: third.id })
    for (const record of [first, second, third, fourth]) await responses.insert(record, [])
    expect(await responses.chain(id, third.id, 0, limits)).toEqual({
      outcome: 'found',
      responses: [first, second, third],
    })
    expect(await responses.chain(id, fourth.id, 0, limits)).toEqual({ outcome: 'too_long' })
    expect(await responses.chain(id, first.id, 0, { ...limits, maxCharacters: 10 })).toEqual({ outcome: 'too_long' })
    await responses.remove(id, first.id)
    expect(await responses.chain(id, second.id, 0, limits)).toEqual({ outcome: 'missing', id: first.id })
  })

  test('expired responses are deleted a few at a time, and an organisation keeps the newest 256 MiB', async () => {
    await using data = await create()
    await using store = await data.open()
    const { responses } = store
    const { id } = await store.organisations.first()
    const records = Array.from({ length: 60 }, (_, index) => responseOf(id, { createdAt: index }))
    await Promise.all(records.map((record) => responses.insert(record, [])))
    expect(await responses.removeExpired(55)).toBe(50)
    expect(await responses.removeExpired(55)).toBe(5)
    expect(await responses.removeExpired(55)).toBe(0)
    await data.exec('UPDATE stored_response_totals SET bytes = bytes + 268435456 - 5 * 15')
    await responses.insert(responseOf(id, { createdAt: 100 }), [])
    expect(await responses.find(id, records[55]?.id ?? '', 0)).toBeNull()
    expect(await responses.find(id, records[56]?.id ?? '', 0)).toEqual(records[56])
  })

  test('nothing is stored for an organisation that does not exist', async () => {
    await using data = await create()
    await using store = await data.open()
    const record = responseOf('org_gone')
    await store.responses.insert(record, ['msg_1'])
    expect(await store.responses.find('org_gone', record.id, 0)).toBeNull()
  })
})
