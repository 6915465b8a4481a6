import type { NodeRecords } from '../store/node-contract.ts'
import { readEngineOffer } from './engine-offer.ts'
import type { ListedNode } from './node-lease.ts'
import { readStatus } from './read-status.ts'

/** `ownId` is that of this server, if it is one of them. */
export const listNodes = async (records: Pick<NodeRecords, 'list'>, ownId: string | null): Promise<ListedNode[]> =>
  (await records.list()).map(({ status, engine, ...node }) => ({
    ...node,
    status: readStatus(status),
    kind: engine === null ? 'server' : 'engine',
    engine: readEngineOffer(engine),
    isOwn: node.id === ownId,
  }))
