import type { LedgerRow } from '../../src/store/ledger-contract.ts'
import { readRows } from './ledger-rows.ts'
import type { Helix } from './start-helix.ts'

/** Stops the server, which writes its whole ledger, and reads it, oldest request first. */
export const readLedger = async (helix: Pick<Helix, 'server' | 'dataDir' | 'storeUrl'>): Promise<LedgerRow[]> => {
  await helix.server.close()
  return readRows(helix)
}
