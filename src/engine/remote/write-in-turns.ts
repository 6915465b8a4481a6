import { waitForTurn } from '../../base/take-turns.ts'

/** The parts of a long body, one after the other. They are sent in turns with what other callers do. */
export type LongBody = readonly Uint8Array[]

/** `JSON.stringify` takes about 3 ms for 1 MB, and nobody else is served meanwhile. */
export const maxLengthPerTurn = 64 * 1024

/** Turns pieces of JSON text into a body, as much in each turn of the tenant as `maxLengthPerTurn`. */
export const writeInTurns = async (pieces: Iterable<string>, tenant: string): Promise<LongBody> => {
  const parts: Uint8Array[] = []
  let text = ''
  for (const piece of pieces) {
    text += piece
    if (text.length < maxLengthPerTurn) continue
    parts.push(Buffer.from(text))
    text = ''
    await new Promise<void>((resolve) => waitForTurn(tenant, resolve))
  }
  return [...parts, Buffer.from(text)]
}

/** A long text as JSON. Half of a character becomes an escape, and the other half one that completes it. */
export function* textPieces(text: string): Generator<string, void> {
  yield '"'
  for (let at = 0; at < text.length; at += maxLengthPerTurn)
    yield JSON.stringify(text.slice(at, at + maxLengthPerTurn)).slice(1, -1)
  yield '"'
}

/** What is JSON already. No character is cut, because each piece may end a part of the body. */
export function* jsonPieces(json: string): Generator<string, void> {
  for (let at = 0; at < json.length; ) {
    const end = at + maxLengthPerTurn
    const isCut = /[\ud800-\udbff]/.test(json.charAt(end - 1))
    yield json.slice(at, isCut ? end + 1 : end)
    at = isCut ? end + 1 : end
  }
}

/** A number has up to six digits in most lists. */
const numbersPerPiece = maxLengthPerTurn / 8

export function* numberPieces(numbers: readonly number[]): Generator<string, void> {
  yield '['
  for (let at = 0; at < numbers.length; at += numbersPerPiece)
    yield (at === 0 ? '' : ',') + JSON.stringify(numbers.slice(at, at + numbersPerPiece)).slice(1, -1)
  yield ']'
}
