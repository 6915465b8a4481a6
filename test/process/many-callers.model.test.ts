import { beforeAll, expect, test } from 'vitest'
import { claimServer, signUp } from '../harness/browser-session.ts'
import { askProbe, type Probe, runModelLoad } from '../harness/model-load.ts'
import { postChat } from '../harness/post-chat.ts'
import { type Program, startProgram } from '../harness/start-program.ts'

/** One server with the real model, used by two organisations; the tests follow each other. */
const slots = 16
/** Both tests read long prompts or many of them, which takes minutes on a busy machine. */
const patient = { timeout: 600_000 }
const unlimited = ['requests-per-minute', 'tokens-per-minute', 'requests-in-flight'].flatMap((limit) => [
  `--organisation-${limit}`,
  '0',
])
type Caller = Awaited<ReturnType<typeof signUp>>
let program: Program
let owner: Caller
let other: Caller
beforeAll(async () => {
  // A busy machine is slow, but nobody is refused.
  const args = ['--engine-slots', String(slots), '--context-tokens', '1024', '--queue-timeout-ms', '600000']
  program = await startProgram({ args: [...args, ...unlimited] })
  const claim = 'Claim this server: '
  const claimUrl = (await program.stdout.find((line) => line.startsWith(claim))).slice(claim.length)
  owner = await claimServer({ server: { url: program.url, claimUrl } })
  other = await signUp(program.url, 'other@example.com')
  await program.engineReady()
})
const serviceOf = ({ firstKey }: Caller) => ({ url: program.url, key: firstKey.key })

type Completion = {
  choices: { message: { content: string } }[]
  usage: { prompt_tokens: number; prompt_tokens_details: { cached_tokens: number } }
}

test(
  'a prompt is reused for its organisation only, and the usage of each shows its cached tokens',
  patient,
  async () => {
    const secret = `The password of the safe is 7342. ${'Keep it where nobody looks. '.repeat(40)}`
    const ask = async (caller: Caller) => {
      const response = await postChat(serviceOf(caller), secret, { temperature: 0, max_tokens: 4 })
      expect(response.status).toBe(200)
      const { usage } = (await response.json()) as Completion
      return { prompt: usage.prompt_tokens, cached: usage.prompt_tokens_details.cached_tokens }
    }
    const first = await ask(owner)
    expect(first).toEqual({ prompt: first.prompt, cached: 0 })
    expect(await ask(other)).toEqual(first)
    const repeated = await ask(owner)
    expect(repeated.cached).toBeGreaterThan(0)
    expect([await ask(other), await ask(other)]).toEqual([repeated, repeated])

    const totalOf = async (caller: Caller) => {
      const { total } = (await (await caller.get('/usage?days=7')).json()) as { total: Record<string, number> }
      return { requests: total.requests, promptTokens: total.promptTokens, cachedTokens: total.cachedTokens }
    }
    const [prompt, cached] = [first.prompt, repeated.cached]
    expect(await totalOf(owner)).toEqual({ requests: 2, promptTokens: 2 * prompt, cachedTokens: cached })
    expect(await totalOf(other)).toEqual({ requests: 3, promptTokens: 3 * prompt, cachedTokens: 2 * cached })
  },
)

test('with all slots in use and clients leaving at any moment, nothing fails, and every slot is free again', {
  timeout: 600_000,
}, async () => {
  const questions = [
    'What is the capital of France?',
    'Name three colours.',
    '水は何度で凍りますか。',
    'Why is the sky blue?',
  ]
  const probes: Probe[] = []
  for (const content of questions) probes.push({ content, answer: await askProbe(serviceOf(owner), content) })

  const keys = [owner.firstKey.key, owner.firstKey.key, other.firstKey.key]
  const load = { url: program.url, keys, requests: 32, concurrency: slots, seed: 1, maxTokens: 8, probes }
  const outcomes = await runModelLoad(load)
  expect(outcomes).toMatchObject({ failed: 0, problems: [] })
  expect(outcomes.answered).toBeGreaterThan(0)
  expect(outcomes.left).toBeGreaterThan(0)
  // Answers at temperature 0 are those of a single stream, except where the sums of larger batches decide a tie otherwise.
  expect(outcomes.probes.same).toBeGreaterThan(0)
  expect(outcomes.probes.different).toBeLessThanOrEqual(outcomes.probes.same / 4)

  const inUse = async () => {
    const { slots } = (await (await owner.get('/admin/engine')).json()) as { slots: Record<string, number> }
    return { running: slots.running, waiting: slots.waiting }
  }
  await expect.poll(inUse, { timeout: 60_000 }).toEqual({ running: 0, waiting: 0 })
  // Each of the slots works. The last one is kept for the other owner.
  const all = Array.from({ length: slots }, (_, slot) =>
    postChat(serviceOf(slot === 0 ? other : owner), 'Hi', { max_tokens: 4 }),
  )
  expect(new Set((await Promise.all(all)).map(({ status }) => status))).toEqual(new Set([200]))
})

test('the engine was never restarted', async () => {
  expect(program.stderr.lines.filter((line) => /engine_(exited|hung|refused)|request_failed/.test(line))).toEqual([])
  expect(await program.stop()).toBe(0)
})
