import { beforeAll, expect, test } from 'vitest'
import { type GgufContents, ggufBytes, text } from '../../../../scripts/tiny-models/gguf-bytes.ts'
import { tinyModels } from '../../../../scripts/tiny-models/tiny-models.ts'
import { endsWithFile } from '../../../../test/harness/ends-with-file.ts'
import { talk } from '../../../../test/harness/engine-request.ts'
import { createManualClock } from '../../../../test/harness/manual-clock.ts'
import { writeGguf } from '../../../../test/harness/write-gguf.ts'
import { openTokenCounters, type TokenCounters } from './token-counters.ts'

/** Files that are refused before llama.cpp is loaded. */
const silent = { info: () => {}, warn: () => {}, error: () => {} }
const chat = tinyModels['tiny-chat']()
const chatWith = (metadata: GgufContents['metadata']): Buffer =>
  ggufBytes({ ...chat, metadata: { ...chat.metadata, ...metadata } })

/** A file with a list of so many empty texts. */
const withManyTexts = (key: string, length: number): Buffer => {
  const { metadata } = chat
  const { [key]: _, ...others } = metadata
  const small = ggufBytes({ metadata: { ...others, [key]: { type: 'texts', value: [] } }, tensors: [] })
  const at = small.lastIndexOf(key) + key.length + 'type'.length + 'item'.length
  const head = small.subarray(0, at + 8)
  head.writeBigUInt64LE(BigInt(length), at)
  return Buffer.concat([head, Buffer.alloc(length * 8 + 64)])
}

let counters: TokenCounters
beforeAll(() => {
  counters = openTokenCounters({ clock: createManualClock(), log: silent })
  endsWithFile(() => counters.close())
})

test.each([
  ['a file that is none', () => writeGguf(Buffer.from('{}')), 'is not a GGUF file'],
  ['an empty file', () => writeGguf(Buffer.alloc(0)), 'is empty'],
  ['a truncated file', () => writeGguf(ggufBytes(chat).subarray(0, 5000)), 'is truncated'],
  [
    'a file without a tokenizer',
    () => writeGguf(ggufBytes({ metadata: { 'general.architecture': text('llama') }, tensors: [] })),
    'contains no tokenizer',
  ],
  ['a file that says so', () => writeGguf(chatWith({ 'tokenizer.ggml.model': text('none') })), 'contains no tokenizer'],
  [
    'too large a vocabulary',
    () => writeGguf(withManyTexts('tokenizer.ggml.tokens', 2 ** 20 + 1)),
    'is too large: its vocabulary has 1048577 tokens, more than 1048576',
  ],
  [
    'too large a list',
    () => writeGguf(withManyTexts('tokenizer.ggml.merges', 2 ** 22)),
    'is too large: its lists have',
  ],
])('%s is refused with its path and the reason', async (_, write, reason) => {
  const path = write()
  expect(await counters.check(path)).toMatch(`${path} ${reason}`)
  expect(await counters.of(path).texts(['a'], 'test')).toBe(null)
  expect(await counters.of(path).prompt(talk('a'), new AbortController().signal)).toBe(null)
})

test('a file that does not exist is refused, and a GGUF file is recognised without its extension', async () => {
  expect(await counters.check('/nowhere/model.gguf')).toBe('/nowhere/model.gguf does not exist')
  const path = writeGguf(ggufBytes(chat).subarray(0, 5000), 'sha256-0123')
  expect(await counters.check(path)).toMatch(`${path} is truncated`)
})
