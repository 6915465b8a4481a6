import type { Upstream, UpstreamModel } from './contract.ts'

/** What applies to an upstream where nothing else was set. */
export const defaultUpstream = {
  key: null,
  tls: null,
  kind: 'compatible',
  apiVersion: null,
  fields: [],
  maxInFlight: 64,
  timeouts: { connectMs: 10_000, firstByteMs: 300_000, silenceMs: 300_000 },
  probeIntervalMs: 30_000,
  canary: null,
  builtInTools: [],
  isDraining: false,
} as const satisfies Partial<Upstream>

export const defaultUpstreamModel = {
  kind: 'chat',
  vectorLength: null,
  aliases: [],
  weight: 1,
  contextTokens: null,
  price: null,
  priceDate: null,
  tokenizer: null,
  capabilities: [],
  imageTokens: null,
} as const satisfies Partial<UpstreamModel>
