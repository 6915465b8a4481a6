import type { Conversation, Engine } from '../../engine/contract.ts'
import { continuesExactly } from '../../engine/remote/upstream-kinds.ts'
import type { Upstream, UpstreamModel } from '../contract.ts'
import type { Load } from './choose-upstream.ts'
import type { OpenedEngine } from './opened-engine.ts'
import type { UpstreamState, UpstreamUse } from './upstream-state.ts'

/** An upstream with the model of the pool. */
export type PoolEntry = { upstream: Upstream; model: UpstreamModel }

/** An upstream in a pool, with the engine that reaches it. */
export interface PoolMember extends Load {
  readonly name: string
  readonly engine: Engine
  readonly opened: OpenedEngine
  readonly state: UpstreamState
  readonly maxInFlight: number
  readonly isDraining: boolean
  /** Continues a message exactly where it ends. */
  readonly isExact: boolean
  /** Changes if requests have to be sent differently, so that another engine is necessary. */
  readonly identity: string
  /** A request of this many tokens goes to it. */
  use(tokens: number): UpstreamUse
}

export const createPoolMember = (entry: PoolEntry, opened: OpenedEngine, state: UpstreamState): PoolMember => {
  const { upstream, model } = entry
  const measures = state.measuresOf(model.name)
  return {
    name: upstream.name,
    engine: opened.engine,
    opened,
    state,
    weight: model.weight,
    maxInFlight: upstream.maxInFlight,
    isDraining: upstream.isDraining,
    isExact: continuesExactly(upstream.kind, upstream.fields, model.capabilities),
    identity: memberIdentity(entry),
    get expectedMs() {
      return measures.speed.expectedMs()
    },
    get outstandingTokens() {
      return state.outstandingTokens
    },
    use(tokens) {
      const { end, answered, release } = state.use(tokens, measures)
      const leave = opened.use()
      let isReleased = false
      return {
        end,
        answered,
        release() {
          if (isReleased) return
          isReleased = true
          release()
          leave()
        },
      }
    },
  }
}

/** Everything that the engine of an entry is opened with. */
export const memberIdentity = ({ upstream, model }: PoolEntry): string => {
  const { baseUrl, key, tls, kind, apiVersion, fields, timeouts, builtInTools } = upstream
  const { name, upstreamName, contextTokens, tokenizer, capabilities, imageTokens, vectorLength, weightsId } = model
  const ofModel = [name, upstreamName, contextTokens, tokenizer, capabilities, imageTokens, model.kind, vectorLength]
  return JSON.stringify([
    baseUrl,
    key,
    tls?.id,
    kind,
    apiVersion,
    fields,
    timeouts,
    builtInTools,
    ...ofModel,
    weightsId,
  ])
}

/** Whether the engine of a member can do all that a request asks for. */
export const acceptsRequest = ({ model }: Engine, { isAcceptedBy }: Conversation): boolean =>
  isAcceptedBy === undefined || isAcceptedBy(model)
