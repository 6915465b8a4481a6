import fc from 'fast-check'
import { expect, test } from 'vitest'
import { callText } from '../harness/call-text.ts'
import { anyCuts, cutBytes } from '../harness/cut-bytes.ts'
import { joinChunks } from '../harness/join-chunks.ts'
import { readChunks } from '../harness/read-events.ts'
import { openHelix, startHelix } from '../harness/start-helix.ts'

const tools = ['get_weather', 'get_time'].map((name) => ({ type: 'function', function: { name } }))
const deltasOf = async (response: Response) => (await readChunks(response)).map(({ choices }) => choices[0]?.delta)

test('a call without content has content null in its first delta; after content that is ""', async () => {
  const helix = await startHelix({ answer: (messages) => [`${messages[0]?.content}${callText('get_time', {})}`] })
  for (const [content, first] of [
    ['', null],
    ['I look. ', ''],
  ]) {
    const deltas = await deltasOf(await helix.chat({ tools, stream: true, messages: [{ role: 'user', content }] }))
    expect(deltas[0]).toEqual({ role: 'assistant', content: first, refusal: null })
  }
})

test('id, type and the complete name are sent once, then only pieces of the arguments', async () => {
  const pieces = [
    '<tool_call>',
    '\n{"name": "get_',
    'weather',
    '", "arg',
    'uments": ',
    '{"ci',
    'ty": "',
    'Rome"',
    '}}',
    '\n',
  ]
  const helix = await startHelix({ answer: () => [...pieces, '</tool_call>'] })
  const chunks = await readChunks(await helix.chat({ tools, stream: true }))
  const call = (fragment: string) => ({ tool_calls: [{ index: 0, function: { arguments: fragment } }] })
  expect(chunks.map(({ choices }) => choices[0]?.delta)).toEqual([
    { role: 'assistant', content: null, refusal: null },
    {
      tool_calls: [
        {
          index: 0,
          id: expect.stringMatching(/^call_\w{24}$/),
          type: 'function',
          function: { name: 'get_weather', arguments: '' },
        },
      ],
    },
    call('{"ci'),
    call('ty": "'),
    call('Rome"'),
    call('}'),
    {},
  ])
  expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('tool_calls')
})

test('a call is sent once its name is known, not when it is complete', async () => {
  const rest = Promise.withResolvers<void>()
  const helix = await startHelix({
    answer: () => ['<tool_call>\n{"name": "get_time", "arguments": {', { pause: rest.promise }, '}}\n</tool_call>'],
  })
  const response = await helix.chat({ tools, stream: true })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (!text.includes('"arguments":"{"')) text += (await reader?.read())?.value
  expect(text).toContain('get_time')
  rest.resolve()
  while (!text.includes('[DONE]')) text += (await reader?.read())?.value
  expect(text).toContain('"finish_reason":"tool_calls"')
})

test('however an answer is divided into tokens, each call has its index and arguments that parse', async () => {
  const json = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ stringUnit: 'grapheme', maxDepth: 2 }))
  const calls = fc.array(fc.tuple(fc.constantFrom('get_weather', 'get_time'), json), { minLength: 1, maxLength: 4 })
  let tokens: Uint8Array[] = []
  const helix = await openHelix({ answer: () => tokens })
  try {
    await fc.assert(
      fc.asyncProperty(calls, anyCuts, fc.boolean(), async (wanted, cuts, parallel_tool_calls) => {
        tokens = cutBytes(Buffer.from(wanted.map(([name, args]) => callText(name, args)).join('\n')), cuts)
        const response = await helix.chat({ tools, stream: true, parallel_tool_calls })
        const [choice] = joinChunks(await readChunks(response))
        const received = choice?.message.tool_calls?.map(({ function: called }) => [
          called.name,
          JSON.parse(called.arguments),
        ])
        const expected = JSON.parse(JSON.stringify(parallel_tool_calls ? wanted : wanted.slice(0, 1)))
        expect(received).toEqual(expected)
        expect(new Set(choice?.message.tool_calls?.map(({ id }) => id)).size).toBe(expected.length)
        expect(choice).toMatchObject({ finish_reason: 'tool_calls', message: { content: null } })
      }),
      { numRuns: 60 },
    )
  } finally {
    await helix.close()
  }
})
