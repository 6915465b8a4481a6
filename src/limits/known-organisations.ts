import type { Clock } from '../base/clock.ts'
import type { Store } from '../store/contract.ts'
import type { Limits } from '../store/ledger-contract.ts'
import { type LimitSettings, organisationLimits } from './limit-settings.ts'

/** The limits of an organisation, asked of the store at most once a second. */
export type KnownOrganisations = {
  /** What it was given, else what the settings give to every organisation; null: no limit. */
  limitsOf(id: string): Limits | Promise<Limits>
  forget(id: string): void
}

type Options = { organisations: Pick<Store['organisations'], 'limits'>; settings: LimitSettings; clock: Clock }
type Known = { limits: Limits; askedAtMs: number }

const freshMs = 1_000
const maxKnown = 10_000

export const createKnownOrganisations = ({ organisations, settings, clock }: Options): KnownOrganisations => {
  /** In the order in which they were asked for. */
  const known = new Map<string, Known>()
  const asking = new Map<string, Promise<Limits>>()

  const remember = (id: string, entry: Known): void => {
    known.delete(id)
    known.set(id, entry)
    for (const oldest of known.keys()) {
      if (known.size <= maxKnown) break
      known.delete(oldest)
    }
  }

  const ask = (id: string): Promise<Limits> => {
    // An answer is as old as its question, however long the store took.
    const askedAtMs = clock.monotonicMs()
    const answer = organisations.limits(id).then((own) => {
      const limits = organisationLimits(own, settings)
      // Forgotten meanwhile: the answer may be from before the change.
      if (asking.get(id) === answer) remember(id, { limits, askedAtMs })
      return limits
    })
    asking.set(id, answer)
    const done = (): void => {
      if (asking.get(id) === answer) asking.delete(id)
    }
    answer.then(done, done)
    return answer
  }

  return {
    limitsOf(id) {
      const entry = known.get(id)
      if (entry !== undefined && clock.monotonicMs() - entry.askedAtMs < freshMs) return entry.limits
      return asking.get(id) ?? ask(id)
    },
    forget(id) {
      known.delete(id)
      asking.delete(id)
    },
  }
}
