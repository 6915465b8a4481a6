import type { Report } from '../check/violation.ts'
import type { Dated } from '../ledger/journal.ts'
import type { LedgerDump } from './dump-ledger.ts'
import type { ClusterFaultEntry, KeyEntry } from './journal.ts'

type LimitEvidence = {
  keys: readonly KeyEntry[]
  ledger: LedgerDump
  faults: readonly Dated<ClusterFaultEntry>[]
  /** When a request was reserved, by the clock of this run. Null: by which clock it was is unknown. */
  reservedAt(request: LedgerDump['requests'][number]): number | null
}

const windowMs = 60_000

/** Budgets hold whatever happens; rates hold in every minute that no trouble with Redis reaches into. */
export const checkLimits = ({ keys, ledger, faults, reservedAt }: LimitEvidence, report: Report): void => {
  for (const { keyId, requestsPerMinute, tokensPerDay } of keys) {
    const requests = ledger.requests.filter((request) => request.keyId === keyId)
    const used = requests.reduce(
      (sum, { promptTokens, completionTokens }) => sum + (promptTokens ?? 0) + (completionTokens ?? 0),
      0,
    )
    if (tokensPerDay !== null && used > tokensPerDay) report('budgets', `${used} tokens of ${tokensPerDay} were used`)
    if (requestsPerMinute === null) continue
    const times = requests
      .flatMap((request) => reservedAt(request) ?? [])
      .filter((at) => !isDisturbed(at, faults))
      .sort((one, two) => one - two)
    for (const [index, at] of times.entries()) {
      const first = times[index - requestsPerMinute]
      if (first !== undefined && at - first < windowMs) {
        report('rates', `more than ${requestsPerMinute} requests in the minute before ${new Date(at).toISOString()}`)
        break
      }
    }
  }
}

/** While Redis is away nodes have a share each; after it lost its data, what is known is up to a minute old. */
const isDisturbed = (at: number, faults: readonly Dated<ClusterFaultEntry>[]): boolean => {
  const ofRedis = faults.filter(({ part }) => part.includes('redis'))
  return ofRedis.some((fault, index) => {
    if (fault.event !== 'began') return false
    const over = ofRedis.slice(index).find(({ event, part }) => event === 'over' && part === fault.part)
    return at >= fault.at && at <= (over?.at ?? Number.POSITIVE_INFINITY) + windowMs
  })
}
