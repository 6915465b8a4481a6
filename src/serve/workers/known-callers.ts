import type { Clock } from '../../base/clock.ts'
import type { Caller } from '../../limits/limiter-contract.ts'

/** Which callers of a worker may be checked together with their admission, after their bodies were read. */
export interface KnownCallers {
  /**
   * False where a check before may save work or memory: the body is long or of unknown length, many others were not checked
   * either, or the caller is new or was refused in the last minute.
   */
  mayCheckLater(caller: Caller, bodyBytes: number | null): boolean
  /** A request is not checked until the returned function is called. */
  enterUnchecked(): () => void
  /** Its authority let a request of it pass. `isKept`: the bodies of its organisation are stored. */
  passed(caller: Caller, isKept: boolean): void
  refused(caller: Caller): void
  /** Whether the bodies of an organisation are stored, as far as it is known. */
  isKept(organisationId: string): boolean
}

type KnownOptions = {
  clock: Clock
  /** Grows when something about keys or organisations changes. */
  epoch(): number
}

type Organisation = { epoch: number; isKept: boolean }

const longBytes = 65_536
const maxUnchecked = 256
/** As long as refusals count towards the limit of refused requests. */
const distrustMs = 60_000
/** More are checked before. */
const maxKnown = 10_000

export const createKnownCallers = ({ clock, epoch }: KnownOptions): KnownCallers => {
  const organisations = new Map<string, Organisation>()
  /** When each was refused last, the latest at the end. */
  const refusals = new Map<string, number>()
  let unchecked = 0

  const forgetRefusals = (): void => {
    const beforeMs = clock.monotonicMs() - distrustMs
    for (const [id, atMs] of refusals) {
      if (atMs > beforeMs) return
      refusals.delete(id)
    }
  }
  return {
    mayCheckLater(caller, bodyBytes) {
      if (bodyBytes === null || bodyBytes > longBytes || unchecked >= maxUnchecked) return false
      if (organisations.get(caller.organisationId)?.epoch !== epoch()) return false
      if (refusals.size === 0) return true
      forgetRefusals()
      return refusals.size < maxKnown && !refusals.has(idOf(caller))
    },
    enterUnchecked() {
      unchecked += 1
      let isEntered = true
      return () => {
        if (isEntered) unchecked -= 1
        isEntered = false
      }
    },
    passed({ organisationId }, isKept) {
      const known = organisations.get(organisationId)
      const current = epoch()
      if (known?.epoch === current && known.isKept === isKept) return
      if (known === undefined && organisations.size >= maxKnown) organisations.clear()
      organisations.set(organisationId, { epoch: current, isKept })
    },
    refused(caller) {
      const id = idOf(caller)
      refusals.delete(id)
      if (refusals.size < maxKnown) refusals.set(id, clock.monotonicMs())
    },
    isKept: (organisationId) => organisations.get(organisationId)?.isKept ?? false,
  }
}

const idOf = ({ organisationId, key }: Caller): string => key?.id ?? organisationId
