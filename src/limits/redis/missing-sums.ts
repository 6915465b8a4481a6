import type { Redis } from '../../redis/redis.ts'
import type { UsageRecords } from '../../store/ledger-contract.ts'
import { serverId } from '../entity-limits.ts'
import { limitKeys } from './limits-connection.ts'
import type { MissingSum } from './read-answer.ts'
import { loadSumsScript } from './scripts/load-sums-script.ts'

type Sources = { redis: Redis; usage: Pick<UsageRecords, 'tokens' | 'costMicros'> }

const maxKnown = 1_000

/**
 * Reads sums from the ledger that Redis does not have. Requests of this node share one load for each mark, also those whose
 * answer arrives when it is done.
 */
export const createMissingSums = ({ redis, usage }: Sources) => {
  const loading = new Map<string, Promise<void>>()

  const read = async ({ id, period, what, mark }: MissingSum, organisationId: string): Promise<void> => {
    const whose = {
      organisationId: id === serverId ? null : organisationId,
      keyId: id === serverId || id === organisationId ? null : id,
    }
    const isMonth = period < 1_000_000
    const days = isMonth ? { fromDay: period * 100 + 1, toDay: period * 100 + 31 } : { fromDay: period, toDay: period }
    const value = await usage[what]({ ...whose, ...days })
    await redis.run(loadSumsScript, [limitKeys], [`${period}:${id}`, what === 'tokens' ? 't' : 'm', mark, value])
  }

  return async (sums: readonly MissingSum[], organisationId: string): Promise<void> => {
    await Promise.all(
      sums.map((sum) => {
        const name = `${sum.id} ${sum.period} ${sum.what} ${sum.mark}`
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
