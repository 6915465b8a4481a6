import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { claimServer, signUp } from '../test/harness/browser-session.ts'
import { modelName, openHelix } from '../test/harness/start-helix.ts'

/**
 * The real server in its own process, in front of an engine that emits a token every ten milliseconds, or as fast as
 * the client reads. Sends its address to the parent and closes when the parent disconnects.
 */
export type NeighbourServer = {
  url: string
  victimKey: string
  attackerKey: string
  /** Also of the attacker's organisation; its limit of one request a minute is used up. */
  overLimitKey: string
}

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

const dataDir = await mkdtemp(join(tmpdir(), 'helix-bench-'))
const helix = await openHelix({
  // Many slots: this measures the shared server thread, not slot allocation.
  engine: { slots: 256, model: { contextTokens: null } },
  config: {
    dataDir,
    queueLimit: 10_000,
    // A key that is always refused would be answered sooner: this measures the more expensive path.
    refusedRequestsPerMinute: 0,
    organisationRefusedRequestsPerMinute: 0,
  },
  answer: ([first]) => (first?.content === 'steady' ? steady() : first?.content === 'flood' ? flood() : ['ok']),
})
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
