import { listLedger, pruneProgress } from '../../operations/ledger/ledger.ts'
import { replaceGuess } from '../../operations/ledger/replace-guess.ts'
import { evicting, lockingWrite, read, snapshot, writeOnce } from '../../operations/operation.ts'
import { portableOperations } from '../../operations/portable-operations.ts'
import { listRequestNews } from '../../operations/requests/request-news.ts'
import { searchRequests } from '../../operations/requests/search-requests.ts'
import { checkpointProgress } from './ledger/checkpoint.ts'
import { pruneLedger } from './ledger/prune-ledger.ts'
import { recoverRequests } from './ledger/recover.ts'
import { reserveRequests } from './ledger/reserve.ts'
import { settleRequests } from './ledger/settle.ts'
import { directWrite, type SqliteOperation } from './operation.ts'
import { markRequests } from './requests/mark-requests.ts'
import { refuseRequests } from './requests/refuse-requests.ts'
import { requestReads } from './requests/request-reads.ts'

/** Everything the store thread can be asked for, by name. */
const table = {
  ...portableOperations,
  // Requests wait for these three, which use a cache of callers and open requests. On PostgreSQL each is one round trip.
  reserveRequests: directWrite(reserveRequests),
  checkpointProgress: directWrite(checkpointProgress),
  settleRequests: evicting(directWrite(settleRequests)),
  // Settles everything that is open: no other server uses the database. On PostgreSQL, open requests belong to nodes.
  recoverRequests: directWrite(recoverRequests),
  // On PostgreSQL, other servers claim idempotency keys in the meantime.
  replaceGuess: lockingWrite(replaceGuess(null)),
  // The same searches as on PostgreSQL, with other statements for their parts.
  listLedger: read(listLedger(requestReads.newestRows)),
  refuseRequests: writeOnce(refuseRequests),
  searchRequests: read(searchRequests(requestReads)),
  markRequests: snapshot(markRequests),
  listRequestNews: snapshot(listRequestNews(requestReads)),
  // Foreign keys remove what belongs to a reservation, which PostgreSQL's ledger does not have.
  pruneLedger: directWrite(pruneLedger),
  pruneCheckpoints: writeOnce(pruneProgress),
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
