import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { talk } from '../../../../test/harness/engine-request.ts'
import { engineThreads } from '../../../../test/harness/engine-threads.ts'
import { systemClock } from '../../../base/clock.ts'
import { type EmbeddedEngine, openEmbeddedEngine } from '../../embedded/embedded-engine.ts'
import { readModel } from '../../model-folder.ts'
import { countPrompt } from './count-prompt.ts'
import { loadTokenizer } from './load-tokenizer.ts'
import type { LoadedTokenizer } from './loaded-tokenizer.ts'

const folder = fileURLToPath(new URL('../../../../models/helix-v1', import.meta.url))
const workerPath = fileURLToPath(new URL('../../../engine-process.ts', import.meta.url))
const silent = { info: () => {}, warn: () => {}, error: () => {} }

let engine: EmbeddedEngine
let tokenizer: LoadedTokenizer
beforeAll(async () => {
  tokenizer = await loadTokenizer(`${folder}/tokenizer.json`)
  engine = openEmbeddedEngine({
    ...{ modelFiles: await readModel(folder), slots: 1, threads: engineThreads, clock: systemClock, log: silent },
    workerPath,
  })
  await engine.firstLoad
  return () => engine.close()
})

test.each([
  'What is the capital of France?',
  "I'll say it's 12,345.67 — isn't it?\n\n\tTabs,   spaces  \n",
  '日本の首都はどこですか。東京です。',
  'const f = (x) => { return x ** 2 } // 🙂 café',
  'Ünïcödé, привет, مرحبا, 한국어',
])('the tokens of %j are as many as the engine itself counts', async (text) => {
  const conversation = { ...talk(''), rawPrompt: text, withoutBos: true as const }
  const { promptTokens } = await engine.prepare(conversation, new AbortController().signal)
  expect(countPrompt(tokenizer, conversation)).toBe(promptTokens)
})
