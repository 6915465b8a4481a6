/**
 * The keys that encrypt what must be readable again. Usually one; two from the moment that a new one is known until
 * everything is encrypted with it (decision 77):
 *
 *     one key ── a new one is found or created ──▶ both are accepted, the old one encrypts
 *        ▲                                                        │ rotate, here or at another node
 *        └────── nothing needs the old one ◀── both are accepted, the new one encrypts
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import { OperatorError } from '../../base/operator-error.ts'
import type { Config } from '../../config/settings.ts'
import type { Store } from '../../store/contract.ts'
import type { DataDirectory } from '../../store/data-directory.ts'
import {
  createNextSecretKey,
  findNextSecretKey,
  findSecretKey,
  loadSecretKey,
  nextSecretKeyFile,
  promoteNextSecretKey,
  secretKeyFile,
} from '../../store/secret-key.ts'
import { isNeeded, type Resealed, reseal } from './reseal.ts'
import { combineSeals, createSeal, type Seal } from './seal.ts'

/** The keys of a node as it reports them: the one that encrypts first. */
type NodeKeys = { name: string; secretKeys: readonly string[] }

export interface Secrets {
  readonly seal: Seal
  /** Of the keys, the one that encrypts first. A key cannot be computed from its fingerprint. */
  fingerprints(): readonly string[]
  /** Looks for a new key, and whether another node has begun or finished a rotation. True: something changed. */
  refresh(): Promise<boolean>
  /** Encrypts everything with the new key. After an interruption it is called again. */
  rotate(cluster: RotationCluster): Promise<Resealed>
}

type RotationCluster = {
  /** The servers that share the database, this one too; none for a single server. */
  listNodes(): Promise<NodeKeys[]>
  /** Tells them to look. */
  announce(): void
}

type SecretsDependencies = {
  config: Pick<Config, 'secretKey' | 'nextSecretKey'>
  directory: DataDirectory
  store: Pick<Store, 'secret' | 'nodes' | 'sealed'>
  clock: Clock
  log: Log
}

type Key = { seal: Seal; fingerprint: string }

/** Longer than nodes take to look, and to report with a heartbeat. */
const nodesWaitMs = 30_000
const askAgainMs = 500

export const openSecrets = async (dependencies: SecretsDependencies): Promise<Secrets> => {
  const { config, directory, store, clock, log } = dependencies
  const isShared = store.nodes !== null
  const stored = (await store.secret?.fingerprint()) ?? null
  // A new one would be wrong for certain, and would be in the way when the right one is copied.
  if (isShared && stored !== null && findSecretKey(directory, config.secretKey) === null) throw otherKey(directory)
  let current = createKey(loadSecretKey(directory, config.secretKey))
  let next = createKeyOrNull(findNextSecretKey(directory, config))
  /** Another node may not accept the new key yet, so there the database decides. */
  let isNextUsed = !isShared && next !== null

  const own = (): readonly [Key, ...Key[]] => {
    if (next === null) return [current]
    return isNextUsed ? [next, current] : [current, next]
  }
  const fingerprints = (): string[] => own().map(({ fingerprint }) => fingerprint)
  const seal = combineSeals(() => {
    const [first, ...others] = own()
    return [first.seal, ...others.map((key) => key.seal)]
  })
  const follow = (fingerprint: string): void => {
    if (!fingerprints().includes(fingerprint)) throw otherKey(directory)
    isNextUsed = fingerprint === next?.fingerprint
  }
  const dropCurrent = (): void => {
    if (next === null || config.secretKey !== null) return
    promoteNextSecretKey(directory)
    current = next
    next = null
    isNextUsed = false
  }

  if (store.secret !== null && isShared) follow(await store.secret.agree(current.fingerprint))
  if (store.secret !== null && !isShared && stored !== own()[0].fingerprint) {
    if (stored !== null && !fingerprints().includes(stored)) log.warn('secret_key_changed')
    await store.secret.replace(own()[0].fingerprint)
  }
  return {
    seal,
    fingerprints,
    async refresh() {
      if (store.secret === null || !isShared) return false
      const before = fingerprints().join()
      next ??= createKeyOrNull(findNextSecretKey(directory, config))
      const named = await store.secret.fingerprint()
      if (named !== null && fingerprints().includes(named)) follow(named)
      if (isNextUsed && !(await isNeeded(store.sealed, current.seal))) dropCurrent()
      return fingerprints().join() !== before
    },
    async rotate({ listNodes, announce }) {
      next ??= createKeyOrNull(findNextSecretKey(directory, config)) ?? createNext(dependencies, isShared)
      const { fingerprint } = next
      const wait = (isReady: (node: NodeKeys) => boolean, what: string) =>
        waitForNodes({ clock, listNodes, isReady, what })
      if (isShared) await wait(({ secretKeys }) => secretKeys.includes(fingerprint), 'do not have the new key yet')
      await store.secret?.replace(fingerprint)
      isNextUsed = true
      announce()
      const total = await reseal(store.sealed, current.seal, next.seal)
      if (isShared) {
        await wait(({ secretKeys }) => secretKeys[0] === fingerprint, 'still encrypt with the old key')
        // What they encrypted before they knew.
        total.changed += (await reseal(store.sealed, current.seal, next.seal)).changed
      }
      dropCurrent()
      announce()
      log.info('secrets_rotated', total)
      return total
    },
  }
}

const createKey = (key: Uint8Array): Key => ({
  seal: createSeal(key),
  fingerprint: createHash('sha256').update('helix secret key').update(key).digest('hex'),
})

const createKeyOrNull = (key: Uint8Array | null): Key | null => (key === null ? null : createKey(key))

const createNext = ({ config, directory }: SecretsDependencies, isShared: boolean): Key => {
  if (config.secretKey !== null)
    throw new OperatorError(
      'The key is in the settings: set HELIX_NEXT_SECRET_KEY to a new one on every node, restart them one after the other, and run this again.',
    )
  if (isShared)
    throw new OperatorError(
      `Create a new key, copy it to every node as ${nextSecretKeyFile} in its data directory (here ${join(directory.path, nextSecretKeyFile)}), and run this again.`,
    )
  return createKey(createNextSecretKey(directory))
}

type NodesWait = {
  clock: Clock
  listNodes: RotationCluster['listNodes']
  isReady(node: NodeKeys): boolean
  what: string
}

const waitForNodes = async ({ clock, listNodes, isReady, what }: NodesWait): Promise<void> => {
  const giveUpAtMs = clock.monotonicMs() + nodesWaitMs
  for (;;) {
    const waiting = (await listNodes()).filter((node) => !isReady(node)).map(({ name }) => name)
    if (waiting.length === 0) return
    if (clock.monotonicMs() >= giveUpAtMs)
      throw new OperatorError(`These nodes ${what}: ${waiting.join(', ')}. Nothing is lost: run this again.`)
    await new Promise<void>((done) => clock.after(askAgainMs, done))
  }
}

const otherKey = ({ path }: DataDirectory): OperatorError =>
  new OperatorError(
    `This node needs the secret key of the other nodes: copy ${secretKeyFile} from the data directory of one of them to ${join(path, secretKeyFile)}, or set HELIX_SECRET_KEY to its content on every node.`,
  )
