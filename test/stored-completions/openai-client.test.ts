import OpenAI from 'openai'
import { beforeAll, expect, test } from 'vitest'
import { openStoredCompletions, type StoredCompletions } from '../harness/open-stored-completions.ts'

let stored: StoredCompletions
beforeAll(async () => {
  stored = await openStoredCompletions()
  return stored.close
})

test('the official client lists, filters, pages, labels, reads and deletes', async () => {
  const { key, keep } = await stored.newOrganisation()
  const { completions } = new OpenAI({ apiKey: key, baseURL: `${stored.url}/v1`, maxRetries: 0 }).chat
  const ids: string[] = []
  for (let n = 0; n < 7; n += 1) ids.push(await keep({ metadata: { half: n % 2 === 0 ? 'even & first' : 'odd' } }))
  const idsOf = async (pages: AsyncIterable<{ id: string }>) => (await Array.fromAsync(pages)).map(({ id }) => id)
  expect(await idsOf(completions.list())).toEqual(ids)
  expect(await idsOf(completions.list({ limit: 2, order: 'desc' }))).toEqual(ids.toReversed())
  const even = ids.filter((_, n) => n % 2 === 0)
  expect(await idsOf(completions.list({ limit: 1, metadata: { half: 'even & first' } }))).toEqual(even)

  const [id = ''] = ids
  expect(await completions.update(id, { metadata: { half: 'none' } })).toMatchObject({ id, metadata: { half: 'none' } })
  expect((await completions.retrieve(id)).choices[0]?.message.content).toBe('Hello')
  expect(await Array.fromAsync(completions.messages.list(id))).toMatchObject([{ id: `${id}-0`, content: 'Hi' }])
  expect(await completions.delete(id)).toEqual({ object: 'chat.completion.deleted', id, deleted: true })
  await expect(completions.retrieve(id)).rejects.toThrow(OpenAI.NotFoundError)
  expect(await idsOf(completions.list({ limit: 3 }))).toEqual(ids.slice(1))
})
