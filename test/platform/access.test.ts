import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, describe, expect, test } from 'vitest'
import { createRoutes, type RoutesDependencies } from '../../src/routes.ts'
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
 * route without a row fails. What succeeds and changes something is told in the audit, with where it came from, unless its
 * row says why not.
 */
// Only the table is looked at: no handler of these runs.
const routes = createRoutes({
  ...{ config: {}, store: {}, accounts: {} },
  ...{ chatCompletions: {}, responses: {}, messages: {}, completions: {}, embeddings: {} },
} as RoutesDependencies)

let helix: Helix
let shared: Team
let database: DatabaseSync
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
      trustedProxies: ['loopback'],
      smtpUrl: 'smtp://127.0.0.1:1',
      mailFrom: 'a@b.example',
    },
  })
  await claimServer(helix)
  shared = createTeam(helix, true)
  database = new DatabaseSync(join(helix.dataDir, 'helix.db'), { readOnly: true })
  return async () => {
    database.close()
    await helix.close()
  }
}, 180_000)

const newestEvent = (): number =>
  Number(database.prepare('SELECT coalesce(max(sequence), 0) AS newest FROM audit_events').get()?.newest)

const expectTold = (before: number, silent: string | undefined): void => {
  const events = database
    .prepare(
      'SELECT action, address FROM audit_events JOIN audit_parties ON audit_parties.id = actor WHERE sequence > ?',
    )
    .all(before)
  if (silent !== undefined) expect(events, silent).toEqual([])
  else expect(events, 'nothing of it is in the audit').not.toEqual([])
  // Whoever deletes their account takes their addresses along.
  if (events.some(({ action }) => action === 'account.deleted')) return
  for (const { action, address } of events) expect(address, `${action} came from nowhere`).not.toBeNull()
}

test('every route has a row, and every row a route', () => {
  expect(Object.keys(rows).sort()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).sort())
})

describe.each(routes.map((route) => ({ name: `${route.method} ${route.path}`, route })))('$name', ({ name, route }) => {
  const row = rows[name] ?? {}
  const changes = route.method !== 'GET'
  const prepare = async (succeeds: boolean) => {
    // What succeeds may spoil the next cell.
    const spoils = succeeds && changes && route.path.startsWith('/platform/') && row.harmless !== true
    const team = spoils || row.once ? createTeam(helix) : shared
    return { team, path: route.path, body: undefined, ...(await row.call?.(team)) }
  }
  // What is refused changes nothing: one call serves all who are.
  let refused: ReturnType<typeof prepare> | null = null
  const prepareOnce = () => {
    refused ??= prepare(false)
    return refused
  }
  test.each(callers)('%s', async (who) => {
    const wanted = expected(route, row, who)
    const { team, path, body } = await (wanted === 'ok' ? prepare(true) : prepareOnce())
    const browser = await team.browserOf(who)
    const headers = await team.headersOf(who)
    const before = newestEvent()
    const response = await browser.send(route.method, path, body, headers)
    // Some never end by themselves.
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) await response.body?.cancel()
    else await response.text()
    if (wanted === 'ok') expect(response.status).toBeLessThan(300)
    else expect(response.status).toBe(wanted)
    if (wanted === 'ok' && changes) expectTold(before, row.silent)
  })
})
