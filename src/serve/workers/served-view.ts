import type { Models } from '../../models/contract.ts'
import type { Upstream } from '../../upstreams/contract.ts'
import type { UpstreamSet } from '../../upstreams/upstream-set.ts'
import type { PoolView, ServedView } from './protocol.ts'

/** The models of this server for its workers, and the upstreams that they may call. */
export const createServedView = (models: Pick<Models, 'list'>, upstreams: Pick<UpstreamSet, 'list'>): ServedView => {
  const all = upstreams.list()
  return {
    pools: models.list().map(
      ({ model, aliases, kind }): PoolView => ({
        ...{ model, aliases: [...aliases], kind },
        isOfWorkers: model.parsesAnswers === true && isForWorkers(all, model.id),
      }),
    ),
    upstreams: all.filter(isPlain),
  }
}

/** The certificates of engine nodes cannot be sent to threads. */
const isPlain = ({ tls }: Upstream): boolean => tls === null

/** A tokenizer is loaded once, by the authority. */
const isForWorkers = (upstreams: readonly Upstream[], name: string): boolean => {
  const serving = upstreams.filter(({ models }) => models.some((model) => model.name === name))
  const hasTokenizer = serving.some(({ models }) =>
    models.some((model) => model.name === name && model.tokenizer !== null),
  )
  return serving.length > 0 && serving.every(isPlain) && !hasTokenizer
}
