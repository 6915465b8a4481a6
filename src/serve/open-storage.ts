import { createDependencyTimes } from '../metrics/dependency-times.ts'
import { createRedisMessages } from '../redis/redis-messages.ts'
import { lockDataDirectory } from '../store/data-directory.ts'
import { openStore } from '../store/open-store.ts'
import type { Closers } from './closers.ts'
import { openClusterRedis } from './open-cluster-redis.ts'
import type { ServeContext } from './serve-options.ts'
import { withRedisCache } from './with-redis-cache.ts'
import { withModelNews } from './workers/with-model-news.ts'

/** A command may lock the directory for a moment. */
const lockWaitMs = 2000

export type Storage = Awaited<ReturnType<typeof openStorage>>

export const openStorage = async (context: ServeContext, closers: Closers) => {
  const { config, clock, log, metrics, openModels, openSite, workerLink } = context
  const directory = await lockDataDirectory(config.dataDir, { clock, waitMs: lockWaitMs })
  closers.add(() => directory.release())
  // The model takes longest to be ready, so it starts first.
  const models = withModelNews(openModels(), workerLink.modelsChanged)
  closers.add(() => models.close())
  const times = createDependencyTimes()
  metrics.add(...times.families)
  const database = await openStore({
    ...{ config, directory, clock },
    onCall: times.onStoreCall,
    // A new database has none, and there is nothing to say about it.
    onMigrated({ from, to, backup }) {
      if (backup !== null) log.info('database_migrated', { from, to, backup })
    },
  })
  closers.add(() => database.close())
  const opened = await openClusterRedis({ config, clock, log, closers })
  const redis = opened === null ? null : times.measureRedis(opened, clock)
  const store = withRedisCache(database, { config, redis, log })
  const messages = redis === null ? null : createRedisMessages(redis)
  const site = openSite()
  closers.add(() => site.close())
  return { directory, models, store, redis, messages, site }
}
