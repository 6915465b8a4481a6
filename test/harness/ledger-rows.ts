import type { LedgerRow, Outcome } from '../../src/store/ledger-contract.ts'
import { openStoreReader, type StorePlace } from './open-store-reader.ts'

/** What tests compare: a row of the ledger, with its settlement beside the rest. */
export type LedgerLine = {
  requestId: string
  stream: boolean
  /** Null while the request runs. */
  outcome: Outcome | null
  error: string | null
  promptTokens: number | null
  completionTokens: number | null
}

/** The whole ledger, oldest request first. The server may be running. */
export const readRows = async (place: StorePlace): Promise<LedgerRow[]> => {
  await using store = openStoreReader(place)
  const rows: LedgerRow[] = []
  for (let before: string | null = null; ; before = rows.at(-1)?.requestId ?? null) {
    const page = await store.ledger.list({ organisationId: null, before, limit: 100 })
    if (page.length === 0) return rows.reverse()
    rows.push(...page)
  }
}

export const ledgerRows = async (place: StorePlace): Promise<LedgerLine[]> => (await readRows(place)).map(ledgerLine)

const ledgerLine = ({ requestId, stream, settlement }: LedgerRow): LedgerLine => ({
  ...{ requestId, stream },
  outcome: settlement?.outcome ?? null,
  error: settlement?.error ?? null,
  promptTokens: settlement?.promptTokens ?? null,
  completionTokens: settlement?.completionTokens ?? null,
})

/** Resolves once the ledger has settled this many requests. */
export const settledRows = async (place: StorePlace, count: number): Promise<LedgerLine[]> => {
  for (;;) {
    const rows = await ledgerRows(place)
    if (rows.filter(({ outcome }) => outcome !== null).length >= count) return rows
    await new Promise((resolve) => setImmediate(resolve))
  }
}
