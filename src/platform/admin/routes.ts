import type { Accounts } from '../../accounts/accounts.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { Route } from '../../http/route.ts'
import type { KeyRegistry } from '../../keys/key-registry.ts'
import { createResetTwoFactor } from '../sign-in/two-factor.ts'
import { createListAccounts, createMakeLink } from './handler.ts'
import { createListAllOrganisations, createResume, createShowOrganisation, createSuspend } from './suspensions.ts'

const admin = '/platform/admin'
const things = { accounts: 'account', organisations: 'organisation', keys: 'key' } as const

type AdminRooms = { accounts: Accounts; keys: KeyRegistry; pageUrl(exchange: Exchange): string }

/** What only the owner of the server does. */
export const createAdminRoutes = ({ accounts, keys, pageUrl }: AdminRooms): Route[] => [
  { method: 'POST', path: `${admin}/links`, access: 'owner', handle: createMakeLink(accounts, pageUrl) },
  { method: 'GET', path: `${admin}/accounts`, access: 'owner', handle: createListAccounts(accounts) },
  {
    method: 'POST',
    path: `${admin}/accounts/reset-two-factor`,
    access: 'owner',
    handle: createResetTwoFactor(accounts),
  },
  { method: 'GET', path: `${admin}/organisations`, access: 'owner', handle: createListAllOrganisations(accounts) },
  {
    method: 'GET',
    path: `${admin}/organisations/{organisation}`,
    access: 'owner',
    handle: createShowOrganisation(accounts, keys),
  },
  ...Object.entries(things).flatMap(([folder, thing]): Route[] => [
    {
      method: 'POST',
      path: `${admin}/${folder}/{id}/suspend`,
      access: 'owner',
      handle: createSuspend(accounts, thing),
    },
    { method: 'POST', path: `${admin}/${folder}/{id}/resume`, access: 'owner', handle: createResume(accounts, thing) },
  ]),
]
