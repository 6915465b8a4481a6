import { beforeAll, describe, expect, test } from 'vitest'
import type { RecordedEvent } from '../../src/store/audit-contract.ts'
import { claimServer } from '../harness/browser-session.ts'
import { builtSiteFolder } from '../harness/built-site.ts'
import { openBuiltSite } from '../harness/open-built-site.ts'
import { openStoreReader } from '../harness/open-store-reader.ts'
import { routeTable } from '../harness/route-table.ts'
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
const routes = routeTable()

let helix: Helix
let shared: Team
let stored: ReturnType<typeof openStoreReader>
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
  stored = openStoreReader(helix)
  return async () => {
    await stored[Symbol.asyncDispose]()
    await helix.close()
  }
}, 180_000)

/** The newest of all audit events. */
const newestEvents = async (limit: number): Promise<RecordedEvent[]> => {
  const all = { organisationId: null, actor: null, target: null, action: null, from: null, until: null, before: null }
  return (await stored.audit.list({ ...all, limit })).items
}
/** No request here causes more. */
const maxEvents = 20

const expectRecorded = async (before: string | undefined, silent: string | undefined): Promise<void> => {
  const newest = await newestEvents(maxEvents)
  const known = newest.findIndex(({ cursor }) => cursor === before)
  const events = known === -1 ? newest : newest.slice(0, known)
  if (silent !== undefined) expect(events, silent).toEqual([])
  else expect(events, 'nothing of it is in the audit').not.toEqual([])
  // Whoever deletes their account takes their addresses along.
  if (events.some(({ action }) => action === 'account.deleted')) return
  for (const { action, actor } of events) expect(actor.address, `${action} came from nowhere`).not.toBeNull()
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
    const isRecorded = wanted === 'ok' && changes
    const [before] = isRecorded ? await newestEvents(1) : []
    const response = await browser.send(route.method, path, body, headers)
    // Some never end by themselves.
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) await response.body?.cancel()
    else await response.text()
    if (wanted === 'ok') expect(response.status).toBeLessThan(300)
    else expect(response.status).toBe(wanted)
    if (isRecorded) await expectRecorded(before?.cursor, row.silent)
  })
})
