/** What `/platform/admin/engine` answers. */
export type EngineFeature = 'tools' | 'reasoning' | 'grammar' | 'logprobs' | 'token_ids' | 'template'

export type ServedModel = { id: string; ownedBy: string; contextTokens: number | null; features: EngineFeature[] }

export type EngineShown = {
  version: string
  kind: 'embedded' | 'upstream'
  state: 'loading' | 'ready' | 'stopped'
  models: ServedModel[]
  slots: { total: number; running: number; waiting: number; queueLimit: number }
  lastMinute: {
    requests: number
    failed: number
    tokensPerSecond: number
    answerTokensPerSecond: number | null
    firstTokenMs: number | null
    queueMs: number | null
  }
}

export type ShownSetting = {
  name: string
  environmentName: string
  /** Null where it is not set, and of every secret. */
  value: string | null
  isSet: boolean
  isSecret: boolean
  default: string | null
  isDefault: boolean
}

/** What `/platform/admin/configuration` answers. */
export type ConfigurationShown = { signUp: 'open' | 'invitation' | 'closed'; data: ShownSetting[] }
