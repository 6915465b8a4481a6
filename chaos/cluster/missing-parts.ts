import { findPostgres } from '../../test/harness/postgres/find-postgres.ts'
import { findRedis } from '../../test/harness/redis/find-redis.ts'

/** What this machine lacks for a cluster, and could not install. */
export const missingParts = async (): Promise<string[]> => [
  ...((await findPostgres()) === null ? ['PostgreSQL'] : []),
  ...((await findRedis()) === null ? ['Redis'] : []),
]
