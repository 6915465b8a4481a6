import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import type { Store } from '../../store/contract.ts'
import type { OrganisationRules } from '../../store/sign-in-contract.ts'
import type { MemberActor } from '../actor.ts'
import { memberEvent } from '../audit-event.ts'
import { teamChangeError } from '../teams/team-change-error.ts'

type OrganisationRuleDependencies = { store: Pick<Store, 'secondFactors'>; clock: Clock }

/** Whether an organisation requires two-factor authentication of its members. */
export const createOrganisationRule = ({ store, clock }: OrganisationRuleDependencies) => ({
  async find(organisationId: string): Promise<OrganisationRules> {
    const found = await store.secondFactors.rules(organisationId)
    if (found === null) throw ApiError.of('organisation_not_found', { id: organisationId })
    return found
  },
  /** Only a member whose own session has a second factor may require it, so nobody locks themselves out. */
  async change(by: MemberActor & { hasSecondFactor: boolean }, isRequired: boolean): Promise<void> {
    if (isRequired && !by.hasSecondFactor) throw ApiError.of('second_factor_needed', {})
    const { organisationId } = by
    const target = { kind: 'organisation', id: organisationId, name: null } as const
    const details = { secondFactorRequired: isRequired }
    const event = memberEvent('organisation.rules_changed', by, clock.now(), target, details)
    const result = await store.secondFactors.require(by, isRequired, event)
    if (result.outcome !== 'changed') throw teamChangeError(result, organisationId)
  },
})
