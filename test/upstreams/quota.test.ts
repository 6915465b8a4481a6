import { expect, test } from 'vitest'
import { claimServer } from '../harness/browser-session.ts'
import { sayJson, startUpstream } from '../harness/scripted-upstream.ts'
import { postJson, startWithUpstreams } from '../harness/upstream-helix.ts'

const request = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] }

/** An upstream that answers with an error until it is told not to. */
const startRefusing = async (status: number, error: unknown) => {
  const state = { asked: 0, refuses: true }
  const { baseUrl } = await startUpstream((response, { body }) => {
    if (body.model === undefined) return response.writeHead(200).end('{"data":[{"id":"m"}]}')
    state.asked += 1
    if (!state.refuses) return sayJson(response, { content: 'again' })
    return response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(error))
  })
  return { baseUrl, state }
}

test.each([
  [
    'OpenAI',
    429,
    { error: { message: 'You exceeded your current quota.', type: 'insufficient_quota', code: 'insufficient_quota' } },
  ],
  ['OpenRouter', 402, { error: { message: 'Insufficient credits', code: 402 } }],
  [
    'Anthropic',
    400,
    { type: 'error', error: { type: 'invalid_request_error', message: 'Your credit balance is too low to …' } },
  ],
])(
  'a quota of %s that is used up: the pool moves on, nobody waits, and the owner reads why',
  async (_, status, error) => {
    const { baseUrl, state } = await startRefusing(status, error)
    const models = [{ name: 'm' }]
    const helix = await startWithUpstreams([{ name: 'empty', url: baseUrl, models }])
    const owner = await claimServer(helix)
    const refused = await postJson(helix, '/chat/completions', request)
    expect([refused.status, refused.body.error?.code]).toEqual([502, 'upstream_failed'])
    // A 429 or 503 with a time would ask clients to come back.
    expect(refused.headers.get('retry-after')).toBeNull()
    expect(state.asked).toBe(1)
    const problems = async () =>
      ((await (await owner.get('/admin/overview')).json()) as { problems: object[] }).problems.filter(
        (problem) => 'subject' in problem && problem.subject === 'empty',
      )
    expect(await problems()).toMatchObject([{ kind: 'quota', level: 'warn' }])
    const list = async () => (await helix.control('GET', '/control/upstreams')) as { data: object[] }
    expect((await list()).data).toMatchObject([{ state: 'paused', pause_reason: 'quota_exceeded' }])

    const other = await startUpstream((response) => void sayJson(response, { content: 'Hello' }))
    await helix.control('POST', '/control/upstreams', { name: 'full', url: other.baseUrl, models })
    const answers = await Promise.all([1, 2, 3].map(() => postJson(helix, '/chat/completions', request)))
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200])
    expect(state.asked).toBe(1)
    state.refuses = false
    await helix.control('POST', '/control/upstreams/empty/resume', {})
    expect(await problems()).toEqual([])
  },
)
