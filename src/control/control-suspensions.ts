import { checkEmail } from '../accounts/email/check-email.ts'
import type { Suspensions } from '../accounts/suspensions.ts'
import { ApiError } from '../base/api-error.ts'
import type { KeyRegistry } from '../keys/key-registry.ts'
import { commandLine } from '../platform/actor-of.ts'
import type { Store } from '../store/contract.ts'
import type { ListedOrganisation, SuspendedThing } from '../store/suspension-contract.ts'
import { requireKey } from './control-keys.ts'

type SuspensionShown = {
  id: string
  suspended: boolean
  /** Whether this call changed the state. */
  changed: boolean
}

export type OrganisationJson = {
  id: string
  name: string
  created_at: string
  suspended_at: string | null
  members: number
  keys: number
}

export interface SuspensionControl {
  listOrganisations(): Promise<{ data: OrganisationJson[] }>
  /** `subject` is the email of an account, the id of an organisation, or a KEY. */
  suspend(thing: SuspendedThing, subject: string): Promise<SuspensionShown>
  resume(thing: SuspendedThing, subject: string): Promise<SuspensionShown>
}

type SuspensionControlDependencies = {
  accounts: Pick<Store['accounts'], 'findByEmail'>
  keys: KeyRegistry
  suspensions: Suspensions
}

export const createSuspensionControl = ({
  accounts,
  keys,
  suspensions,
}: SuspensionControlDependencies): SuspensionControl => {
  const idOf = async (thing: SuspendedThing, subject: string): Promise<string> => {
    if (thing === 'organisation') return subject
    if (thing === 'key') return (await requireKey(keys, subject)).id
    const known = await accounts.findByEmail(checkEmail(subject).emailKey)
    if (known === null) throw ApiError.of('account_not_found', {}, { param: 'email' })
    return known.account.id
  }
  return {
    listOrganisations: async () => ({ data: (await suspensions.organisations()).map(organisationJson) }),
    async suspend(thing, subject) {
      const id = await idOf(thing, subject)
      return { id, suspended: true, changed: await suspensions.suspend(commandLine, thing, id) }
    },
    async resume(thing, subject) {
      const id = await idOf(thing, subject)
      return { id, suspended: false, changed: await suspensions.resume(commandLine, thing, id) }
    },
  }
}

const time = (ms: number): string => new Date(ms).toISOString()

const organisationJson = ({ createdAt, suspendedAt, ...rest }: ListedOrganisation): OrganisationJson => ({
  ...rest,
  created_at: time(createdAt),
  suspended_at: suspendedAt === null ? null : time(suspendedAt),
})
