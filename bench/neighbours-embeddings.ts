import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/**
 * An upstream that embeds: vectors of 1,536 numbers, in the encoding that it was asked for. Its answers are made once for each
 * number of inputs, so that it is never what is waited for.
 */
const vectorLength = 1536

const vector = Float32Array.from({ length: vectorLength }, (_, index) => Math.sin(index + 1) / Math.sqrt(vectorLength))
const encoded = Buffer.from(vector.buffer).toString('base64')
/** Of as many digits as most servers send. */
const numbers = Array.from(vector, (one) => Number(one.toPrecision(7)))

const answers = new Map<string, Buffer>()
const answerOf = (inputs: number, isBase64: boolean): Buffer => {
  const name = `${inputs} ${isBase64}`
  const known = answers.get(name)
  if (known !== undefined) return known
  const embedding = isBase64 ? encoded : numbers
  const data = Array.from({ length: inputs }, (_, index) => ({ object: 'embedding', index, embedding }))
  const usage = { prompt_tokens: inputs, total_tokens: inputs }
  const answer = Buffer.from(JSON.stringify({ object: 'list', data, model: 'embedder', usage }))
  answers.set(name, answer)
  return answer
}

const server = createServer(async (request, response) => {
  const asked = (await json(request).catch(() => null)) as { input?: unknown; encoding_format?: string } | null
  if (asked === null) return
  const inputs = Array.isArray(asked.input) ? asked.input.length : 1
  const answer = answerOf(inputs, process.argv.includes('--base64') && asked.encoding_format === 'base64')
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length }).end(answer)
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.on('disconnect', () => process.exit())
