import { systemClock } from '../src/base/clock.ts'
import type { Site } from '../src/site-server/open-site.ts'
import type { AppView } from '../src/site-server/pages.ts'
import { createUpstreamSet } from '../src/upstreams/upstream-set.ts'
import { type BrowserSession, claimServer, joinAs } from '../test/harness/browser-session.ts'
import { scriptModels } from '../test/harness/scripted-models.ts'
import { openHelix } from '../test/harness/start-helix.ts'

/**
 * A server in use, on which everything is amiss that a notice tells of: budgets of the organisation and of a key are used up, a
 * key expires soon, a model cannot be loaded, an upstream refuses connections, the settings file was changed after the
 * start. Mail is set up, and the owner's address is not verified. What of it is shown, the owner chooses as in the settings.
 */
export const openNoticedServer = async (site: Site) => {
  const upstreams = createUpstreamSet({ clock: systemClock, log: silent })
  const local = scriptModels([
    { id: 'helix-v1', isDefault: true, answer: () => ['Hello', ', ', 'world', '!'] },
    { id: 'broken', failure: 'the file ends too early' },
  ])
  const helix = await openHelix({
    openSite: () => site,
    hasConfigChanged: async () => true,
    upstreams,
    openModels: (config) => local.open(config, systemClock, upstreams),
    config: { smtpUrl: 'smtp://127.0.0.1:1', mailFrom: 'helix@example.com', signUpsPerHour: 1000, ...providers },
  })
  const owner = await claimServer(helix)
  const post = async (path: string, body: object = {}): Promise<Record<string, unknown>> => {
    const response = await owner.post(path, body)
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
    return asRecord(await response.json().catch(() => ({})))
  }
  const soon = await post('/keys', { name: 'soon', expiresAt: Date.now() + 86_400_000 })
  const narrow = await post('/keys', { name: 'nightly evaluation', limits: { tokensPerDay: 40 } })
  const requestIds = await askUntilRefused(helix.baseUrl, [String(soon.key), String(narrow.key)])
  const { organisation } = await owner.load()
  await post(`/admin/organisations/${organisation?.id}/limits`, { tokensPerMonth: 10 })
  await post('/admin/upstreams', { name: 'gone', url: 'http://127.0.0.1:1/v1', models: [{ name: 'org/large' }] })
  await post('/admin/upstreams/gone/test')
  await post('/webhooks', { url: 'https://hooks.example.com/helix', events: ['budget.reached'] })
  await joinAs(helix.url, owner, 'member', 'anna@example.com')
  const turns = [{ kind: 'sent', id: 'a', text: 'Which river is the longest?' }]
  const content = JSON.stringify({ model: 'helix-v1', turns })
  const conversation = await post('/playground/conversations', { title: 'Rivers', content, searchText: 'river' })
  const share = await post(`/playground/conversations/${conversation.id}/shares`, { content })
  await expectAllKinds(owner)

  /** Where the views of one thing are. */
  const details: Partial<Record<AppView, string>> = {
    '/requests/{request}': `/requests/${requestIds[0]}`,
    '/keys/{key}': `/keys/${narrow.id}`,
    '/playground/shared/{share}': `/playground/shared/${share.id}`,
  }
  const show = async (name: string): Promise<void> => {
    const kinds = noticesShown[name]
    if (kinds === undefined) throw new Error(`--notices=${Object.keys(noticesShown).join(',')}`)
    for (const kind of allKinds) await post('/notices/choices', { what: 'kind', kind, isHidden: !kinds.includes(kind) })
    await post('/notices/choices', { what: 'checklist', isHidden: !kinds.includes('checklist') })
  }
  return { helix, owner, details, show }
}

const silent = { info: () => {}, warn: () => {}, error: () => {} }
const providers = { githubClientId: 'bench', githubClientSecret: 'bench' }
const allKinds = ['budget', 'expiry', 'engine', 'configuration']

/** Three notices are shown at most, so there are two sets of them. */
const noticesShown: Record<string, readonly string[]> = {
  none: [],
  budgets: ['budget', 'expiry', 'checklist'],
  engines: ['engine', 'configuration'],
}

/** Otherwise pages would be measured without what they should show. */
const expectAllKinds = async (owner: Pick<BrowserSession, 'get'>): Promise<void> => {
  const { data } = asRecord(await (await owner.get('/notices')).json())
  const listed = JSON.stringify(data)
  for (const kind of allKinds) if (!listed.includes(`"kind":"${kind}"`)) throw new Error(`no notice of kind ${kind}`)
}

/** Requests with each key until its budget is used up, at most so many; returns the ids of those that were answered. */
const askUntilRefused = async (baseUrl: string, keys: readonly string[]): Promise<string[]> => {
  const body = JSON.stringify({ model: 'helix-v1', max_tokens: 4, messages: [{ role: 'user', content: 'Hi' }] })
  const ids: string[] = []
  for (const key of keys)
    for (let asked = 0; asked < 12; asked += 1) {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const response = await fetch(`${baseUrl}/chat/completions`, { method: 'POST', headers, body })
      await response.arrayBuffer()
      if (!response.ok) break
      ids.push(response.headers.get('x-request-id') ?? '')
    }
  return ids
}

/** Answers of the platform are objects. */
const asRecord = (value: unknown): Record<string, unknown> => value as Record<string, unknown>
