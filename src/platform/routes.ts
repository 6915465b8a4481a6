import { abilities } from '../accounts/teams/roles.ts'
import type { ApiError } from '../base/api-error.ts'
import type { Engine } from '../engine/contract.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Route } from '../http/route.ts'
import type { Store } from '../store/contract.ts'
import type { BodyWriter } from '../usage/body-writer.ts'
import type { LedgerNotifier } from '../usage/ledger-notifier.ts'
import { createChangeEmail, createConfirmEmail } from './account/email.ts'
import { createExport } from './account/export.ts'
import {
  createChangePassword,
  createDeleteAccount,
  createListSessions,
  createRevokeSession,
  createSetLanguage,
} from './account/handler.ts'
import {
  createRequestReset,
  createRequestVerification,
  createResetPassword,
  createVerifyEmail,
} from './account/mail.ts'
import { createSetProfile } from './account/profile.ts'
import { type AdminLimitRooms, createListLimits, createSetLimits } from './admin/limits.ts'
import { createAdminRoutes } from './admin/routes.ts'
import { createServerRoutes, type ServerRooms } from './admin/server.ts'
import { createAuditRoutes } from './audit/routes.ts'
import { createListMemberKeys, type ListRooms } from './keys/list-keys.ts'
import {
  createChangeMemberKey,
  createCreateMemberKey,
  createRevokeMemberKey,
  createRotateMemberKey,
} from './keys/member-keys.ts'
import { createShowLimits, type LimitRooms } from './limits/show-limits.ts'
import { needs } from './needs.ts'
import { createOrganisationRoutes } from './organisation/routes.ts'
import { type Complete, createPlayground } from './playground/handler.ts'
import { createRequestRoutes } from './requests/routes.ts'
import { createShowSession, createSignOut } from './session/handler.ts'
import { createSetup, createSignUpHandler } from './session/sign-up.ts'
import { createSignInRoutes } from './sign-in/routes.ts'
import { createUsageRoutes } from './usage/routes.ts'

export type PlatformRooms = ListRooms &
  LimitRooms &
  AdminLimitRooms &
  ServerRooms & {
    store: Pick<Store, 'audit' | 'organisations' | 'usage' | 'ledger' | 'requestLog' | 'bodies'>
    notifier: LedgerNotifier
    bodies: BodyWriter
    heartbeatMs: number
    stallTimeoutMs: number
    engine: Engine
    publicUrl: string | null
    complete: Complete
    /** A question to the playground was refused. */
    onRefused(exchange: Exchange, error: ApiError): void
  }

const { see, makeKeys, usePlayground } = abilities

const site = '/platform'
const own = `${site}/account`

/** The address by which the reader of a page reached it. */
const pageUrl =
  ({ publicUrl }: Pick<PlatformRooms, 'publicUrl'>) =>
  ({ origin }: Exchange): string =>
    publicUrl ?? origin.origin

/** The site's own endpoints. A session comes by cookie only: an API key opens none of these. */
export const createPlatformRoutes = ({ accounts, ...rooms }: PlatformRooms): Route[] => [
  { method: 'GET', path: `${site}/session`, access: 'anyone', handle: createShowSession({ accounts, ...rooms }) },
  { method: 'POST', path: `${site}/setup`, access: 'visitor', handle: createSetup({ accounts, ...rooms }) },
  { method: 'POST', path: `${site}/sign-up`, access: 'visitor', handle: createSignUpHandler({ accounts, ...rooms }) },
  { method: 'POST', path: `${site}/sign-out`, access: 'session', handle: createSignOut(accounts) },

  ...createSignInRoutes(accounts, rooms.keys, pageUrl(rooms)),
  { method: 'POST', path: `${own}/password`, access: 'session', handle: createChangePassword(accounts) },
  { method: 'POST', path: `${own}/email`, access: 'session', handle: createChangeEmail(accounts) },
  { method: 'POST', path: `${own}/language`, access: 'session', handle: createSetLanguage(accounts) },
  { method: 'POST', path: `${own}/profile`, access: 'session', handle: createSetProfile(accounts) },
  { method: 'GET', path: `${own}/export`, access: 'session', handle: createExport({ accounts, ...rooms }) },
  { method: 'GET', path: `${own}/sessions`, access: 'session', handle: createListSessions(accounts) },
  {
    method: 'POST',
    path: `${own}/sessions/{session}/revoke`,
    access: 'session',
    handle: createRevokeSession(accounts),
  },
  { method: 'POST', path: `${own}/delete`, access: 'session', handle: createDeleteAccount(accounts) },

  { method: 'POST', path: `${site}/password-reset/request`, access: 'visitor', handle: createRequestReset(accounts) },
  { method: 'POST', path: `${site}/password-reset`, access: 'visitor', handle: createResetPassword(accounts) },
  {
    method: 'POST',
    path: `${site}/email-verification/request`,
    access: 'session',
    handle: createRequestVerification(accounts),
  },
  { method: 'POST', path: `${site}/email-verification`, access: 'visitor', handle: createVerifyEmail(accounts) },
  { method: 'POST', path: `${site}/email-change`, access: 'visitor', handle: createConfirmEmail(accounts) },

  ...createAdminRoutes({ accounts, keys: rooms.keys, pageUrl: pageUrl(rooms) }),

  {
    method: 'GET',
    path: `${site}/admin/limits`,
    access: 'owner',
    handle: createListLimits(rooms),
  },
  {
    method: 'POST',
    path: `${site}/admin/organisations/{organisation}/limits`,
    access: 'owner',
    handle: createSetLimits(rooms),
  },

  ...createOrganisationRoutes(accounts, pageUrl(rooms)),
  ...createServerRoutes(rooms),
  ...createAuditRoutes(rooms.store.audit),
  ...createUsageRoutes({ ...rooms, usage: rooms.store.usage }),
  ...createRequestRoutes({
    ...rooms,
    requestLog: rooms.store.requestLog,
    bodyRecords: rooms.store.bodies,
    sessions: accounts.sessions,
  }),

  { method: 'GET', path: `${site}/keys`, ...needs(see), handle: createListMemberKeys({ accounts, ...rooms }) },
  { method: 'POST', path: `${site}/keys`, ...needs(makeKeys), handle: createCreateMemberKey({ accounts, ...rooms }) },
  {
    method: 'POST',
    path: `${site}/keys/{key}`,
    ...needs(makeKeys),
    handle: createChangeMemberKey({ accounts, ...rooms }),
  },
  {
    method: 'POST',
    path: `${site}/keys/{key}/rotate`,
    ...needs(makeKeys),
    handle: createRotateMemberKey({ accounts, ...rooms }),
  },
  {
    method: 'POST',
    path: `${site}/keys/{key}/revoke`,
    ...needs(makeKeys),
    handle: createRevokeMemberKey({ accounts, ...rooms }),
  },
  { method: 'GET', path: `${site}/limits`, ...needs(see), handle: createShowLimits(rooms) },
  {
    method: 'POST',
    path: `${site}/playground/chat/completions`,
    ...needs(usePlayground),
    handle: createPlayground(rooms.complete),
    onError: rooms.onRefused,
  },
]
