import type { Claims } from '../claim-contract.ts'
import { prepared, read, writeOnce } from '../operations/operation.ts'
import {
  claimReplay,
  findClaim,
  heldClaims,
  listClaims,
  releaseClaim,
  removeDeadClaims,
  takeOverClaim,
} from './operations/claims/claims.ts'
import type { OwnNode } from './own-node.ts'
import type { PostgresCalls } from './postgres-calls.ts'

const operations = {
  claim: prepared(writeOnce(claimReplay)),
  takeOver: writeOnce(takeOverClaim),
  find: prepared(read(findClaim)),
  release: prepared(writeOnce(releaseClaim)),
  held: read(heldClaims),
  own: read(listClaims),
  removeDead: writeOnce(removeDeadClaims),
}

/** The claims of all nodes; new ones are for the node that this store is. */
export const createPostgresClaims = (calls: PostgresCalls, own: OwnNode): Claims => ({
  claim: (name, claim) => calls.run('claim an idempotency key', operations.claim, name, claim, own.id),
  takeOver: (name, requestId, claim) =>
    calls.run('take over a claim', operations.takeOver, name, requestId, claim, own.id),
  find: (name) => calls.run('find a claim', operations.find, name),
  release: (name, requestId) => calls.run('release a claim', operations.release, name, requestId),
  held: (requestIds) => calls.run('find claims', operations.held, requestIds),
  own: () => calls.run('list claims', operations.own, own.id),
  removeDead: () => calls.run('remove claims', operations.removeDead),
})
