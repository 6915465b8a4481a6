import { describe, expect, onTestFinished, test } from 'vitest'
import { type BrowserSession, claimServer, goodPassword, openBrowser, signUp } from '../harness/browser-session.ts'
import { hasCluster, startCluster } from '../harness/cluster.ts'
import { keyedChat } from '../harness/keyed-chat.ts'
import { liveEvents, textOf } from '../harness/live-events.ts'
import { openProvider } from '../harness/openid-provider.ts'
import { openRoundRobin } from '../harness/round-robin.ts'
import { addPasskey, askPasskey, switchOnTwoFactor } from '../harness/sign-in-methods.ts'
import { type HelixOptions, modelName } from '../harness/start-helix.ts'

const answer = async <Answer>(response: Response | Promise<Response>): Promise<Answer> =>
  (await (await response).json()) as Answer

/** Two nodes behind a load balancer that sends each request to the other node than the one before. */
const startPair = async (options: HelixOptions = {}) => {
  const balancer = await openRoundRobin()
  onTestFinished(balancer.close)
  const { url, served } = balancer
  const config = { publicUrl: url, signUpsPerHour: 100, ...options.config }
  const cluster = await startCluster({ ...options, nodes: 2, config })
  balancer.targets.push(...cluster.nodes.map((node) => node.url))
  const owner = await claimServer({ server: { url, claimUrl: cluster.node(2).server.claimUrl } })
  const authorized = { authorization: `Bearer ${owner.firstKey.key}`, 'content-type': 'application/json' }
  const chat = (body: Record<string, unknown> = {}, init: RequestInit = {}) =>
    fetch(`${url}/v1/chat/completions`, {
      ...{ method: 'POST', headers: authorized },
      body: JSON.stringify({ model: modelName, messages: [{ role: 'user', content: 'Hi' }], ...body }),
      ...init,
    })
  /** Sends a chat request; returns its ID. */
  const ask = async () => {
    const response = await chat()
    expect(response.status).toBe(200)
    await response.text()
    return response.headers.get('x-request-id') ?? ''
  }
  /** The nodes of the requests since the last call, or since the start. */
  let known = served.length
  const servedSince = (): number[] => {
    const since = served.slice(known)
    known = served.length
    return since
  }
  return { url, cluster, owner, client: { chat, authorized }, ask, servedSince }
}

const signedInAs = async (browser: BrowserSession) => (await browser.load()).account?.email

type Told = { type: string; data?: { id: string; outcome: string | null }[] }

/** The live log; `until` reads up to the end of a request, and returns the ID of that event. */
const follow = async (browser: BrowserSession, lastEventId?: string) => {
  const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
  const events = liveEvents(await browser.get('/requests/events', headers))
  const read = async () => {
    const event = await events.next()
    if (event === null || event.data === '[DONE]') throw new Error('the live log has ended')
    return { id: event.id ?? '', ...(JSON.parse(event.data) as Told) }
  }
  const until = async (requestId: string) => {
    for (;;) {
      const { id, data = [] } = await read()
      if (data.some((row) => row.id === requestId && row.outcome === 'completed')) return id
    }
  }
  return { read, until, leave: events.leave }
}

type Bodies = { request: { text: string } | null; answer: { text: string } | null }

describe.skipIf(!hasCluster)('without sticky sessions', () => {
  test('a session is valid at both nodes for each request, and signing out ends it at both', async () => {
    const { url, owner, servedSince } = await startPair()
    expect([await signedInAs(owner), await signedInAs(owner)]).toEqual(['owner@example.com', 'owner@example.com'])
    expect(new Set(servedSince())).toEqual(new Set([1, 2]))
    const anna = await signUp(url, 'anna@example.com')
    for (const name of ['first', 'second', 'third'])
      expect((await anna.post('/keys', { name })).status).toBeLessThan(300)
    const listed = [await (await anna.get('/keys')).text(), await (await anna.get('/keys')).text()]
    for (const name of ['first', 'second', 'third']) for (const list of listed) expect(list).toContain(`"${name}"`)
    const copy = await openBrowser(url)
    for (const [name, value] of anna.cookies) copy.cookies.set(name, value)
    expect((await anna.post('/sign-out')).status).toBeLessThan(300)
    expect([(await copy.get('/keys')).status, (await copy.get('/keys')).status]).toEqual([401, 401])
    await anna.load()
    expect((await anna.signIn('anna@example.com')).status).toBe(200)
    expect([await signedInAs(anna), await signedInAs(anna)]).toEqual(['anna@example.com', 'anna@example.com'])
  })

  test('a passkey is created and used with a question of the other node', async () => {
    const { url, owner, servedSince } = await startPair()
    const askedAt = new Set<number | undefined>()
    for (const turn of ['first', 'second']) {
      servedSince()
      const { authenticator, id } = await addPasskey(owner, url)
      expect(id, turn).toMatch(/^pky_/)
      const visitor = await openBrowser(url)
      const used = authenticator.use(await askPasskey(visitor))
      const entered = await visitor.post('/sign-in/passkey', used)
      expect(entered.status).toBe(200)
      const [asked, created, , askedAgain, signedIn] = servedSince()
      askedAt.add(asked)
      expect([asked === created, askedAgain === signedIn]).toEqual([false, false])
      expect(await signedInAs(visitor)).toBe('owner@example.com')
      // A question is answered once, wherever it is.
      const replayed = [await visitor.post('/sign-in/passkey', used), await visitor.post('/sign-in/passkey', used)]
      expect(replayed.map(({ status }) => status)).toEqual([400, 400])
      // The next turn begins at the other node.
      await owner.load()
    }
    expect(askedAt).toEqual(new Set([1, 2]))
  })

  test('two-factor authentication is switched on at both nodes, and the second step is taken at the other', async () => {
    const { url, owner } = await startPair()
    const { recoveryCodes } = await switchOnTwoFactor(owner)
    for (const code of recoveryCodes.slice(0, 2)) {
      const visitor = await openBrowser(url)
      const first = await answer<{ secondStep: { token: string } }>(visitor.signIn('owner@example.com', goodPassword))
      const second = await visitor.post('/sign-in/code', { token: first.secondStep.token, code })
      expect(second.status).toBe(200)
      expect(await signedInAs(visitor)).toBe('owner@example.com')
      // The next turn begins at the other node.
      await owner.load()
    }
  })

  test('a sign-in with OpenID that began at one node is finished at the other', async () => {
    const provider = await openProvider()
    onTestFinished(provider.close)
    const { url, owner, servedSince } = await startPair({ config: provider.settings })
    const path = '/sign-in/providers/oidc'
    for (const person of ['ann', 'bob']) {
      provider.state.person = { sub: person, email: `${person}@example.com`, email_verified: true }
      const browser = await openBrowser(url)
      servedSince()
      const begun = await answer<{ url: string }>(browser.post(`${path}/begin`))
      const { headers } = await fetch(begun.url, { redirect: 'manual' })
      const back = new URL(headers.get('location') ?? 'about:blank')
      expect(back.origin).toBe(url)
      const finished = await browser.post(`${path}/finish`, Object.fromEntries(back.searchParams))
      expect(finished.status).toBe(200)
      expect(new Set(servedSince())).toEqual(new Set([1, 2]))
      expect(await signedInAs(browser)).toBe(`${person}@example.com`)
      // The next turn begins at the other node.
      await owner.load()
    }
  })

  test('the live log at one node shows the requests of the other, and goes on there without a gap', async () => {
    const { owner, ask, servedSince } = await startPair()
    for (const turn of ['first', 'second']) {
      servedSince()
      const log = await follow(owner)
      await log.read()
      const last = await log.until(await ask())
      expect(new Set(servedSince()), turn).toEqual(new Set([1, 2]))
      await log.leave()
      const missed = await ask()
      const again = await follow(owner, last)
      await again.until(missed)
      await again.leave()
      // The next turn begins at the other node.
      await owner.load()
    }
  })

  test('bodies that either node has stored are shown by both, until storing is switched off at one', async () => {
    const { owner, ask, servedSince } = await startPair()
    expect((await owner.post('/organisation/bodies', { days: 7 })).status).toBe(204)
    const asked: { id: string; node: number | undefined }[] = []
    const readAtBoth = async (id: string) => {
      const read = () => answer<Bodies>(owner.get(`/requests/${id}/bodies`))
      return [await read(), await read()]
    }
    // A node hears a moment later that it was switched on at the other, and writes a moment after the answer.
    const nodesWithBodies = async () => {
      servedSince()
      const ids = [await ask(), await ask()]
      const nodes = servedSince()
      asked.push(...ids.map((id, index) => ({ id, node: nodes[index] })))
      const found = new Set<number | undefined>()
      for (const { id, node } of asked)
        if ((await readAtBoth(id)).every(({ request, answer }) => request?.text.includes('Hi') && answer !== null))
          found.add(node)
      return found
    }
    await expect.poll(nodesWithBodies, { interval: 250, timeout: 60_000 }).toEqual(new Set([1, 2]))
    expect((await owner.post('/organisation/bodies', { days: null })).status).toBe(204)
    for (const { id } of asked)
      expect(await readAtBoth(id)).toMatchObject([
        { request: null, answer: null },
        { request: null, answer: null },
      ])
  })

  test('the pages of the owner show both nodes, and which one has answered', async () => {
    const { owner, ask } = await startPair()
    type Nodes = { data: { name: string; isOwn: boolean }[] }
    const lists = [await answer<Nodes>(owner.get('/admin/nodes')), await answer<Nodes>(owner.get('/admin/nodes'))]
    for (const { data } of lists) expect(data.map(({ name }) => name)).toEqual(['node-1', 'node-2'])
    const own = lists.flatMap(({ data }) => data.filter(({ isOwn }) => isOwn).map(({ name }) => name))
    expect(own.sort()).toEqual(['node-1', 'node-2'])
    const asked = [await ask(), await ask()]
    for (const turn of ['first', 'second']) {
      const { data } = await answer<{ data: { id: string }[] }>(owner.get('/requests'))
      expect(new Set(data.map(({ id }) => id)), turn).toEqual(new Set(asked))
    }
  })

  test('a stream that broke at one node is resumed at the other, and billed once', async () => {
    const more = Promise.withResolvers<void>()
    let runs = 0
    const { owner, client, servedSince, cluster } = await startPair({
      // However long a busy machine takes until the second request.
      config: { resumeGraceMs: 100_000 },
      *answer() {
        runs += 1
        yield* ['one ', 'two ']
        yield { pause: more.promise }
        yield* ['three ', 'four']
      },
    })
    servedSince()
    const first = liveEvents(await keyedChat(client, 'k', { stream: true }))
    await first.next()
    const lastEventId = (await first.next())?.id ?? ''
    await first.leave()
    const [broken = 0] = servedSince()
    await cluster.node(broken).logged({ status: 499 })
    const resumed = await keyedChat(client, 'k', { stream: true }, { lastEventId })
    expect(servedSince()).toEqual([3 - broken])
    expect(resumed.headers.get('idempotent-replayed')).toBe('true')
    more.resolve()
    const rest = await liveEvents(resumed).rest()
    expect(rest.map(textOf)).toEqual(['two ', 'three ', 'four', undefined, '[DONE]'])
    expect(runs).toBe(1)
    const { data } = await answer<{ data: unknown[] }>(owner.get('/requests'))
    expect(data).toMatchObject([{ outcome: 'completed', completionTokens: 4 }])
  })
})
