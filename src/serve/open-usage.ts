import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Messages } from '../base/messages.ts'
import type { Config } from '../config/settings.ts'
import type { NodeLease } from '../nodes/node-lease.ts'
import { oneAtATime } from '../nodes/one-at-a-time.ts'
import type { Store } from '../store/contract.ts'
import { spoolPath } from '../store/spool-path.ts'
import { createAnnounceWritten } from '../usage/announce-written.ts'
import { type BodyWriter, openBodyWriter } from '../usage/body-writer.ts'
import type { OnCorrected } from '../usage/correct-guess.ts'
import type { Ledger } from '../usage/ledger-contract.ts'
import { createLedgerNotifier, type LedgerNotifier } from '../usage/ledger-notifier.ts'
import { openLedger } from '../usage/open-ledger.ts'
import { pruneHourly } from '../usage/prune-hourly.ts'
import { openRefusalLog, type RefusalLog } from '../usage/refusal-log.ts'
import { openUpstreamUse } from '../usage/upstream-use.ts'
import type { Closers } from './closers.ts'

type UsageDependencies = {
  config: Config
  clock: Clock
  log: Log
  store: Store
  /** The data directory. */
  directory: string
  node: Pick<NodeLease, 'holdTask'>
  /** To other nodes; null if there can be none. */
  messages: Messages | null
  /** Called before the counts of running requests are written. */
  beforeCheckpoint(): void
  /** See `openLedger`. */
  onCorrected: OnCorrected
  /** The bodies of an organisation are stored from now on, or no longer. */
  onBodiesSwitched(): void
  closers: Closers
}

type Usage = { ledger: Ledger; refusals: RefusalLog; bodies: BodyWriter; notifier: LedgerNotifier }

/** Everything that is recorded about requests, and the deletion of what has expired. */
export const openUsage = async (dependencies: UsageDependencies): Promise<Usage> => {
  const { config, clock, log, store, directory, node, messages, beforeCheckpoint, onCorrected, closers } = dependencies
  const { timeZone, storeOutageMinutes } = config
  const { requestLog } = store
  const notifier = createLedgerNotifier()
  const announce = messages === null ? () => {} : createAnnounceWritten(messages, clock)
  const onWritten = (organisationId: string): void => {
    notifier.notify(organisationId)
    announce(organisationId)
  }
  // Refusals and bodies before the ledger, so that they are closed after it: the last requests end with it.
  const refusals = openRefusalLog({ records: requestLog, clock, log, onWritten })
  closers.add(() => refusals.close())
  const bodies = await openBodyWriter({
    ...{ records: store.bodies, clock, log },
    onSwitched(organisationId) {
      dependencies.onBodiesSwitched()
      messages?.publish('bodies', [organisationId])
    },
    onSwitchedElsewhere: dependencies.onBodiesSwitched,
  })
  closers.add(() => bodies.close())
  const spooled = { spoolPath: spoolPath(directory), maxMs: storeOutageMinutes * 60_000 }
  const outage = config.store === null ? {} : { outage: spooled }
  // Closed after the ledger, whose last requests are counted too.
  const upstreamUse = openUpstreamUse({ records: store.upstreamUse, clock, log })
  closers.add(() => upstreamUse.close())
  const hooks = { onWritten, onSettled: upstreamUse.add, onCorrected, beforeCheckpoint }
  const ledger = await openLedger({ records: store.ledger, timeZone, clock, log, ...hooks, ...outage })
  closers.add(() => ledger.close())
  const pruning = pruneHourly({
    records: {
      prune: oneAtATime(node, 'prune the ledger', store.ledger.prune),
      pruneCheckpoints: oneAtATime(node, 'prune the ledger', store.ledger.pruneCheckpoints),
    },
    requestLog: { prune: oneAtATime(node, 'prune the ledger', requestLog.prune) },
    bodies: { removeExpired: oneAtATime(node, 'prune the ledger', store.bodies.removeExpired) },
    playground: { prunePrompts: oneAtATime(node, 'prune the ledger', store.playground.prunePrompts) },
    settings: config,
    conversations: {
      pruneConversations: oneAtATime(node, 'prune the ledger', store.conversations.pruneConversations),
    },
    clock,
    log,
  })
  closers.add(() => pruning.close())
  return { ledger, refusals, bodies, notifier }
}
