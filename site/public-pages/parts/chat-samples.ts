import { modelMark, originMark } from '../../../src/site-server/pages.ts'
import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import type { CodeSample } from './code-block.ts'

const base = html`<span class="own-value">${originMark}/v1</span>`

/** The first call in three languages, with the reader's own address. */
export const chatSamples = ({ words: { landing } }: PageContext): CodeSample[] => [
  { id: 'curl', name: 'curl', language: 'bash', code: curl(landing.prompt) },
  { id: 'python', name: 'Python', language: 'python', code: python(landing.prompt) },
  { id: 'typescript', name: 'TypeScript', language: 'typescript', code: typescript(landing.prompt) },
]

const curl = (prompt: string): Html => html`BASE_URL=${base}
curl -N "$BASE_URL/chat/completions" \\
  -H "Authorization: Bearer <span class="own-value">$HELIX_API_KEY</span>" \\
  -H "Content-Type: application/json" \\
  -d '{
    "model": "<span data-own="model">${modelMark}</span>",
    "stream": true,
    "messages": [{"role": "user", "content": "${prompt}"}]
  }'`

const python = (prompt: string): Html => html`import os
from openai import OpenAI

base_url = "${base}"
client = OpenAI(base_url=base_url, api_key=<span class="own-value">os.environ["HELIX_API_KEY"]</span>)
stream = client.chat.completions.create(
    model="<span data-own="model">${modelMark}</span>", stream=True,
    messages=[{"role": "user", "content": "${prompt}"}],
)
for chunk in stream:
    if chunk.choices:
        print(chunk.choices[0].delta.content or "", end="", flush=True)`

const typescript = (prompt: string): Html => html`import OpenAI from 'openai'

const baseURL = '${base}'
const client = new OpenAI({ baseURL, apiKey: <span class="own-value">process.env.HELIX_API_KEY</span> })
const stream = await client.chat.completions.create({
  model: '<span data-own="model">${modelMark}</span>',
  stream: true,
  messages: [{ role: 'user', content: '${prompt}' }],
})
for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta.content ?? '')`
