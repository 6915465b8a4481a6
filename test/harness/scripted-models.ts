import type { Clock } from '../../src/base/clock.ts'
import type { Config } from '../../src/config/settings.ts'
import type { Script } from '../../src/engine/scripted.ts'
import type { Models } from '../../src/models/contract.ts'
import type { DescribedModel } from '../../src/models/describe-models.ts'
import { createMemoryBudget } from '../../src/models/memory-budget.ts'
import { openModels } from '../../src/models/open-models.ts'
import { createUpstreamSet, type UpstreamSet } from '../../src/upstreams/upstream-set.ts'
import { chatDescription } from './chat-description.ts'
import { openLoadableEngine, type ScriptedLoad } from './loadable-engine.ts'

export type ScriptedModel = {
  id: string
  aliases?: string[]
  isDefault?: boolean
  slots?: number
  answer?: Script
  /** Its files cannot be served. */
  failure?: string
  /** It does not load until the test says so. */
  isSlow?: boolean
  diskBytes?: number
}

const quiet = { info: () => {}, warn: () => {}, error: () => {} }

/** The models of a test. `change` takes effect with the next reload. `defaultUpstream`: no model here is the default. */
export const scriptModels = (models: ScriptedModel[], defaultUpstream: string | null = null) => {
  let current = models
  const opened = new Map<string, ScriptedLoad[]>()
  const open = (config: Config, clock: Clock, upstreams?: UpstreamSet): Models =>
    openModels({
      described: current.map(describe),
      describe: async () => current.map(describe),
      upstreams: upstreams ?? createUpstreamSet({ clock, log: quiet }),
      defaultUpstream,
      openEngine(files, slots) {
        const { id } = files.served
        const { answer, isSlow = false } = current.find((model) => model.id === id) ?? {}
        const engine = openLoadableEngine({ id, slots, ...(answer ? { answer } : {}) })
        opened.set(id, [...(opened.get(id) ?? []), engine])
        if (!isSlow) engine.ready()
        return engine
      },
      budget: createMemoryBudget(config.modelMemoryLimitBytes ?? 1e12),
      settings: config,
      onRefused: () => {},
      clock,
      log: quiet,
    })
  return {
    open,
    /** Every engine that was opened for the model, the latest last. */
    engines: (id: string): ScriptedLoad[] => opened.get(id) ?? [],
    change(next: ScriptedModel[]) {
      current = next
    },
  }
}

const describe = (model: ScriptedModel): DescribedModel => {
  const { id, aliases = [], isDefault = false, slots = 4, failure = null, diskBytes = 1 } = model
  const limits = { contextTokens: null, slots, idleMinutes: 15 }
  const entry = { name: id, path: `/models/${id}`, aliases, isDefault, ...limits }
  if (failure !== null) return { entry, id, aliases, files: null, failure }
  return { entry, id, aliases, files: filesOf(id, diskBytes), failure: null }
}

const filesOf = (id: string, sizeBytes: number): NonNullable<DescribedModel['files']> => ({
  served: {
    ...{ id, created: 1_700_000_000, ownedBy: 'test', contextTokens: 4096 },
    ...{ vocabularyTokens: null, features: null },
  },
  defaults: { temperature: 1, topP: 1, topK: 0, minP: 0, repetitionPenalty: 1, maxTokens: null },
  weightsPath: '',
  files: [],
  description: { ...chatDescription, sizeBytes },
  endTokens: { texts: [], ids: [] },
})
