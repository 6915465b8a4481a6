import type { Config } from '../config/settings.ts'
import type { Redis } from '../redis/redis.ts'
import type { ReplaysOptions } from '../replay/replays.ts'
import { createRedisEvents } from '../replay/shared/redis-events.ts'
import type { Store } from '../store/contract.ts'

/** What retries need where they may meet another node than the first attempt. */
export const sharedReplays = (
  { claims }: Pick<Store, 'claims'>,
  redis: Redis | null,
  { resumeGraceMs: graceMs }: Pick<Config, 'resumeGraceMs'>,
): Pick<ReplaysOptions, 'shared'> =>
  claims === null || redis === null ? {} : { shared: { claims, events: createRedisEvents({ redis, graceMs }) } }
