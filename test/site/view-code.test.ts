import { beforeAll, expect, test } from 'vitest'
import { buildRequest } from '../../site/app/pages/playground/build-request.ts'
import { codeDialects, inDialect } from '../../site/app/pages/playground/code-dialects.ts'
import { readEvents } from '../harness/read-events.ts'
import { type Helix, modelName, openHelix } from '../harness/start-helix.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openHelix()
  return helix.close
})

const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } }]
const call = { id: 'call_1', name: 'look', arguments: '{}', result: 'Nothing' }
const request = buildRequest({
  model: modelName,
  system: 'Be brief.',
  turns: [{ kind: 'sent', id: 'a', text: 'Look' }],
  options: { temperature: 0, max_completion_tokens: 50, stop: ['END'], seed: 7, tools, tool_choice: 'auto' },
})
const asked = {
  ...request,
  messages: [
    ...request.messages,
    {
      role: 'assistant' as const,
      content: null,
      tool_calls: [{ id: call.id, type: 'function' as const, function: { name: call.name, arguments: '{}' } }],
    },
    { role: 'tool' as const, tool_call_id: call.id, content: call.result },
    { role: 'user' as const, content: 'Again' },
  ],
}

test.each(codeDialects)('View code in the dialect %s is a request that the server answers', async (dialect) => {
  const { path, body } = inDialect(asked, dialect)
  const response = await fetch(helix.baseUrl + path, {
    method: 'POST',
    headers: helix.authorized,
    body: JSON.stringify(body),
  })
  expect(response.status, await response.clone().text()).toBe(200)
  expect((await readEvents(response)).join('')).toContain('world')
})
