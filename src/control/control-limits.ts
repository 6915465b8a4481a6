import { keyError } from '../keys/key-error.ts'
import type { KeyRegistry } from '../keys/key-registry.ts'
import type { Limiter } from '../limits/limiter-contract.ts'
import { type LimitsJson, limitsJson, usageSnapshotsJson } from '../limits/limits-json.ts'
import { commandLine } from '../platform/actor-of.ts'
import {
  changeOrganisationLimits,
  findOrganisation,
  type LimitedOrganisation,
  type OrganisationLimitsDependencies,
} from '../platform/limits/organisation-limits.ts'
import type { Limits } from '../store/ledger-contract.ts'
import { findKey } from './control-keys.ts'
import { type KeyJson, keyJson } from './key-json.ts'

export type LimitsShown = {
  /** Null if the subject is an organisation. */
  key: KeyJson | null
  /** Its own limits: null means the default, 0 means no limit. */
  organisation: { id: string; name: string; limits: LimitsJson }
  /** Every limit that applies, narrowest scope first. */
  standing: ReturnType<typeof usageSnapshotsJson<string>>
}

/** `subject` is a KEY or the id of an organisation. */
export interface LimitControl {
  showLimits(subject: string): Promise<LimitsShown>
  setLimits(subject: string, limits: Partial<Limits>): Promise<LimitsShown>
}

type LimitControlDependencies = OrganisationLimitsDependencies & {
  keys: KeyRegistry
  limiter: Pick<Limiter, 'usageSnapshots'>
}

export const createLimitControl = (dependencies: LimitControlDependencies): LimitControl => {
  const { keys, limiter, organisations } = dependencies

  const show = async (subject: string): Promise<LimitsShown> => {
    const key = isOrganisation(subject) ? null : await findKey(keys, subject)
    if (key === null && !isOrganisation(subject)) throw keyError(subject, { outcome: 'not_found' })
    const organisation = await findOrganisation(organisations, key?.organisationId ?? subject)
    const snapshots = await limiter.usageSnapshots(organisation.id, key)
    return {
      key: key === null ? null : keyJson(key),
      organisation: organisationJson(organisation),
      standing: usageSnapshotsJson(snapshots, (ms) => new Date(ms).toISOString()),
    }
  }

  return {
    showLimits: show,
    async setLimits(subject, limits) {
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
