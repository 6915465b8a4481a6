import { describe, expect, test } from 'vitest'
import { appCode } from '../harness/authenticator-app.ts'
import { claimServer, openBrowser } from '../harness/browser-session.ts'
import { hasCluster, startCluster } from '../harness/cluster.ts'
import { say, startUpstream } from '../harness/scripted-upstream.ts'

const next = Buffer.alloc(32, 9).toString('base64')
const email = 'owner@example.com'

type Listed = { data: { name: string; key: string | null }[] }

describe.skipIf(!hasCluster)('the secret key of a cluster', () => {
  test('is replaced at one node for all of them; afterwards only the new one joins', async () => {
    const { node, join } = await startCluster({ nodes: 2, config: { nextSecretKey: next } })
    const upstream = await startUpstream((response) => say(response, 'Hello'))
    const add = (number: number, name: string) =>
      node(number).control('POST', '/control/upstreams', {
        ...{ name, url: upstream.baseUrl, key: `sk-${name}`, models: [{ name: `m-${name}` }] },
      })
    await add(1, 'early')
    const owner = await claimServer(node(1))
    const { secret } = (await (await owner.post('/account/two-factor/begin')).json()) as { secret: string }
    const confirmed = await owner.post('/account/two-factor/confirm', { code: appCode(secret, Date.now(), -1) })
    expect(confirmed.status).toBe(200)

    expect(await node(1).control('POST', '/control/secrets/rotate')).toEqual({ changed: 2, unreadable: 0 })
    await add(2, 'late')
    expect(await node(1).control('POST', '/control/secrets/rotate')).toEqual({ changed: 0, unreadable: 0 })
    for (const number of [1, 2]) {
      const { data } = (await node(number).control('GET', '/control/upstreams')) as Listed
      expect(data.map(({ name, key }) => [name, key?.startsWith('…')])).toContainEqual(['early', true])
    }

    const after = await join(3, { config: { secretKey: next, nextSecretKey: null } })
    const browser = await openBrowser(after.url)
    const { secondStep } = (await (await browser.signIn(email)).json()) as { secondStep: { token: string } }
    const finished = await browser.post('/sign-in/code', { token: secondStep.token, code: appCode(secret, Date.now()) })
    expect(finished.status).toBe(200)
    const { data } = (await after.control('GET', '/control/upstreams')) as Listed
    expect(data.filter(({ key }) => key !== null).map(({ name }) => name)).toEqual(['early', 'late'])
    await expect(join(4, { config: { nextSecretKey: null } })).rejects.toThrow(
      'needs the secret key of the other nodes',
    )
  })
})
