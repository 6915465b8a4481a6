import type { NodeRecords } from '../node-contract.ts'
import { read, write, writeOnce } from '../operations/operation.ts'
import { listOpenRequests } from './operations/ledger/open-requests.ts'
import { advanceSettled, recoverNode } from './operations/ledger/recover.ts'
import {
  beatNode,
  endSilentNodes,
  holdTask,
  leaveNode,
  listEndedNodes,
  listNodes,
  readDatabaseNow,
  registerNode,
  removeEndedNode,
} from './operations/nodes/nodes.ts'
import type { OwnNode } from './own-node.ts'
import type { PostgresCalls } from './postgres-calls.ts'

const operations = {
  register: write(registerNode),
  beat: writeOnce(beatNode),
  list: read(listNodes),
  databaseNow: read(readDatabaseNow),
  endSilent: writeOnce(endSilentNodes),
  settle: writeOnce(recoverNode),
  ended: read(listEndedNodes),
  openRequests: read(listOpenRequests),
  leave: write(leaveNode),
  advanceMark: writeOnce(advanceSettled),
  holdTask: writeOnce(holdTask),
}

/** The nodes of the database, and which of them this store is. */
export const createNodeRecords = (calls: PostgresCalls, own: OwnNode, statementTimeoutMs: number): NodeRecords => {
  const removeEnded = write(removeEndedNode(statementTimeoutMs))
  return {
    async register(node) {
      await calls.run('register the node', operations.register, node)
      own.id = node.id
    },
    beat: (heartbeat) => calls.run('write a heartbeat', operations.beat, heartbeat),
    list: () => calls.run('list nodes', operations.list),
    endSilent: (leaseMs) => calls.run('end leases of nodes', operations.endSilent, leaseMs),
    settle: (id, now, day) => calls.run('settle requests of a node', operations.settle, id, now, day),
    ended: () => calls.run('list ended nodes', operations.ended),
    openRequests: (id, after) => calls.run('list open requests of a node', operations.openRequests, id, after),
    removeEnded: (id) => calls.run('remove a node', removeEnded, id),
    leave: (id) => calls.run('remove the node', operations.leave, id),
    advanceMark: () => calls.run('advance the mark of the node', operations.advanceMark, own.id),
    databaseNow: () => calls.run('read the clock of the database', operations.databaseNow),
    holdTask: (name, forMs) => calls.run('reserve a task', operations.holdTask, name, own.id, forMs),
  }
}
