/**
 * A long list of a JSON document. Its items are made while they are written: all of them at once would take several times the
 * memory of their text, and more time than other requests should wait. `JSON.stringify` writes it as an array, too.
 */
export type LongList = {
  readonly [isLong]: true
  /** The JSON of its items, separated by commas, in pieces of some thousand characters. */
  pieces(): Iterable<string>
  toJSON(): unknown[]
}

const isLong = Symbol('long list')
const pieceLength = 16_384

/** `items` is called each time the list is written. */
export const longList = (items: () => Iterable<unknown>): LongList => ({
  [isLong]: true,
  *pieces() {
    let piece = ''
    let separator = ''
    for (const item of items()) {
      piece += separator + (JSON.stringify(item) ?? 'null')
      separator = ','
      if (piece.length < pieceLength) continue
      yield piece
      piece = ''
    }
    if (piece !== '') yield piece
  },
  toJSON: () => [...items()],
})

export const isLongList = (value: object): value is LongList => isLong in value
