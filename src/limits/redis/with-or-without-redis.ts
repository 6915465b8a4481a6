import { RedisAway } from '../../redis/redis.ts'

/** Decides with Redis, or without it while it is away. */
export const withOrWithoutRedis = async <Result>(
  withRedis: () => Promise<Result>,
  without: () => Promise<Result>,
): Promise<Result> => {
  try {
    return await withRedis()
  } catch (error) {
    if (!(error instanceof RedisAway)) throw error
    return without()
  }
}
