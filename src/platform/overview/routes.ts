import { statfs } from 'node:fs/promises'
import { fullVersion } from '../../base/version.ts'
import { backupMaxAgeMs } from '../../config/backup-max-age.ts'
import type { Config } from '../../config/settings.ts'
import type { Models } from '../../models/contract.ts'
import type { ListedNode, NodeLease } from '../../nodes/node-lease.ts'
import { createRoute } from '../../operations/create-route.ts'
import type { Route } from '../../operations/route.ts'
import type { Store } from '../../store/contract.ts'
import { lastBackupAt } from '../../store/last-backup.ts'
import { withClusterFigures } from '../../upstreams/cluster-figures.ts'
import type { UpstreamRegistry } from '../../upstreams/upstream-registry.ts'
import type { Ledger } from '../../usage/ledger-contract.ts'
import { overviewOperations } from '../contract/overview.ts'
import { isFailing, isSilent, listProblems } from './list-problems.ts'
import { createFiguresReader, type FiguresDependencies } from './read-figures.ts'

export type OverviewDependencies = FiguresDependencies & {
  config: Pick<Config, 'dataDir' | 'store' | 'backupDir' | 'backupIntervalHours'>
  organisations: Pick<Store['organisations'], 'first'>
  models: Pick<Models, 'list'>
  upstreams: Pick<UpstreamRegistry, 'list'>
  node: Pick<NodeLease, 'list'>
  ledger: Pick<Ledger, 'unwritten'>
  /** Null for a single server. */
  redis: { readonly isAway: boolean } | null
  /** When the certificate ends; null without TLS. */
  certificateEndsAt(): number | null
  hasConfigChanged(): Promise<boolean>
}

const usualDays = 30

/** Whether the server works, who uses it, what it costs and what is wrong, for its owner. */
export const createOverviewRoutes = (dependencies: OverviewDependencies): Route[] => {
  const { config, clock, organisations, models, node, ledger, redis, certificateEndsAt, hasConfigChanged } =
    dependencies
  const readFigures = createFiguresReader(dependencies)
  const usesPostgres = config.store !== null
  return [
    createRoute(overviewOperations.showOverview, async ({ query: { days = usualDays } }) => {
      const [{ today, ...figures }, nodes, isConfigChanged, lastAt, diskFreeBytes, first] = await Promise.all([
        readFigures(days),
        node.list(),
        hasConfigChanged(),
        lastBackupAt(config.dataDir),
        freeBytes(config.dataDir),
        organisations.first(),
      ])
      const upstreams = withClusterFigures(dependencies.upstreams.list(), nodes)
      const pools = models.list()
      const failedModels = listFailedModels(pools, nodes)
      return {
        ...figures,
        version: fullVersion,
        startedAt: nodes.find(({ isOwn }) => isOwn)?.startedAt ?? clock.now(),
        problems: listProblems({
          ...{ now: clock.now(), nodes, failedModels, upstreams, today, isConfigChanged, diskFreeBytes },
          unwrittenRecords: ledger.unwritten,
          isRedisAway: redis?.isAway ?? false,
          certificateEndsAt: certificateEndsAt(),
          backup: usesPostgres ? null : { lastAt, firstDataAt: first.createdAt, maxAgeMs: backupMaxAgeMs(config) },
        }),
        nodes: { total: nodes.length, silent: nodes.filter(isSilent).length },
        load: {
          running: nodes.reduce((sum, { status }) => sum + (status?.running ?? 0), 0),
          waiting: nodes.reduce((sum, { status }) => sum + (status?.waiting ?? 0), 0),
        },
        slots: pools.reduce((sum, { slots }) => sum + slots, 0),
        models: { total: pools.length, failed: failedModels.length },
        upstreams: { total: upstreams.length, failing: upstreams.filter(isFailing).length },
        certificateEndsAt: certificateEndsAt(),
        backedUpAt: usesPostgres ? null : lastAt,
        usesPostgres,
        diskFreeBytes,
      }
    }),
  ]
}

/** Those of this node as they are now, and those of others as of their last heartbeat. */
const listFailedModels = (pools: ReturnType<Models['list']>, nodes: readonly ListedNode[]): string[] => {
  const own = pools.filter((pool) => pool.status().state === 'failed').map(({ model }) => model.id)
  const others = nodes
    .filter(({ isOwn }) => !isOwn)
    .flatMap(({ status }) => status?.models.filter(({ state }) => state === 'failed').map(({ id }) => id) ?? [])
  return [...new Set([...own, ...others])]
}

const freeBytes = async (directory: string): Promise<number | null> => {
  try {
    const { bavail, bsize } = await statfs(directory)
    return bavail * bsize
  } catch {
    return null
  }
}
