import type { SignInMethods } from '../../../../../src/platform/contract/sign-in-methods.ts'
import { platformQuery } from '../../../platform-query.ts'

export type { Identity, Passkey, SignInMethods } from '../../../../../src/platform/contract/sign-in-methods.ts'

export const methodsKey = ['sign-in-methods'] as const

/** The account's sign-in methods. */
export const methodsQuery = platformQuery<SignInMethods>(methodsKey, '/account/sign-in-methods')
