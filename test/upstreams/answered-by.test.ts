import { expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { defaultUpstream, defaultUpstreamModel } from '../../src/upstreams/default-upstream.ts'
import { createUpstreamSet } from '../../src/upstreams/upstream-set.ts'
import { claimServer } from '../harness/browser-session.ts'
import { type Fault, startContinuingUpstream } from '../harness/continuing-upstream.ts'
import { readEvents } from '../harness/read-events.ts'
import { readLedger } from '../harness/read-ledger.ts'
import { scriptModels } from '../harness/scripted-models.ts'
import { startHelix } from '../harness/start-helix.ts'

const silent = { info: () => {}, warn: () => {}, error: () => {} }
const answer = 'Tides come in twice a day.'

test('a request says which upstreams answered it, in how many attempts, and whether one continued the answer of another', async () => {
  const faults: (Fault | null)[] = []
  const [one, two] = [await startContinuingUpstream(answer, faults), await startContinuingUpstream(answer, faults)]
  const set = createUpstreamSet({ clock: systemClock, log: silent })
  const models = [{ ...defaultUpstreamModel, name: 'big', upstreamName: 'big' }]
  const common = { ...defaultUpstream, kind: 'vllm', models } as const
  set.replace([
    { ...common, name: 'one', baseUrl: one.baseUrl },
    { ...common, name: 'two', baseUrl: two.baseUrl },
  ])
  const local = scriptModels([{ id: 'helix-v1' }])
  const helix = await startHelix({ openModels: (config) => local.open(config, systemClock, set) })
  const owner = await claimServer(helix)
  const ask = async (body: object) => {
    const response = await helix.chat({ model: 'big', ...body })
    const id = response.headers.get('x-request-id') ?? ''
    if (response.status === 200) await readEvents(response)
    const { upstreams } = (await (await owner.get(`/requests/${id}`)).json()) as { upstreams: unknown }
    return { upstreams, first: response.headers.get('x-helix-upstream') }
  }
  const streamed = { stream: true }

  const plain = await ask(streamed)
  expect(plain.upstreams).toEqual({ names: [plain.first], attempts: 1, continued: false })

  faults.push({ type: 'status', status: 500 })
  const retried = await ask(streamed)
  expect(retried.upstreams).toEqual({ names: [retried.first], attempts: 2, continued: false })

  faults.push({ type: 'cut', bytes: 200 })
  const continued = await ask(streamed)
  const other = continued.first === 'one' ? 'two' : 'one'
  expect(continued.upstreams).toEqual({ names: [continued.first, other], attempts: 2, continued: true })

  faults.push(...Array.from({ length: 4 }, () => ({ type: 'status', status: 500 }) as const))
  expect((await ask(streamed)).upstreams).toEqual({ names: [], attempts: 4, continued: false })
  expect((await ask({ model: 'helix-v1', stream: true })).upstreams).toBeNull()

  const rows = await readLedger(helix)
  expect(rows.map(({ settlement }) => settlement?.route?.attempts)).toEqual([1, 2, 2, 4, undefined])
})
