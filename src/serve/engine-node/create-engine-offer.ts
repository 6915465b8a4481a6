import type { ModelPool, Models } from '../../models/contract.ts'
import type { EngineOffer } from '../../nodes/engine-offer.ts'

/**
 * The models of this machine as other nodes see them. A model is offered once it was ready, or can be loaded on demand;
 * while it is loaded again, requests wait for it.
 */
export const createEngineOffer = (models: Pick<Models, 'list'>, url: () => string) => {
  const usable = new Set<string>()
  let isDraining = false

  const isOffered = (pool: ModelPool): boolean => {
    const { state } = pool.status()
    if (state === 'ready' || state === 'unloaded') usable.add(pool.model.id)
    return usable.has(pool.model.id) && state !== 'failed' && state !== 'stopped'
  }
  return {
    offer(): EngineOffer {
      const offered = models.list().filter(isOffered)
      return {
        url: url(),
        slots: Math.max(
          1,
          offered.reduce((total, { slots }) => total + slots, 0),
        ),
        isDraining,
        models: offered.filter(({ kind }) => kind === 'chat').map(offeredModel),
        embeddingModels: offered
          .filter(({ kind }) => kind === 'embedding')
          .map((pool) => ({ ...offeredModel(pool), vectorLength: pool.model.vectorLength ?? null })),
        rerankModels: offered.filter(({ kind }) => kind === 'rerank').map(offeredModel),
      }
    },
    drain() {
      isDraining = true
    },
  }
}

const offeredModel = ({ model: { id, contextTokens, weightsId }, aliases }: ModelPool) => ({
  ...{ name: id, aliases, contextTokens },
  ...(weightsId === undefined ? {} : { weightsId }),
})
