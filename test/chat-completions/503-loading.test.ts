import { expect, test } from 'vitest'
import type { EmbeddedEngine } from '../../src/engine/embedded/embedded-engine.ts'
import { readError } from '../harness/read-error.ts'
import { startScriptedProcess } from '../harness/scripted-engine-process.ts'
import { type Helix, startHelix } from '../harness/start-helix.ts'

/** Each needs something of the model that nobody knows before its weights are open. */
const demanding: [string, Record<string, unknown>][] = [
  ['tools', { tools: [{ type: 'function', function: { name: 'f' } }] }],
  ['a response format', { response_format: { type: 'json_schema', json_schema: { name: 'n' } } }],
  ['logprobs', { logprobs: true }],
  ['a biased token', { logit_bias: { 5: 1 } }],
  ['a token id to stop at', { stop_token_ids: [5] }],
  ['a template variable', { chat_template_kwargs: { a: 1 } }],
  ['reasoning', { reasoning_effort: 'high' }],
]

const expectPutOff = async (helix: Helix, body: Record<string, unknown>): Promise<void> => {
  const response = await helix.chat(body)
  expect(response.status).toBe(503)
  expect(await readError(response)).toMatchObject({ code: 'engine_loading' })
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(response.headers.get('x-should-retry')).not.toBe('false')
}

/** The process loads until it gets the signal. */
const startLoading = async () => {
  const engine: EmbeddedEngine = startScriptedProcess({
    onLoad: "process.on('SIGUSR2', ready); console.error('loading')",
    log: { info: () => {}, error: (event) => heard(event), warn: (event) => heard(event) },
  })
  const waiting = new Map<string, () => void>()
  const heard = (event: string): void => waiting.get(event)?.()
  const logged = (event: string): Promise<void> => new Promise((resolve) => waiting.set(event, resolve))
  const loading = logged('engine_output')
  const helix = await startHelix({ startEngine: () => engine })
  const kill = (signal: NodeJS.Signals): void => void process.kill(engine.pid() ?? 0, signal)
  await loading
  return { helix, engine, logged, kill }
}

test('before the model is loaded, requests that depend on it get a retryable error', async () => {
  const { helix, engine, kill } = await startLoading()
  for (const [, body] of demanding) await expectPutOff(helix, body)
  await expectPutOff(helix, { ...demanding[0]?.[1], stream: true })
  await expectPutOff(helix, { logit_bias: { 100000: 1 } })

  kill('SIGUSR2')
  await engine.firstLoad
  expect((await helix.chat({ tools: [{ type: 'function', function: { name: 'f' } }] })).status).toBe(200)
  const refused = await helix.chat({ logprobs: true })
  expect(refused.status).toBe(400)
  expect(await readError(refused)).toMatchObject({ code: 'unsupported_parameter', param: 'logprobs' })
})

test('while the model is reloaded after a crash, requests get a retryable error too', async () => {
  const { helix, engine, logged, kill } = await startLoading()
  const died = logged('engine_exited')
  const loadingAgain = logged('engine_output')
  kill('SIGKILL')
  await died
  for (const [, body] of demanding) await expectPutOff(helix, body)
  await loadingAgain
  kill('SIGUSR2')
  await engine.firstLoad
  const diedAgain = logged('engine_exited')
  kill('SIGKILL')
  await diedAgain
  await expectPutOff(helix, { tools: [{ type: 'function', function: { name: 'f' } }] })
})

test('a stored answer of an Idempotency-Key is replayed while the model loads', async () => {
  const { helix, engine, logged, kill } = await startLoading()
  kill('SIGUSR2')
  await engine.firstLoad
  const ask = () =>
    helix.chat(
      { messages: [{ role: 'user', content: 'once' }] },
      { headers: { ...helix.authorized, 'idempotency-key': 'a' } },
    )
  const first = await (await ask()).json()
  const died = logged('engine_exited')
  kill('SIGKILL')
  await died
  const again = await ask()
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(await again.json()).toEqual(first)
})
