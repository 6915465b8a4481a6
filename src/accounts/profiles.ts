import type { Clock } from '../base/clock.ts'
import type { AccountRecord, Language } from '../store/account-contract.ts'
import type { Store } from '../store/contract.ts'
import type { Actor } from './actor.ts'
import { accountEvent } from './audit-event.ts'
import { requireName } from './require-name.ts'

/** What accounts show of their users. */
export interface Profiles {
  find(accountId: string): Promise<AccountRecord | null>
  list(): Promise<AccountRecord[]>
  setLanguage(accountId: string, language: Language): Promise<void>
  /** Null or blank: the email is shown instead. */
  setName(by: Actor, name: string | null): Promise<void>
}

type ProfilesDependencies = { store: Pick<Store, 'accounts'>; clock: Clock }

export const createProfiles = ({ store: { accounts }, clock }: ProfilesDependencies): Profiles => ({
  find: async (accountId) => (await accounts.find(accountId))?.account ?? null,
  list: () => accounts.list(),
  setLanguage: (accountId, language) => accounts.setLanguage(accountId, language),
  async setName(by, text) {
    const name = text === null || text.trim() === '' ? null : requireName(text)
    // The audit does not contain the name itself, which would outlive the account.
    await accounts.setName(by.accountId, name, accountEvent('account.renamed', by, clock.now()))
  },
})
