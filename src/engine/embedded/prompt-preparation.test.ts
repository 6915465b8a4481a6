import { expect, test } from 'vitest'
import { talk } from '../../../test/harness/engine-request.ts'
import { createPromptPreparation } from './prompt-preparation.ts'

/** Characters are tokens. */
const vocabulary = {
  bos: null,
  eosText: null,
  prependBos: false,
  special: new Map([[1, '§']]),
  tokenise: (text: string) =>
    Array.from(text, (character) => (character === '§' ? 1 : (character.codePointAt(0) ?? 0))),
  detokenise: () => '',
  entry: () => undefined,
  endsGeneration: () => false,
}
const preparation = (chatTemplate: string) => createPromptPreparation({ vocabulary, chatTemplate, contextTokens: 8 })
const contents = '{{ messages[0].content }}'

test('a conversation becomes tokens', () => {
  expect(preparation(contents)(talk('abc'))).toEqual({ type: 'prepared', tokens: Uint32Array.of(97, 98, 99) })
})

test('a raw prompt is used as it is, text or tokens, without the template', () => {
  const prepare = preparation('never: {{ messages[0].content }}')
  expect(prepare({ ...talk('x'), rawPrompt: 'a§' })).toEqual({ type: 'prepared', tokens: Uint32Array.of(97, 1) })
  expect(prepare({ ...talk('x'), rawPrompt: [5, 6] })).toEqual({ type: 'prepared', tokens: Uint32Array.of(5, 6) })
})

test('a text gets the BOS token that the model requires, unless it is to be left out', () => {
  const withBos = { ...vocabulary, bos: { id: 1, text: '§' }, prependBos: true }
  const prepare = createPromptPreparation({ vocabulary: withBos, chatTemplate: contents, contextTokens: 8 })
  expect(prepare({ ...talk('x'), rawPrompt: 'a' })).toMatchObject({ tokens: Uint32Array.of(1, 97) })
  expect(prepare({ ...talk('x'), rawPrompt: 'a', withoutBos: true })).toMatchObject({ tokens: Uint32Array.of(97) })
})

test('a prompt that leaves no room for an answer is too long', () => {
  expect(preparation(contents)(talk('a'.repeat(7)))).toMatchObject({ type: 'prepared' })
  expect(preparation(contents)(talk('a'.repeat(8)))).toEqual({
    type: 'too_long',
    counted: 8,
    complete: true,
    cpuMs: expect.any(Number),
  })
  expect(preparation(contents)(talk('a'.repeat(9999)))).toMatchObject({ type: 'too_long', complete: false })
})

test('what the template rejects, or renders as nothing, is refused with a reason', () => {
  expect(preparation('{{ raise_exception("no user") }}')(talk('a'))).toMatchObject({
    type: 'template_refused',
    reason: 'no user',
  })
  expect(preparation('')(talk('a'))).toMatchObject({ type: 'template_refused', reason: 'the rendered prompt is empty' })
  // There was nothing to render.
  const raw = { ...talk('a'), rawPrompt: '', withoutBos: true as const }
  expect(preparation('')(raw)).toEqual({ type: 'prepared', tokens: Uint32Array.of() })
})

test('a template that cannot be parsed refuses the model', () => {
  expect(() => preparation('{% if %}')).toThrow('The chat template of the model cannot be read')
})
