import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { talk } from '../../../../test/harness/engine-request.ts'
import { byteLevelTokenizer, writeTokenizer } from '../../../../test/harness/tiny-tokenizer.ts'
import { countPrompt } from './count-prompt.ts'
import { loadTokenizer } from './load-tokenizer.ts'

const metaspace = { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: false }
const bytes = Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`)

test('byte-level BPE: words of the vocabulary are one token, other text one for each byte', async () => {
  const { count } = await loadTokenizer(writeTokenizer())
  expect([count('Hello world'), count(''), count('日本'), count('<|im_start|>Hello<|im_end|>')]).toEqual([2, 0, 6, 3])
})

test('BPE in the manner of SentencePiece, with bytes for what is not in the vocabulary', async () => {
  const tokens = ['<unk>', ...bytes, '▁', 'a', 'b', '▁a', '▁ab']
  const { count } = await loadTokenizer(
    writeTokenizer({
      ...byteLevelTokenizer(),
      added_tokens: [],
      normalizer: null,
      pre_tokenizer: metaspace,
      model: {
        ...{ type: 'BPE', dropout: null, unk_token: '<unk>', fuse_unk: true, byte_fallback: true },
        vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
        merges: ['▁ a', '▁a b'],
      },
    }),
  )
  expect([count('ab'), count('ab ab'), count('日')]).toEqual([1, 2, 4])
})

test('Unigram: the most likely cut', async () => {
  const vocab = [
    ['<unk>', 0],
    ['▁', -5],
    ['▁cat', -1],
    ['s', -2],
    ['c', -4],
    ['a', -4],
    ['t', -4],
  ]
  const model = { type: 'Unigram', unk_id: 0, vocab, byte_fallback: false }
  const { count } = await loadTokenizer(
    writeTokenizer({ ...byteLevelTokenizer(), added_tokens: [], pre_tokenizer: metaspace, model }),
  )
  expect([count('cat'), count('cats'), count('at')]).toEqual([1, 2, 3])
})

test('with a chat template the rendered prompt is counted, otherwise its texts and a few tokens for each message', async () => {
  const conversation = talk([
    { role: 'system', content: 'Hello' },
    { role: 'user', content: 'Hello world' },
  ])
  // The roles and line breaks are bytes here.
  const rendered = 1 + 'system\n'.length + 1 + 1 + 1 + 1 + 'user\n'.length + 2 + 1 + 1 + 1 + 'assistant\n'.length
  expect(countPrompt(await loadTokenizer(writeTokenizer(undefined, { withTemplate: true })), conversation)).toBe(
    rendered,
  )
  const plain = await loadTokenizer(writeTokenizer())
  expect(plain.template).toBe(null)
  expect(countPrompt(plain, conversation)).toBe(2 * 5 + 3 + 1 + 2)
  expect(countPrompt(plain, { ...conversation, rawPrompt: 'Hello world' })).toBe(2)
  expect(countPrompt(plain, { ...conversation, rawPrompt: [1, 2, 3] })).toBe(3)
})

test.each([
  ['no JSON', '{"model":', /is not a JSON object/],
  ['another file', { architectures: ['LlamaForCausalLM'] }, /is not a tokenizer\.json: it has no model/],
  ['an unknown kind', { ...byteLevelTokenizer(), model: { type: 'Magic', vocab: {} } }, /cannot be used/],
])('%s is refused with the path and the reason', async (_, content, reason) => {
  const path = writeTokenizer(content)
  const refused = await loadTokenizer(path).catch((error) => error)
  expect(refused).toMatchObject({ name: 'TokenizerRefused', message: expect.stringMatching(reason) })
  expect(refused.message).toContain(path)
})

test('a file that does not exist, and a template that cannot be read, are refused', async () => {
  await expect(loadTokenizer('/nowhere/tokenizer.json')).rejects.toThrow('/nowhere/tokenizer.json does not exist')
  const path = writeTokenizer()
  writeFileSync(join(dirname(path), 'chat_template.jinja'), '{% for %}')
  await expect(loadTokenizer(path)).rejects.toThrow(/chat template beside/)
})
