import type { Store } from '../contract.ts'
import { createAccountRecords } from './account-records.ts'
import { createCacheRecords } from './cache-records.ts'
import { createContentRecords } from './content-records.ts'
import { createKeyRecords } from './key-records.ts'
import { createLedgerRecords } from './ledger-records.ts'
import { createNoticeRecords } from './notice-records.ts'
import { createPlaygroundRecords } from './playground-records.ts'
import { createSignInRecords } from './sign-in-records.ts'
import type { StoreCalls } from './store-calls.ts'
import { createTeamRecords } from './team-records.ts'
import { createWebhookRecords } from './webhook-records.ts'

type Records = Omit<Store, 'nodes' | 'claims' | 'secret' | 'failed' | 'ping' | 'time' | 'backUp' | 'close'>

/** The store as the rest of the program sees it, over the operations of any database. */
export const createRecords = (store: StoreCalls, verifyUsage: Store['usage']['verify']): Records => ({
  ...createKeyRecords(store),
  ...createContentRecords(store),
  ...createAccountRecords(store),
  ...createTeamRecords(store),
  ...createSignInRecords(store),
  ...createLedgerRecords(store, verifyUsage),
  ...createCacheRecords(store),
  ...createPlaygroundRecords(store),
  ...createNoticeRecords(store),
  ...createWebhookRecords(store),
})
