import type { Store } from '../../store/contract.ts'
import type { ProviderSignIn, ShownIdentity } from '../providers/provider-sign-in.ts'

/** By which ways somebody can sign in, as they see it themselves. No secret is part of it. */
export type SignInMethods = {
  hasPassword: boolean
  twoFactor: { since: number; recoveryCodesLeft: number } | null
  passkeys: { id: string; name: string; createdAt: number; lastUsedAt: number | null }[]
  identities: ShownIdentity[]
}

export const createShowMethods =
  (store: Pick<Store, 'accounts' | 'secondFactors' | 'passkeys'>, providers: ProviderSignIn) =>
  async (accountId: string): Promise<SignInMethods> => {
    const [known, totp, recoveryCodesLeft, passkeys, identities] = await Promise.all([
      store.accounts.find(accountId),
      store.secondFactors.find(accountId),
      store.secondFactors.recoveryCodesLeft(accountId),
      store.passkeys.list(accountId),
      providers.identities(accountId),
    ])
    return {
      hasPassword: known?.account.hasPassword ?? false,
      twoFactor: totp === null || totp.confirmedAt === null ? null : { since: totp.confirmedAt, recoveryCodesLeft },
      passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({ id, name, createdAt, lastUsedAt })),
      identities,
    }
  }
