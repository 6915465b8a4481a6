import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newId } from '../../../src/base/ids.ts'
import type {
  CompletionFilter,
  CompletionRecords,
  ListedCompletion,
  StoredCompletion,
} from '../../../src/store/contract.ts'
import { gridRuns } from '../../harness/grid.ts'
import { eachStore } from './each-store.ts'

const completionOf = (organisationId: string, changes: Partial<StoredCompletion> = {}): StoredCompletion => ({
  id: newId('chatcmpl'),
  organisationId,
  createdAt: 1_000,
  model: 'helix-v1',
  metadata: null,
  completion: '{"choices":[]}',
  messages: '[]',
  ...changes,
})

const everything: CompletionFilter = { model: null, metadata: {}, after: null, limit: 100, order: 'asc' }

const listed = ({ messages: _, ...rest }: StoredCompletion): ListedCompletion => rest

const list = async (records: CompletionRecords, organisationId: string, filter: Partial<CompletionFilter> = {}) => {
  const page = await records.list(organisationId, { ...everything, ...filter })
  if (page === 'unknown_cursor') throw new Error('the cursor is unknown')
  return page
}

const idsOf = async (...question: Parameters<typeof list>): Promise<string[]> =>
  (await list(...question)).items.map(({ id }) => id)

eachStore((create) => {
  test('a completion comes back as it went in, whatever characters are in it', async () => {
    await using data = await create()
    await using store = await data.open()
    const { id } = await store.organisations.first()
    const metadata = { 'a\0b': '\0', 鍵: '🔑', '"$[0]': "'; DROP TABLE organisations", ['__proto__']: 'x', '': '' }
    const record = completionOf(id, { metadata, completion: '{"a":"日本語"}', messages: '[{"role":"user"}]' })
    await store.completions.insert(record)
    expect(await store.completions.find(id, record.id)).toEqual(record)
    expect(Object.keys((await store.completions.find(id, record.id))?.metadata ?? {})).toEqual(Object.keys(metadata))
    expect(await list(store.completions, id)).toEqual({ items: [listed(record)], hasMore: false })
    for (const pair of Object.entries(metadata))
      expect(await idsOf(store.completions, id, { metadata: Object.fromEntries([pair]) })).toEqual([record.id])
    expect(await idsOf(store.completions, id, { metadata: { 'a\0c': '\0' } })).toEqual([])
    expect(await store.completions.find(id, 'chatcmpl-unknown')).toBeNull()
  })

  test('new metadata takes the place of the old, also for filters', async () => {
    await using data = await create()
    await using store = await data.open()
    const { completions } = store
    const { id } = await store.organisations.first()
    const record = completionOf(id, { metadata: { colour: 'red', size: 'L' } })
    await completions.insert(record)
    const changed = { ...record, metadata: { colour: 'blue' } }
    expect(await completions.setMetadata(id, record.id, { colour: 'blue' })).toEqual(changed)
    expect(await completions.find(id, record.id)).toEqual(changed)
    expect(await idsOf(completions, id, { metadata: { colour: 'blue' } })).toEqual([record.id])
    expect(await idsOf(completions, id, { metadata: { colour: 'red' } })).toEqual([])
    expect(await idsOf(completions, id, { metadata: { size: 'L' } })).toEqual([])
    expect(await completions.setMetadata(id, record.id, null)).toEqual({ ...record, metadata: null })
    expect(await completions.setMetadata(id, record.id, {})).toEqual({ ...record, metadata: {} })
    expect(await completions.setMetadata(id, 'chatcmpl-unknown', {})).toBeNull()
  })

  test('what was removed is gone, and its place in the list is no cursor any more', async () => {
    await using data = await create()
    await using store = await data.open()
    const { completions } = store
    const { id } = await store.organisations.first()
    const records = Array.from({ length: 3 }, () => completionOf(id, { metadata: { a: 'b' } }))
    for (const record of records) await completions.insert(record)
    const [first = '', second = '', third = ''] = records.map((record) => record.id)
    expect(await completions.remove(id, second)).toBe(true)
    expect(await completions.remove(id, second)).toBe(false)
    expect(await completions.find(id, second)).toBeNull()
    expect(await idsOf(completions, id, { after: first })).toEqual([third])
    expect(await idsOf(completions, id, { metadata: { a: 'b' } })).toEqual([first, third])
    expect(await completions.list(id, { ...everything, after: second })).toBe('unknown_cursor')
  })

  test('a cursor keeps its place while others come and go', async () => {
    await using data = await create()
    await using store = await data.open()
    const { completions } = store
    const { id } = await store.organisations.first()
    const at = (createdAt: number) => completionOf(id, { createdAt })
    const [early, cursor, late] = [at(1), at(5), at(9)]
    for (const record of [late, cursor, early]) await completions.insert(record)
    expect(await idsOf(completions, id, { after: cursor.id })).toEqual([late.id])
    await completions.remove(id, early.id)
    const [before, sameTime] = [at(4), at(5)]
    for (const record of [before, sameTime]) await completions.insert(record)
    expect(await idsOf(completions, id, { after: cursor.id })).toEqual([sameTime.id, late.id])
    expect(await idsOf(completions, id, { after: cursor.id, order: 'desc' })).toEqual([before.id])
  })

  test('organisations see and change only their own', async () => {
    await using data = await create()
    await using store = await data.open()
    const { completions } = store
    const { id } = await store.organisations.first()
    const other = await data.addOrganisation()
    const [own, foreign] = [completionOf(id, { metadata: { a: 'b' } }), completionOf(other, { metadata: { a: 'b' } })]
    await completions.insert(own)
    await completions.insert(foreign)
    for (const [organisation, mine, theirs] of [[id, own, foreign] as const, [other, foreign, own] as const]) {
      expect(await idsOf(completions, organisation)).toEqual([mine.id])
      expect(await idsOf(completions, organisation, { metadata: { a: 'b' } })).toEqual([mine.id])
      expect(await completions.find(organisation, theirs.id)).toBeNull()
      expect(await completions.setMetadata(organisation, theirs.id, { a: 'stolen' })).toBeNull()
      expect(await completions.remove(organisation, theirs.id)).toBe(false)
      expect(await completions.list(organisation, { ...everything, after: theirs.id })).toBe('unknown_cursor')
    }
    expect(await completions.find(other, foreign.id)).toEqual(foreign)
  })

  test('pages of any size, joined, are the whole list, in both orders and under any filter', async () => {
    await using data = await create()
    await using store = await data.open()
    const word = fc.constantFrom('x', 'y')
    const metadata = fc.option(fc.record({ a: word, b: word }, { requiredKeys: [] }))
    const row = fc.record({ createdAt: fc.nat({ max: 3 }), model: word, metadata })
    const question = fc.record({
      order: fc.constantFrom('asc', 'desc'),
      model: fc.option(word),
      metadata: fc.record({ a: word, b: word }, { requiredKeys: [] }),
      limit: fc.integer({ min: 1, max: 6 }),
    })
    const property = fc.asyncProperty(fc.array(row, { maxLength: 20 }), fc.array(question), async (rows, questions) => {
      const organisation = await data.addOrganisation()
      const records = rows.map((changes) => completionOf(organisation, changes))
      for (const record of records) await store.completions.insert(record)
      for (const asked of questions) {
        const inOrder = records.toSorted((one, two) => one.createdAt - two.createdAt)
        if (asked.order === 'desc') inOrder.reverse()
        const wanted = inOrder.filter(
          (record) =>
            (asked.model === null || asked.model === record.model) &&
            Object.entries(asked.metadata).every(([key, value]) => record.metadata?.[key] === value),
        )
        const joined: ListedCompletion[] = []
        let more = true
        while (more) {
          const { items, hasMore } = await list(store.completions, organisation, {
            ...asked,
            after: joined.at(-1)?.id ?? null,
          })
          expect(items.length).toBe(Math.min(asked.limit, wanted.length - joined.length))
          joined.push(...items)
          more = hasMore
        }
        expect(joined).toEqual(wanted.map(listed))
      }
    })
    await fc.assert(property, { numRuns: gridRuns(30) })
  })

  test('a page of very long completions ends early and says that there are more', async () => {
    await using data = await create()
    await using store = await data.open()
    const { completions } = store
    const { id } = await store.organisations.first()
    const completion = JSON.stringify('x'.repeat(5_000_000))
    const records = Array.from({ length: 3 }, () => completionOf(id, { completion }))
    for (const record of records) await completions.insert(record)
    const [first, second, third] = records.map((record) => record.id)
    const firstPage = await list(completions, id)
    expect(firstPage).toMatchObject({ items: [{ id: first }], hasMore: true })
    expect(await list(completions, id, { after: first ?? '' })).toMatchObject({
      items: [{ id: second }],
      hasMore: true,
    })
    expect(await list(completions, id, { after: second ?? '' })).toMatchObject({
      items: [{ id: third }],
      hasMore: false,
    })
  })
})
