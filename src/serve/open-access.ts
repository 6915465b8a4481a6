import { type Accounts, createAccounts } from '../accounts/accounts.ts'
import { openAuditRetention } from '../accounts/audit-retention.ts'
import { expireAccessHourly } from '../accounts/expire-access-hourly.ts'
import type { PasswordCost } from '../accounts/passwords/password-hasher.ts'
import type { Seal } from '../accounts/secrets/seal.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Config } from '../config/settings.ts'
import { createKeyGuard, type KeyGuard } from '../keys/key-guard.ts'
import { createKeyRegistry, type KeyRegistry } from '../keys/key-registry.ts'
import { type LastUsed, openLastUsed } from '../keys/last-used.ts'
import { createKeyVerifier, type KeyVerifier } from '../keys/verify-key.ts'
import type { NodeLease } from '../nodes/node-lease.ts'
import { oneAtATime } from '../nodes/one-at-a-time.ts'
import type { PageGuard } from '../operations/guard-routes.ts'
import type { Redis } from '../redis/redis.ts'
import { createGuard } from '../session/session-guard.ts'
import type { AccountRecord } from '../store/account-contract.ts'
import type { Store } from '../store/contract.ts'
import type { Closers } from './closers.ts'
import { openAuditExports } from './open-audit-exports.ts'
import { openSignInLimits } from './open-sign-in-limits.ts'
import type { StopAnswers } from './stop-answers.ts'
import type { WorkerLink } from './workers/worker-link.ts'

type AccessDependencies = {
  config: Config
  clock: Clock
  log: Log
  store: Store
  node: Pick<NodeLease, 'holdTask'>
  /** Null for a single server. */
  redis: Redis | null
  seal: Seal
  passwordCost: PasswordCost | undefined
  siteUrl(): string
  /** Null before requests are answered. */
  stopAnswers(): StopAnswers | null
  /** The other nodes look at these keys again, and at their running answers. */
  announceKeys(keyIds: readonly string[]): void
  workerLink: Pick<WorkerLink, 'keysChanged'>
  onSignedIn(account: AccountRecord, address: string): void
  closers: Closers
}

type Access = {
  keys: KeyRegistry
  keyGuard: KeyGuard
  verifier: KeyVerifier
  lastUsed: LastUsed
  accounts: Accounts
  pageGuard: PageGuard
}

/** API keys and accounts. A change to either takes effect at once: the verifier forgets the keys, and their answers end. */
export const openAccess = (dependencies: AccessDependencies): Access => {
  const { config, clock, log, store, redis, node, seal, passwordCost, siteUrl, stopAnswers, announceKeys, closers } =
    dependencies
  const own = createKeyVerifier({ records: store.keys, clock, maxOutageMs: config.storeOutageMinutes * 60_000 })
  const verifier: KeyVerifier = {
    verify: own.verify,
    forget(keyId) {
      own.forget(keyId)
      dependencies.workerLink.keysChanged()
    },
  }
  const lastUsed = openLastUsed({ records: store.keys, clock, log })
  closers.add(() => lastUsed.close())
  const keys = createKeyRegistry({
    store,
    clock,
    onChanged(keyId) {
      verifier.forget(keyId)
      announceKeys([keyId])
    },
    onEnded: (keyId, end) => stopAnswers()?.ofKey(keyId, end),
    unwrittenUse: lastUsed.unwritten,
  })
  const accounts = createAccounts({
    store,
    clock,
    log,
    settings: config,
    seal,
    passwordCost,
    siteUrl,
    ...openSignInLimits(redis, clock, log),
    onSignedIn: dependencies.onSignedIn,
    onRemoved(removed) {
      removed.keyIds.forEach(verifier.forget)
      stopAnswers()?.ofRemoved(removed)
      announceKeys(removed.keyIds)
    },
    onSuspended(suspended) {
      suspended.keyIds.forEach(verifier.forget)
      stopAnswers()?.ofSuspended(suspended)
      announceKeys(suspended.keyIds)
    },
    onResumed(keyIds) {
      keyIds.forEach(verifier.forget)
      announceKeys(keyIds)
    },
  })
  closers.add(() => accounts.mail.settled())
  const retention = openAuditRetention({
    records: { prune: oneAtATime(node, 'prune the audit log', store.audit.prune) },
    ...{ settings: config, clock, log },
  })
  closers.add(() => retention.close())
  const expiring = expireAccessHourly({
    records: { removeExpired: oneAtATime(node, 'expire access', store.accounts.removeExpired) },
    ...{ clock, log },
  })
  closers.add(() => expiring.close())
  openAuditExports({ config, records: store.audit, clock, log, closers })
  return {
    keys,
    keyGuard: createKeyGuard({ verifier, lastUsed }),
    verifier,
    lastUsed,
    accounts,
    pageGuard: createGuard(accounts.sessions),
  }
}
