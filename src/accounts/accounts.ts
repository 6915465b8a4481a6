/**
 * People: how they sign up and in, their sessions, passwords and one-time links. May import `store`, `config` and `base`;
 * cookies and requests are its callers' affair. Promises: no secret is kept in a form that could be used, and nothing it
 * logs names anybody.
 */

import { ApiError } from '../base/api-error.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { AccountRecord, Language } from '../store/account-contract.ts'
import type { AuditActor } from '../store/audit-contract.ts'
import type { Store } from '../store/contract.ts'
import { accountEvent } from './account-event.ts'
import type { Actor } from './actor.ts'
import { type AccountMail, createAccountMail } from './email/account-mail.ts'
import { checkEmail } from './email/check-email.ts'
import { createEmailChange, type EmailChange } from './email/email-change.ts'
import { createMailer } from './email/mailer.ts'
import { createLinks, type LinkKind, type Links } from './email/one-time-links.ts'
import { createPasskeys, type Passkeys } from './passkeys/passkeys.ts'
import { createPasswordHasher } from './passwords/password-hasher.ts'
import { createPasswords, type Passwords } from './passwords/passwords.ts'
import { createProviders, type ProviderSettings } from './providers/create-providers.ts'
import { createProviderSignIn, type ProviderSignIn } from './providers/provider-sign-in.ts'
import type { Removed } from './removed.ts'
import { requireName } from './require-name.ts'
import { createCodeReader } from './second-factor/code-reader.ts'
import { createOrganisationRule, type OrganisationRule } from './second-factor/organisation-rule.ts'
import { createTwoFactor, type TwoFactor } from './second-factor/two-factor.ts'
import { createSeal } from './secrets/seal.ts'
import { hashToken } from './secrets/secret-token.ts'
import { type Confirmations, createConfirmations } from './sessions/confirmations.ts'
import { createSessions, type Sessions } from './sessions/sessions.ts'
import { createKnownBrowsers } from './sign-in/known-browsers.ts'
import { createSignIn } from './sign-in/sign-in.ts'
import { createShowMethods, type SignInMethods } from './sign-in/sign-in-methods.ts'
import { createEntrance, type Entrance } from './sign-in/sign-in-steps.ts'
import { createSignUp, type SignUp, type SignUpMode } from './sign-up/sign-up.ts'
import { createSuspensions, type Suspended, type Suspensions } from './suspensions.ts'
import { createInvitations, type Invitations } from './teams/invitations.ts'
import { createTeams, type Teams } from './teams/teams.ts'

export type AccountsOptions = ProviderSettings & {
  store: Pick<
    Store,
    | 'accounts'
    | 'sessions'
    | 'links'
    | 'teams'
    | 'invitations'
    | 'suspensions'
    | 'keys'
    | 'audit'
    | 'secondFactors'
    | 'challenges'
    | 'passkeys'
    | 'identities'
  >
  clock: Clock
  log: Log
  signUp: SignUpMode
  signUpsPerHour: number
  organisationsPerAccount: number
  smtpUrl: string | null
  mailFrom: string | null
  siteUrl(): string
  /** Locks what has to be read again. */
  secretKey: Uint8Array
  /** These three are called once the change is durable, so that this process forgets the keys and ends what runs. */
  onRemoved(removed: Removed): void
  onSuspended(suspended: Suspended): void
  onResumed(keyIds: readonly string[]): void
}

export interface Accounts {
  readonly signUp: SignUp
  readonly signIn: ReturnType<typeof createSignIn>
  readonly sessions: Sessions
  readonly passwords: Passwords
  readonly finishSignIn: Entrance['finish']
  readonly twoFactor: TwoFactor
  readonly passkeys: Passkeys
  readonly providers: ProviderSignIn
  readonly organisationRule: OrganisationRule
  methods(accountId: string): Promise<SignInMethods>
  readonly confirmations: Confirmations
  readonly mail: AccountMail
  readonly teams: Teams
  readonly invitations: Invitations
  readonly suspensions: Suspensions
  readonly makeSetupLink: Links['makeSetup']
  /** For the owner to hand over, where no mail is sent. */
  makeLink(kind: LinkKind, email: string, by: AuditActor): ReturnType<Links['make']>
  verifyEmail(token: string, address: string): Promise<void>
  readonly emails: EmailChange
  find(id: string): Promise<AccountRecord | null>
  list(): Promise<AccountRecord[]>
  /** Emails of an organisation's people, by account. */
  memberEmails(organisationId: string): Promise<ReadonlyMap<string, string>>
  setLanguage(id: string, language: Language): Promise<void>
  /** Null: by their email. */
  setName(by: Actor, name: string | null): Promise<void>
}

export const createAccounts = (options: AccountsOptions): Accounts => {
  const { store, clock, log, smtpUrl, mailFrom } = options
  const hasher = createPasswordHasher()
  const sessions = createSessions({ store, clock })
  const links = createLinks({ store, clock })
  const mailer = smtpUrl === null || mailFrom === null ? null : createMailer({ smtpUrl, mailFrom, log })
  const { accounts } = store
  const mail = createAccountMail({ ...options, links, mailer })
  const seal = createSeal(options.secretKey)
  const readCode = createCodeReader({ store, clock, log, seal })
  const knownBrowsers = createKnownBrowsers()
  const entrance = createEntrance({ store, clock, sessions, readCode, knownBrowsers })
  const signUp = createSignUp({ ...options, hasher, sessions })
  const confirmations = createConfirmations({ store, clock, hasher, readCode })

  const linkedAccount = async (kind: LinkKind, text: string): Promise<string | null> => {
    const found = await accounts.findByEmail(checkEmail(text).emailKey)
    if (kind !== 'invitation' && found === null) throw ApiError.of('account_not_found', {}, { param: 'email' })
    if (kind !== 'invitation') return found?.account.id ?? null
    if (options.signUp === 'closed') throw ApiError.of('sign_up_closed', {})
    if (found !== null) throw ApiError.of('email_taken', {}, { param: 'email' })
    return null
  }

  const providers = createProviderSignIn({
    store,
    clock,
    seal,
    providers: createProviders(options, clock),
    entrance,
    confirmations,
    signUp,
  })
  return {
    signUp,
    signIn: createSignIn({ store, clock, hasher, entrance, knownBrowsers }),
    finishSignIn: entrance.finish,
    twoFactor: createTwoFactor({ store, clock, seal, confirmations }),
    passkeys: createPasskeys({ store, clock, entrance, confirmations }),
    providers,
    organisationRule: createOrganisationRule({ store, clock }),
    methods: createShowMethods(store, providers),
    confirmations,
    sessions,
    passwords: createPasswords({ ...options, hasher, confirmations, entrance }),
    mail,
    teams: createTeams(options),
    invitations: createInvitations({ store, clock, mail }),
    suspensions: createSuspensions(options),
    makeSetupLink: links.makeSetup,
    async makeLink(kind, email, actor) {
      const id = await linkedAccount(kind, email)
      const name = id === null ? checkEmail(email).email : null
      const target = id === null ? ({ kind: 'link', id, name } as const) : ({ kind: 'account', id, name } as const)
      const event = {
        at: clock.now(),
        organisationId: null,
        actor,
        action: 'link.made',
        target,
        details: { kind },
      } as const
      return links.make(kind, id, event)
    },
    async verifyEmail(token, address) {
      const hash = hashToken(token)
      const now = clock.now()
      const accountId = (await store.links.find('email_verification', hash, now))?.accountId ?? null
      const event = accountId === null ? [] : [accountEvent('account.email_verified', { accountId, address }, now)]
      if (!(await accounts.verifyEmail(hash, now, ...event))) throw ApiError.of('invalid_link', {}, { param: 'token' })
    },
    emails: createEmailChange({ store, clock, confirmations, mail }),
    find: async (id) => (await accounts.find(id))?.account ?? null,
    list: () => accounts.list(),
    async memberEmails(organisationId) {
      const members = await store.teams.members(organisationId)
      return new Map(members.map(({ accountId, email }) => [accountId, email]))
    },
    setLanguage: (id, language) => accounts.setLanguage(id, language),
    async setName(by, text) {
      const name = text === null || text.trim() === '' ? null : requireName(text)
      // Not the name itself: it would stay when the account is deleted.
      await accounts.setName(by.accountId, name, accountEvent('account.renamed', by, clock.now()))
    },
  }
}
