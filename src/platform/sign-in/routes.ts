import type { Accounts } from '../../accounts/accounts.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { Route } from '../../http/route.ts'
import { createFinishSignIn, createSignInHandler } from '../session/handler.ts'
import {
  createAddPasskey,
  createAskConfirmation,
  createAskNewPasskey,
  createAskPasskey,
  createConfirmByPasskey,
  createRemovePasskey,
  createRenamePasskey,
  createSignInByPasskey,
} from './passkeys.ts'
import {
  createBeginTwoFactor,
  createConfirm,
  createConfirmTwoFactor,
  createRenewRecoveryCodes,
  createShowMethodsHandler,
  createSwitchOffTwoFactor,
} from './two-factor.ts'

const signIn = '/platform/sign-in'
const own = '/platform/account'
const twoFactor = `${own}/two-factor`
const passkeys = `${own}/passkeys`

type PageUrl = (exchange: Exchange) => string

/** The ways to sign in, and what somebody does with their own. None of it is about an organisation. */
export const createSignInRoutes = (accounts: Accounts, pageUrl: PageUrl): Route[] => [
  { method: 'POST', path: signIn, access: 'visitor', handle: createSignInHandler(accounts) },
  { method: 'POST', path: `${signIn}/code`, access: 'visitor', handle: createFinishSignIn(accounts) },
  {
    method: 'POST',
    path: `${signIn}/passkey/question`,
    access: 'visitor',
    handle: createAskPasskey(accounts, pageUrl),
  },
  { method: 'POST', path: `${signIn}/passkey`, access: 'visitor', handle: createSignInByPasskey(accounts, pageUrl) },

  { method: 'GET', path: `${own}/sign-in-methods`, access: 'session', handle: createShowMethodsHandler(accounts) },
  { method: 'POST', path: `${own}/confirm`, access: 'session', handle: createConfirm(accounts) },
  {
    method: 'POST',
    path: `${own}/confirm/passkey/question`,
    access: 'session',
    handle: createAskConfirmation(accounts, pageUrl),
  },
  {
    method: 'POST',
    path: `${own}/confirm/passkey`,
    access: 'session',
    handle: createConfirmByPasskey(accounts, pageUrl),
  },

  { method: 'POST', path: `${twoFactor}/begin`, access: 'session', handle: createBeginTwoFactor(accounts, pageUrl) },
  { method: 'POST', path: `${twoFactor}/confirm`, access: 'session', handle: createConfirmTwoFactor(accounts) },
  {
    method: 'POST',
    path: `${twoFactor}/recovery-codes`,
    access: 'session',
    handle: createRenewRecoveryCodes(accounts),
  },
  { method: 'POST', path: `${twoFactor}/off`, access: 'session', handle: createSwitchOffTwoFactor(accounts) },

  { method: 'POST', path: `${passkeys}/question`, access: 'session', handle: createAskNewPasskey(accounts, pageUrl) },
  { method: 'POST', path: passkeys, access: 'session', handle: createAddPasskey(accounts, pageUrl) },
  { method: 'POST', path: `${passkeys}/{passkey}/rename`, access: 'session', handle: createRenamePasskey(accounts) },
  { method: 'POST', path: `${passkeys}/{passkey}/remove`, access: 'session', handle: createRemovePasskey(accounts) },
]
