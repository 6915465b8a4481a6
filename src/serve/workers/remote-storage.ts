import { type DiskSpace, unknownDiskSpace } from '../../base/disk-space.ts'
import type { CompletionRecords } from '../../store/contract.ts'
import type { ResponseRecords } from '../../store/response-contract.ts'
import type { AuthorityPort } from './authority-port.ts'
import type { Tickets } from './tickets.ts'

/** Stored answers as a worker has them: its authority reads and writes them. */
export type RemoteStorage = {
  completions: Pick<CompletionRecords, 'insert'>
  responses: Pick<ResponseRecords, 'insert' | 'chain' | 'withItems'>
  /** The disk that they are written to. */
  disk: DiskSpace
}

type StorageOptions = {
  port: AuthorityPort
  tickets: Tickets
  /** The database is in the data directory. */
  isEmbedded: boolean
}

export const createRemoteStorage = ({ port, tickets, isEmbedded }: StorageOptions): RemoteStorage => ({
  completions: {
    async insert(record) {
      await port.call('storeCompletion', record)
    },
  },
  responses: {
    async insert(record, itemIds) {
      await port.call('storeResponse', { record, itemIds })
    },
    chain: (organisationId, id, since, limits) => port.call('responseChain', { organisationId, id, since, limits }),
    withItems: (organisationId, itemIds, since) =>
      itemIds.length === 0
        ? Promise.resolve(new Map())
        : port.call('responsesWithItems', { organisationId, itemIds, since }),
  },
  // That of PostgreSQL is elsewhere, and nothing needs to be asked.
  disk: isEmbedded ? createRemoteDisk(port, tickets) : unknownDiskSpace,
})

const createRemoteDisk = (port: AuthorityPort, tickets: Tickets): DiskSpace => ({
  async reserve(bytes) {
    const ticket = tickets.take()
    if (ticket === null) return null
    const isReserved = await port.call('reserveDisk', { ticket, bytes }).catch((error: unknown) => {
      tickets.giveBack(ticket)
      throw error
    })
    if (!isReserved) {
      tickets.giveBack(ticket)
      return null
    }
    let isOpen = true
    return {
      close() {
        if (!isOpen) return
        isOpen = false
        port.note('diskLeft', { ticket })
        tickets.giveBack(ticket)
      },
    }
  },
})
