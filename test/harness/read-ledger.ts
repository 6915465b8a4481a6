import type { LedgerRow } from '../../src/store/ledger-contract.ts'
import { openScratchStore } from './scratch-store.ts'
import type { Helix } from './start-helix.ts'

/** Stops the server, which writes its whole ledger, and reads it, oldest request first. */
export const readLedger = async ({ server, dataDir }: Pick<Helix, 'server' | 'dataDir'>): Promise<LedgerRow[]> => {
  await server.close()
  await using store = await openScratchStore(dataDir)
  const rows: LedgerRow[] = []
  for (let before: string | null = null; ; before = rows.at(-1)?.requestId ?? null) {
    const page = await store.ledger.list({ organisationId: null, before, limit: 100 })
    if (page.length === 0) return rows.reverse()
    rows.push(...page)
  }
}
