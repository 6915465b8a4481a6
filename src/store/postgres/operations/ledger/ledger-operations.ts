import { listLedger } from '../../../operations/ledger/ledger.ts'
import { replaceGuess } from '../../../operations/ledger/replace-guess.ts'
import { lockingWrite, prepared, read, snapshot, writeOnce } from '../../../operations/operation.ts'
import { listRequestNews } from '../../../operations/requests/request-news.ts'
import { searchRequests } from '../../../operations/requests/search-requests.ts'
import type { OwnNode } from '../../own-node.ts'
import { excludeClaims } from '../claims/claims.ts'
import { markRequests } from '../requests/mark-requests.ts'
import { refuseRequests } from '../requests/refuse-requests.ts'
import { requestReads } from '../requests/request-reads.ts'
import { checkpointProgress } from './checkpoint.ts'
import { pruneCheckpoints, pruneLedger } from './prune-ledger.ts'
import { recoverRequests } from './recover.ts'
import { reserveRequests } from './reserve.ts'
import { settleRequests } from './settle.ts'

/** Operations of the ledger and the request log that PostgreSQL has its own statements for, for one of the servers that share them. */
export const ledgerOperations = (own: OwnNode) => ({
  reserveRequests: prepared(writeOnce(reserveRequests(own))),
  checkpointProgress: prepared(writeOnce(checkpointProgress)),
  settleRequests: prepared(writeOnce(settleRequests)),
  recoverRequests: writeOnce(recoverRequests(own)),
  replaceGuess: lockingWrite(replaceGuess(excludeClaims)),
  listLedger: read(listLedger(requestReads.newestRows)),
  refuseRequests: writeOnce(refuseRequests),
  searchRequests: read(searchRequests(requestReads)),
  markRequests: snapshot(markRequests),
  listRequestNews: snapshot(listRequestNews(requestReads)),
  pruneLedger: writeOnce(pruneLedger),
  pruneCheckpoints: writeOnce(pruneCheckpoints(own)),
})
