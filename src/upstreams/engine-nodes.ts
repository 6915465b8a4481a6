/**
 * The engine nodes of the cluster as upstreams: each that is registered and has a live lease is one. One that left, or whose
 * lease has run out, is not used any more, and what still runs there is continued elsewhere.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Log } from '../base/log.ts'
import { readUpstream, type UpstreamSetting } from '../config/upstream-setting.ts'
import type { EngineOffer } from '../nodes/engine-offer.ts'
import type { NodeIdentity } from '../nodes/node-identity.ts'
import type { ListedNode } from '../nodes/node-lease.ts'
import { type NodeTls, openNodeTls } from './open-node-tls.ts'
import type { UpstreamEntry } from './upstream-entry.ts'

export interface EngineNodes {
  /** The nodes that are registered now. */
  update(nodes: readonly ListedNode[]): void
  close(): void
}

type EngineNodesOptions = {
  identity: NodeIdentity
  /** A node without a heartbeat for so long is not used, even if nobody has ended its lease yet. */
  leaseMs: number
  setNodes(entries: readonly UpstreamEntry[]): void
  log: Log
}

type KnownNode = { entry: UpstreamEntry & { tls: NodeTls }; engine: EngineOffer }
type EngineNode = ListedNode & { engine: EngineOffer }

/** Machines of a cluster are near each other. */
const connectTimeoutMs = 5_000
/** No other upstream can have such a name. */
const namePrefix = 'engine:'

export const createEngineNodes = ({ identity, leaseMs, setNodes, log }: EngineNodesOptions): EngineNodes => {
  const known = new Map<string, KnownNode>()

  /** Several may have the same name. */
  const nodeName = ({ id, name }: EngineNode): string => {
    const plain = `${namePrefix}${name}`
    const isTaken = [...known.values()].some(({ entry }) => entry.setting.name === plain)
    return isTaken ? `${plain}-${id.slice(-6)}` : plain
  }
  const join = (node: EngineNode): KnownNode => {
    const { id, certificate, engine } = node
    const setting = createSetting(nodeName(node), engine)
    const tls = openNodeTls({ id, certificate, identity })
    log.info('engine_node_joined', { upstream: setting.name, node: id, url: engine.url })
    const unchecked = { listed: [], lastCheck: null, lastCanary: null }
    return { entry: { setting, source: 'node', isDraining: engine.isDraining, tls, ...unchecked }, engine }
  }
  return {
    update(nodes) {
      const live = nodes.filter(isEngine).filter(({ seenMsAgo }) => seenMsAgo < leaseMs)
      const gone = [...known].filter(([id]) => !live.some((node) => node.id === id))
      for (const [id] of gone) known.delete(id)
      const changed = live.filter(({ id, engine }) => !isDeepStrictEqual(known.get(id)?.engine, engine))
      for (const node of changed) {
        const { id, engine } = node
        const before = known.get(id)
        known.set(id, before === undefined ? join(node) : { entry: changedEntry(before.entry, engine), engine })
      }
      if (gone.length > 0 || changed.length > 0) setNodes([...known.values()].map(({ entry }) => entry))
      // After the list was replaced: what still runs there is continued by those that are left.
      for (const [id, { entry }] of gone) {
        entry.tls.close()
        log.info('engine_node_left', { upstream: entry.setting.name, node: id })
      }
    },
    close() {
      for (const { entry } of known.values()) entry.tls.close()
      known.clear()
    },
  }
}

const isEngine = (node: ListedNode): node is EngineNode => node.engine !== null && node.certificate !== ''

const changedEntry = (before: KnownNode['entry'], engine: EngineOffer): KnownNode['entry'] => ({
  ...before,
  setting: createSetting(before.setting.name, engine),
  isDraining: engine.isDraining,
})

const createSetting = (name: string, { url, slots, ...offer }: EngineOffer): UpstreamSetting => ({
  ...readUpstream({ name: 'engine', url: `${url}/v1`, kind: 'helix', maxInFlight: slots, connectTimeoutMs }, name),
  name,
  models: listModels(offer).map((model) => ({
    ...{ ...model, upstreamName: null, weight: 1, tokenizer: null, capabilities: null, imageTokens: null, price: null },
    default: false,
  })),
})

type OfferedModels = Pick<EngineOffer, 'models' | 'embeddingModels' | 'rerankModels'>

const listModels = ({ models, embeddingModels = [], rerankModels = [] }: OfferedModels) => [
  ...models.map((model) => ({ ...model, kind: 'chat' as const })),
  ...embeddingModels.map(({ vectorLength, ...model }) => ({
    ...{ ...model, kind: 'embedding' as const },
    ...(vectorLength === null ? {} : { vectorLength }),
  })),
  ...rerankModels.map((model) => ({ ...model, kind: 'rerank' as const })),
]
