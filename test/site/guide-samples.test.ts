import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { renderDocument } from '../../site/public-pages/render-document.ts'
import { parseJsonText } from '../../src/base/parse-json-text.ts'
import { languages } from '../../src/languages/languages.ts'
import { readWords } from '../../src/languages/words.ts'
import { originMark, type WholeDocument } from '../../src/site-server/pages.ts'
import { callText } from '../harness/call-text.ts'
import { openScriptedEmbedder } from '../harness/scripted-embedder.ts'
import { openScriptedReranker } from '../harness/scripted-reranker.ts'
import { type Helix, openHelix } from '../harness/start-helix.ts'

const guides = [
  '/docs',
  '/docs/streaming',
  '/docs/tools',
  '/docs/structured-output',
  '/docs/reasoning',
  '/docs/embeddings',
  '/docs/agents',
] as const satisfies readonly WholeDocument[]

let servers: Record<'chat' | 'embedding' | 'rerank', Helix>
beforeAll(async () => {
  const chat = await openHelix({
    answer(_, __, { messages, tools }) {
      if (messages.at(-1)?.role === 'tool') return ['It is', ' sunny.']
      return (tools ?? []).length > 0 ? [callText('get_weather', { city: 'Oslo' })] : ['{"name":"Oslo","population":1}']
    },
  })
  const embedder = { id: 'nomic-embed-text-v1.5', contextTokens: 100 }
  const reranker = { id: 'bge-reranker-v2-m3', contextTokens: 100 }
  servers = {
    chat,
    embedding: await openHelix({ startEngine: () => openScriptedEmbedder({ model: embedder }) }),
    rerank: await openHelix({ startEngine: () => openScriptedReranker({ model: reranker }) }),
  }
  return async () => {
    for (const server of Object.values(servers)) await server.close()
  }
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

/** The samples of a page in one of the tabs, as they are copied. */
const samplesOf = async (name: WholeDocument, code: string, tab: string): Promise<string[]> => {
  const [language] = languages.filter((each) => each.code === code)
  if (language === undefined) throw new Error(code)
  const words = await readWords(language.code, 'public-pages')
  const page = renderDocument(name, { language, languages, words }, assets)
  return [...page.matchAll(new RegExp(`<pre[^>]* data-panel="${tab}"[^>]*>(.*?)</pre>`, 'gs'))].map(([, text = '']) =>
    text
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll(/&#(\d+);/g, (_, character: string) => String.fromCharCode(Number(character))),
  )
}

const serverOf = (sample: string): Helix => {
  if (sample.includes('/rerank')) return servers.rerank
  return servers[sample.includes('nomic-embed') ? 'embedding' : 'chat']
}

const every = guides.flatMap((name) => languages.map(({ code }) => ({ name, code })))

test.each(every)('the server answers what the curl samples send: $name in $code', async ({ name, code }) => {
  for (const sample of await samplesOf(name, code, 'curl')) {
    const [, path = '', body = ''] = /"\$BASE_URL(\S+)" .* -d '(.*)'$/s.exec(sample) ?? []
    const { url, authorized } = serverOf(sample)
    const response = await fetch(`${url}/v1${path}`, {
      method: 'POST',
      headers: { ...authorized, 'x-helix-strict': '1' },
      body: JSON.stringify(parseJsonText(body)),
    })
    expect(response.status, `${sample}\n${await response.text()}`).toBe(200)
  }
})

/** One process for all samples, each in a block of its own: loading the client takes longer than running them. */
test.each(languages)('the TypeScript samples run as they are: $code', async ({ code }) => {
  const samples: string[] = []
  for (const name of guides)
    for (const sample of await samplesOf(name, code, 'typescript')) {
      const { url, key } = serverOf(sample)
      samples.push(
        `process.env.HELIX_API_KEY = '${key}'\n{${sample.replace(/^import .*$/m, '').replaceAll(originMark, url)}\n}`,
      )
    }
  expect(samples.length).toBeGreaterThanOrEqual(guides.length)
  const program = `import OpenAI from 'openai'\n${samples.join('\n')}`
  const options = ['--disable-warning=ExperimentalWarning', '--input-type=module-typescript', '--eval', program]
  const { stdout, stderr } = await promisify(execFile)(process.execPath, options)
  expect(stderr).toBe('')
  for (const shown of ['tokens', 'tool_calls', 'It is sunny.', 'Oslo', '0 -1']) expect(stdout).toContain(shown)
  expect(stdout).not.toContain('undefined')
})
