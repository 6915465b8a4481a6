import type { DiskLease, DiskSpace } from '../../base/disk-space.ts'
import type { Store } from '../../store/contract.ts'
import type { AuthorityCalls, AuthorityNotes, Ticket } from './protocol.ts'

type StorageDependencies = {
  store: { completions: Pick<Store['completions'], 'insert'>; responses: StoredResponses }
  disk: DiskSpace
}
type StoredResponses = Pick<Store['responses'], 'insert' | 'chain' | 'withItems'>

type Calls = 'storeCompletion' | 'storeResponse' | 'responseChain' | 'responsesWithItems' | 'reserveDisk'

export interface WorkerStorage {
  calls: { [Name in Calls]: (asks: AuthorityCalls[Name]['asks']) => Promise<AuthorityCalls[Name]['answers']> }
  notes: { diskLeft(value: AuthorityNotes['diskLeft']): void }
  /** The worker is gone: what it had reserved is free. */
  end(): void
}

/** What the requests of one worker read from the store and write to it. */
export const createWorkerStorage = ({ store, disk }: StorageDependencies): WorkerStorage => {
  const leases: (DiskLease | null)[] = []
  let isEnded = false
  const take = (ticket: Ticket): void => {
    leases[ticket]?.close()
    leases[ticket] = null
  }
  return {
    calls: {
      async storeCompletion(record) {
        await store.completions.insert(record)
        return null
      },
      async storeResponse({ record, itemIds }) {
        await store.responses.insert(record, itemIds)
        return null
      },
      responseChain: ({ organisationId, id, since, limits }) =>
        store.responses.chain(organisationId, id, since, limits),
      responsesWithItems: ({ organisationId, itemIds, since }) =>
        store.responses.withItems(organisationId, itemIds, since),
      async reserveDisk({ ticket, bytes }) {
        const lease = await disk.reserve(bytes)
        if (isEnded) lease?.close()
        else leases[ticket] = lease
        return lease !== null
      },
    },
    notes: { diskLeft: ({ ticket }) => take(ticket) },
    end() {
      isEnded = true
      for (const lease of leases) lease?.close()
      leases.length = 0
    },
  }
}
