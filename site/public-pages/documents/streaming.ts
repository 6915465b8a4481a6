import { html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import type { Page } from '../page-frame.ts'
import { callSamples } from '../parts/call-samples.ts'
import { chatSamples } from '../parts/chat-samples.ts'
import type { CodeSample } from '../parts/code-block.ts'
import { guidePage } from '../parts/guide-page.ts'

export const renderStreaming = (context: PageContext): Page =>
  guidePage(context, {
    words: context.words.guides.streaming,
    samples: [
      ['read', chatSamples(context)],
      ['events', [{ id: 'events', name: 'text/event-stream', code: events }]],
      ['usage', usage(context.words.landing.prompt)],
      ['stop', []],
      ['errors', [{ id: 'error', name: 'text/event-stream', code: error }]],
    ],
    related: ['/docs/retries', '/docs/errors', '/docs/api'],
  })

const usage = (prompt: string): CodeSample[] =>
  callSamples({
    path: '/chat/completions',
    body: `
{
  "model": "%chat%",
  "stream": true,
  "stream_options": {"include_usage": true},
  "messages": [{"role": "user", "content": "${prompt}"}]
}`,
    python: `
stream = client.chat.completions.create(
    model="%chat%", stream=True,
    stream_options={"include_usage": True},
    messages=[{"role": "user", "content": "${prompt}"}],
)
for chunk in stream:
    if chunk.choices:
        print(chunk.choices[0].delta.content or "", end="", flush=True)
    if chunk.usage:
        print("\\n", chunk.usage.total_tokens, "tokens")`,
    typescript: `
const stream = await client.chat.completions.create({
  model: '%chat%',
  stream: true,
  stream_options: { include_usage: true },
  messages: [{ role: 'user', content: '${prompt}' }],
})
for await (const chunk of stream) {
  process.stdout.write(chunk.choices[0]?.delta.content ?? '')
  if (chunk.usage) console.log('\\n', chunk.usage.total_tokens, 'tokens')
}`,
  })

const events = html`data: {…,"choices":[{"index":0,"delta":{"role":"assistant","content":"","refusal":null},"finish_reason":null}]}

data: {…,"choices":[{"index":0,"delta":{"content":"<b>The</b>"},"finish_reason":null}]}

: ping

data: {…,"choices":[{"index":0,"delta":{"content":"<b> sky</b>"},"finish_reason":null}]}

data: {…,"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}

data: [DONE]`

const error = html`data: {"error":{"message":"<b>…</b>","type":"server_error","param":null,"code":"…"}}`
