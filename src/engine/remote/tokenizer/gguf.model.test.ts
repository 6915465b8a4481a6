import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { floats, type GgufContents, ggufBytes, ints, text, texts } from '../../../../scripts/tiny-models/gguf-bytes.ts'
import { tinyModels, writeTinyModel } from '../../../../scripts/tiny-models/tiny-models.ts'
import { talk } from '../../../../test/harness/engine-request.ts'
import { engineThreads } from '../../../../test/harness/engine-threads.ts'
import { createLogCatcher } from '../../../../test/harness/log-catcher.ts'
import { createManualClock } from '../../../../test/harness/manual-clock.ts'
import { openTinyEngine } from '../../../../test/harness/open-tiny-engine.ts'
import { scratchPath } from '../../../../test/harness/scratch-path.ts'
import { writeGguf } from '../../../../test/harness/write-gguf.ts'
import { type Clock, systemClock } from '../../../base/clock.ts'
import type { Log } from '../../../base/log.ts'
import type { Conversation } from '../../contract.ts'
import { openEmbeddedEngine } from '../../embedded/embedded-engine.ts'
import { readModel } from '../../model-folder.ts'
import { openTokenCounters } from './token-counters.ts'

const silent: Log = { info: () => {}, warn: () => {}, error: () => {} }
const never = new AbortController().signal
const helixFolder = fileURLToPath(new URL('../../../../models/helix-v1', import.meta.url))
const workerPath = fileURLToPath(new URL('../../../engine-process.ts', import.meta.url))

/** On a manual clock a busy machine has all the time it needs. */
const open = ({ clock = createManualClock(), log = silent }: { clock?: Clock; log?: Log } = {}) => {
  const counters = openTokenCounters({ clock, log })
  onTestFinished(() => counters.close())
  return counters
}

const conversations: Conversation[] = [
  talk('What is the capital of France?'),
  talk([
    { role: 'system', content: 'Answer briefly.' },
    { role: 'user', content: '日本の首都はどこですか。 🙂' },
    { role: 'assistant', content: '東京です。' },
    { role: 'user', content: "I'll say it's 12,345.67 — isn't it?\n\n\tTabs,   spaces  \n" },
  ]),
  talk([
    { role: 'user', content: 'The weather?' },
    { role: 'assistant', content: 'It is the' },
  ]),
  { ...talk([{ role: 'assistant', content: 'It is the' }]), opening: 'continue' },
  { ...talk(''), rawPrompt: 'const f = (x) => { return x ** 2 } // café' },
  { ...talk(''), rawPrompt: 'The other thing', withoutBos: true },
]
const tool = {
  name: 'weather',
  description: 'Reads the weather.',
  parameters: JSON.stringify({ type: 'object', properties: { city: { type: 'string' } } }),
}

test('prompts for a tiny model have as many tokens as the engine itself counts', async () => {
  const [engine, counters] = [await openTinyEngine('tiny-chat'), open()]
  const path = writeTinyModel(scratchPath(), 'tiny-chat')
  expect(await counters.check(path)).toBe(null)
  await engine.firstLoad
  for (const conversation of conversations) {
    const { promptTokens } = await engine.prepare(conversation, never)
    expect(await counters.of(path).prompt(conversation, never)).toBe(promptTokens)
  }
})

test('the same for helix-v1, whose weights are in two files, with tools too', async () => {
  const [modelFiles, counters] = [await readModel(helixFolder), open()]
  const engine = openEmbeddedEngine({
    ...{ modelFiles, slots: 1, threads: engineThreads, clock: systemClock, log: silent, workerPath },
  })
  onTestFinished(() => engine.close())
  expect(await counters.check(modelFiles.weightsPath)).toBe(null)
  await engine.firstLoad
  const withTools: Conversation = { ...talk('What is the weather in Kyoto?'), tools: [tool] }
  for (const conversation of [...conversations, withTools]) {
    const { promptTokens } = await engine.prepare(conversation, never)
    expect(await counters.of(modelFiles.weightsPath).prompt(conversation, never)).toBe(promptTokens)
  }
})

test('without a chat template the texts are counted, and a few tokens for each message', async () => {
  const counters = open()
  const path = writeTinyModel(scratchPath(), 'tiny-no-template')
  expect(await counters.check(path)).toBe(null)
  expect(await counters.of(path).texts(['the', ' the', 'cat', ''], 'test')).toBe(2 + 1 + 3)
  expect(await counters.of(path).prompt(talk('the cat'), never)).toBe(5 + 3 + 2 + 4)
})

const bytes = Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`)
/** Kinds of tokens. */
const [normal, unknown, control, byte] = [1, 2, 3, 6]

/** A file with a vocabulary in the manner of SentencePiece and no weights. */
const sentencePiece = (model: 'llama' | 't5', entries: readonly (readonly [string, number])[]): GgufContents => {
  const first = ['<unk>', '<s>', '</s>']
  const tokens = [...first, ...bytes, ...entries.map(([token]) => token)]
  const kindOf = (token: string): number => {
    if (token === '<unk>') return unknown
    if (first.includes(token)) return control
    return bytes.includes(token) ? byte : normal
  }
  return {
    metadata: {
      'general.architecture': text('llama'),
      'tokenizer.ggml.model': text(model),
      'tokenizer.ggml.tokens': texts(tokens),
      'tokenizer.ggml.scores': floats([...first, ...bytes].map(() => 0).concat(entries.map(([, score]) => score))),
      'tokenizer.ggml.token_type': ints(tokens.map(kindOf)),
      'tokenizer.ggml.bos_token_id': { type: 'u32', value: 1 },
      'tokenizer.ggml.eos_token_id': { type: 'u32', value: 2 },
      'tokenizer.ggml.unknown_token_id': { type: 'u32', value: 0 },
      'tokenizer.chat_template': text('{{ bos_token }}{% for message in messages %}{{ message.content }}{% endfor %}'),
    },
    tensors: [],
  }
}

test('BPE in the manner of SentencePiece: bytes for unknown characters, and one token that begins a prompt', async () => {
  const counters = open()
  const entries = ['▁', 'a', 'b', '▁a', '▁ab'].map((token, index) => [token, index] as const)
  const path = writeGguf(ggufBytes(sentencePiece('llama', entries)))
  expect(await counters.check(path)).toBe(null)
  const counter = counters.of(path)
  // A completion goes on from the prompt, so no space is inserted before it.
  expect(await counter.texts([' ab'], 'test')).toBe(1)
  expect(await counter.texts([' ab ab'], 'test')).toBe(2)
  expect(await counter.texts(['日'], 'test')).toBe(3)
  expect(await counter.prompt(talk('ab'), never)).toBe(2)
  expect(await counter.prompt({ ...talk(''), rawPrompt: 'ab ab' }, never)).toBe(3)
  expect(await counter.prompt({ ...talk(''), rawPrompt: 'ab ab', withoutBos: true }, never)).toBe(2)
})

test('Unigram and WordPiece', async () => {
  const counters = open()
  const unigram: [string, number][] = [
    ['▁', -5],
    ['▁cat', -1],
    ['s', -2],
    ['c', -4],
    ['a', -4],
    ['t', -4],
  ]
  const unigramPath = writeGguf(ggufBytes(sentencePiece('t5', unigram)))
  expect(await counters.check(unigramPath)).toBe(null)
  expect(await counters.of(unigramPath).texts([' cats'], 'test')).toBe(2)
  const wordPiecePath = writeTinyModel(scratchPath(), 'tiny-embedding')
  expect(await counters.check(wordPiecePath)).toBe(null)
  expect(await counters.of(wordPiecePath).texts(['the river bank x'], 'test')).toBe(4)
})

/** llama.cpp aborts if a token occurs twice. */
const fatal = (): Buffer => {
  const chat = tinyModels['tiny-chat']()
  const tokens = chat.metadata['tokenizer.ggml.tokens']
  if (tokens?.type !== 'texts') throw new Error('the model has no tokens')
  const repeated = texts(tokens.value.map((token) => (token === 'b' ? 'a' : token)))
  return ggufBytes({ ...chat, metadata: { ...chat.metadata, 'tokenizer.ggml.tokens': repeated } })
}

test('a file on which llama.cpp aborts ends its process, and nothing else', async () => {
  const counters = open()
  const [good, bad] = [writeTinyModel(scratchPath(), 'tiny-chat'), writeGguf(fatal())]
  expect(await counters.check(good)).toBe(null)
  expect(await counters.check(bad)).toMatch(/model\.gguf cannot be loaded \(.*SIG(ABRT|SEGV)/)
  expect(await counters.of(good).texts(['the'], 'test')).toBe(2)
})

test('a file that llama.cpp cannot use is refused with its reason', async () => {
  const counters = open()
  const chat = tinyModels['tiny-chat']()
  const { 'tokenizer.ggml.merges': _, ...metadata } = chat.metadata
  const path = writeGguf(ggufBytes({ ...chat, metadata }))
  expect(await counters.check(path)).toMatch(/model\.gguf cannot be used: .*merges/)
  const unknownPath = writeTinyModel(scratchPath(), 'tiny-unknown-architecture')
  expect(await counters.check(unknownPath)).toMatch(/cannot be used: .*unheard-of/)
  const broken = { ...chat.metadata, 'tokenizer.chat_template': text('{% for %}') }
  const brokenPath = writeGguf(ggufBytes({ ...chat, metadata: broken }))
  expect(await counters.check(brokenPath)).toMatch(/^the chat template in .*model\.gguf cannot be read/)
})

test('after a process has ended, tokens are estimated for a while instead of starting another for each request', async () => {
  const clock = createManualClock()
  const catcher = createLogCatcher({ clock, format: 'json' })
  const counters = open({ clock, log: catcher.log })
  const counter = counters.of(writeGguf(fatal()))
  expect(await counter.texts(['the'], 'test')).toBe(null)
  expect(await catcher.logged({ event: 'tokenizer_failed' })).toMatchObject({ reason: expect.stringContaining('SIG') })
  expect(await counter.texts(['the'], 'test')).toBe(null)
  clock.advance(30_000)
  expect(await counter.texts(['the'], 'test')).toBe(null)
  expect(catcher.lines.filter((line) => line.includes('tokenizer_failed'))).toHaveLength(2)
})
