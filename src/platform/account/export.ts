import type { Accounts } from '../../accounts/accounts.ts'
import { ApiError } from '../../base/api-error.ts'
import type { Exchange } from '../../http/exchange.ts'
import { sendJson } from '../../http/respond.ts'
import type { Person } from '../../http/route.ts'
import type { KeyRegistry, ShownKey } from '../../keys/key-registry.ts'
import type { Store } from '../../store/contract.ts'
import type { UsageRow } from '../../store/ledger-contract.ts'
import type { OwnOrganisation } from '../../store/team-contract.ts'

type ExportRooms = { accounts: Accounts; keys: KeyRegistry; store: Pick<Store, 'usage' | 'bodies'> }

/** `GET /platform/account/export`: all that the server knows of somebody, in one document, without a secret. */
export const createExport =
  ({ accounts, keys, store }: ExportRooms) =>
  async (exchange: Exchange, { accountId }: Person): Promise<void> => {
    const account = await accounts.profiles.find(accountId)
    if (account === null) throw ApiError.of('not_signed_in', {})
    const organisations = await accounts.teams.organisations(accountId)
    exchange.response.setHeader('content-disposition', 'attachment; filename="helix-account.json"')
    sendJson(exchange, 200, {
      account: { ...account, createdAt: moment(account.createdAt), lastSeenAt: moment(account.lastSeenAt) },
      signInMethods: await accounts.signInMethods(accountId),
      sessions: (await accounts.sessions.list(accountId)).map(({ createdAt, lastSeenAt, address, userAgent }) => ({
        createdAt: moment(createdAt),
        lastSeenAt: moment(lastSeenAt),
        address,
        userAgent,
      })),
      organisations: await Promise.all(organisations.map(describe)),
    })

    async function describe({ id, name, role }: OwnOrganisation) {
      const own = (await keys.list({ organisationId: id })).filter(({ createdBy }) => createdBy === accountId)
      const usage = await store.usage.rows({ organisationId: id, fromDay: 0, toDay: lastDay })
      const bodiesKeptDays = await store.bodies.days(id)
      return { id, name, role, bodiesKeptDays, keys: own.map((key) => keyExport(key, usage)), usage: sum(usage) }
    }
  }

const lastDay = 99_991_231

const keyExport = (
  { id, name, prefix, lastFour, state, createdAt, expiresAt }: ShownKey,
  usage: readonly UsageRow[],
) => ({
  id,
  name,
  prefix,
  lastFour,
  state,
  createdAt: moment(createdAt),
  expiresAt: moment(expiresAt),
  usage: sum(usage.filter(({ keyId }) => keyId === id)),
})

const sum = (rows: readonly UsageRow[]) => ({
  requests: total(rows, 'requests'),
  promptTokens: total(rows, 'promptTokens'),
  completionTokens: total(rows, 'completionTokens'),
})

const total = (rows: readonly UsageRow[], name: 'requests' | 'promptTokens' | 'completionTokens'): number =>
  rows.reduce((all, row) => all + row[name], 0)

/** For people to read. */
const moment = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())
