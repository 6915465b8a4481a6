import { beforeAll, expect, test } from 'vitest'
import { openStoredCompletions, type StoredCompletions } from '../harness/open-stored-completions.ts'
import { readError } from '../harness/read-error.ts'

let stored: StoredCompletions
let organisation: Awaited<ReturnType<StoredCompletions['newOrganisation']>>
let id: string
beforeAll(async () => {
  stored = await openStoredCompletions()
  organisation = await stored.newOrganisation()
  id = await organisation.keep({ metadata: { a: 'b' } })
  return stored.close
})

const expectRefusal = async (response: Response, param: string | null, code: string | null): Promise<string> => {
  const error = await readError(response)
  expect({ ...error, status: response.status }).toMatchObject({ status: 400, param, code })
  return error.message
}

test.each([
  ['limit=0', 'limit', 'integer_below_min_value'],
  ['limit=-1', 'limit', 'integer_below_min_value'],
  ['limit=101', 'limit', 'integer_above_max_value'],
  ['limit=ten', 'limit', 'invalid_type'],
  ['limit=1.5', 'limit', 'invalid_type'],
  ['limit=', 'limit', 'invalid_type'],
  ['order=up', 'order', 'invalid_value'],
  ['after=chatcmpl-unknown', 'after', 'invalid_value'],
  ['after=', 'after', 'invalid_value'],
  ['before=x', 'before', 'unknown_parameter'],
])('a list is refused with %s', async (query, param, code) => {
  for (const path of ['', `/${id}/messages`])
    await expectRefusal(await organisation.call('GET', `${path}?${query}`), param, code)
})

const pairs = (count: number): string => Array.from({ length: count }, (_, n) => `metadata[${n}]=x`).join('&')

test.each([
  ['metadata=x', 'metadata', 'invalid_type'],
  [pairs(17), 'metadata', 'object_above_max_properties'],
  [`metadata[${'k'.repeat(65)}]=x`, 'metadata', 'string_above_max_length'],
  [`metadata[k]=${'v'.repeat(513)}`, 'metadata.k', 'string_above_max_length'],
  ['models=x', 'models', 'unknown_parameter'],
])('the list of completions is refused with %s', async (query, param, code) => {
  await expectRefusal(await organisation.call('GET', `?${query}`), param, code)
})

test('sixteen pairs are allowed', async () => {
  expect((await organisation.call('GET', `?${pairs(16)}`)).status).toBe(200)
})

test('messages cannot be filtered', async () => {
  const response = await organisation.call('GET', `/${id}/messages?model=helix-v1`)
  await expectRefusal(response, 'model', 'unknown_parameter')
})

const tooMany = Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`${n}`, 'x']))

test.each<[string, unknown, string | null, string | null]>([
  ['no metadata', {}, 'metadata', 'missing_required_parameter'],
  ['metadata that is text', { metadata: 'x' }, 'metadata', 'invalid_type'],
  ['metadata that is a list', { metadata: [] }, 'metadata', 'invalid_type'],
  ['17 pairs', { metadata: tooMany }, 'metadata', 'object_above_max_properties'],
  ['a key of 65 characters', { metadata: { ['k'.repeat(65)]: 'x' } }, 'metadata', 'string_above_max_length'],
  ['a value of 513 characters', { metadata: { k: 'v'.repeat(513) } }, 'metadata.k', 'string_above_max_length'],
  ['a value that is no text', { metadata: { k: 1 } }, 'metadata.k', 'invalid_type'],
  ['a value of null', { metadata: { k: null } }, 'metadata.k', 'invalid_type'],
  ['something else beside it', { metadata: {}, store: true }, 'store', 'unknown_parameter'],
])('%s is refused and changes nothing', async (_, body, param, code) => {
  await expectRefusal(await organisation.call('POST', `/${id}`, body), param, code)
  expect(await (await organisation.call('GET', `/${id}`)).json()).toMatchObject({ metadata: { a: 'b' } })
})

test('a body that is not a JSON object is refused', async () => {
  for (const body of [[], null, 'x', 1]) expect((await organisation.call('POST', `/${id}`, body)).status).toBe(400)
})

test('an error contains only part of a long cursor', async () => {
  const response = await organisation.call('GET', `?after=${'x'.repeat(5000)}`)
  expect((await expectRefusal(response, 'after', 'invalid_value')).length).toBeLessThan(200)
})
