import { appDetailPages, appPages, callbackPages, publicPages, texts } from '../../../src/site-server/pages.ts'
import { appCode } from '../../harness/authenticator-app.ts'
import { goodPassword, openBrowser } from '../../harness/browser-session.ts'
import { addPasskey, askNewPasskey, askPasskey, switchOnTwoFactor } from '../../harness/sign-in-methods.ts'
import { createAuthenticator } from '../../harness/software-authenticator.ts'
import { type Helix, modelName } from '../../harness/start-helix.ts'
import type { Row } from './expected.ts'
import { chat, freshEmail, type Team } from './team.ts'

/** A call to where something stands, such as a key of the team. */
const at = (path: (team: Team) => Promise<string>, body?: unknown): Row => ({
  call: async (team) => ({ path: await path(team), body }),
})
const send = (body: unknown): Row => ({ call: () => ({ body }) })
const plain: Row = {}
const harmless = (row: Row): Row => ({ ...row, harmless: true })
/** Changes nothing that the audit is for. */
const silent = (why: string, row: Row = {}): Row => ({ ...row, silent: why })

const inLedger = 'the ledger has every request'
const ownData = 'a kept answer is data of the caller, no key, member, limit or setting'
const ownText = 'a text of the caller, which only they and those they share it with see'
const ownView = 'it changes only what the caller sees'
const onlyCounts = 'counting changes nothing'
const onlyAsks = 'a question changes nothing until it is answered'
const onlyBegins = 'nothing is changed until they come back'
const onlyMails = 'nothing is changed until the link is used'
const onlyProves = 'it proves who somebody is; what they do then is told'

const completion =
  (more = '') =>
  async (team: Team) =>
    `/v1/chat/completions/${(await team.ask({ store: true })).id}${more}`
const response =
  (more = '') =>
  async (team: Team) =>
    `/v1/responses/${await team.respond()}${more}`
const v1Key =
  (more = '') =>
  async (team: Team) =>
    `/v1/keys/${(await team.memberKey()).id}${more}`
const memberKey =
  (more = '') =>
  async (team: Team) =>
    `/platform/keys/${(await team.memberKey()).id}${more}`
const prompt =
  (more = '', isShared = false) =>
  async ({ person }: Team) => {
    const made = await (await person('member')).post('/prompts', { name: 'theirs', isShared, content: '{}' })
    return `/platform/prompts/${((await made.json()) as { prompt: { id: string } }).prompt.id}${more}`
  }
const conversation =
  (more = '') =>
  async ({ person }: Team) => {
    const made = await (await person('member')).post('/playground/conversations', aConversation)
    return `/platform/playground/conversations/${((await made.json()) as { id: string }).id}${more}`
  }
const share =
  (more = '') =>
  async ({ person }: Team) => {
    const theirs = await person('member')
    const made = await (await theirs.post('/playground/conversations', aConversation)).json()
    const { id } = made as { id: string }
    const shared = await theirs.post(`/playground/conversations/${id}/shares`, { content: '{}' })
    return `/platform/playground/shares/${((await shared.json()) as { id: string }).id}${more}`
  }
const aConversation = { title: 'theirs', content: '{}', searchText: '' }
const passkey =
  (act: string) =>
  async ({ helix, person }: Team) =>
    `/platform/account/passkeys/${(await addPasskey(await person('member'), helix.url)).id}/${act}`
const newMember = (act: string) => async (team: Team) =>
  `/platform/organisation/members/${await team.newMember()}/${act}`

/** A file that the landing page asks for. */
const anAsset = async ({ url }: Helix): Promise<string> =>
  /"(\/assets\/[^"]+)"/.exec(await (await fetch(url)).text())?.[1] ?? ''

const admin = '/platform/admin'
const ofTeam = async (team: Team): Promise<string> => (await team.organisation())?.id ?? ''

/** The same rows for a team and for the server. */
const webhooks = (whose: 'team' | 'server'): Record<string, Row> => {
  const base = whose === 'team' ? '/platform/webhooks' : `${admin}/webhooks`
  const elsewhere = whose === 'team' ? { elsewhere: 404 } : {}
  const endpoint =
    (act = '') =>
    async (team: Team): Promise<string> =>
      `${base}/${await team.webhook(whose)}${act}`
  const sends = 'the log of deliveries has it'
  const replayed = async (team: Team): Promise<string> => {
    const id = await team.webhook(whose)
    return `${base}/${id}/deliveries/${await team.delivery(whose, id)}/replay`
  }
  return {
    [`GET ${base}`]: plain,
    [`POST ${base}`]: send({ url: 'https://localhost:1/', events: [] }),
    [`POST ${base}/{endpoint}`]: harmless({ ...at(endpoint(), { description: 'Pager' }), ...elsewhere }),
    [`POST ${base}/{endpoint}/rotate`]: harmless({ ...at(endpoint('/rotate')), ...elsewhere }),
    [`POST ${base}/{endpoint}/remove`]: harmless({ ...at(endpoint('/remove')), ...elsewhere }),
    [`POST ${base}/{endpoint}/test`]: harmless({ ...silent(sends, at(endpoint('/test'))), ...elsewhere }),
    [`GET ${base}/{endpoint}/deliveries`]: { ...at(endpoint('/deliveries')), ...elsewhere },
    [`POST ${base}/{endpoint}/deliveries/{delivery}/replay`]: harmless({
      ...silent(sends, at(replayed)),
      ...elsewhere,
    }),
  }
}

/** By the owner of the server, to somebody, to all of an organisation and to a key. Only what is suspended can be resumed. */
const suspension = (act: 'suspend' | 'resume'): Record<string, Row> => {
  const path = async (team: Team, things: string, id: string): Promise<string> =>
    `${admin}/${things}/${act === 'suspend' ? id : await team.suspend(things, id)}/${act}`
  return {
    [`POST ${admin}/accounts/{id}/${act}`]: at(async (team) => path(team, 'accounts', await team.newMember())),
    [`POST ${admin}/organisations/{id}/${act}`]: at(async (team) =>
      path(team, 'organisations', await team.newOrganisation()),
    ),
    [`POST ${admin}/keys/{id}/${act}`]: at(async (team) => path(team, 'keys', (await team.memberKey()).id)),
  }
}

const v1: Record<string, Row> = {
  'POST /v1/chat/completions': silent(inLedger, send(chat)),
  'GET /v1/chat/completions': plain,
  'GET /v1/chat/completions/{completion}': at(completion()),
  'POST /v1/chat/completions/{completion}': silent(ownData, at(completion(), { metadata: null })),
  'DELETE /v1/chat/completions/{completion}': silent(ownData, at(completion())),
  'GET /v1/chat/completions/{completion}/messages': at(completion('/messages')),
  'POST /v1/completions': silent(inLedger, send({ model: modelName, prompt: 'Hi' })),
  'POST /v1/messages': silent(inLedger, send({ ...chat, max_tokens: 8 })),
  'POST /v1/messages/count_tokens': silent(onlyCounts, send(chat)),
  'POST /v1/responses/input_tokens': silent(onlyCounts, send({ model: modelName, input: 'Hi' })),
  'POST /v1/tokenize': silent(onlyCounts, send({ model: modelName, prompt: 'Hi' })),
  'POST /v1/detokenize': silent(onlyCounts, send({ model: modelName, tokens: [1] })),
  'GET /v1/tokenizer_info': plain,
  'POST /tokenize': silent(onlyCounts, send({ prompt: 'Hi' })),
  'POST /detokenize': silent(onlyCounts, send({ tokens: [1] })),
  'GET /tokenizer_info': plain,
  'POST /v1/moderations': { ...send({ input: 'Hi' }), everybody: 400 },
  'POST /v1/responses': silent(inLedger, send({ model: modelName, input: 'Hi' })),
  'GET /v1/responses/{response}': at(response()),
  'DELETE /v1/responses/{response}': silent(ownData, at(response())),
  'POST /v1/responses/{response}/cancel': { ...at(response('/cancel')), everybody: 400 },
  'GET /v1/responses/{response}/input_items': at(response('/input_items')),
  // The server has a chat model only.
  'POST /v1/embeddings': { ...send({ model: modelName, input: 'Hi' }), everybody: 400 },
  'POST /v1/rerank': { ...send({ model: modelName, query: 'Hi', documents: ['Hi'] }), everybody: 400 },
  'POST /v2/rerank': { ...send({ model: modelName, query: 'Hi', documents: ['Hi'] }), everybody: 400 },
  'POST /v1/score': { ...send({ model: modelName, text_1: 'Hi', text_2: 'Hi' }), everybody: 400 },
  'GET /v1/models': plain,
  'GET /v1/models/{model}': at(async () => `/v1/models/${modelName}`),
  'GET /v1/key': plain,
  'GET /v1/keys': plain,
  'POST /v1/keys': send({ name: 'by a program' }),
  'GET /v1/keys/{key}': at(v1Key()),
  'POST /v1/keys/{key}': at(v1Key(), { name: 'renamed' }),
  'POST /v1/keys/{key}/rotate': at(v1Key('/rotate'), { grace_seconds: 60 }),
  'DELETE /v1/keys/{key}': at(v1Key()),
  'GET /v1/usage': plain,
  'GET /v1/openapi.json': plain,
  'GET /healthz': plain,
  'GET /readyz': plain,
  'GET /health': plain,
  // Only the command line creates a key for it.
  'GET /metrics': { ...plain, except: { 'API key': 403, 'management key': 403 } },
}

const gate: Record<string, Row> = {
  'GET /platform/session': plain,
  'GET /platform/openapi.json': plain,
  // There is one winner in the life of a server, and this one is claimed: test/platform/claim.test.ts has the rest.
  'POST /platform/setup': {
    everybody: 400,
    call: () => ({ body: { token: 'used', email: freshEmail(), password: goodPassword } }),
  },
  'POST /platform/sign-up': { call: () => ({ body: { email: freshEmail(), password: goodPassword } }) },
  'POST /platform/sign-in': send({ email: 'owner@example.com', password: goodPassword }),
  'POST /platform/sign-in/code': {
    once: true,
    async call(team) {
      const { recoveryCodes } = await switchOnTwoFactor(await team.person('member'))
      const response = await (await openBrowser(team.helix.url)).signIn(await team.emailOf('member'))
      const { secondStep } = (await response.json()) as { secondStep: { token: string } }
      return { body: { token: secondStep.token, code: recoveryCodes[0] } }
    },
  },
  'POST /platform/sign-in/passkey/question': harmless(silent(onlyAsks)),
  'POST /platform/sign-in/passkey': {
    async call({ helix, person }) {
      const { authenticator } = await addPasskey(await person('member'), helix.url)
      return { body: authenticator.use(await askPasskey(await openBrowser(helix.url))) }
    },
  },
  'POST /platform/sign-in/providers/{provider}/begin': harmless(
    silent(
      onlyBegins,
      at(async () => '/platform/sign-in/providers/github/begin', {}),
    ),
  ),
  // Nobody but the browser that left may come back: test/platform/providers.test.ts has the rest.
  'POST /platform/sign-in/providers/{provider}/finish': {
    ...at(async () => '/platform/sign-in/providers/github/finish', { state: 'enter.x', code: 'x' }),
    everybody: 400,
  },
  'POST /platform/password-reset/request': harmless(silent(onlyMails, send({ email: 'a@example.com' }))),
  'POST /platform/password-reset': {
    call: async (team) => ({ body: { token: await team.linkFor('password_reset'), password: 'another plum lantern' } }),
  },
  'POST /platform/email-verification/request': harmless(silent(onlyMails)),
  'POST /platform/email-verification': harmless({
    call: async (team) => ({ body: { token: await team.linkFor('email_verification') } }),
  }),
  // The link is in a mail: test/platform/email-change.test.ts has the rest.
  'POST /platform/email-change': { everybody: 400, ...send({ token: 'x' }) },
  'POST /platform/invitations/look': harmless(
    silent('it only reads', { call: async (team) => ({ body: { token: (await team.invite()).token } }) }),
  ),
  'POST /platform/sign-out': plain,
}

const account: Record<string, Row> = {
  'GET /platform/account/sign-in-methods': plain,
  'GET /platform/account/sessions': plain,
  'GET /platform/account/export': plain,
  'POST /platform/account/profile': harmless(send({ name: 'Ann' })),
  'POST /platform/account/email': harmless(
    silent(onlyMails, { call: () => ({ body: { email: freshEmail(), password: goodPassword } }) }),
  ),
  'POST /platform/account/language': harmless(silent('how one person reads the pages', send({ language: 'ja' }))),
  'POST /platform/account/password': harmless(send({ currentPassword: goodPassword, newPassword: goodPassword })),
  'POST /platform/account/sessions/{session}/revoke': {
    ...at(async (team) => `/platform/account/sessions/${await team.unusedSession()}/revoke`),
    others: 404,
  },
  'POST /platform/account/delete': { ...send({ password: goodPassword }), except: { 'server owner': 409 } },

  'POST /platform/account/confirm': harmless(silent(onlyProves, send({ password: goodPassword }))),
  'POST /platform/account/confirm/passkey/question': harmless(silent(onlyAsks)),
  // A question is put to one person, and answered by no other.
  'POST /platform/account/confirm/passkey': {
    others: 400,
    once: true,
    silent: onlyProves,
    async call({ helix, person }) {
      const member = await person('member')
      const { authenticator } = await addPasskey(member, helix.url)
      return { body: authenticator.use(await askPasskey(member, '/account/confirm/passkey/question')) }
    },
  },
  'POST /platform/account/passkeys/question': harmless(silent(onlyAsks)),
  'POST /platform/account/passkeys': {
    others: 400,
    async call({ helix, person }) {
      const made = createAuthenticator(helix.url).make(await askNewPasskey(await person('member')))
      return { body: { name: 'Key', ...made } }
    },
  },
  'POST /platform/account/passkeys/{passkey}/rename': {
    ...at(passkey('rename'), { name: 'Another' }),
    others: 404,
    once: true,
  },
  'POST /platform/account/passkeys/{passkey}/remove': { ...at(passkey('remove')), others: 404, once: true },
  'POST /platform/account/two-factor/begin': silent('nothing is on until the first code came'),
  // The owner of the server began to set it up in the row before; the others have not.
  'POST /platform/account/two-factor/confirm': {
    others: 409,
    except: { 'server owner': 400 },
    async call({ person }) {
      const response = await (await person('member')).post('/account/two-factor/begin')
      const { secret } = (await response.json()) as { secret: string }
      return { body: { code: appCode(secret, Date.now()) } }
    },
  },
  'POST /platform/account/two-factor/recovery-codes': {
    others: 409,
    once: true,
    async call({ person }) {
      await switchOnTwoFactor(await person('member'))
      return {}
    },
  },
  'POST /platform/account/two-factor/off': {
    others: 409,
    once: true,
    async call({ person }) {
      const { recoveryCodes } = await switchOnTwoFactor(await person('member'))
      return { body: { password: goodPassword, code: recoveryCodes[0] } }
    },
  },
  'POST /platform/account/identities/{provider}/begin': harmless(
    silent(
      onlyBegins,
      at(async () => '/platform/account/identities/github/begin'),
    ),
  ),
  'POST /platform/account/identities/{provider}/finish': {
    ...at(async () => '/platform/account/identities/github/finish', { state: 'connect.x', code: 'x' }),
    everybody: 400,
  },
  'POST /platform/account/identities/{identity}/remove': {
    ...at(async () => '/platform/account/identities/idn_none/remove'),
    everybody: 404,
  },
}

const organisation: Record<string, Row> = {
  'GET /platform/organisations': plain,
  'POST /platform/organisations': send({ name: 'Lab' }),
  'POST /platform/organisations/{organisation}/switch': {
    ...at(async (team) => `/platform/organisations/${await ofTeam(team)}/switch`),
    elsewhere: 404,
    harmless: true,
    silent: 'which organisation a window shows',
  },
  'POST /platform/invitations/accept': {
    // Who belongs to the team already has nothing to accept.
    except: { viewer: 409, member: 409, admin: 409, owner: 409 },
    call: async (team) => ({ body: { token: (await team.invite()).token } }),
  },
  'GET /platform/organisation/rules': plain,
  'POST /platform/organisation/rules': harmless(send({ secondFactorRequired: false })),
  'POST /platform/organisation/rename': {
    elsewhere: 409,
    call: async (team) => ({ body: { name: 'New', was: (await team.organisation())?.name } }),
  },
  // The last owner stays, and so does whoever is alone.
  'POST /platform/organisation/leave': { elsewhere: 409, except: { owner: 409 } },
  'POST /platform/organisation/hand-over': {
    elsewhere: 404,
    call: async (team) => ({ body: { accountId: await team.newMember() } }),
  },
  'POST /platform/organisation/delete': {
    elsewhere: 400,
    call: async (team) => ({ body: { name: (await team.organisation())?.name } }),
  },
  'GET /platform/organisation/members': plain,
  // Everybody may step down; another's role is for admins.
  'POST /platform/organisation/members/{account}/role': {
    ...at(newMember('role'), { role: 'viewer', was: 'member' }),
    elsewhere: 404,
    except: { viewer: 403, member: 403 },
    harmless: true,
  },
  'POST /platform/organisation/members/{account}/remove': {
    ...at(newMember('remove'), { revokeKeys: true }),
    elsewhere: 404,
    harmless: true,
  },
  'GET /platform/organisation/invitations': plain,
  'POST /platform/organisation/invitations': harmless(send({ role: 'viewer', send: 'link' })),
  'POST /platform/organisation/invitations/{invitation}/withdraw': {
    ...at(async (team) => `/platform/organisation/invitations/${(await team.invite()).id}/withdraw`),
    elsewhere: 404,
    harmless: true,
  },
  'GET /platform/audit': plain,
  'GET /platform/audit.csv': plain,
  'GET /platform/usage': plain,
  'GET /platform/notices': plain,
  'POST /platform/notices/choices': harmless(silent(ownView, send({ what: 'checklist', isHidden: true }))),
  'GET /platform/usage.csv': plain,
  'GET /platform/requests': plain,
  'GET /platform/requests/times': plain,
  'GET /platform/requests/events': plain,
  'GET /platform/requests/{request}': {
    ...at(async (team) => `/platform/requests/${(await team.ask()).requestId}`),
    elsewhere: 404,
  },
  'GET /platform/requests/{request}/bodies': {
    ...at(async (team) => `/platform/requests/${(await team.ask()).requestId}/bodies`),
    elsewhere: 404,
  },
  'GET /platform/organisation/bodies': plain,
  'POST /platform/organisation/bodies': send({ days: 7 }),
  'GET /platform/limits': plain,
  'GET /platform/models': plain,
  'GET /platform/keys': plain,
  'POST /platform/keys': harmless(send({ name: 'second', expiresAt: null })),
  'GET /platform/keys/{key}': { ...at(memberKey()), elsewhere: 404 },
  'GET /platform/keys/{key}/events': { ...at(memberKey('/events')), elsewhere: 404 },
  'POST /platform/keys/{key}': harmless({ ...at(memberKey(), { name: 'renamed' }), elsewhere: 404 }),
  'POST /platform/keys/{key}/rotate': harmless({ ...at(memberKey('/rotate'), { graceMs: 0 }), elsewhere: 404 }),
  'POST /platform/keys/{key}/pause': harmless({ ...at(memberKey('/pause')), elsewhere: 404 }),
  'POST /platform/keys/{key}/resume': harmless({
    ...at(async (team) => {
      const { id } = await team.memberKey()
      await (await team.person('member')).post(`/keys/${id}/pause`)
      return `/platform/keys/${id}/resume`
    }),
    elsewhere: 404,
  }),
  'POST /platform/keys/{key}/revoke': harmless({ ...at(memberKey('/revoke'), { name: 'theirs' }), elsewhere: 404 }),
  'GET /platform/playground/draft': plain,
  'POST /platform/playground/draft': harmless(silent(ownText, send({ content: '{}' }))),
  'GET /platform/playground/conversations': plain,
  'POST /platform/playground/conversations': harmless(silent(ownText, send(aConversation))),
  'GET /platform/playground/conversations/{conversation}': { ...at(conversation()), others: 404 },
  'POST /platform/playground/conversations/{conversation}': {
    ...silent(ownText, at(conversation(), { isPinned: true })),
    others: 404,
  },
  'POST /platform/playground/conversations/{conversation}/remove': {
    ...silent(ownText, at(conversation('/remove'))),
    others: 404,
  },
  'GET /platform/playground/conversations/{conversation}/shares': { ...at(conversation('/shares')), others: 404 },
  'POST /platform/playground/conversations/{conversation}/shares': {
    ...silent(ownText, at(conversation('/shares'), { content: '{}' })),
    others: 404,
  },
  'GET /platform/playground/shares/{share}': { ...at(share()), elsewhere: 404 },
  'POST /platform/playground/shares/{share}/remove': { ...silent(ownText, at(share('/remove'))), others: 404 },
  ...webhooks('team'),
  'GET /platform/prompts': plain,
  'POST /platform/prompts': harmless(silent(ownText, send({ name: 'mine', isShared: false, content: '{}' }))),
  'GET /platform/prompts/{prompt}': { ...at(prompt('', true)), elsewhere: 404 },
  'POST /platform/prompts/{prompt}': { ...silent(ownText, at(prompt(), { name: 'renamed' })), others: 404 },
  'POST /platform/prompts/{prompt}/remove': { ...silent(ownText, at(prompt('/remove'))), others: 404 },
  'POST /platform/prompts/{prompt}/restore': { ...silent(ownText, at(prompt('/restore'))), others: 404 },
  'POST /platform/playground/chat/completions': harmless(silent(inLedger, send(chat))),
  'POST /platform/playground/responses': harmless(
    silent(inLedger, send({ model: modelName, input: 'Hi', store: false, max_output_tokens: 1 })),
  ),
  'POST /platform/playground/messages': harmless(silent(inLedger, send({ ...chat, max_tokens: 1 }))),
  'POST /platform/playground/completions': harmless(
    silent(inLedger, send({ model: modelName, prompt: 'Hi', max_tokens: 1 })),
  ),
  'POST /platform/playground/embeddings': { ...harmless(send({ model: modelName, input: 'Hi' })), everybody: 400 },
  'POST /platform/playground/rerank': {
    ...harmless(send({ model: modelName, query: 'Hi', documents: ['Hi'] })),
    everybody: 400,
  },
  'POST /platform/playground/score': {
    ...harmless(send({ model: modelName, text_1: 'Hi', text_2: 'Hi' })),
    everybody: 400,
  },
  'GET /platform/playground/models': plain,
}

let lastUpstream = 0
/** Nothing listens there, so that nothing is asked of it. */
const newUpstream = () => {
  lastUpstream += 1
  const models = [{ name: `model-${lastUpstream}` }]
  return { name: `upstream-${lastUpstream}`, url: 'http://127.0.0.1:1/v1', models }
}
/** Its last upstream has a name that no earlier file has: those of the same provider are numbered. */
const newConfig = () => {
  lastUpstream += 1
  const entry = (_: unknown, index: number): string =>
    `  - { model_name: m, litellm_params: { model: openai/m, api_base: "http://127.0.0.1:1/${index}/v1" } }`
  const config = ['model_list:', ...Array.from({ length: lastUpstream + 1 }, entry)].join('\n')
  return { config, name: `compatible-${lastUpstream + 1}` }
}
const upstreamAt =
  (act: string, isDrained = false) =>
  async ({ helix }: Team): Promise<string> => {
    const wanted = newUpstream()
    await helix.control('POST', '/control/upstreams', wanted)
    if (isDrained) await helix.control('POST', `/control/upstreams/${wanted.name}/drain`)
    return `${admin}/upstreams/${wanted.name}/${act}`
  }
/** Of things that are not there: what happens with those that are is in `model-library.test.ts`. */
const missing = (status: number, path: string, body?: unknown): Row => ({
  ...at(async () => `${admin}/${path}`, body),
  everybody: status,
})
const models: Record<string, Row> = {
  [`POST ${admin}/models/{name}/edit`]: missing(404, 'models/none/edit', { slots: 2 }),
  [`POST ${admin}/models/{name}/default`]: missing(404, 'models/none/default'),
  [`POST ${admin}/models/{name}/remove`]: missing(404, 'models/none/remove'),
  [`GET ${admin}/model-hub`]: missing(400, 'model-hub'),
  [`GET ${admin}/model-hub/files`]: missing(400, 'model-hub/files?repository=none'),
  [`GET ${admin}/model-pulls`]: plain,
  [`POST ${admin}/model-pulls`]: missing(400, 'model-pulls', { source: 'none' }),
  [`POST ${admin}/model-pulls/{name}/pause`]: missing(400, 'model-pulls/none/pause'),
  [`POST ${admin}/model-pulls/{name}/resume`]: missing(400, 'model-pulls/none/resume'),
  [`POST ${admin}/model-pulls/{name}/discard`]: missing(400, 'model-pulls/none/discard'),
  [`POST ${admin}/model-uploads`]: missing(400, 'model-uploads', { name: '..', sizeBytes: 1 }),
  [`POST ${admin}/model-uploads/{id}/parts/{offset}`]: missing(400, 'model-uploads/none/parts/0', {}),
  [`POST ${admin}/model-uploads/{id}/finish`]: missing(400, 'model-uploads/none/finish'),
  [`POST ${admin}/model-uploads/{id}/abort`]: silent(
    'what was given up is not there',
    at(async () => `${admin}/model-uploads/none/abort`),
  ),
}
const upstreams: Record<string, Row> = {
  [`GET ${admin}/upstreams`]: plain,
  [`GET ${admin}/upstreams/figures`]: plain,
  [`POST ${admin}/upstreams`]: { call: () => ({ body: newUpstream() }) },
  [`POST ${admin}/upstreams/try`]: silent('it only asks the upstream', {
    call: () => ({ body: { edited: null, upstream: newUpstream() } }),
  }),
  [`POST ${admin}/upstreams/import/preview`]: silent('it only reads the file', {
    call: () => ({ body: { config: newConfig().config } }),
  }),
  [`POST ${admin}/upstreams/import`]: { call: () => ({ body: { ...newConfig(), skipsTest: true } }) },
  [`POST ${admin}/upstreams/{name}/test`]: silent('it only asks the upstream', at(upstreamAt('test'))),
  [`POST ${admin}/upstreams/{name}/edit`]: at(upstreamAt('edit'), { maxInFlight: 2 }),
  [`POST ${admin}/upstreams/{name}/drain`]: at(upstreamAt('drain')),
  [`POST ${admin}/upstreams/{name}/resume`]: at(upstreamAt('resume', true)),
  [`POST ${admin}/upstreams/{name}/remove`]: at(upstreamAt('remove')),
}

const server: Record<string, Row> = {
  [`POST ${admin}/links`]: { call: () => ({ body: { kind: 'invitation', email: freshEmail() } }) },
  [`GET ${admin}/accounts`]: plain,
  [`POST ${admin}/accounts/reset-two-factor`]: {
    once: true,
    async call(team) {
      await switchOnTwoFactor(await team.person('member'))
      return { body: { email: await team.emailOf('member') } }
    },
  },
  [`GET ${admin}/organisations`]: plain,
  [`GET ${admin}/organisations/{organisation}`]: at(async (team) => `${admin}/organisations/${await ofTeam(team)}`),
  ...suspension('suspend'),
  ...suspension('resume'),
  [`GET ${admin}/engine`]: plain,
  [`GET ${admin}/checklist`]: plain,
  [`GET ${admin}/models`]: plain,
  [`GET ${admin}/overview`]: plain,
  [`GET ${admin}/nodes`]: plain,
  ...upstreams,
  ...models,
  ...webhooks('server'),
  [`GET ${admin}/configuration`]: plain,
  [`POST ${admin}/settings`]: send({ changes: { signUpsPerHour: 6 } }),
  [`POST ${admin}/settings/test-mail`]: send({ smtpUrl: 'smtp://127.0.0.1:1', mailFrom: 'helix@example.com' }),
  [`GET ${admin}/audit`]: plain,
  [`GET ${admin}/audit.csv`]: plain,
  [`GET ${admin}/limits`]: plain,
  [`POST ${admin}/organisations/{organisation}/limits`]: at(
    async (team) => `${admin}/organisations/${await ofTeam(team)}/limits`,
    { requestsPerMinute: 600 },
  ),
}

/** For everybody; what is in them comes from the routes above. */
const pages: Record<string, Row> = {
  ...Object.fromEntries(
    [...publicPages, ...callbackPages, ...appPages, ...appDetailPages, ...texts].map((path) => [`GET ${path}`, plain]),
  ),
  'GET /favicon.svg': plain,
  'GET /site.webmanifest': plain,
  'GET /icon-192.png': plain,
  'GET /icon-512.png': plain,
  'GET /icon-maskable-512.png': plain,
  'GET /robots.txt': plain,
  'GET /licence.txt': plain,
  'GET /assets/{file}': at(({ helix }) => anAsset(helix)),
}

/** From the network these do not exist, for anybody. */
const control: Record<string, Row> = {
  'POST /control/keys': send({ name: 'x' }),
  'POST /control/backup': send({ file: '/nowhere/x.db' }),
  'GET /control/keys': plain,
  'GET /control/diagnosis': plain,
  'POST /control/support': send({ sample_ms: 0 }),
  'POST /control/links': send({ kind: 'password_reset', email: 'owner@example.com' }),
  'POST /control/accounts/reset-two-factor': send({ email: 'owner@example.com' }),
  'POST /control/keys/{subject}/revoke': at(async () => '/control/keys/key_x/revoke'),
  'POST /control/keys/{subject}/rotate': at(async () => '/control/keys/key_x/rotate', { graceMs: 0 }),
  'GET /control/limits/{subject}': at(async () => '/control/limits/key_x'),
  'POST /control/limits/{subject}': at(async () => '/control/limits/key_x', { requestsPerMinute: 1 }),
  'GET /control/models': plain,
  'POST /control/models/reload': plain,
  'GET /control/organisations': plain,
  ...Object.fromEntries(
    ['account', 'organisation', 'key'].flatMap((thing) =>
      ['suspend', 'resume'].map((act) => [
        `POST /control/${thing}s/{subject}/${act}`,
        at(async () => `/control/${thing}s/x/${act}`),
      ]),
    ),
  ),
  'POST /control/secrets/rotate': plain,
  'GET /control/nodes': plain,
  'GET /control/upstreams': plain,
  'POST /control/upstreams/{subject}/edit': at(async () => '/control/upstreams/x/edit', { maxInFlight: 2 }),
  'POST /control/upstreams': send({ name: 'x', url: 'http://127.0.0.1:1/v1', models: [] }),
  ...Object.fromEntries(
    ['test', 'drain', 'resume', 'remove'].map((act) => [
      `POST /control/upstreams/{subject}/${act}`,
      at(async () => `/control/upstreams/x/${act}`),
    ]),
  ),
  'POST /control/cache/clear': send({ organisation_id: null }),
  'GET /control/settings': plain,
  'GET /control/usage': plain,
  'GET /control/usage/verification': plain,
}

/** What is particular about each route of the server. */
export const rows: Record<string, Row> = {
  ...v1,
  ...gate,
  ...account,
  ...organisation,
  ...server,
  ...pages,
  ...control,
}
