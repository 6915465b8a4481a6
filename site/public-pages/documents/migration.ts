import { originMark } from '../../../src/site-server/pages.ts'
import type { PageContext } from '../page-context.ts'
import type { Page } from '../page-frame.ts'
import { callSamples } from '../parts/call-samples.ts'
import type { CodeSample } from '../parts/code-block.ts'
import { guidePage } from '../parts/guide-page.ts'
import { sampleCode } from '../parts/sample-code.ts'

export const renderMigration = (context: PageContext): Page =>
  guidePage(context, {
    words: context.words.guides.migration,
    samples: [
      ['environment', environment],
      ['models', models],
      ['check', check(context.words.landing.prompt)],
      ['missing', []],
    ],
    related: ['/docs', '/docs/compatibility', '/docs/agents', '/docs/guides/clients'],
  })

const environment: CodeSample[] = [
  {
    id: 'openai',
    name: 'OpenAI',
    language: 'bash',
    code: sampleCode(`export OPENAI_BASE_URL=«${originMark}/v1»
export OPENAI_API_KEY=«$HELIX_API_KEY»`),
  },
  {
    id: 'anthropic',
    name: 'Anthropic',
    language: 'bash',
    code: sampleCode(`export ANTHROPIC_BASE_URL=«${originMark}»
export ANTHROPIC_API_KEY=«$HELIX_API_KEY»`),
  },
]

const models = callSamples({
  path: '/models',
  python: `
for model in client.models.list():
    print(model.id, model.kind, model.context_length)`,
  typescript: `
for await (const model of client.models.list()) console.log(model.id)`,
})

const check = (prompt: string): CodeSample[] =>
  callSamples({
    path: '/chat/completions',
    headers: ['x-helix-strict: 1'],
    body: `
{
  "model": "%chat%",
  "messages": [{"role": "user", "content": "${prompt}"}]
}`,
    python: `
completion = client.chat.completions.create(
    model="%chat%",
    messages=[{"role": "user", "content": "${prompt}"}],
    extra_headers={"x-helix-strict": "1"},
)
print(completion.choices[0].message.content)`,
    typescript: `
const completion = await client.chat.completions.create(
  { model: '%chat%', messages: [{ role: 'user', content: '${prompt}' }] },
  { headers: { 'x-helix-strict': '1' } },
)
console.log(completion.choices[0]?.message.content)`,
  })
