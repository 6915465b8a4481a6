import { queryOptions } from '@tanstack/react-query'
import { platformGet } from '../../../../platform/platform.ts'

export type Passkey = { id: string; name: string; createdAt: number; lastUsedAt: number | null }
export type Identity = {
  id: string
  provider: string | null
  name: string
  email: string | null
  createdAt: number
  lastUsedAt: number | null
}
export type SignInMethods = {
  hasPassword: boolean
  twoFactor: { since: number; recoveryCodesLeft: number } | null
  passkeys: Passkey[]
  identities: Identity[]
}

export const methodsKey = ['sign-in-methods'] as const

/** The account's sign-in methods. */
export const methodsQuery = queryOptions({
  queryKey: methodsKey,
  queryFn: ({ signal }) => platformGet<SignInMethods>('/account/sign-in-methods', signal),
})
