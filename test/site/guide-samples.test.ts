import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { renderDocument } from '../../site/public-pages/render-document.ts'
import { parseJsonText } from '../../src/base/parse-json-text.ts'
import { languages } from '../../src/languages/languages.ts'
import { readWords } from '../../src/languages/words.ts'
import { modelMark, originMark, type WholeDocument } from '../../src/site-server/pages.ts'
import { callText } from '../harness/call-text.ts'
import { openScriptedEmbedder } from '../harness/scripted-embedder.ts'
import { openScriptedReranker } from '../harness/scripted-reranker.ts'
import { severalModels } from '../harness/several-models.ts'
import { type Helix, modelName, openHelix } from '../harness/start-helix.ts'

const guides = [
  '/docs',
  '/docs/streaming',
  '/docs/tools',
  '/docs/structured-output',
  '/docs/reasoning',
  '/docs/embeddings',
  '/docs/agents',
  '/docs/migration',
  '/docs/troubleshooting',
  '/docs/errors',
  '/docs/retries',
] as const satisfies readonly WholeDocument[]

let helix: Helix
beforeAll(async () => {
  const embedder = { id: 'nomic-embed-text-v1.5', contextTokens: 100 }
  const reranker = { id: 'bge-reranker-v2-m3', contextTokens: 100 }
  helix = await openHelix({
    openModels: severalModels([
      {
        id: modelName,
        answer(_, __, { messages, tools }) {
          if (messages.at(-1)?.role === 'tool') return ['It is', ' sunny.']
          if (messages[0]?.role === 'system') return ['In a bank.']
          return (tools ?? []).length > 0
            ? [callText('get_weather', { city: 'Oslo' })]
            : ['{"name":"Oslo","population":1}']
        },
      },
      { id: embedder.id, engine: () => openScriptedEmbedder({ model: embedder }) },
      { id: reranker.id, engine: () => openScriptedReranker({ model: reranker }) },
    ]),
  })
  return helix.close
})

const assets = {
  ...{
    path: () => '',
    imports: () => [],
    view: () => ({ scripts: [], styles: [] }),
    font: '',
    beforePaintScript: '',
    card: '',
    picture: () => '',
    docsIndex: '',
  },
}

/** The samples of a page in one of the tabs, as they are copied from a server with this default model. */
const samplesOf = async (name: WholeDocument, code: string, tab: string): Promise<string[]> => {
  const [language] = languages.filter((each) => each.code === code)
  if (language === undefined) throw new Error(code)
  const words = await readWords(language.code, 'public-pages')
  const { html: page } = renderDocument(name, { language, languages, words }, assets)
  return [...page.matchAll(new RegExp(`<pre[^>]* data-panel="${tab}"[^>]*>(.*?)</pre>`, 'gs'))].map(([, text = '']) =>
    text
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll(modelMark, modelName)
      .replaceAll(/&#(\d+);/g, (_, character: string) => String.fromCharCode(Number(character))),
  )
}

const every = guides.flatMap((name) => languages.map(({ code }) => ({ name, code })))

test.each(every)('the server answers what the curl samples send: $name in $code', async ({ name, code }) => {
  for (const sample of await samplesOf(name, code, 'curl')) {
    const [, path = '', body] = /"\$BASE_URL(\S+)"(?:.* -d '(.*)')?/s.exec(sample) ?? []
    const response = await fetch(`${helix.url}/v1${path}`, {
      headers: { ...helix.authorized, 'x-helix-strict': '1' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(parseJsonText(body)) }),
    })
    expect(response.status, `${sample}\n${await response.text()}`).toBe(200)
  }
})

/** One process for all samples, each in a block of its own: loading the client takes longer than running them. */
test.each(languages)('the TypeScript samples run as they are: $code', async ({ code }) => {
  const samples: string[] = []
  for (const name of guides)
    for (const sample of await samplesOf(name, code, 'typescript')) {
      samples.push(
        `process.env.HELIX_API_KEY = '${helix.key}'\n{${sample
          .replace(/^import .*$/m, '')
          .replaceAll(originMark, helix.url)
          .replaceAll('story-1', `story-${code}`)}\n}`,
      )
    }
  expect(samples.length).toBeGreaterThanOrEqual(guides.length)
  const program = `import OpenAI from 'openai'\n${samples.join('\n')}`
  const options = ['--disable-warning=ExperimentalWarning', '--input-type=module-typescript', '--eval', program]
  const { stdout, stderr } = await promisify(execFile)(process.execPath, options)
  expect(stderr).toBe('')
  for (const shown of ['tokens', 'tool_calls', 'It is sunny.', 'Oslo', '0 -1', 'In a bank.', 'scopes'])
    expect(stdout).toContain(shown)
  expect(stdout).not.toContain('undefined')
})
