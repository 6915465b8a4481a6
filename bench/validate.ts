import { chatRequest } from '../src/api/chat-completions/request/request.ts'
import { readFields } from '../src/api/generation/request/read-fields.ts'
import { parseJson } from '../src/http/parse-json.ts'
import { ratioSpread, report, spreadOf, takeTurns } from './measure.ts'

/**
 * The cost of parsing and validating a received request, against bare `JSON.parse` of the same bytes: with the schema
 * alone, and with the full cost of a request (including the depth check and strict UTF-8). The target applies to the
 * latter.
 */
const rounds = 21
const system = { role: 'system', content: 'You are a careful assistant. Answer in the language of the question.' }
const words = 'The service reads the question, looks up what it knows about “the weather in 東京”, and answers.\n'
const said = (index: number, bytes: number) => ({
  role: index % 2 === 0 ? 'user' : 'assistant',
  content: `${index}: ${words.repeat(Math.ceil(bytes / words.length)).slice(0, bytes)}`,
})
const parameters = { temperature: 0.7, top_p: 0.95, max_completion_tokens: 512, stream: true, seed: 42 }
const bodyOf = (messages: object[]): Buffer =>
  Buffer.from(
    JSON.stringify({
      model: 'helix-v1',
      messages,
      ...parameters,
      stream_options: { include_usage: true },
      user: 'u-1',
    }),
  )

const sizes = {
  '1 KB': { body: bodyOf([system, said(0, 150), said(1, 200), said(2, 150)]), times: 4000, max: 3 },
  '100 KB': {
    body: bodyOf([system, ...Array.from({ length: 60 }, (_, index) => said(index, 1600))]),
    times: 100,
    max: 1.3,
  },
}

/** CPU microseconds per body. */
const measure = async (body: Buffer, times: number, read: (bytes: Buffer) => unknown): Promise<number> => {
  const before = process.cpuUsage()
  for (let time = 0; time < times; time += 1) read(body)
  const { user, system: kernel } = process.cpuUsage(before)
  return (user + kernel) / times
}

const bare = (bytes: Buffer): unknown => JSON.parse(bytes.toString())
const read = (value: unknown): unknown => readFields({ strict: false }, () => chatRequest(value))
const withSchema = (bytes: Buffer): unknown => read(JSON.parse(bytes.toString()))
const whole = (bytes: Buffer): unknown => read(parseJson(bytes))

for (const [size, { body, times, max }] of Object.entries(sizes)) {
  const turns = {
    bare: () => measure(body, times, bare),
    withSchema: () => measure(body, times, withSchema),
    whole: () => measure(body, times, whole),
  }
  await takeTurns(3, turns) // The first rounds include JIT compilation.
  const results = await takeTurns(rounds, turns)
  const ratio = ratioSpread(results.whole, results.bare)
  report({
    bench: `validate ${size}`,
    ratio,
    target: `ratio <= ${max}`,
    met: ratio.median <= max,
    rounds,
    figures: {
      bareMicros: spreadOf(results.bare),
      withSchemaMicros: spreadOf(results.withSchema),
      wholeMicros: spreadOf(results.whole),
      ratioWithSchemaOnly: ratioSpread(results.withSchema, results.bare),
      bodyBytes: body.length,
    },
  })
}
