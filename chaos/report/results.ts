import type { Judgement } from './judge.ts'

/** What the page is written from: `docs/fault-report.json`. */
export type Results = {
  /** One for each gateway, Helix first. */
  gateways: GatewayResult[]
  /** The fault runs of Helix under load, see `chaos/README.md`. */
  runs: RunResult[]
}

export type GatewayResult = {
  name: string
  version: string
  notes: string[]
  /** When it was measured. */
  date: string
  clients: number
  rounds: number
  machine: Machine
  rows: { name: string; what: string; judgement: Judgement }[]
}

/** `load` is the load average over the minute before. */
export type Machine = { cores: number; load: number }

export type RunResult = {
  kind: 'ledger' | 'upstreams' | 'cluster'
  date: string
  seed: number
  seconds: number
  machine: Machine
  /** What the run covered. */
  coverage: Record<string, number>
  violations: { rule: string; detail: string }[]
}
