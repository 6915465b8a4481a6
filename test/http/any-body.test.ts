import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type { FieldSupport } from '../../conformance/compatibility/field-support.ts'
import { completionsFields } from '../../conformance/completions-compatibility.ts'
import { messagesApiFields } from '../../conformance/messages-compatibility.ts'
import { responsesFields } from '../../conformance/responses-compatibility.ts'
import { editedBody } from '../harness/bodies/edited-body.ts'
import { gridRuns } from '../harness/grid.ts'
import { type Helix, modelName, openHelix } from '../harness/start-helix.ts'

/** For each endpoint. The thorough run has 20,000. Chat completions have tests of their own. */
const numRuns = Number(process.env.HELIX_FUZZ_RUNS ?? gridRuns(150))
const limitMs = 60_000 + numRuns * 50

let helix: Helix
beforeAll(async () => {
  // Otherwise the key would soon be at its limit of refused requests.
  const config = { refusedRequestsPerMinute: 0, organisationRefusedRequestsPerMinute: 0 }
  helix = await openHelix({ answer: () => ['<think>', 'Hm', '</think>', 'ok'], config })
  return helix.close
})

const model = modelName
/** What is accepted: the edits make it invalid often enough. */
const samplesOf = (rows: readonly FieldSupport[]) =>
  rows.filter(({ verdict }) => verdict !== 'refused').map(({ sample }) => sample)
const messages = [{ role: 'user', content: 'Hi' }]
const messagesBase = { model, max_tokens: 100, messages }

const endpoints = {
  responses: editedBody({ model, input: 'Hi' }, samplesOf(responsesFields)),
  'responses/input_tokens': editedBody({ model, input: 'Hi' }, [
    { instructions: 'Be brief.', truncation: 'auto' },
    { tools: [{ type: 'function', name: 'look', parameters: {} }], tool_choice: 'auto' },
    { text: { format: { type: 'text' } }, reasoning: { effort: null } },
  ]),
  completions: editedBody({ model, prompt: 'Once' }, samplesOf(completionsFields)),
  messages: editedBody(messagesBase, samplesOf(messagesApiFields)),
  'messages/count_tokens': editedBody(messagesBase, samplesOf(messagesApiFields)),
  tokenize: editedBody({ model, return_token_strs: true }, [
    { prompt: 'Once', add_special_tokens: false },
    { messages, tools: [{ type: 'function', function: { name: 'f' } }] },
    { messages, continue_final_message: true, chat_template_kwargs: { a: 1 } },
  ]),
  detokenize: editedBody({ model, tokens: [1, 2] }, [{ tokens: [] }]),
  // Bodies of the other APIs.
  'chat/completions': editedBody({ model, messages }, samplesOf([...messagesApiFields, ...responsesFields])),
}

/** The same errors as JSON or as an event in a stream that has begun. */
const serverFault = /"(?:code|type)":"(?:internal_error|server_error|api_error|overloaded_error)"/

test.each(Object.entries(endpoints))(
  'whatever is sent to /v1/%s is answered or refused, and is never an error of the server',
  async (path, bodies) => {
    const statuses = new Set<number>()
    const answered = fc.asyncProperty(bodies, async (body) => {
      const response = await fetch(`${helix.baseUrl}/${path}`, {
        method: 'POST',
        headers: helix.authorized,
        body: JSON.stringify(body),
      })
      const text = await response.text()
      statuses.add(response.status)
      expect([200, 400, 404], text).toContain(response.status)
      expect(text).not.toMatch(serverFault)
      if (response.status !== 200) expect(JSON.parse(text).error.message).not.toMatch(/undefined|NaN|\[object/)
    })
    await fc.assert(answered, { numRuns })
    // Otherwise nothing behind the schema would have been reached.
    expect([...statuses]).toEqual(expect.arrayContaining([200, 400]))
  },
  limitMs,
)
