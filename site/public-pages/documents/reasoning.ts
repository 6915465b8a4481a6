import { html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import type { Page } from '../page-frame.ts'
import { callSamples } from '../parts/call-samples.ts'
import type { CodeSample } from '../parts/code-block.ts'
import { guidePage } from '../parts/guide-page.ts'

export const renderReasoning = (context: PageContext): Page => {
  const words = context.words.guides.reasoning
  return guidePage(context, {
    words,
    samples: [
      ['read', read(words.question)],
      ['stream', [{ id: 'events', name: 'text/event-stream', code: events }]],
      ['effort', []],
      ['tokens', []],
      ['apis', []],
    ],
    related: ['/docs/streaming', '/docs/api'],
  })
}

const read = (question: string): CodeSample[] =>
  callSamples({
    path: '/chat/completions',
    body: `
{
  "model": "%chat%",
  "reasoning_effort": "low",
  "messages": [{"role": "user", "content": "${question}"}]
}`,
    python: `
completion = client.chat.completions.create(
    model="%chat%",
    reasoning_effort="low",
    messages=[{"role": "user", "content": "${question}"}],
)
message = completion.choices[0].message
print(getattr(message, "reasoning_content", None))
print(message.content)`,
    typescript: `
const completion = await client.chat.completions.create({
  model: '%chat%',
  reasoning_effort: 'low',
  messages: [{ role: 'user', content: '${question}' }],
})
const message = completion.choices[0]?.message
if (message && 'reasoning_content' in message) console.log(message.reasoning_content)
console.log(message?.content)`,
  })

const events = html`data: {…,"choices":[{"index":0,"delta":{"reasoning_content":"<b>10 weeks of 7 days</b>"},"finish_reason":null}]}

data: {…,"choices":[{"index":0,"delta":{"content":"<b>70</b>"},"finish_reason":null}]}`
