import { beforeAll, expect, test } from 'vitest'
import { openRemoteEngine } from '../src/engine/remote/remote-engine.ts'
import { postMessages } from '../test/harness/post-messages.ts'
import { postResponses } from '../test/harness/post-responses.ts'
import { sayJson, startUpstream } from '../test/harness/scripted-upstream.ts'
import { type Helix, modelName, openHelix } from '../test/harness/start-helix.ts'
import { type MediaSupport, mediaSupport } from './media-compatibility.ts'

let helix: Helix
beforeAll(async () => {
  const { baseUrl } = await startUpstream((response) => sayJson(response, { content: 'ok' }))
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const startEngine = () =>
    openRemoteEngine({
      ...{ baseUrl, key: null, upstreamModel: 'theirs', name: modelName, contextTokens: null },
      ...{ slots: 4, created: 0, log, capabilities: ['vision', 'image_urls', 'audio'] },
    })
  helix = await openHelix({ startEngine })
  return helix.close
})

const post = ({ endpoint, sample }: MediaSupport): Promise<Response> => {
  if (endpoint === 'messages') return postMessages(helix, sample)
  return endpoint === 'responses' ? postResponses(helix, sample) : helix.chat(sample)
}

test.each(mediaSupport.map((row) => [`${row.endpoint} ${row.part}: ${row.verdict}`, row] as const))(
  '%s',
  async (_, row) => {
    const response = await post(row)
    const text = await response.text()
    if (row.verdict !== 'refused') return expect(response.status, text).toBe(200)
    expect(response.status, text).toBe(400)
    if (row.code !== undefined) expect(JSON.parse(text).error.code).toBe(row.code)
  },
)
