import { ApiError } from '../base/api-error.ts'
import type { Engine, EngineState, PreparedPrompt, ServedModel } from '../engine/contract.ts'
import type { Upstream, UpstreamModel } from './contract.ts'

/** An upstream with one of its models. */
export type ModelEntry = { upstream: Upstream; model: UpstreamModel }

/** One model, served by the upstreams that have it. */
export interface ModelEngine extends Engine {
  /** Replaces the upstreams, at least one. Running answers continue; a removed upstream is closed after its last one. */
  setEntries(entries: readonly ModelEntry[]): void
}

type ModelEngineOptions = {
  entries: readonly ModelEntry[]
  openEngine(entry: ModelEntry): Engine
  onResize(slots: number): void
}

type Member = { identity: string; isDraining: boolean; maxInFlight: number; engine: Engine; answers: number }

/** Requests go to the first upstream that is not drained. */
export const createModelEngine = ({ entries, openEngine, onResize }: ModelEngineOptions): ModelEngine => {
  let members: Member[] = []
  const retired = new Set<Member>()
  let state: EngineState = 'ready'
  let model: ServedModel | null = null
  let slots = 1

  const closeIfDone = (member: Member): void => {
    if (member.answers > 0 || members.includes(member)) return
    retired.delete(member)
    void member.engine.close()
  }
  const setEntries = (next: readonly ModelEntry[]): void => {
    const before = members
    members = next.map((entry) => {
      const { isDraining, maxInFlight } = entry.upstream
      const identity = identityOf(entry)
      const same = before.find((member) => member.identity === identity)
      return Object.assign(same ?? { identity, engine: openEngine(entry), answers: 0 }, { isDraining, maxInFlight })
    })
    for (const member of before) {
      if (members.includes(member)) continue
      retired.add(member)
      closeIfDone(member)
    }
    model = members[0]?.engine.model ?? model
    slots = members.reduce((sum, { isDraining, maxInFlight }) => sum + (isDraining ? 0 : maxInFlight), 0)
    onResize(slots)
  }
  const choose = (): Member => {
    const member = members.find(({ isDraining }) => !isDraining)
    if (member === undefined) throw ApiError.of('model_unavailable', { model: model?.id ?? '' })
    return member
  }
  setEntries(entries)
  return {
    get model() {
      if (model === null) throw new Error('a model has at least one upstream')
      return model
    },
    get slots() {
      return slots
    },
    state: () => state,
    setEntries,
    prepare: async (conversation, signal): Promise<PreparedPrompt> => ({
      promptTokens: null,
      promptTokenIds: null,
      async *generate(sampling, generateSignal) {
        const member = choose()
        member.answers += 1
        try {
          const prompt = await member.engine.prepare(conversation, signal)
          yield* prompt.generate(sampling, generateSignal)
        } finally {
          member.answers -= 1
          closeIfDone(member)
        }
      },
    }),
    async close() {
      state = 'stopped'
      await Promise.all([...members, ...retired].map(({ engine }) => engine.close()))
    },
  }
}

/** Everything that the engine of an entry is opened with. */
const identityOf = ({ upstream: { name, baseUrl, key, kind, fields, timeouts }, model }: ModelEntry): string =>
  JSON.stringify([name, baseUrl, key, kind, fields, timeouts, model.name, model.upstreamName, model.contextTokens])
