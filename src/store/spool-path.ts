import { join } from 'node:path'

/** What a server on PostgreSQL could not write there yet, in its data directory. Empty most of the time. */
export const spoolPath = (dataDir: string): string => join(dataDir, 'ledger-spool.jsonl')
