import type { Redis } from '../../redis/redis.ts'
import { serverId } from '../entity-limits.ts'
import { periodAt } from '../period.ts'
import { limitKeys } from './limit-keys.ts'
import { forgetSumsScript } from './scripts/forget-sums-script.ts'

export type Recounted = { organisationId: string; keyId: string | null; days: readonly number[] }

const maxDue = 10_000

/** Sums that have to be read from the ledger again, because it has other counts of a request than Redis was told. */
export const createRecounts = (redis: Redis) => {
  let due = new Set<string>()
  return {
    add({ organisationId, keyId, days }: Recounted): void {
      for (const id of keyId === null ? [organisationId, serverId] : [keyId, organisationId, serverId])
        for (const day of days)
          for (const period of [periodAt('day', day), periodAt('month', day)])
            if (due.size < maxDue) due.add(`${period}:${id}`)
    },
    /** Rejects if Redis is away: call it again. */
    async send(): Promise<void> {
      if (due.size === 0) return
      const sent = due
      due = new Set()
      try {
        await redis.run(forgetSumsScript, [limitKeys], [...sent])
      } catch (error) {
        for (const one of sent) due.add(one)
        throw error
      }
    },
  }
}
