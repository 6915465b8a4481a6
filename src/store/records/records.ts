import type { Store } from '../contract.ts'
import { accountRecordsOf } from './account-records.ts'
import { contentRecordsOf } from './content-records.ts'
import { keyRecordsOf } from './key-records.ts'
import { ledgerRecordsOf } from './ledger-records.ts'
import { noticeRecordsOf } from './notice-records.ts'
import { playgroundRecordsOf } from './playground-records.ts'
import { signInRecordsOf } from './sign-in-records.ts'
import type { StoreCalls } from './store-calls.ts'
import { teamRecordsOf } from './team-records.ts'

type Records = Omit<Store, 'nodes' | 'claims' | 'secret' | 'failed' | 'ping' | 'backUp' | 'close'>

/** The store as the rest of the program sees it, over the operations of any database. */
export const recordsOf = (store: StoreCalls, verifyUsage: Store['usage']['verify']): Records => ({
  ...keyRecordsOf(store),
  ...contentRecordsOf(store),
  ...accountRecordsOf(store),
  ...teamRecordsOf(store),
  ...signInRecordsOf(store),
  ...ledgerRecordsOf(store, verifyUsage),
  ...playgroundRecordsOf(store),
  ...noticeRecordsOf(store),
})
