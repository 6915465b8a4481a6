import { isIPv4 } from 'node:net'
import type { Clock } from '../base/clock.ts'
import { canonicalNetwork } from '../base/ip-network.ts'
import { errorText, type Log } from '../base/log.ts'
import type { AccountRecord } from '../store/account-contract.ts'
import type { TeamRecords } from '../store/team-contract.ts'
import type { WebhookRecords } from '../store/webhook-contract.ts'
import type { RaiseEvent } from './raise-events.ts'

type PlacesDependencies = {
  records: Pick<WebhookRecords, 'rememberPlace'>
  teams: Pick<TeamRecords, 'organisations'>
  /** Tells the person, in their language, where mail is configured. */
  tellPerson(account: AccountRecord, place: string): void
  raise: RaiseEvent
  clock: Clock
  log: Log
}

/** Somebody may be in very many organisations. */
const maxOrganisations = 100
const dayMs = 86_400_000

/**
 * Remembers the networks that people sign in from. At a new one, the person gets a mail, and their organisations an event, which
 * names the person and not the network.
 */
export const createSignInPlaces =
  ({ records, teams, tellPerson, raise, clock, log }: PlacesDependencies) =>
  async (account: AccountRecord, address: string): Promise<void> => {
    try {
      const place = placeOf(address)
      const now = clock.now()
      if ((await records.rememberPlace(account.id, place, now)) !== 'new') return
      tellPerson(account, place)
      for (const { id } of (await teams.organisations(account.id)).slice(0, maxOrganisations))
        await raise({
          ...{ scope: id, type: 'sign_in.new_place', about: `${account.id} ${now}`, until: now + dayMs },
          data: { organisation_id: id, account_id: account.id, email: account.email },
        })
    } catch (error) {
      log.warn('webhook_watch_failed', { what: 'sign-in', cause: errorText(error) })
    }
  }

/** The part of an address that stays the same while somebody stays where they are: providers change the rest. */
const placeOf = (address: string): string => canonicalNetwork(`${address}/${isIPv4(address) ? 24 : 48}`) ?? address
