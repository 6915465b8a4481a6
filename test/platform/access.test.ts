import { beforeAll, describe, expect, test } from 'vitest'
import { createRoutes, type Rooms } from '../../src/routes.ts'
import { claimServer } from '../harness/browser-session.ts'
import { builtSiteFolder } from '../harness/built-site.ts'
import { openBuiltSite } from '../harness/open-built-site.ts'
import { type Helix, openHelix } from '../harness/start-helix.ts'
import { callers } from './access/callers.ts'
import { expected } from './access/expected.ts'
import { rows } from './access/rows.ts'
import { createTeam, type Team } from './access/team.ts'

/**
 * Who may call what, asked of the real server: every route by every kind of caller. The routes come from the router, and
 * each says who may call it; the rows say how to call it so that it would succeed, and what is particular about it. A
 * route without a row fails.
 */
// Only the table is looked at: no handler of these runs.
const routes = createRoutes({ store: {}, accounts: {} } as Rooms)

let helix: Helix
let shared: Team
beforeAll(async () => {
  const site = await openBuiltSite(await builtSiteFolder())
  helix = await openHelix({
    openSite: () => site,
    config: {
      // Passkeys need a name.
      host: 'localhost',
      githubClientId: 'x',
      githubClientSecret: 'x',
      signUpsPerHour: 100_000,
      smtpUrl: 'smtp://127.0.0.1:1',
      mailFrom: 'a@b.example',
    },
  })
  await claimServer(helix)
  shared = createTeam(helix)
  return helix.close
}, 180_000)

test('every route has a row, and every row a route', () => {
  expect(Object.keys(rows).sort()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).sort())
})

describe.each(routes.map((route) => ({ name: `${route.method} ${route.path}`, route })))('$name', ({ name, route }) => {
  const row = rows[name] ?? {}
  test.each(callers)('%s', async (who) => {
    const wanted = expected(route, row, who)
    // What succeeds may spoil the next cell; what is refused changes nothing.
    const spoils = wanted === 'ok' && route.method !== 'GET' && route.path.startsWith('/platform/')
    const team = spoils || row.once ? createTeam(helix) : shared
    const { path = route.path, body } = (await row.call?.(team)) ?? {}
    const browser = await team.browserOf(who)
    const response = await browser.send(route.method, path, body, await team.headersOf(who))
    // Some never end by themselves.
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) await response.body?.cancel()
    else await response.text()
    if (wanted === 'ok') expect(response.status).toBeLessThan(300)
    else expect(response.status).toBe(wanted)
  })
})
