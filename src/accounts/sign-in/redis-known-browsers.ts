import type { Redis } from '../../redis/redis.ts'
import { browserName, type KnownBrowsers } from './known-browsers.ts'

const monthMs = 30 * 24 * 60 * 60_000

/** Known to all nodes. While Redis is away, a node knows those that have signed in at itself. */
export const createRedisKnownBrowsers = (redis: Pick<Redis, 'call'>, local: KnownBrowsers): KnownBrowsers => ({
  async has(emailKey, visitToken) {
    if (visitToken === null) return false
    if (await local.has(emailKey, visitToken)) return true
    const found = await redis.call('EXISTS', browserKey(emailKey, visitToken)).catch(() => 0)
    return found === 1
  },
  async remember(emailKey, visitToken) {
    if (visitToken === null) return
    await local.remember(emailKey, visitToken)
    await redis.call('SET', browserKey(emailKey, visitToken), 1, 'PX', monthMs).catch(() => {})
  },
})

const browserKey = (emailKey: string, visitToken: string): string => `browsers:${browserName(emailKey, visitToken)}`
