import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type SealedKind, type SealedRecord, type SealedRecords, sealedKinds } from '../../store/sealed-contract.ts'
import { isNeeded, reseal } from './reseal.ts'
import { combineSeals, createSeal, type Seal } from './seal.ts'
import { sealedContexts } from './sealed-contexts.ts'

const [old, young, lost] = [
  createSeal(Buffer.alloc(32, 1)),
  createSeal(Buffer.alloc(32, 2)),
  createSeal(Buffer.alloc(32, 3)),
]
const both = combineSeals(() => [young, old])

const contextFor = (kind: SealedKind, id: string): string =>
  kind === 'challenge' ? sealedContexts.challenge() : sealedContexts[kind](id)

type Secret = { kind: SealedKind; id: string; text: string; by: Seal }
const anySecret = fc.record({
  kind: fc.constantFrom(...sealedKinds),
  id: fc.string({ minLength: 1, maxLength: 4 }),
  text: fc.string({ maxLength: 40 }),
  by: fc.constantFrom(old, old, young, lost),
})

/** `failAt`: the process ends before the replacement of this number. */
const createRecords = (secrets: readonly Secret[]) => {
  const rows = new Map<string, SealedRecord>(
    secrets.map(({ kind, id, text, by }) => [
      `${kind}/${id}`,
      { kind, id, sealed: by.close(Buffer.from(text), contextFor(kind, id)) },
    ]),
  )
  const records = (failAt: number): SealedRecords => {
    let replaced = 0
    return {
      async list(kind, after, limit) {
        const listed = [...rows.values()].filter((row) => row.kind === kind && (after === null || row.id > after))
        return listed.sort((one, other) => (one.id < other.id ? -1 : 1)).slice(0, Math.min(limit, 2))
      },
      async replace(record, sealed) {
        if (replaced === failAt) throw new Error('killed')
        replaced += 1
        rows.set(`${record.kind}/${String(record.id)}`, { ...record, sealed })
        return true
      },
    }
  }
  const read = (seal: Seal): (string | null)[] =>
    [...rows.values()].map(
      ({ kind, id, sealed }) => seal.open(sealed, contextFor(kind, String(id)))?.toString() ?? null,
    )
  return { records, read }
}

test('wherever a rotation is interrupted, both keys together read everything, and it can be continued', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(anySecret, { selector: ({ kind, id }) => `${kind}/${id}`, maxLength: 12 }),
      fc.nat(12),
      async (secrets, failAt) => {
        const { records, read } = createRecords(secrets)
        const before = read(both)
        await reseal(records(failAt), old, young).catch(() => null)
        expect(read(both)).toEqual(before)
        const { unreadable } = await reseal(records(Number.POSITIVE_INFINITY), old, young)
        expect(unreadable).toBe(secrets.filter(({ by }) => by === lost).length)
        expect(read(young)).toEqual(before)
        expect(read(old).every((text) => text === null)).toBe(true)
        expect(await isNeeded(records(0), old)).toBe(false)
        expect((await reseal(records(0), old, young)).changed).toBe(0)
      },
    ),
  )
})
