import { evicting } from '../../operations/operation.ts'
import { portableOperations } from '../../operations/portable-operations.ts'
import { checkpointProgress } from './ledger/checkpoint.ts'
import { findLedgerRow, listLedger, listLedgerSince } from './ledger/ledger.ts'
import { pruneCheckpoints, pruneLedger } from './ledger/prune-ledger.ts'
import { recoverRequests } from './ledger/recover.ts'
import { reserveRequests } from './ledger/reserve.ts'
import { settleRequests } from './ledger/settle.ts'
import { read, type SqliteOperation, write } from './operation.ts'
import { pruneRefusals, refuseRequests } from './requests/refusals.ts'
import { listRequestNews, markRequests } from './requests/request-news.ts'
import { findRequest, searchRequests } from './requests/search-requests.ts'

/** Everything the store thread can be asked for, by name. */
const table = {
  ...portableOperations,
  reserveRequests: write(reserveRequests),
  checkpointProgress: write(checkpointProgress),
  settleRequests: evicting(write(settleRequests)),
  recoverRequests: write(recoverRequests),
  listLedgerSince: read(listLedgerSince),
  listLedger: read(listLedger),
  findLedgerRow: read(findLedgerRow),
  refuseRequests: write(refuseRequests),
  findRequest: read(findRequest),
  searchRequests: read(searchRequests),
  markRequests: read(markRequests),
  listRequestNews: read(listRequestNews),
  pruneRefusals: write(pruneRefusals),
  pruneLedger: write(pruneLedger),
  pruneCheckpoints: write(pruneCheckpoints),
}

type Table = typeof table
export type OperationName = keyof Table
export type ArgsOf = {
  [Name in OperationName]: Table[Name] extends SqliteOperation<infer Args, unknown> ? Args : never
}
export type ResultOf = {
  [Name in OperationName]: Table[Name] extends SqliteOperation<ArgsOf[Name], infer Result> ? Result : never
}

/** The same table, in the form in which TypeScript can follow a name from its arguments to its result. */
export const operations: { [Name in OperationName]: SqliteOperation<ArgsOf[Name], ResultOf[Name]> } = table
