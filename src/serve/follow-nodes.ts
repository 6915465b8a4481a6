import type { Secrets } from '../accounts/secrets/open-secrets.ts'
import type { Clock } from '../base/clock.ts'
import { errorText, type Log } from '../base/log.ts'
import type { Messages } from '../base/messages.ts'
import { openPeriodicTask } from '../base/periodic-task.ts'
import type { KeyVerifier } from '../keys/verify-key.ts'
import type { Limiter } from '../limits/limiter-contract.ts'
import type { NodeLease } from '../nodes/node-lease.ts'
import type { Redis } from '../redis/redis.ts'
import type { ServerSettings } from '../settings/server-settings.ts'
import type { UpstreamRegistry } from '../upstreams/upstream-registry.ts'
import type { BodyWriter } from '../usage/body-writer.ts'
import type { LedgerNotifier } from '../usage/ledger-notifier.ts'
import type { Closers } from './closers.ts'
import type { RecheckAnswers } from './recheck-answers.ts'

type FollowDependencies = {
  messages: Messages
  /** Messages are lost while it is away. */
  redis: Pick<Redis, 'onReturned'>
  verifier: Pick<KeyVerifier, 'forget'>
  recheckAnswers: RecheckAnswers
  limiter: Pick<Limiter, 'forget'>
  upstreams: Pick<UpstreamRegistry, 'reload' | 'endPause'>
  bodies: Pick<BodyWriter, 'reload'>
  secrets: Pick<Secrets, 'refresh'>
  settings: Pick<ServerSettings, 'reload'>
  node: Pick<NodeLease, 'announce'>
  notifier: Pick<LedgerNotifier, 'notify'>
  clock: Clock
  log: Log
  closers: Closers
}

/** However many messages are lost. */
const lookEveryMs = 10_000

/** Changes at other nodes take effect here: with their message, or at the next look. */
export const followNodes = (dependencies: FollowDependencies): void => {
  const { messages, redis, verifier, recheckAnswers, limiter, upstreams, bodies, notifier } = dependencies
  const { secrets, settings, node, clock, log, closers } = dependencies
  const look = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      log.warn('node_look_failed', { cause: errorText(error) })
    }
  }
  const lookAtSecrets = async (): Promise<void> => {
    if (await secrets.refresh()) await node.announce()
  }
  const lookAtAll = (): Promise<void> =>
    look(async () => {
      await recheckAnswers()
      // Before what is encrypted with them.
      await lookAtSecrets()
      await settings.reload()
      await upstreams.reload()
      await bodies.reload()
    })
  const ends = [
    messages.subscribe('keys', (ids) => {
      ids.forEach(verifier.forget)
      void look(recheckAnswers)
    }),
    messages.subscribe('limits', (ids) => ids.forEach(limiter.forget)),
    messages.subscribe('upstreams', (names) => {
      for (const name of names) upstreams.endPause(name)
      void look(() => upstreams.reload())
    }),
    messages.subscribe('bodies', () => void look(bodies.reload)),
    messages.subscribe('secrets', () => void look(lookAtSecrets)),
    messages.subscribe('settings', () => void look(() => settings.reload())),
    messages.subscribe('ledger', (ids) => ids.forEach(notifier.notify)),
    redis.onReturned(() => void lookAtAll()),
  ]
  closers.add(() => {
    for (const end of ends) end()
  })
  const looking = openPeriodicTask(lookAtAll, clock, lookEveryMs)
  closers.add(() => looking.close())
}
