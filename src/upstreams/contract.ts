/**
 * Upstreams: OpenAI-compatible servers that answer requests for some of the models. May import `engine`, `store`,
 * `accounts`, `config` and `base`. Promises that a change of the list never ends a running stream, and that keys are neither
 * logged nor shown.
 */
import type { BuiltInTool } from '../config/built-in-tools.ts'
import type { CanarySetting } from '../config/canary-setting.ts'
import type { UpstreamCapability, UpstreamKind } from '../config/upstream-names.ts'
import type { ModelKind } from '../engine/contract.ts'
import type { UpstreamTls } from '../engine/remote/upstream-tls.ts'
import type { Price } from '../prices/price.ts'

/** Plain data, replaced as a whole when something changes. `name` is what identifies it. */
export type Upstream = {
  name: string
  /** Ends in `/v1`, without a slash after it. */
  baseUrl: string
  /** The bearer token; null if it needs none. Never logged and never shown. */
  key: string | null
  /** Only of an engine node. Null: it is reached as any web server is. */
  tls: UpstreamTls | null
  kind: UpstreamKind
  /** Only for Azure's older addresses, which name the deployment; null: none. */
  apiVersion: string | null
  /** The optional request fields that it accepts, instead of those of its kind; empty: those of its kind. */
  fields: readonly string[]
  /** Most requests at the same time, of all its models together. */
  maxInFlight: number
  timeouts: UpstreamTimeouts
  /** How often it is probed while it has no requests; 0: never. */
  probeIntervalMs: number
  /** Null: no canary generations. */
  canary: CanarySetting | null
  /** The tools that it may run itself, of models that have the Responses API. */
  builtInTools: readonly BuiltInTool[]
  /** Running requests complete; new ones go elsewhere. */
  isDraining: boolean
  models: readonly UpstreamModel[]
}

type UpstreamTimeouts = {
  /** Until the connection is established, TLS included. */
  connectMs: number
  /** From the request to the first event of a stream, or to the first character of a JSON answer. */
  firstByteMs: number
  /** Between two events of a stream, or two parts of a JSON answer. */
  silenceMs: number
}

/** A model as one upstream serves it. Upstreams that name the same model serve it together. */
export type UpstreamModel = {
  /** The name in requests, `GET /v1/models` and the ledger. */
  name: string
  /** The name that the upstream knows it by. */
  upstreamName: string
  aliases: readonly string[]
  /** Only the upstream names it, at its `/v1/models`; the operator did not. */
  isListed?: true
  /** Its share of the requests, relative to the other upstreams of the model; above 0. */
  weight: number
  /** Null: only the upstream knows. */
  contextTokens: number | null
  /** Null: none was given here; the setting `prices` may have one. */
  price: Price | null
  /** When the provider's price was read, if that is the one; null: the operator set it, or there is none. */
  priceDate: string | null
  /** What its messages may have besides text. */
  capabilities: readonly UpstreamCapability[]
  /** The most prompt tokens that an image is reserved; null: the usual number. */
  imageTokens: number | null
  kind: ModelKind
  /** How many numbers a vector of an embedding model has; null: not known. */
  vectorLength: number | null
  /** Which weights an engine node runs; absent of other upstreams. */
  weightsId?: string
  /**
   * Path of a `tokenizer.json` or a GGUF file, with which tokens are counted. Null: they are estimated until the upstream
   * reports them.
   */
  tokenizer: string | null
}
