import type { Clock } from '../base/clock.ts'
import { createRedactor } from '../base/create-redactor.ts'
import type { Log } from '../base/log.ts'
import type { Engine, ModelKind, ServedModel } from '../engine/contract.ts'
import { openInputAnswerReader } from '../engine/remote/inputs/input-answer-reader.ts'
import { openTokenCounters } from '../engine/remote/tokenizer/token-counters.ts'
import { hideKeys } from '../keys/hide-keys.ts'
import type { Price } from '../prices/price.ts'
import { addressTexts } from './address-texts.ts'
import type { Upstream, UpstreamModel } from './contract.ts'
import { entriesByName } from './entries-by-name.ts'
import { highestPrice } from './highest-price.ts'
import { openUpstreamEngine } from './open-upstream-engine.ts'
import type { Placement } from './pool/placement.ts'
import type { PoolEntry, PoolMember } from './pool/pool-member.ts'
import { createUpstreamPool, type UpstreamPool } from './pool/upstream-pool.ts'
import type { UpstreamState } from './pool/upstream-state.ts'
import { openUpstreamStates } from './pool/upstream-states.ts'
import { createUpstreamTraffic, type UpstreamTraffic } from './upstream-traffic.ts'

/** A model, with the engine over all upstreams that serve it. */
export type ServedUpstreamModel = {
  readonly name: string
  readonly aliases: readonly string[]
  readonly engine: Engine
  readonly kind: ModelKind
  /** Null if its upstreams have none. */
  readonly price: Price | null
  /** It has no upstreams at the moment. */
  readonly isUnserved: boolean
  /** All of its upstreams are drained: new requests cannot be answered. */
  readonly isDrained: boolean
  /** No operator named it: an upstream lists it. */
  readonly isListed: boolean
  /** Something else on this server has its name, so that it is not served. */
  setTaken(isTaken: boolean): void
  /** Called when the number of answers at once changes. */
  onResize(listener: (slots: number) => void): void
}

/** The upstreams in use. A change never ends a running answer. */
export interface UpstreamSet {
  list(): readonly Upstream[]
  /** One for each name, in the order of the list. */
  models(): readonly ServedUpstreamModel[]
  /** Models of an upstream that it does not serve, because others have their names. */
  clashesOf(name: string): readonly string[]
  /** Null if there is no such upstream. */
  trafficOf(name: string): UpstreamTraffic | null
  /** Null if no model uses an upstream of this name. */
  stateOf(name: string): UpstreamState | null
  /** Decides which upstream gets a request for a model; null if none has it. */
  placementOf(model: string): Placement | null
  replace(upstreams: readonly Upstream[]): void
  /** What is wrong with the first tokenizer that cannot be used; null if all can. */
  checkTokenizers(models: readonly Pick<UpstreamModel, 'tokenizer'>[]): Promise<string | null>
  /** Called after each change. */
  onChange(listener: () => void): void
  close(): Promise<void>
}

type Served = ServedUpstreamModel & {
  isListed: boolean
  isTaken: boolean
  upstreamNames: readonly string[]
  kind: ModelKind
  aliases: readonly string[]
  price: Price | null
  isUnserved: boolean
  isDrained: boolean
  engine: UpstreamPool
}

type SetOptions = {
  clock: Clock
  log: Log
  random?: () => number
  /** How many slots of each queue are kept for callers that have none. */
  reservedSlots?: number
  /** Models that stay in the list while nothing serves them. */
  kept?: readonly string[]
  /** Of the settings. Like the keys of all upstreams, they are removed from what an upstream says. */
  secrets?: readonly string[]
  /** Of a worker, whose authority decides. Absent: it is decided here. */
  openPlacement?(model: string, members: () => readonly PoolMember[]): Placement
}

export const createUpstreamSet = (options: SetOptions): UpstreamSet => {
  const { clock, log, random = Math.random, reservedSlots, kept = [], secrets = [], openPlacement } = options
  let upstreams: readonly Upstream[] = []
  let served: readonly Served[] = []
  let clashes: ReadonlyMap<string, readonly string[]> = new Map()
  let owners: ReadonlyMap<string, string> = new Map()
  const traffic = new Map<string, UpstreamTraffic>()
  const states = openUpstreamStates({ clock, log, random, reservedSlots })
  const tokenizers = openTokenCounters({ clock, log })
  const inputAnswers = openInputAnswerReader({ clock })
  const listeners: (() => void)[] = []
  const created = Math.floor(clock.now() / 1000)
  let redactSecrets = createRedactor(secrets)
  let redactAddresses = createRedactor([])
  const hideSecrets = (text: string): string => hideKeys(redactSecrets(text))
  const redact = (text: string): string => redactAddresses(hideSecrets(text))

  const trafficOf = (name: string): UpstreamTraffic => {
    const known = traffic.get(name) ?? createUpstreamTraffic(clock)
    traffic.set(name, known)
    return known
  }
  const openEngine = ({ upstream, model }: PoolEntry): Engine =>
    trafficOf(upstream.name).count(
      openUpstreamEngine({ upstream, model, created, tokenizers, inputAnswers, redact, hideSecrets, log }),
    )
  const createPool = (name: string, entries: readonly PoolEntry[], onResize: (slots: number) => void): UpstreamPool =>
    createUpstreamPool({
      entries,
      unserved: unservedModel(name, created),
      openEngine,
      stateOf: ({ upstream }) => states.of(upstream),
      ...(openPlacement === undefined ? {} : { openPlacement: (members) => openPlacement(name, members) }),
      ...{ onResize, clock, log, random },
    })
  const update = (next: readonly Upstream[]): void => {
    upstreams = next
    redactSecrets = createRedactor([...secrets, ...upstreams.flatMap(({ key }) => key ?? [])])
    redactAddresses = createRedactor(upstreams.flatMap(({ baseUrl }) => addressTexts(baseUrl)))
    for (const { name } of upstreams) trafficOf(name)
    for (const name of traffic.keys()) if (!upstreams.some((upstream) => upstream.name === name)) traffic.delete(name)
    const before = served
    const found = entriesByName(upstreams, { kept, owners })
    owners = found.owners
    logClashes(clashes, found.clashes, log)
    clashes = found.clashes
    served = [...found.entries].map(([name, entries]) => {
      const known = before.find((model) => model.name === name)
      if (known !== undefined) known.engine.setEntries(entries)
      const model = known ?? createServed(name, (onResize) => createPool(name, entries, onResize))
      describe(model, entries)
      return model
    })
    for (const model of before) if (!served.includes(model)) model.engine.setEntries([])
    states.keep(upstreams.map(({ name }) => name))
  }
  return {
    list: () => upstreams,
    models: () => served,
    clashesOf(name) {
      const taken = served.filter(({ isTaken, upstreamNames }) => isTaken && upstreamNames.includes(name))
      return [...new Set([...(clashes.get(name) ?? []), ...taken.map((model) => model.name)])]
    },
    trafficOf: (name) => traffic.get(name) ?? null,
    stateOf: states.find,
    placementOf: (model) => served.find(({ name }) => name === model)?.engine.placement ?? null,
    replace(next) {
      update(next)
      for (const listener of listeners) listener()
    },
    async checkTokenizers(models) {
      for (const path of new Set(models.flatMap(({ tokenizer }) => tokenizer ?? []))) {
        const reason = await tokenizers.check(path)
        if (reason !== null) return reason
      }
      return null
    },
    onChange: (listener) => void listeners.push(listener),
    async close() {
      states.close()
      await Promise.all([tokenizers.close(), inputAnswers.close(), ...served.map(({ engine }) => engine.close())])
    },
  }
}

const createServed = (name: string, createPool: (onResize: (slots: number) => void) => UpstreamPool): Served => {
  let listener = (_slots: number): void => {}
  return {
    name,
    ...{ isListed: false, isTaken: false, upstreamNames: [] },
    setTaken(isTaken) {
      this.isTaken = isTaken
    },
    aliases: [],
    kind: 'chat',
    price: null,
    isUnserved: false,
    isDrained: false,
    engine: createPool((slots) => listener(slots)),
    onResize(next) {
      listener = next
    },
  }
}

const describe = (model: Served, entries: readonly PoolEntry[]): void => {
  model.aliases = [...new Set(entries.flatMap(({ model: { aliases } }) => aliases))]
  if (entries[0] !== undefined) model.kind = entries[0].model.kind
  model.price = highestPrice(entries.map((entry) => entry.model.price))
  model.isListed = entries.some((entry) => entry.model.isListed)
  model.upstreamNames = entries.map(({ upstream }) => upstream.name)
  model.isUnserved = entries.length === 0
  model.isDrained = entries.every(({ upstream }) => upstream.isDraining)
}

const maxLogged = 5

/** One event for an upstream, however many models it lists. */
const logClashes = (
  before: ReadonlyMap<string, readonly string[]>,
  now: ReadonlyMap<string, readonly string[]>,
  log: Log,
): void => {
  for (const [upstream, names] of now) {
    if (before.get(upstream)?.join() === names.join()) continue
    const models = names.slice(0, maxLogged).join(', ')
    log.warn('upstream_models_taken', { upstream, count: names.length, models })
  }
}

const unservedModel = (id: string, created: number): ServedModel => ({
  ...{ id, created, ownedBy: 'upstream', contextTokens: null, vocabularyTokens: null, features: null },
  parsesAnswers: true,
})
