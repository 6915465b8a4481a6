import type { Accounts } from '../../accounts/accounts.ts'
import { ApiError } from '../../base/api-error.ts'
import type { KeyRegistry } from '../../keys/key-registry.ts'
import type { BodyRecords } from '../../store/body-contract.ts'
import type { ConversationRecords } from '../../store/conversation-contract.ts'
import type { HiddenNoticeRecords } from '../../store/hidden-notice-contract.ts'
import type { UsageRecords, UsageRow } from '../../store/ledger-contract.ts'
import type { PlaygroundRecords } from '../../store/playground-contract.ts'
import type { OwnOrganisation } from '../../store/team-contract.ts'
import type { WebhookRecords } from '../../store/webhook-contract.ts'
import type { AccountExport } from '../contract/account.ts'
import { keyJson } from '../keys/key-json.ts'
import { toNoticeChoices } from '../notices/notice-choices.ts'
import { ownOrganisationJson } from '../organisation/organisation-json.ts'
import { accountJson, deviceJson } from './account-json.ts'

export type ExportDependencies = {
  accounts: Pick<Accounts, 'profiles' | 'signInMethods' | 'sessions' | 'teams'>
  keys: Pick<KeyRegistry, 'list'>
  usage: Pick<UsageRecords, 'rows'>
  bodies: Pick<BodyRecords, 'days'>
  hiddenNotices: Pick<HiddenNoticeRecords, 'list'>
  webhooks: Pick<WebhookRecords, 'listPlaces'>
  playground: Pick<PlaygroundRecords, 'findDraft' | 'listPrompts' | 'findPrompt'>
  conversations: Pick<ConversationRecords, 'listConversations' | 'findConversation'>
}

/** Everything that the server stores about a person, without secrets. */
export const exportAccount = async (
  accountId: string,
  { accounts, keys, usage, bodies, playground, conversations, hiddenNotices, webhooks }: ExportDependencies,
): Promise<AccountExport> => {
  const account = await accounts.profiles.find(accountId)
  if (account === null) throw ApiError.of('not_signed_in', {})
  const emails = new Map([[accountId, account.email]])
  const describe = async (organisation: OwnOrganisation) => {
    const { id } = organisation
    const own = (await keys.list({ organisationId: id })).filter(({ createdBy }) => createdBy === accountId)
    const rows = await usage.rows({ organisationId: id, fromDay: 0, toDay: lastDay })
    const keyUsage = (keyId: string) => sum(rows.filter((row) => row.keyId === keyId))
    return {
      ...ownOrganisationJson(organisation),
      bodiesKeptDays: await bodies.days(id),
      keys: own.map((key) => ({ ...keyJson(key, emails), usage: keyUsage(key.id) })),
      usage: sum(rows),
      draft: (await playground.findDraft({ accountId, organisationId: id }))?.content ?? null,
      prompts: await readPrompts({ accountId, organisationId: id }),
      conversations: await readConversations({ accountId, organisationId: id }),
    }
  }
  let left = maxTextCharacters
  /** Only their own: shared ones of others are not about them. */
  const readPrompts = async (reader: { accountId: string; organisationId: string }) => {
    const own = (await playground.listPrompts(reader)).filter(({ createdBy }) => createdBy === accountId)
    const exported: AccountExport['organisations'][number]['prompts'][number][] = []
    for (const { id, name, isShared, savedAt } of own) {
      const content = left > 0 ? ((await playground.findPrompt(reader, id, null))?.content ?? null) : null
      left -= content?.length ?? 0
      exported.push({ name, isShared, savedAt, content })
    }
    return exported
  }
  const readConversations = async (reader: { accountId: string; organisationId: string }) => {
    const exported: AccountExport['organisations'][number]['conversations'][number][] = []
    for (const { id, title, isPinned, savedAt } of await conversations.listConversations(reader, '')) {
      const content = left > 0 ? ((await conversations.findConversation(reader, id))?.content ?? null) : null
      left -= content?.length ?? 0
      exported.push({ title, isPinned, savedAt, content })
    }
    return exported
  }
  return {
    account: accountJson(account),
    signInMethods: await accounts.signInMethods(accountId),
    notices: toNoticeChoices(await hiddenNotices.list(accountId)),
    sessions: (await accounts.sessions.list(accountId)).map(deviceJson),
    signInPlaces: await webhooks.listPlaces(accountId),
    organisations: await Promise.all((await accounts.teams.organisations(accountId)).map(describe)),
  }
}

const lastDay = 99_991_231
/** Of all prompts and conversations together, so that the file fits into memory; one may go a little beyond. */
const maxTextCharacters = 8_000_000

const sum = (rows: readonly UsageRow[]) => ({
  requests: total(rows, 'requests'),
  promptTokens: total(rows, 'promptTokens'),
  completionTokens: total(rows, 'completionTokens'),
})

const total = (rows: readonly UsageRow[], name: 'requests' | 'promptTokens' | 'completionTokens'): number =>
  rows.reduce((all, row) => all + row[name], 0)
