/**
 * The embedded store: SQLite on threads of its own, in one file of the data directory. It may import `config` and
 * `base`; nothing outside `store/` may import a database driver. It keeps what `contract.ts` promises.
 */
import { join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import type { Store } from '../contract.ts'
import type { DataDirectory } from '../data-directory.ts'
import { openBackgroundTasks } from './background/background-tasks.ts'
import { accountRecordsOf } from './records/account-records.ts'
import { ledgerRecordsOf } from './records/ledger-records.ts'
import { playgroundRecordsOf } from './records/playground-records.ts'
import { signInRecordsOf } from './records/sign-in-records.ts'
import { teamRecordsOf } from './records/team-records.ts'
import { StoreThreads } from './thread/store-threads.ts'

export type SqliteStore = Store & {
  /** How many transactions were committed; far fewer than writes when many come at once. */
  commits(): number
}

type OpenOptions = {
  /** Locked by this process while the store is open: two writers of one file would not know of each other. */
  directory: DataDirectory
  clock: Clock
}

export const openSqliteStore = async ({ directory, clock }: OpenOptions): Promise<SqliteStore> => {
  const now = clock.now()
  const file = join(directory.path, 'helix.db')
  const backupDirectory = join(directory.path, 'backups')
  const thread = await StoreThreads.open({ file, backupDirectory, now })
  try {
    await thread.call('ensureFirstOrganisation', { id: newId('org'), name: 'Default', createdAt: now })
  } catch (error) {
    await thread.close()
    throw error
  }
  const background = openBackgroundTasks(file)
  return {
    keys: {
      insert: (record, secretHash, ...events) => thread.call('insertKey', events, record, secretHash),
      findByHash: (secretHash) => thread.call('findKeyByHash', secretHash),
      find: (scope, id) => thread.call('findKey', scope, id),
      list: (scope) => thread.call('listKeys', scope),
      revoke: (scope, id, revokedAt, ...events) => thread.call('revokeKey', events, scope, id, revokedAt),
      rotate: (scope, id, secret, ...events) => thread.call('rotateKey', events, scope, id, secret),
      change: (scope, id, changes, were, ...events) => thread.call('changeKey', events, scope, id, changes, were),
      touch: (used) => thread.call('touchKeys', used),
    },
    organisations: {
      first: () => thread.call('firstOrganisation'),
      list: () => thread.call('listOrganisations'),
      limits: (id) => thread.call('findOrganisationLimits', id),
      setLimits: (id, limits, were, ...events) => thread.call('setOrganisationLimits', events, id, limits, were),
    },
    completions: {
      insert: (record) => thread.call('insertCompletion', record),
      find: (organisationId, id) => thread.call('findCompletion', organisationId, id),
      list: (organisationId, filter) => thread.call('listCompletions', organisationId, filter),
      setMetadata: (organisationId, id, metadata) => thread.call('setCompletionMetadata', organisationId, id, metadata),
      remove: (organisationId, id) => thread.call('removeCompletion', organisationId, id),
    },
    upstreams: {
      list: () => thread.call('listUpstreams'),
      insert: (record, event) => thread.call('insertUpstream', [event], record),
      setDraining: (name, isDraining, event) => thread.call('setUpstreamDraining', [event], name, isDraining, event.at),
      remove: (name, event) => thread.call('removeUpstream', [event], name),
    },
    responses: {
      insert: (record, itemIds) => thread.call('insertResponse', record, itemIds),
      find: (organisationId, id, since) => thread.call('findResponse', organisationId, id, since),
      chain: (organisationId, id, since, limits) => thread.call('findResponseChain', organisationId, id, since, limits),
      withItems: (organisationId, itemIds, since) =>
        thread.call('findResponsesWithItems', organisationId, itemIds, since),
      remove: (organisationId, id) => thread.call('removeResponse', organisationId, id),
      removeExpired: (before) => thread.call('removeExpiredResponses', before),
    },
    ...accountRecordsOf(thread),
    ...teamRecordsOf(thread),
    ...signInRecordsOf(thread),
    ...ledgerRecordsOf(thread, background),
    ...playgroundRecordsOf(thread),
    failed: thread.failed,
    ping: () => thread.call('recordWriteCheck', clock.now()),
    backUp: (target) => background.backUp(target),
    async close() {
      await Promise.all([thread.close(), background.close()])
    },
    commits: () => thread.commits,
  }
}
