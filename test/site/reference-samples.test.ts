import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { sampleCall } from '../../site/public-pages/parts/operation-calls.ts'
import { operationSamples } from '../../site/public-pages/parts/operation-samples.ts'
import { type ListedOperation, operations } from '../../src/api/openapi/operations.ts'
import { languages } from '../../src/languages/languages.ts'
import { readWords } from '../../src/languages/words.ts'
import { modelMark, originMark } from '../../src/site-server/pages.ts'
import { openScriptedEmbedder } from '../harness/scripted-embedder.ts'
import { openScriptedReranker } from '../harness/scripted-reranker.ts'
import { type Helix, openHelix } from '../harness/start-helix.ts'

const models = { '%chat%': 'helix-v1', '%embedding%': 'nomic-embed-text-v1.5', '%rerank%': 'bge-reranker-v2-m3' }

const texts = { prompt: 'Why?', beginning: 'Because' }

let servers: Record<keyof typeof models, Helix>
beforeAll(async () => {
  const embedder = { id: models['%embedding%'], contextTokens: 100 }
  const reranker = { id: models['%rerank%'], contextTokens: 100 }
  servers = {
    '%chat%': await openHelix(),
    '%embedding%': await openHelix({ startEngine: () => openScriptedEmbedder({ model: embedder }) }),
    '%rerank%': await openHelix({ startEngine: () => openScriptedReranker({ model: reranker }) }),
  }
  return async () => {
    for (const server of Object.values(servers)) await server.close()
  }
})

const callOf = (operation: ListedOperation) => {
  const text = JSON.stringify(sampleCall(operation, texts))
  const kinds = ['%embedding%', '%rerank%'] as const
  return { server: servers[kinds.find((kind) => text.includes(kind)) ?? '%chat%'], ...sampleCall(operation, texts) }
}

const filled = (text: string): string => text.replaceAll(/%\w+%/g, (mark) => Object(models)[mark] ?? mark)

/** What some samples name is not there, the key may not manage keys, and nothing is moderated. */
const expectedStatus = (path: string): number => {
  if (/^\/(keys|usage)/.test(path)) return 403
  if (path === '/moderations') return 400
  return path.includes('«') ? 404 : 200
}

test.each(operations)('the server knows what the sample of $id sends', async (operation) => {
  const { server, method, path, body } = callOf(operation)
  const response = await fetch(`${server.url}/v1${filled(path).replaceAll(/[«»]/g, '')}`, {
    method,
    headers: { ...server.authorized, 'x-helix-strict': '1' },
    ...(body === undefined ? {} : { body: filled(JSON.stringify(body)) }),
  })
  const text = await response.text()
  expect([operation.id, response.status], text).toEqual([operation.id, expectedStatus(path)])
  expect(text).not.toContain('unknown_url')
})

test('the sample of completions has a text to continue, because helix-v1 continues a question with nothing', () => {
  const operation = operations.find(({ id }) => id === 'createCompletion')
  if (operation === undefined) throw new Error('no completions')
  expect(sampleCall(operation, texts).body).toMatchObject({ prompt: texts.beginning })
})

/** One process for all samples, each in a block of its own: loading the clients takes longer than running them. */
test('the TypeScript samples that need no stored object run as they are', async () => {
  const [language] = languages
  if (language === undefined) throw new Error('no language')
  const words = await readWords(language.code, 'public-pages')
  const programs = operations.flatMap((operation) => {
    const { server, path } = callOf(operation)
    if (/«|^\/(keys|usage|moderations)/.test(path)) return []
    const samples = operationSamples(operation, { language, languages, words, name: '/docs/api' })
    const text = samples.find(({ id }) => id === 'typescript')?.code.html ?? ''
    const code = text
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll(/&#(\d+);/g, (_, character: string) => String.fromCharCode(Number(character)))
      .replaceAll(originMark, server.url)
      .replaceAll(modelMark, models['%chat%'])
    return [`process.env.HELIX_API_KEY = '${server.key}'\n{${code.replace(/^import .*$/m, '')}\n}`]
  })
  expect(programs.length).toBeGreaterThan(12)
  const program = `import OpenAI from 'openai'\nimport Anthropic from '@anthropic-ai/sdk'\n${programs.join('\n')}`
  const options = ['--disable-warning=ExperimentalWarning', '--input-type=module-typescript', '--eval', program]
  const { stdout, stderr } = await promisify(execFile)(process.execPath, options)
  expect(stderr).toBe('')
  for (const shown of ['Hello, world!', 'relevance_score', 'token', 'helix-v1']) expect(stdout).toContain(shown)
})
