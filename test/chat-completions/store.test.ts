import { beforeAll, expect, test } from 'vitest'
import { readCompletion } from '../harness/ask-both-ways.ts'
import { callText } from '../harness/call-text.ts'
import { joinChunks } from '../harness/join-chunks.ts'
import { readChunks, readEvents } from '../harness/read-events.ts'
import { type Helix, openHelix, startHelix } from '../harness/start-helix.ts'

const answers: Record<string, string[]> = { call: [callText('f', { a: 1 })] }
let helix: Helix
beforeAll(async () => {
  helix = await openHelix({
    answer: (messages) => answers[messages[0]?.content ?? ''] ?? ['Hello', ', ', 'world', '!'],
  })
  return helix.close
})
const path = '/v1/chat/completions'
type List = { data: { id: string }[] }
const readStored = async (id: string | undefined) => readCompletion(await helix.get(`${path}/${id}`))
const isListed = async (id: string | undefined): Promise<boolean> => {
  const { data } = (await (await helix.get(`${path}?order=desc&limit=100`)).json()) as List
  return data.some((item) => item.id === id)
}

test('a completion with store can be read again, with its messages', async () => {
  const asked = { store: true, metadata: { topic: 'demo' }, temperature: 0.5, seed: 7, user: 'aiko', n: 2 }
  const completion = await readCompletion(await helix.chat(asked))
  expect(await readStored(completion.id)).toMatchObject({
    id: completion.id,
    object: 'chat.completion',
    created: completion.created,
    model: completion.model,
    choices: completion.choices,
    usage: completion.usage,
    metadata: { topic: 'demo' },
    temperature: 0.5,
    seed: 7,
    top_p: null,
    input_user: 'aiko',
    request_id: expect.stringMatching(/^req_/),
  })
  expect(await isListed(completion.id)).toBe(true)
  const { data } = (await (await helix.get(`${path}/${completion.id}/messages`)).json()) as List
  expect(data).toMatchObject([{ id: `${completion.id}-0`, role: 'user', content: 'Hi' }])
})

test('a streamed completion is stored before [DONE], like a JSON response', async () => {
  const tools = [{ type: 'function', function: { name: 'f' } }]
  for (const content of ['Hi', 'call']) {
    const body = { store: true, stream: true, tools, logprobs: true, messages: [{ role: 'user', content }] }
    const chunks = await readChunks(await helix.chat(body))
    const stored = await readStored(chunks[0]?.id)
    const [choice] = joinChunks(chunks)
    expect(stored.choices[0]?.message).toMatchObject(choice?.message ?? {})
    expect(stored.choices[0]).toMatchObject({ index: 0, finish_reason: choice?.finish_reason })
    expect(stored.choices[0]?.logprobs?.content).toEqual(choice?.logprobs?.content ?? [])
    expect(stored).toMatchObject({ tools })
  }
})

test.each([{ store: false }, { store: null }, {}])('with %j nothing is stored', async (asked) => {
  const completion = await readCompletion(await helix.chat({ ...asked, metadata: { a: 'b' } }))
  const [chunk] = await readChunks(await helix.chat({ ...asked, stream: true }))
  for (const id of [completion.id, chunk?.id]) {
    expect(await isListed(id)).toBe(false)
    expect((await helix.get(`${path}/${id}`)).status).toBe(404)
  }
})

test('a failed completion is not stored', async () => {
  const failing = await startHelix({ answer: () => ['half', { fail: new Error('broken') }] })
  expect((await failing.chat({ store: true })).status).toBe(500)
  await readEvents(await failing.chat({ store: true, stream: true }))
  expect(await (await failing.get(path)).json()).toMatchObject({ data: [] })
})
