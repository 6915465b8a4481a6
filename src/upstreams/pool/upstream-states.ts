import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { Upstream } from '../contract.ts'
import { passesCanary } from '../run-canary.ts'
import { probeUpstream } from './probe-upstream.ts'
import { type UpstreamHealth, UpstreamState } from './upstream-state.ts'

/** The states of all upstreams by name. An upstream has one, however many models it serves. */
export interface UpstreamStates {
  /** With these settings from now on. */
  of(upstream: Upstream): UpstreamState
  /** Null if no model uses an upstream of this name. */
  find(name: string): UpstreamState | null
  /** The same. */
  healthOf(name: string): UpstreamHealth | null
  /** Forgets all others. */
  keep(names: readonly string[]): void
  close(): void
}

type StatesOptions = {
  clock: Clock
  log: Log
  random?: () => number
  reservedSlots?: number | undefined
  probe?: typeof probeUpstream
  canary?: typeof passesCanary
}

export const openUpstreamStates = ({
  clock,
  log,
  random = Math.random,
  reservedSlots,
  probe = probeUpstream,
  canary = passesCanary,
}: StatesOptions): UpstreamStates => {
  const states = new Map<string, UpstreamState>()
  const drop = (name: string): void => {
    states.get(name)?.close()
    states.delete(name)
  }
  return {
    of(upstream) {
      const known = states.get(upstream.name)
      known?.update(upstream)
      const state = known ?? new UpstreamState({ upstream, probe, canary, clock, log, random, reservedSlots })
      states.set(upstream.name, state)
      return state
    },
    find: (name) => states.get(name) ?? null,
    healthOf: (name) => states.get(name)?.health() ?? null,
    keep(names) {
      for (const name of states.keys()) if (!names.includes(name)) drop(name)
    },
    close() {
      for (const name of states.keys()) drop(name)
    },
  }
}
