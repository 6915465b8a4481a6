import { queryOptions } from '@tanstack/react-query'
import type { SignInMethods } from '../../../../../src/platform/contract/sign-in-methods.ts'
import { platformGet } from '../../../../platform/platform.ts'

export type { Identity, Passkey, SignInMethods } from '../../../../../src/platform/contract/sign-in-methods.ts'

export const methodsKey = ['sign-in-methods'] as const

/** The account's sign-in methods. */
export const methodsQuery = queryOptions({
  queryKey: methodsKey,
  queryFn: ({ signal }) => platformGet<SignInMethods>('/account/sign-in-methods', signal),
})
