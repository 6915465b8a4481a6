import type { Account } from './evidence.ts'

/**
 * Everything the fault report has to know of a gateway: how to start it, how to end it, and how to ask for its accounts. To
 * compare another one, write one of these (`chaos/peers/NAME/`) and name it in `chaos/report/gateways.ts`.
 */
export interface Gateway {
  /** `http://127.0.0.1:PORT`, without `/v1`. It may change with a restart. */
  url(): string
  createKey(limits: KeyLimits): Promise<GatewayKey>
  /** What the gateway has recorded for the key by now. */
  account(key: GatewayKey): Promise<Account>
  /** SIGKILL. */
  kill(): Promise<void>
  /** On the same data; resolves once it answers. */
  restart(): Promise<void>
  close(): Promise<void>
}

export type GatewayKey = { id: string; secret: string }

/** Both 0: without a limit of that kind. */
type KeyLimits = { tokens: number; requestsPerMinute: number }

export type GatewayKind = {
  readonly name: string
  readonly version: string
  /** Where it is from, and how it was configured: shown in the report. */
  readonly notes: readonly string[]
  /** It listens on every address of the machine, so that it has to run in a network of its own. */
  readonly needsOwnNetwork: boolean
  start(options: GatewayOptions): Promise<Gateway>
}

export type GatewayOptions = {
  /** Empty; for its data and log. */
  folder: string
  /** Two addresses of one OpenAI-style upstream, without `/v1`, with the model `words`. */
  upstreams: readonly [string, string]
  /** The program, for gateways that are not part of this repository. */
  program: string | null
}
