import { beforeAll, expect, test } from 'vitest'
import { type Expected, emptyArray, longArray, missing, notAmong, wrongType } from '../harness/expect-refusal.ts'
import { postEmbeddings } from '../harness/post-embeddings.ts'
import { readError } from '../harness/read-error.ts'
import { embedderName, openScriptedEmbedder } from '../harness/scripted-embedder.ts'
import { type Helix, modelName, openHelix, startHelix } from '../harness/start-helix.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openHelix({ startEngine: openScriptedEmbedder, config: { strictRequests: true } })
  return helix.close
})

const types = 'one of a string, array of strings, array of integers or array of arrays'
const item = 'one of a string or array of integers'
const rows: [title: string, body: Record<string, unknown>, expected: Expected][] = [
  ['no input', {}, missing('input')],
  ['input null', { input: null }, wrongType('input', types, 'null')],
  ['input a number', { input: 1 }, wrongType('input', types, 'an integer')],
  ['an empty list', { input: [] }, emptyArray('input')],
  ['no tokens', { input: [[1], []] }, emptyArray('input[1]')],
  ['too many texts', { input: new Array(2049).fill('a') }, longArray('input', 2048)],
  ['a number among texts', { input: ['a', 1] }, wrongType('input[1]', item, 'an integer')],
  ['a text among tokens', { input: [1, 'a'] }, wrongType('input[1]', 'an integer', 'a string')],
  [
    'another encoding',
    { input: 'a', encoding_format: 'hex' },
    notAmong('encoding_format', 'hex', "'float' and 'base64'"),
  ],
  [
    'more dimensions than the model has',
    { input: 'a', dimensions: 4 },
    {
      param: 'dimensions',
      code: 'unsupported_value',
      message: `Unsupported value: 'dimensions'. The embeddings of the model \`${embedderName}\` have 3 dimensions. They can be shortened, but not extended.`,
    },
  ],
  [
    'an unknown field',
    { input: 'a', colour: 'red' },
    { param: null, code: null, message: 'Unrecognized request argument supplied: colour' },
  ],
]

test.each(rows)('%s', async (_, body, { param, code, message }) => {
  const response = await postEmbeddings(helix, body)
  expect(response.status).toBe(400)
  expect(await readError(response)).toMatchObject({ param, code, message })
})

test.each(['', '[]', '{', '"text"'])('a body that is not a JSON object is refused: %s', async (body) => {
  const response = await postEmbeddings(helix, {}, { body })
  expect(response.status).toBe(400)
})

test('a missing model, and one that is not served here', async () => {
  const without = await postEmbeddings(helix, {}, { body: JSON.stringify({ input: 'a' }) })
  expect(await readError(without)).toMatchObject({ message: 'you must provide a model parameter' })
  const other = await postEmbeddings(helix, { model: 'other', input: 'a' })
  expect(other.status).toBe(404)
  expect(await readError(other)).toMatchObject({ code: 'model_not_found' })
})

test('a generative model creates no embeddings, and says so', async () => {
  const generative = await startHelix()
  const response = await postEmbeddings(generative, { model: modelName, input: 'a' })
  expect(response.status).toBe(400)
  expect(await readError(response)).toMatchObject({
    param: 'model',
    code: 'model_not_supported',
    message: `The model \`${modelName}\` generates text and does not create embeddings. Choose an embedding model.`,
  })
})

test('an embedding model does not chat, and says so', async () => {
  for (const stream of [false, true]) {
    const response = await helix.chat({ model: embedderName, stream })
    expect(response.status).toBe(400)
    expect(await readError(response)).toMatchObject({
      param: 'model',
      code: 'model_not_supported',
      message: expect.stringContaining('creates embeddings and does not generate text'),
    })
  }
})

test('a response that would take too much memory is refused before any work', async () => {
  const embedded: number[] = []
  const small = await startHelix({
    startEngine: () =>
      openScriptedEmbedder({
        model: { vectorLength: 1000 },
        beforeVector: async (index) => embedded.push(index),
      }),
    config: { answerLimitBytes: 65_536 },
  })
  const refused = await postEmbeddings(small, { input: new Array(10).fill('a') })
  expect(refused.status).toBe(400)
  expect(await readError(refused)).toMatchObject({ code: 'answer_too_large', param: 'input' })
  expect(embedded).toEqual([])
  expect((await postEmbeddings(small, { input: new Array(10).fill('a'), encoding_format: 'base64' })).status).toBe(200)
})
