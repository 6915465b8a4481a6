import fc from 'fast-check'
import { expect, test } from 'vitest'
import { byteLevelAlphabet, byteLevelBytes, byteTokenBytes, createTokenBytes } from './token-bytes.ts'

test('byte-level spelling round-trips any bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const entry = Array.from(bytes, (byte) => byteLevelAlphabet[byte]).join('')
      expect(byteLevelBytes(entry)).toEqual(bytes)
    }),
  )
})

test('the well-known spellings are read', () => {
  expect(byteLevelBytes('Ġhello')).toEqual(new Uint8Array(Buffer.from(' hello')))
  expect(byteLevelBytes('ãģ')).toEqual(Uint8Array.of(0xe3, 0x81))
  expect(byteLevelBytes('Ċ')).toEqual(Uint8Array.of(0x0a))
  expect(byteTokenBytes('<0xE3>')).toEqual(Uint8Array.of(0xe3))
})

test('what is not a spelling of bytes is not read as one', () => {
  expect(byteLevelBytes('日')).toBeNull()
  expect(byteTokenBytes('<0x1>')).toBeNull()
})

/** A vocabulary of pieces that behaves like llama.cpp's: no space in front of a text, halves as U+FFFD. */
const vocabularyOf = (pieces: { entry: string; bytes: Uint8Array }[]) => ({
  tokenise: () => [0],
  detokenise: (ids: readonly number[]) =>
    Buffer.concat(ids.map((id) => pieces[id]?.bytes ?? new Uint8Array()))
      .toString()
      .replace(/^ /, ''),
  entry: (id: number) => pieces[id]?.entry,
})
const piece = (entry: string, text: string | number[]) => ({ entry, bytes: Buffer.from(text as string) })

test('a space in front of a token is kept, halves of a character keep their bytes', () => {
  const pieces = [
    piece('▁a', ' a'),
    piece('▁cat', ' cat'),
    piece('<0xE3>', [0xe3]),
    piece('ģĤ', [0x81, 0x82]),
    piece('\uFFFD', '\uFFFD'),
    piece('<|control|>', ''),
  ]
  const tokenBytes = createTokenBytes(vocabularyOf(pieces))
  for (const [id, { bytes }] of pieces.entries()) expect(Buffer.from(tokenBytes(id))).toEqual(bytes)
})
