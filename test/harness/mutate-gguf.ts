import fc from 'fast-check'

/** One change to a file. Places are fractions of its length, so that they fit every file. */
export type Mutation =
  | { kind: 'flip'; place: number; bit: number }
  | { kind: 'number'; place: number; bytes: 1 | 2 | 4 | 8; value: bigint }
  | { kind: 'cut'; place: number }
  | { kind: 'remove' | 'repeat' | 'zero'; place: number; length: number }

/** Where damage does most: lengths, counts and offsets just beyond what fits somewhere. */
const hostileNumbers = [0n, 1n, 7n, 0x7fn, 0xffn, 0x7fffn, 0xffffn, 0x7fffffffn, 0xffffffffn, 2n ** 53n, 2n ** 63n - 1n]

// Evenly spread: small values would damage only the first bytes.
const place = fc.noBias(fc.integer({ min: 0, max: 2 ** 20 - 1 })).map((step) => step / 2 ** 20)
const length = fc.integer({ min: 1, max: 64 })
const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.record({ kind: fc.constant('flip' as const), place, bit: fc.integer({ min: 0, max: 7 }) }),
  fc.record({
    kind: fc.constant('number' as const),
    place,
    bytes: fc.constantFrom(1 as const, 2 as const, 4 as const, 8 as const),
    value: fc.oneof(fc.constantFrom(...hostileNumbers), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })),
  }),
  fc.record({ kind: fc.constant('cut' as const), place }),
  fc.record({ kind: fc.constantFrom('remove' as const, 'repeat' as const, 'zero' as const), place, length }),
)
export const mutations = fc.array(mutation, { minLength: 1, maxLength: 4 })

/** Applies the changes to the first `headBytes`, where the metadata is; cuts are made anywhere. */
export const mutateGguf = (original: Buffer, headBytes: number, changes: readonly Mutation[]): Buffer => {
  let bytes: Buffer = Buffer.from(original)
  for (const change of changes) bytes = mutated(bytes, Math.min(headBytes, bytes.length), change)
  return bytes
}

const mutated = (bytes: Buffer, headBytes: number, change: Mutation): Buffer => {
  const at = Math.floor(change.place * headBytes)
  if (change.kind === 'cut') return bytes.subarray(0, Math.floor(change.place * bytes.length))
  if (change.kind === 'remove') return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + change.length)])
  if (change.kind === 'repeat') return Buffer.concat([bytes.subarray(0, at + change.length), bytes.subarray(at)])
  if (change.kind === 'zero') bytes.subarray(at, at + change.length).fill(0)
  if (change.kind === 'flip' && at < bytes.length) bytes[at] = (bytes[at] ?? 0) ^ (1 << change.bit)
  if (change.kind === 'number')
    for (let index = 0; index < change.bytes && at + index < bytes.length; index += 1)
      bytes[at + index] = Number((change.value >> BigInt(8 * index)) & 0xffn)
  return bytes
}
