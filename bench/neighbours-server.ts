import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '../src/base/clock.ts'
import { createLog } from '../src/base/log.ts'
import type { Config } from '../src/config/settings.ts'
import type { Conversation, Engine } from '../src/engine/contract.ts'
import { openRemoteEngine } from '../src/engine/remote/remote-engine.ts'
import { openScriptedEngine } from '../src/engine/scripted.ts'
import type { Models } from '../src/models/contract.ts'
import { createMemoryBudget } from '../src/models/memory-budget.ts'
import { openModels } from '../src/models/open-models.ts'
import { singleModel } from '../src/models/single-model.ts'
import { createUpstreamSet } from '../src/upstreams/upstream-set.ts'
import { claimServer, signUp } from '../test/harness/browser-session.ts'
import { modelName, openHelix } from '../test/harness/start-helix.ts'
import { startPinned } from './start-pinned.ts'

/**
 * The real server in its own process, in front of an engine that emits a token every ten milliseconds, or as fast as
 * the client reads; with `--upstream`, in front of upstreams that do. Sends its address to the parent and closes when
 * the parent disconnects.
 */
export type NeighbourServer = {
  url: string
  victimKey: string
  attackerKey: string
  /** Also of the attacker's organisation; its limit of one request a minute is used up. */
  overLimitKey: string
}

const { values } = parseArgs({
  options: { upstream: { type: 'boolean' }, limited: { type: 'boolean' }, 'load-cpus': { type: 'string' } },
})

const tokenMs = 10
const longToken = 'x'.repeat(1000)

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function* steady() {
  for (let token = 0; ; token += 1) {
    yield { pause: pause(tokenMs) }
    yield `${token} `
  }
}

function* flood() {
  for (let token = 0; token < 100_000; token += 1) yield longToken
}

/** Many slots: this measures the shared server thread, not slot allocation. */
const slots = 256

const log = createLog({ clock: systemClock, format: 'json', write() {}, hideSecrets: (line) => line })

const openUpstream = async (): Promise<Engine> => {
  const child = startPinned(new URL('./neighbours-upstream.ts', import.meta.url), values['load-cpus'])
  const [port] = await once(child, 'message')
  const baseUrl = `http://127.0.0.1:${port}/v1`
  const model = { upstreamModel: modelName, name: modelName, contextTokens: null, created: 0 }
  const engine = openRemoteEngine({ baseUrl, key: null, ...model, slots, kind: 'vllm', log })
  return {
    ...engine,
    async close() {
      child.disconnect()
      await engine.close()
    },
  }
}
/** Long prompts are those of attacks. They are not read here, because no pool of upstreams reads them. */
const isVictim = (conversation: Conversation): boolean =>
  conversation.written === undefined && ['steady', 'short'].includes(String(conversation.messages[0]?.content))

/**
 * Stream and short requests of the victim have an upstream of their own: what slows them down is Helix, not an upstream that
 * is busy with the attack.
 */
const openUpstreams = async (): Promise<Engine> => {
  const [victims, other] = [await openUpstream(), await openUpstream()]
  return {
    ...other,
    prepare: (conversation, signal) => (isVictim(conversation) ? victims : other).prepare(conversation, signal),
    async close() {
      await Promise.all([victims.close(), other.close()])
    },
  }
}
const upstream = values.upstream === true ? await openUpstreams() : null

/** Embedding models of upstreams, beside the model that is always there. */
const embedders = createUpstreamSet({ clock: systemClock, log })
const withEmbedders = (config: Config, chat: Models): Models => {
  const others = openModels({
    ...{ described: [], describe: async () => [], upstreams: embedders, defaultUpstream: 'embedder', settings: config },
    ...{ budget: createMemoryBudget(0), onRefused() {}, clock: systemClock, log },
    openEngine() {
      throw new Error('there is no model on this machine')
    },
  })
  return {
    ...chat,
    list: () => [...chat.list(), ...others.list()],
    find: (name) => chat.find(name) ?? others.find(name),
    async close() {
      await Promise.all([chat.close(), others.close()])
    },
  }
}
/** `arguments_`: how it answers. */
const addEmbedder = async (name: string, ...arguments_: string[]): Promise<void> => {
  const child = startPinned(new URL('./neighbours-embeddings.ts', import.meta.url), values['load-cpus'], arguments_)
  const [port] = await once(child, 'message')
  process.once('disconnect', () => child.disconnect())
  const models = [{ name, kind: 'embedding' }]
  const added = await helix.control('POST', '/control/upstreams', { name, url: `http://127.0.0.1:${port}/v1`, models })
  if (Object.hasOwn(Object(added), 'error')) throw new Error(JSON.stringify(added))
}

const openScripted = (): Engine =>
  openScriptedEngine({
    slots,
    // That of helix-v1; an upstream does not say how long its context is.
    model: { id: modelName, contextTokens: 8192 },
    answer: ([first]) => (first?.content === 'steady' ? steady() : first?.content === 'flood' ? flood() : ['ok']),
  })

const dataDir = await mkdtemp(join(tmpdir(), 'helix-bench-'))
const helix = await openHelix({
  upstreams: embedders,
  openModels: (config) => withEmbedders(config, singleModel(upstream ?? openScripted(), config, systemClock)),
  config: {
    dataDir,
    queueLimit: 10_000,
    // A key that is always refused is answered sooner: most attacks measure the more expensive path.
    ...(values.limited === true ? {} : { refusedRequestsPerMinute: 0, organisationRefusedRequestsPerMinute: 0 }),
  },
})
await addEmbedder('embedder', '--base64')
await addEmbedder('numbers-embedder')
const victim = await claimServer(helix)
const attacker = await signUp(helix.url, 'attacker@example.com')
const made = await attacker.post('/keys', { name: 'over limit', limits: { requestsPerMinute: 1 } })
if (!made.ok) throw new Error(await made.text())
const { key: overLimitKey } = (await made.json()) as { key: string }
const only = await fetch(`${helix.url}/v1/chat/completions`, {
  method: 'POST',
  headers: { authorization: `Bearer ${overLimitKey}`, 'content-type': 'application/json' },
  body: JSON.stringify({ model: modelName, messages: [{ role: 'user', content: 'Hi' }] }),
})
if (!only.ok) throw new Error(await only.text())
const told: NeighbourServer = {
  url: helix.url,
  victimKey: victim.firstKey.key,
  attackerKey: attacker.firstKey.key,
  overLimitKey,
}
process.on('disconnect', async () => {
  await helix.close()
  await rm(dataDir, { recursive: true, force: true })
})
process.send?.(told)
