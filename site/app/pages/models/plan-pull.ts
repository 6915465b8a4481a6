import type { HubFileShown, ListedModel, ModelPull } from '../../../../src/platform/contract/models.ts'

/** What the page has to say about a file of the hub. */
export type PullPlan =
  | { kind: 'added' }
  | { kind: 'started'; state: Exclude<ModelPull['state'], 'complete'> }
  /** `name`: under which it would be added. */
  | { kind: 'offered'; name: string }

type Known = Pick<ListedModel, 'id' | 'aliases'> & {
  installed: Pick<NonNullable<ListedModel['installed']>, 'pulledFrom'> | null
}

/** Files of different repositories often have the same name: the second gets its owner's before its own. */
export const planPull = (
  { source, from, name }: Pick<HubFileShown, 'source' | 'from' | 'name'>,
  models: readonly Known[],
  pulls: readonly Pick<ModelPull, 'name' | 'from' | 'state'>[],
): PullPlan => {
  if (models.some(({ installed }) => installed?.pulledFrom === from)) return { kind: 'added' }
  const state = pulls.find((pull) => pull.from === from)?.state
  if (state !== undefined && state !== 'complete') return { kind: 'started', state }
  const taken = [...models.flatMap(({ id, aliases }) => [id, ...aliases]), ...pulls.map((pull) => pull.name)]
  const isTaken = taken.some((each) => each.toLowerCase() === name.toLowerCase())
  const owner = /^hf:([^/]+)\//.exec(source)?.[1] ?? ''
  return { kind: 'offered', name: isTaken ? [...`${owner}-${name}`].slice(0, 96).join('') : name }
}
