import { limitScopes } from '../config/limit-kinds.ts'
import { array, nullable, object } from '../http/schema/containers.ts'
import { oneOf, string } from '../http/schema/scalars.ts'
import { described } from '../http/schema/schema.ts'
import { keyError } from '../keys/key-error.ts'
import type { KeyRegistry } from '../keys/key-registry.ts'
import type { Limiter } from '../limits/limiter-contract.ts'
import { limitsJson, usageSnapshotsJson } from '../limits/limits-json.ts'
import type { Client } from '../operations/client.ts'
import type { Shape } from '../operations/shape.ts'
import { limitsBody } from '../platform/contract/limits.ts'
import { commandLine } from '../platform/create-actor.ts'
import {
  changeOrganisationLimits,
  findOrganisation,
  type LimitedOrganisation,
  type OrganisationLimitsDependencies,
} from '../platform/limits/organisation-limits.ts'
import { limitWireNames } from '../store/limit-names.ts'
import { findKey, key, keyJson, limits } from './control-keys.ts'
import { count, get, post, socket, time } from './operation.ts'

const limitsShown = object({
  key: described('Null if the subject is an organisation.', nullable(key)),
  organisation: object({
    id: string(),
    name: string(),
    limits: described('Its own limits: null means the default, 0 means no limit.', limits),
  }),
  limit_use: described(
    'Every limit that applies, narrowest scope first.',
    array(
      object({
        scope: oneOf(...limitScopes),
        name: oneOf(...Object.values(limitWireNames)),
        limit: count,
        used: count,
        remaining: count,
        resets_at: nullable(time),
      }),
    ),
  ),
})
export type LimitsShown = Shape<typeof limitsShown>

/** `subject` is a KEY or the ID of an organisation. */
export const limitOperations = {
  showLimits: get('/limits/{subject}', socket, 'Shows limits and their use.', { answer: limitsShown }),
  setLimits: post('/limits/{subject}', socket, 'Changes limits. What is omitted is unchanged.', {
    body: limitsBody,
    answer: limitsShown,
  }),
}

type LimitControlDependencies = OrganisationLimitsDependencies & {
  keys: KeyRegistry
  limiter: Pick<Limiter, 'usageSnapshots'>
}

export const createLimitControl = (dependencies: LimitControlDependencies): Client<typeof limitOperations> => {
  const { keys, limiter, organisations } = dependencies

  const show = async (subject: string): Promise<LimitsShown> => {
    const key = isOrganisation(subject) ? null : await findKey(keys, subject)
    if (key === null && !isOrganisation(subject)) throw keyError(subject, { outcome: 'not_found' })
    const organisation = await findOrganisation(organisations, key?.organisationId ?? subject)
    const snapshots = await limiter.usageSnapshots(organisation.id, key)
    return {
      key: key === null ? null : keyJson(key),
      organisation: organisationJson(organisation),
      limit_use: usageSnapshotsJson(snapshots, (ms) => new Date(ms).toISOString()),
    }
  }

  return {
    showLimits: ({ params: { subject } }) => show(subject),
    async setLimits({ params: { subject }, body: limits }) {
      if (isOrganisation(subject)) {
        await changeOrganisationLimits(dependencies, subject, limits, commandLine)
        return show(subject)
      }
      const id = (await findKey(keys, subject))?.id ?? subject
      const changed = await keys.by(commandLine).change('all', id, { limits })
      if (changed.outcome !== 'changed') throw keyError(id, changed)
      return show(id)
    },
  }
}

/** A key with such a name can be found only by its ID. */
const isOrganisation = (subject: string): boolean => /^org_\w+$/.test(subject)

const organisationJson = ({ id, name, limits }: LimitedOrganisation) => ({ id, name, limits: limitsJson(limits) })
