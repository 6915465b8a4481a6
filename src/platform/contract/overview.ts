import { integerText } from '../../http/read-query.ts'
import { array, nullable, object, optional } from '../../http/schema/containers.ts'
import { boolean, oneOf, string } from '../../http/schema/scalars.ts'
import { described } from '../../http/schema/schema.ts'
import type { Shape } from '../../operations/shape.ts'
import { limitNames } from '../../store/limit-names.ts'
import { get, owner } from './operation.ts'
import { count, time } from './scalars.ts'
import { usage, usageTotals } from './usage.ts'

/** What can be wrong, the worst first. */
export const problemKinds = [
  'ledger',
  'node',
  'model',
  'certificate',
  'disk',
  'redis',
  'quota',
  'upstream',
  'errors',
  'backup',
  'gpu',
  'versions',
  'configuration',
] as const

const problem = object({
  kind: oneOf(...problemKinds),
  level: described('Whether requests fail or data is in danger (`bad`), or will be (`warn`).', oneOf('bad', 'warn')),
  subject: described('The name of the node, model or upstream; otherwise null.', nullable(string())),
  at: described(
    'When the node was last seen, the certificate ends or the last backup was written; otherwise null.',
    nullable(time),
  ),
  figure: described(
    'Records of the ledger, bytes of the disk, percent of the requests of today, or versions; otherwise null.',
    nullable(count),
  ),
})
export type Problem = Shape<typeof problem>

const share = object({
  id: described('Of the organisation, or the name of the model.', string()),
  name: described('Null for models, and for organisations that no longer exist.', nullable(string())),
  figures: usageTotals,
})
export type UsageShareShown = Shape<typeof share>

const refusals = object({
  error: described('Its name in the list of errors.', string()),
  limit: described('Null unless a limit refused them.', nullable(oneOf(...limitNames))),
  scope: nullable(oneOf('key', 'organisation', 'server')),
  requests: count,
})
export type CountedRefusals = Shape<typeof refusals>

const overview = object({
  version: string(),
  startedAt: described('When the node that answers started.', time),
  problems: described('The worst first; empty if nothing is wrong.', array(problem)),
  nodes: described('With their engine nodes.', object({ total: count, silent: count })),
  load: described('Of all nodes together.', object({ running: count, waiting: count })),
  slots: described('Of the node that answers.', count),
  models: object({ total: count, failed: count }),
  upstreams: object({ total: count, failing: count }),
  certificateEndsAt: described('Null without TLS.', nullable(time)),
  backedUpAt: described('Null if there is no backup, or if PostgreSQL has the data.', nullable(time)),
  usesPostgres: described('Helix does not know when PostgreSQL is backed up.', boolean),
  diskFreeBytes: described('Of the disk with the data directory; null if it is not known.', nullable(count)),
  usage: described('Of all organisations, compared with the period before.', usage),
  organisations: described('Those with the most tokens, at most ten.', array(share)),
  usedModels: described('Those with the most tokens, at most ten.', array(share)),
  refusals: described('The most frequent, at most ten. The newest 50,000 of the period are counted.', array(refusals)),
})
export type Overview = Shape<typeof overview>

export const overviewOperations = {
  showOverview: get(
    '/admin/overview',
    owner,
    'Shows whether the server works, who uses it, what it costs and what is wrong.',
    {
      query: object({
        days: optional(described('Number of days up to today. Default: 30.', integerText({ min: 1, max: 366 }))),
      }),
      answer: overview,
    },
  ),
}
