import { organisationsAndKeys } from './0001-organisations-and-keys.ts'
import { storedCompletions } from './0002-stored-completions.ts'
import { accounts } from './0003-accounts.ts'
import { ledger } from './0004-ledger.ts'
import { teamsAndAudit } from './0005-teams-and-audit.ts'
import { signInMethods } from './0006-sign-in-methods.ts'
import { requestLog } from './0007-request-log.ts'
import { estimatedCounts } from './0008-estimated-counts.ts'
import { progressInPlace } from './0009-progress-in-place.ts'
import { pausedKeys } from './0010-paused-keys.ts'
import { upstreams } from './0011-upstreams.ts'
import { storedResponses } from './0012-stored-responses.ts'
import { playground } from './0013-playground.ts'
import { prices } from './0014-prices.ts'
import { routes } from './0015-routes.ts'
import { nodes } from './0016-nodes.ts'
import { hiddenNotices } from './0017-hidden-notices.ts'
import { replayClaims } from './0018-replay-claims.ts'
import { engineNodes } from './0019-engine-nodes.ts'
import { ignoredFields } from './0020-ignored-fields.ts'
import { pauses } from './0021-pauses.ts'
import { requestsPerDay } from './0022-requests-per-day.ts'
import { webhooks } from './0023-webhooks.ts'
import { answerCache } from './0024-answer-cache.ts'
import { hooks } from './0025-hooks.ts'
import { upstreamHours } from './0026-upstream-hours.ts'
import { serverSettings } from './0027-server-settings.ts'
import { playgroundHistory } from './0028-playground-history.ts'
import { measuredSpeeds } from './0029-measured-speeds.ts'
import type { Migration, PostgresMigration } from './migration.ts'

/** All of them, oldest first. */
export const migrations: readonly Migration[] = [
  organisationsAndKeys,
  storedCompletions,
  accounts,
  ledger,
  teamsAndAudit,
  signInMethods,
  requestLog,
  estimatedCounts,
  progressInPlace,
  pausedKeys,
  upstreams,
  storedResponses,
  playground,
  prices,
  routes,
  nodes,
  hiddenNotices,
  replayClaims,
  engineNodes,
  ignoredFields,
  pauses,
  requestsPerDay,
  webhooks,
  answerCache,
  hooks,
  upstreamHours,
  serverSettings,
  playgroundHistory,
  measuredSpeeds,
]

const baselineVersion = 15

/** The name that the database records. */
const baseline: PostgresMigration = {
  id: baselineVersion,
  name: 'baseline',
  postgres: migrations
    .filter(({ id }) => id <= baselineVersion)
    .map(({ postgres }) => postgres)
    .join('\n'),
}

/** The same migrations for PostgreSQL. */
export const postgresMigrations: readonly PostgresMigration[] = [
  baseline,
  ...migrations.filter(({ id }) => id > baselineVersion),
]
