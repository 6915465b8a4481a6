import { queryOptions } from '@tanstack/react-query'
import type { Platform } from '../../../../platform/platform.ts'

export type { Identity, Passkey } from '../../../../../src/platform/contract/sign-in-methods.ts'

export const methodsKey = ['sign-in-methods'] as const

/** The account's sign-in methods. */
export const methodsQuery = (platform: Platform) =>
  queryOptions({ queryKey: methodsKey, queryFn: ({ signal }) => platform.showSignInMethods({ signal }) })
