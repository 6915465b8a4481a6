import type { Store } from '../../store/contract.ts'
import type { Identities } from '../providers/identities.ts'

/** How a user can sign in, as shown to themselves. Contains no secrets. */
export const createSignInMethods =
  (store: Pick<Store, 'accounts' | 'secondFactors' | 'passkeys'>, identities: Pick<Identities, 'list'>) =>
  async (accountId: string) => {
    const [known, totp, recoveryCodesLeft, passkeys, connected] = await Promise.all([
      store.accounts.find(accountId),
      store.secondFactors.find(accountId),
      store.secondFactors.recoveryCodesLeft(accountId),
      store.passkeys.list(accountId),
      identities.list(accountId),
    ])
    return {
      hasPassword: known?.account.hasPassword ?? false,
      twoFactor: totp === null || totp.confirmedAt === null ? null : { since: totp.confirmedAt, recoveryCodesLeft },
      passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({ id, name, createdAt, lastUsedAt })),
      identities: connected,
    }
  }
