import { beforeAll, expect, test } from 'vitest'
import { askBothWays } from '../harness/ask-both-ways.ts'
import { readChunks, readEvents } from '../harness/read-events.ts'
import { type Helix, openHelix } from '../harness/start-helix.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openHelix()
  return helix.close
})

test('with include_usage every chunk has usage null, followed by one without choices, then [DONE]', async () => {
  const response = await helix.chat({ stream: true, stream_options: { include_usage: true } })
  const chunks = await readChunks(response)
  const last = chunks.pop()
  expect(last).toMatchObject({
    choices: [],
    usage: { prompt_tokens: 2, completion_tokens: 4, total_tokens: 6 },
  })
  expect(chunks).toHaveLength(6)
  for (const chunk of chunks) {
    expect(chunk.usage).toBeNull()
    expect(chunk.choices).toHaveLength(1)
  }
})

test.each([{}, { stream_options: {} }, { stream_options: null }, { stream_options: { include_usage: false } }])(
  'with %j there is no usage at all, and no chunk without choices',
  async (asked) => {
    const events = await readEvents(await helix.chat({ stream: true, ...asked }))
    expect(events.join()).not.toContain('usage')
    for (const data of events.slice(0, -1)) expect(JSON.parse(data).choices).toHaveLength(1)
  },
)

test('the usage of a stream is that of the same answer as JSON', async () => {
  for (const body of [{}, { max_tokens: 2 }, { stop: 'wor' }, { n: 3 }, { logprobs: true }])
    await askBothWays(helix, body)
})
