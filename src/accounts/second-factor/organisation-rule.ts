import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import type { Store } from '../../store/contract.ts'
import type { OrganisationRules } from '../../store/sign-in-contract.ts'
import { auditActorOf, type MemberActor } from '../actor.ts'
import { refuseTeamChange } from '../teams/refuse-team-change.ts'

type RuleRooms = { store: Pick<Store, 'secondFactors'>; clock: Clock }

/** The rule by which an organisation takes only sessions that proved more than a password. */
export interface OrganisationRule {
  find(organisationId: string): Promise<OrganisationRules>
  /** Whoever makes it has to keep it themselves: nobody shuts themselves out by it. */
  change(by: MemberActor & { hasSecondFactor: boolean }, isRequired: boolean): Promise<void>
}

export const createOrganisationRule = ({ store, clock }: RuleRooms): OrganisationRule => ({
  async find(organisationId) {
    const found = await store.secondFactors.rules(organisationId)
    if (found === null) throw ApiError.of('organisation_not_found', { id: organisationId })
    return found
  },
  async change(by, isRequired) {
    if (isRequired && !by.hasSecondFactor) throw ApiError.of('second_factor_needed', {})
    const done = await store.secondFactors.require(by, isRequired, {
      at: clock.now(),
      organisationId: by.organisationId,
      actor: auditActorOf(by),
      action: 'organisation.rules_changed',
      target: { kind: 'organisation', id: by.organisationId, name: null },
      details: { secondFactorRequired: isRequired },
    })
    if (done.outcome !== 'changed') throw refuseTeamChange(done, by.organisationId)
  },
})
