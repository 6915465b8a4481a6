import { upstreamDialects } from '../engine/remote/upstream-kinds.ts'
import type { Upstream } from './contract.ts'
import type { PoolEntry } from './pool/pool-member.ts'

export type NamedEntries = {
  /** The upstreams that serve each model together. */
  entries: Map<string, PoolEntry[]>
  /** By upstream: the models that it lists itself, but whose names others have. */
  clashes: Map<string, string[]>
  /** By model: the only upstream that serves it, because nobody named it and this one lists it. */
  owners: Map<string, string>
}

type Options = {
  /** Models that stay in the list while nothing serves them. */
  kept: readonly string[]
  /** Those before. */
  owners: ReadonlyMap<string, string>
}

/**
 * Which upstreams serve which model. The operator's word counts: whoever is named for a model, and every engine node, serves
 * it. An upstream that only lists a name itself has it if nobody else has; otherwise any upstream could get the prompts of
 * another by listing its models. It keeps the name while it lists it.
 */
export const entriesByName = (upstreams: readonly Upstream[], { kept, owners }: Options): NamedEntries => {
  const all = new Map<string, PoolEntry[]>(kept.map((name) => [name, []]))
  for (const upstream of upstreams)
    for (const model of upstream.models) all.set(model.name, [...(all.get(model.name) ?? []), { upstream, model }])
  const found: NamedEntries = { entries: new Map(), clashes: new Map(), owners: new Map() }
  for (const [name, entries] of all) {
    const serving = listServing(entries, owners.get(name))
    found.entries.set(name, serving)
    const [first] = serving
    if (first?.model.isListed) found.owners.set(name, first.upstream.name)
    for (const { upstream } of entries.filter((entry) => entry.model.isListed && !serving.includes(entry)))
      found.clashes.set(upstream.name, [...(found.clashes.get(upstream.name) ?? []), name])
  }
  return found
}

/** Upstreams can replace each other if this is the same. */
const comparable = ({ model, upstream }: PoolEntry): string =>
  model.kind === 'rerank' ? `rerank ${upstreamDialects[upstream.kind].pairs.areRaw}` : model.kind

const listServing = (entries: readonly PoolEntry[], owner: string | undefined): PoolEntry[] => {
  const named = entries.filter(({ model }) => !model.isListed)
  const [first] = named
  // Which kind of model a name stands for is decided by the first, and on which scale its scores are.
  if (first !== undefined) return named.filter((entry) => comparable(entry) === comparable(first))
  const keeper = entries.find(({ upstream }) => upstream.name === owner) ?? entries[0]
  return keeper === undefined ? [] : [keeper]
}
