import type { Accounts } from '../../accounts/accounts.ts'
import { abilities } from '../../accounts/teams/roles.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { Route } from '../../http/route.ts'
import type { KeyRegistry } from '../../keys/key-registry.ts'
import { needs } from '../needs.ts'
import { createFinishSignIn, createSignInHandler } from '../session/handler.ts'
import { createChangeRules, createShowRules } from './organisation-rule.ts'
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
  createBeginAtProvider,
  createBeginConnect,
  createDisconnect,
  createFinishAtProvider,
  createFinishConnect,
} from './providers.ts'
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
const identities = `${own}/identities`
const rules = '/platform/organisation/rules'

type PageUrl = (exchange: Exchange) => string

/** The ways to sign in, what somebody does with their own, and the rule of an organisation about them. */
export const createSignInRoutes = (accounts: Accounts, keys: KeyRegistry, pageUrl: PageUrl): Route[] => [
  { method: 'POST', path: signIn, access: 'visitor', handle: createSignInHandler(accounts) },
  { method: 'POST', path: `${signIn}/code`, access: 'visitor', handle: createFinishSignIn(accounts) },
  {
    method: 'POST',
    path: `${signIn}/passkey/question`,
    access: 'visitor',
    handle: createAskPasskey(accounts, pageUrl),
  },
  { method: 'POST', path: `${signIn}/passkey`, access: 'visitor', handle: createSignInByPasskey(accounts, pageUrl) },

  {
    method: 'POST',
    path: `${signIn}/providers/{provider}/begin`,
    access: 'visitor',
    handle: createBeginAtProvider(accounts, pageUrl),
  },
  {
    method: 'POST',
    path: `${signIn}/providers/{provider}/finish`,
    access: 'visitor',
    handle: createFinishAtProvider({ accounts, keys }, pageUrl),
  },

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

  { method: 'GET', path: rules, ...needs(abilities.see), handle: createShowRules(accounts) },
  { method: 'POST', path: rules, ...needs(abilities.changeRules), handle: createChangeRules(accounts) },

  { method: 'POST', path: `${passkeys}/question`, access: 'session', handle: createAskNewPasskey(accounts, pageUrl) },
  { method: 'POST', path: passkeys, access: 'session', handle: createAddPasskey(accounts, pageUrl) },
  { method: 'POST', path: `${passkeys}/{passkey}/rename`, access: 'session', handle: createRenamePasskey(accounts) },
  { method: 'POST', path: `${passkeys}/{passkey}/remove`, access: 'session', handle: createRemovePasskey(accounts) },

  {
    method: 'POST',
    path: `${identities}/{provider}/begin`,
    access: 'session',
    handle: createBeginConnect(accounts, pageUrl),
  },
  {
    method: 'POST',
    path: `${identities}/{provider}/finish`,
    access: 'session',
    handle: createFinishConnect(accounts, pageUrl),
  },
  { method: 'POST', path: `${identities}/{identity}/remove`, access: 'session', handle: createDisconnect(accounts) },
]
