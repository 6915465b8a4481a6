import type { UpstreamDescription } from './describe-upstream.ts'

type Described = Pick<UpstreamDescription, 'state' | 'pauseReason' | 'models' | 'clashes'>

/** Names of models of which every upstream is paused or failed its last check. One that is only busy is asked all the same. */
export const unreachableModels = (upstreams: readonly Described[]): ReadonlySet<string> => {
  const namesOf = (isFailing: boolean): string[] =>
    upstreams
      .filter((upstream) => isDown(upstream) === isFailing)
      .flatMap(({ models, clashes }) => models.map(({ name }) => name).filter((name) => !clashes.includes(name)))
  const reachable = new Set(namesOf(false))
  return new Set(namesOf(true).filter((name) => !reachable.has(name)))
}

const isDown = ({ state, pauseReason }: Described): boolean =>
  state === 'failing' || (state === 'paused' && pauseReason !== 'busy')
