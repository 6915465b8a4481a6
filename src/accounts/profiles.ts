import type { LanguageCode } from '../../languages/language.ts'
import type { Clock } from '../base/clock.ts'
import type { AccountRecord } from '../store/account-contract.ts'
import type { Store } from '../store/contract.ts'
import type { Actor } from './actor.ts'
import { accountEvent } from './audit-event.ts'
import { requireName } from './require-name.ts'

type ProfilesDependencies = { store: Pick<Store, 'accounts'>; clock: Clock }

/** What accounts show of their users. */
export const createProfiles = ({ store: { accounts }, clock }: ProfilesDependencies) => ({
  find: async (accountId: string): Promise<AccountRecord | null> => (await accounts.find(accountId))?.account ?? null,
  list: (): Promise<AccountRecord[]> => accounts.list(),
  setLanguage: (accountId: string, language: LanguageCode) => accounts.setLanguage(accountId, language),
  /** Null or blank: the email is shown instead. */
  async setName(by: Actor, text: string | null): Promise<void> {
    const name = text === null || text.trim() === '' ? null : requireName(text)
    // The audit does not contain the name itself, which would outlive the account.
    await accounts.setName(by.accountId, name, accountEvent('account.renamed', by, clock.now()))
  },
})
