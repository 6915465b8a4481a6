import type { Redis } from '../../redis/redis.ts'
import { serverId } from '../entity-limits.ts'
import { periodDays } from '../period.ts'
import { type SettledSums, settledSum } from '../settled-sum.ts'
import { limitKeys } from './limit-keys.ts'
import type { MissingSum } from './read-answer.ts'
import { sumArguments } from './scripts/arguments.ts'
import { loadSumsScript } from './scripts/load-sums-script.ts'
import { unitLetters } from './scripts/unit-letters.ts'

type Sources = { redis: Redis; usage: SettledSums }

const maxKnown = 1_000

/**
 * Reads sums from the ledger that Redis does not have. Requests of this node share one load for each mark, including
 * those whose answer arrives when the load is done.
 */
export const createMissingSums = ({ redis, usage }: Sources) => {
  const loading = new Map<string, Promise<void>>()

  const read = async ({ id, period, unit, mark }: MissingSum, organisationId: string): Promise<void> => {
    const whose = {
      organisationId: id === serverId ? null : organisationId,
      keyId: id === serverId || id === organisationId ? null : id,
    }
    const value = await settledSum(usage, unit, { ...whose, ...periodDays(period) })
    const sum = sumArguments.pack({ key: `${period}:${id}`, unit: unitLetters[unit], mark, value })
    await redis.run(loadSumsScript, [limitKeys], sum)
  }

  return async (sums: readonly MissingSum[], organisationId: string): Promise<void> => {
    await Promise.all(
      sums.map((sum) => {
        const name = `${sum.id} ${sum.period} ${sum.unit} ${sum.mark}`
        const known = loading.get(name)
        if (known !== undefined) return known
        const started = read(sum, organisationId).catch((error: unknown) => {
          loading.delete(name)
          throw error
        })
        loading.set(name, started)
        const [oldest] = loading.keys()
        if (loading.size > maxKnown && oldest !== undefined) loading.delete(oldest)
        return started
      }),
    )
  }
}
