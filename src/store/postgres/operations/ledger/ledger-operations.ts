import { prepared, read, snapshot, writeOnce } from '../../../operations/operation.ts'
import type { OwnNode } from '../../own-node.ts'
import { pruneRefusals, refuseRequests } from '../requests/refusals.ts'
import { listRequestNews, markRequests } from '../requests/request-news.ts'
import { findRequest, searchRequests } from '../requests/search-requests.ts'
import { checkpointProgress } from './checkpoint.ts'
import { findLedgerRow, listLedger, listLedgerSince } from './ledger.ts'
import { pruneCheckpoints, pruneLedger } from './prune-ledger.ts'
import { recoverRequests } from './recover.ts'
import { reserveRequests } from './reserve.ts'
import { settleRequests } from './settle.ts'

/** The ledger and the request log, for one of the servers that share them. */
export const ledgerOperations = (own: OwnNode) => ({
  reserveRequests: prepared(writeOnce(reserveRequests(own))),
  checkpointProgress: prepared(writeOnce(checkpointProgress)),
  settleRequests: prepared(writeOnce(settleRequests)),
  recoverRequests: writeOnce(recoverRequests(own)),
  listLedgerSince: read(listLedgerSince),
  listLedger: read(listLedger),
  findLedgerRow: read(findLedgerRow),
  refuseRequests: writeOnce(refuseRequests),
  findRequest: read(findRequest),
  searchRequests: read(searchRequests),
  markRequests: snapshot(markRequests),
  listRequestNews: snapshot(listRequestNews),
  pruneRefusals: writeOnce(pruneRefusals),
  pruneLedger: writeOnce(pruneLedger),
  pruneCheckpoints: writeOnce(pruneCheckpoints(own)),
})
