import type { Store } from '../store/contract.ts'

/** By which ways somebody can sign in, as they see it themselves. No secret is part of it. */
export type SignInMethods = {
  hasPassword: boolean
  twoFactor: { since: number; recoveryCodesLeft: number } | null
}

export const createShowMethods =
  (store: Pick<Store, 'accounts' | 'secondFactors'>) =>
  async (accountId: string): Promise<SignInMethods> => {
    const [known, totp, recoveryCodesLeft] = await Promise.all([
      store.accounts.find(accountId),
      store.secondFactors.find(accountId),
      store.secondFactors.recoveryCodesLeft(accountId),
    ])
    return {
      hasPassword: known?.account.hasPassword ?? false,
      twoFactor: totp === null || totp.confirmedAt === null ? null : { since: totp.confirmedAt, recoveryCodesLeft },
    }
  }
