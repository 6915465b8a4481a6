import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * An upstream that answers at once with sixty tokens. Sends its port to the parent and ends when it disconnects. With a port as its
 * argument it shares that with others.
 */
const tokens = 60
const text = ' word'
const head = { id: 'chatcmpl-upstream', created: 1, model: 'upstream' }
const usage = { prompt_tokens: 12, completion_tokens: tokens, total_tokens: 12 + tokens }

const json = Buffer.from(
  JSON.stringify({
    ...head,
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content: text.repeat(tokens) }, finish_reason: 'stop' }],
    usage,
  }),
)

const event = (choices: object[], more: object = {}): string =>
  `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices, ...more })}\n\n`
const piece = event([{ index: 0, delta: { content: text }, finish_reason: null }])
const closing = `${event([{ index: 0, delta: {}, finish_reason: 'stop' }])}${event([], { usage })}data: [DONE]\n\n`

const server = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    if (!Buffer.concat(parts).includes('"stream":true')) {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': json.length })
      response.end(json)
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (let token = 0; token < tokens; token += 1) response.write(piece)
    response.end(closing)
  })
})
const [port = '0', isShared] = process.argv.slice(2)
server.listen({ port: Number(port), host: '127.0.0.1', reusePort: isShared === 'shared' }, () =>
  process.send?.((server.address() as AddressInfo).port),
)
process.on('disconnect', () => process.exit())
