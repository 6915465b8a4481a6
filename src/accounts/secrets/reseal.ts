import { type SealedRecord, type SealedRecords, sealedKinds } from '../../store/sealed-contract.ts'
import type { Seal } from './seal.ts'
import { sealedContexts } from './sealed-contexts.ts'

export type Resealed = {
  /** Now encrypted with the new key. */
  changed: number
  /** Readable with neither key, as before. */
  unreadable: number
}

const pageSize = 500

/**
 * Encrypts with `next` whatever only `current` can read. What is written meanwhile wins: it is left as it is. It can be
 * interrupted at any point and repeated.
 */
export const reseal = async (records: SealedRecords, current: Seal, next: Seal): Promise<Resealed> => {
  const total = { changed: 0, unreadable: 0 }
  for await (const record of eachSealed(records)) {
    const context = contextFor(record)
    if (next.open(record.sealed, context) !== null) continue
    const secret = current.open(record.sealed, context)
    if (secret === null) total.unreadable += 1
    else if (await records.replace(record, next.close(secret, context))) total.changed += 1
  }
  return total
}

/** Whether anything can still be read with this key. */
export const isNeeded = async (records: SealedRecords, seal: Seal): Promise<boolean> => {
  for await (const record of eachSealed(records)) if (seal.open(record.sealed, contextFor(record)) !== null) return true
  return false
}

const contextFor = ({ kind, id }: SealedRecord): string => {
  if (kind === 'challenge') return sealedContexts.challenge()
  return sealedContexts[kind](String(id))
}

async function* eachSealed(records: SealedRecords): AsyncGenerator<SealedRecord> {
  for (const kind of sealedKinds) {
    let page = await records.list(kind, null, pageSize)
    while (page.length > 0) {
      yield* page
      page = await records.list(kind, page.at(-1)?.id ?? null, pageSize)
    }
  }
}
