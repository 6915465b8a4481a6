/**
 * Users: how they sign up and sign in, their sessions, passwords, teams and one-time links. May import `redis`, `store`,
 * `config` and `base`; cookies and requests are up to its callers. Promises: no secret is stored in a usable form, and nothing it logs
 * identifies a user.
 */
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Config } from '../config/settings.ts'
import type { AccountRecord } from '../store/account-contract.ts'
import type { Store } from '../store/contract.ts'
import type { CreateAttemptLimit } from './attempts/attempt-limit.ts'
import { createAccountMail } from './email/account-mail.ts'
import { createEmailAddresses } from './email/email-addresses.ts'
import { createMailTrials } from './email/mail-trials.ts'
import { createMailerLookup } from './email/mailer-lookup.ts'
import { createOneTimeLinks } from './email/one-time-links.ts'
import { createPasskeySignIn } from './passkeys/passkey-sign-in.ts'
import { createPasskeys } from './passkeys/passkeys.ts'
import { createPasswordHasher, type PasswordCost } from './passwords/password-hasher.ts'
import { createPasswords } from './passwords/passwords.ts'
import { createProfiles } from './profiles.ts'
import { createProviders, type ProviderSettings } from './providers/create-providers.ts'
import { createIdentities } from './providers/identities.ts'
import { createProviderAttempts } from './providers/provider-attempts.ts'
import { createProviderSignIn } from './providers/provider-sign-in.ts'
import type { Removed } from './removed.ts'
import { createCodeReader } from './second-factor/code-reader.ts'
import { createOrganisationRule } from './second-factor/organisation-rule.ts'
import { createTwoFactor } from './second-factor/two-factor.ts'
import type { Seal } from './secrets/seal.ts'
import { createConfirmations } from './sessions/confirmations.ts'
import { createSessions } from './sessions/sessions.ts'
import type { KnownBrowsers } from './sign-in/known-browsers.ts'
import { createPasswordSignIn } from './sign-in/password-sign-in.ts'
import { createSignInMethods } from './sign-in/sign-in-methods.ts'
import { createSignInSteps } from './sign-in/sign-in-steps.ts'
import { createSignUp } from './sign-up/sign-up.ts'
import { createSuspensions, type Suspended } from './suspensions.ts'
import { createInvitations } from './teams/invitations.ts'
import { createTeams } from './teams/teams.ts'

type AccountSettings = ProviderSettings &
  Pick<Config, 'signUp' | 'signUpsPerHour' | 'organisationsPerAccount' | 'smtpUrl' | 'mailFrom'>

type AccountsDependencies = {
  store: Store
  clock: Clock
  log: Log
  /** Those for sign-up and mail may change at any time. */
  settings: AccountSettings
  /** Encrypts secrets that must be readable later. */
  seal: Seal
  /** The recommended one unless a test chooses a lower one. */
  passwordCost?: PasswordCost | undefined
  siteUrl(): string
  createLimit: CreateAttemptLimit
  knownBrowsers: KnownBrowsers
  /** These three are called once the change is durable, so that this process forgets the keys and aborts running requests. */
  onRemoved(removed: Removed): void
  onSuspended(suspended: Suspended): void
  onResumed(keyIds: readonly string[]): void
  /** Somebody has signed in, from this address. */
  onSignedIn(account: AccountRecord, address: string): void
}

/** Each part names what it needs, and callers take the parts that they need. */
export type Accounts = ReturnType<typeof createAccounts>

export const createAccounts = (dependencies: AccountsDependencies) => {
  const { store, clock, log, settings, seal, siteUrl, createLimit, knownBrowsers } = dependencies
  const { onRemoved, onSuspended, onResumed, onSignedIn } = dependencies
  const hasher = createPasswordHasher(dependencies.passwordCost)
  const readCode = createCodeReader({ store, clock, log, seal })
  const sessions = createSessions({ store, clock, onSignedIn })
  const signInSteps = createSignInSteps({ store, clock, sessions, readCode, knownBrowsers, createLimit })
  const confirmations = createConfirmations({ store, clock, hasher, readCode, createLimit })
  const links = createOneTimeLinks({ store, clock, settings })
  const findMailer = createMailerLookup(settings, log)
  const mail = createAccountMail({ store, log, links, findMailer, createLimit, siteUrl })
  const invitations = createInvitations({ store, clock, mail })
  const signUp = createSignUp({ store, clock, hasher, sessions, invitations, settings, createLimit })
  const providers = createProviders(settings, clock)
  const attempts = createProviderAttempts({ store, clock, seal, providers, createLimit })
  const identities = createIdentities({ store, clock, providers, attempts, confirmations })
  return {
    signUp,
    passwordSignIn: createPasswordSignIn({ store, clock, hasher, signInSteps, knownBrowsers, createLimit }),
    passkeySignIn: createPasskeySignIn({ store, clock, signInSteps, createLimit }),
    providers: createProviderSignIn({ store, providers, attempts, identities, signInSteps, signUp }),
    signInSteps,
    sessions,
    confirmations,
    passwords: createPasswords({ store, clock, hasher, confirmations, signInSteps, onRemoved }),
    passkeys: createPasskeys({ store, clock, confirmations }),
    identities,
    twoFactor: createTwoFactor({ store, clock, seal, confirmations }),
    signInMethods: createSignInMethods(store, identities),
    profiles: createProfiles({ store, clock }),
    emails: createEmailAddresses({ store, clock, confirmations, mail, createLimit }),
    links,
    mail,
    findMailer,
    mailTrials: createMailTrials({ createLimit, store, clock }),
    teams: createTeams({ store, clock, settings, onRemoved }),
    invitations,
    organisationRule: createOrganisationRule({ store, clock }),
    suspensions: createSuspensions({ store, clock, onSuspended, onResumed }),
  }
}
