import { checkEmail } from '../accounts/email/check-email.ts'
import type { Suspensions } from '../accounts/suspensions.ts'
import { ApiError } from '../base/api-error.ts'
import { array, nullable, object } from '../http/schema/containers.ts'
import { boolean, string } from '../http/schema/scalars.ts'
import { described } from '../http/schema/schema.ts'
import type { KeyRegistry } from '../keys/key-registry.ts'
import type { Client } from '../operations/client.ts'
import type { Shape } from '../operations/shape.ts'
import { commandLine } from '../platform/create-actor.ts'
import type { Store } from '../store/contract.ts'
import type { ListedOrganisation, SuspendedThing } from '../store/suspension-contract.ts'
import { requireKey } from './control-keys.ts'
import { count, get, post, socket, time } from './operation.ts'

const organisation = object({
  id: string(),
  name: string(),
  created_at: time,
  suspended_at: nullable(time),
  members: count,
  keys: count,
})
export type OrganisationJson = Shape<typeof organisation>

const suspension = object({
  id: string(),
  suspended: boolean,
  changed: described('Whether this call changed the state.', boolean),
})
const parts = { answer: suspension }

/** `subject` is the email of an account, the ID of an organisation, or a KEY. */
export const suspensionOperations = {
  listOrganisations: get('/organisations', socket, 'Lists the organisations.', {
    answer: object({ data: array(organisation) }),
  }),
  suspendAccount: post('/accounts/{subject}/suspend', socket, 'Suspends an account.', parts),
  resumeAccount: post('/accounts/{subject}/resume', socket, 'Resumes an account.', parts),
  suspendOrganisation: post('/organisations/{subject}/suspend', socket, 'Suspends an organisation.', parts),
  resumeOrganisation: post('/organisations/{subject}/resume', socket, 'Resumes an organisation.', parts),
  suspendKey: post('/keys/{subject}/suspend', socket, 'Suspends a key.', parts),
  resumeKey: post('/keys/{subject}/resume', socket, 'Resumes a key.', parts),
}

type SuspensionControlDependencies = {
  accounts: Pick<Store['accounts'], 'findByEmail'>
  keys: KeyRegistry
  suspensions: Suspensions
}

type Change = (given: { params: { subject: string } }) => Promise<Shape<typeof suspension>>

export const createSuspensionControl = ({
  accounts,
  keys,
  suspensions,
}: SuspensionControlDependencies): Client<typeof suspensionOperations> => {
  const findId = async (thing: SuspendedThing, subject: string): Promise<string> => {
    if (thing === 'organisation') return subject
    if (thing === 'key') return (await requireKey(keys, subject)).id
    const known = await accounts.findByEmail(checkEmail(subject).emailSpellings)
    if (known === null) throw ApiError.of('account_not_found', {}, { param: 'email' })
    return known.account.id
  }
  const suspend =
    (thing: SuspendedThing): Change =>
    async ({ params }) => {
      const id = await findId(thing, params.subject)
      return { id, suspended: true, changed: await suspensions.suspend(commandLine, thing, id) }
    }
  const resume =
    (thing: SuspendedThing): Change =>
    async ({ params }) => {
      const id = await findId(thing, params.subject)
      return { id, suspended: false, changed: await suspensions.resume(commandLine, thing, id) }
    }
  return {
    listOrganisations: async () => ({ data: (await suspensions.organisations()).map(organisationJson) }),
    suspendAccount: suspend('account'),
    resumeAccount: resume('account'),
    suspendOrganisation: suspend('organisation'),
    resumeOrganisation: resume('organisation'),
    suspendKey: suspend('key'),
    resumeKey: resume('key'),
  }
}

const isoTime = (ms: number): string => new Date(ms).toISOString()

const organisationJson = ({ createdAt, suspendedAt, ...rest }: ListedOrganisation): OrganisationJson => ({
  ...rest,
  created_at: isoTime(createdAt),
  suspended_at: suspendedAt === null ? null : isoTime(suspendedAt),
})
