import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import type { Target } from '../../store/audit-contract.ts'
import type { Store } from '../../store/contract.ts'
import type { OrganisationRecord } from '../../store/organisation-record.ts'
import type { MemberRecord, OwnOrganisation, RemovalOutcome, Role } from '../../store/team-contract.ts'
import type { Actor, MemberActor } from '../actor.ts'
import { accountTarget, memberEvent } from '../audit-event.ts'
import type { Removed } from '../removed.ts'
import { requireName } from '../require-name.ts'
import { teamChangeError } from './team-change-error.ts'

type TeamsDependencies = {
  store: Pick<Store, 'teams'>
  clock: Clock
  organisationsPerAccount: number
  /** Called once the removal is durable. */
  onRemoved(removed: Removed): void
}

/** Organisations and their members. Refusals are thrown; the store checks roles in the transaction of the change. */
export interface Teams {
  organisations(accountId: string): Promise<OwnOrganisation[]>
  members(organisationId: string): Promise<MemberRecord[]>
  /** By account id. */
  memberEmails(organisationId: string): Promise<ReadonlyMap<string, string>>
  /** The session switches to the new organisation. */
  create(by: Actor, name: string): Promise<OrganisationRecord>
  switchTo(by: Actor, organisationId: string): Promise<void>
  /** `was`: the name that the page displayed. */
  rename(by: MemberActor, name: string, was: string): Promise<void>
  changeRole(by: MemberActor, accountId: string, role: Role, was: Role): Promise<void>
  handOver(by: MemberActor, accountId: string): Promise<void>
  leave(by: MemberActor): Promise<void>
  removeMember(by: MemberActor, accountId: string, revokeKeys: boolean): Promise<void>
  /** `name` is typed as a confirmation, so that nobody deletes the wrong organisation. */
  remove(by: MemberActor, name: string): Promise<void>
}

export const createTeams = (dependencies: TeamsDependencies): Teams => {
  const { clock, organisationsPerAccount, onRemoved } = dependencies
  const { teams } = dependencies.store

  const finishRemoval = (removal: RemovalOutcome, { organisationId }: MemberActor, accountId: string | null): void => {
    if (removal.outcome !== 'removed') throw teamChangeError(removal, accountId ?? organisationId)
    onRemoved({ keyIds: removal.keyIds, accountId, organisationId })
  }

  return {
    organisations: (accountId) => teams.organisations(accountId),
    members: (organisationId) => teams.members(organisationId),
    async memberEmails(organisationId) {
      const members = await teams.members(organisationId)
      return new Map(members.map(({ accountId, email }) => [accountId, email]))
    },
    async create(by, text) {
      const organisation = { id: newId('org'), name: requireName(text), createdAt: clock.now() }
      const owner = { ...by, organisationId: organisation.id }
      const event = memberEvent('organisation.created', owner, clock.now(), organisationTarget(organisation))
      if (!(await teams.create(organisation, by.accountId, organisationsPerAccount, event)))
        throw ApiError.of('too_many_organisations', { limit: organisationsPerAccount })
      await teams.switchTo(by.sessionId, organisation.id)
      return organisation
    },
    async switchTo(by, organisationId) {
      if (!(await teams.switchTo(by.sessionId, organisationId)))
        throw ApiError.of('organisation_not_found', { id: organisationId.slice(0, 64) })
    },
    async rename(by, text, was) {
      const name = requireName(text)
      const target = organisationTarget({ id: by.organisationId, name })
      const event = memberEvent('organisation.renamed', by, clock.now(), target, { from: was, to: name })
      const result = await teams.rename(by, name, was, event)
      if (result.outcome !== 'renamed') throw teamChangeError(result, by.organisationId)
    },
    async changeRole(by, accountId, role, was) {
      const event = memberEvent('member.role_changed', by, clock.now(), accountTarget(accountId), {
        from: was,
        to: role,
      })
      const result = await teams.changeRole(by, { accountId, role, was }, event)
      if (result.outcome !== 'changed') throw teamChangeError(result, accountId)
    },
    async handOver(by, accountId) {
      const event = memberEvent('organisation.handed_over', by, clock.now(), accountTarget(accountId))
      const result = await teams.handOver(by, accountId, event)
      if (result.outcome !== 'handed_over') throw teamChangeError(result, accountId)
    },
    async leave(by) {
      const { accountId } = by
      const event = memberEvent('member.left', by, clock.now(), accountTarget(accountId))
      finishRemoval(await teams.removeMember(by, { accountId, revokeKeys: false }, event), by, accountId)
    },
    async removeMember(by, accountId, revokeKeys) {
      const event = memberEvent('member.removed', by, clock.now(), accountTarget(accountId), { revokeKeys })
      finishRemoval(await teams.removeMember(by, { accountId, revokeKeys }, event), by, accountId)
    },
    async remove(by, typed) {
      const own = (await teams.organisations(by.accountId)).find(({ id }) => id === by.organisationId)
      if (own?.name !== typed.trim()) throw ApiError.of('confirmation_mismatch', {}, { param: 'name' })
      const event = memberEvent('organisation.deleted', by, clock.now(), organisationTarget(own))
      finishRemoval(await teams.remove(by, event), by, null)
    },
  }
}

const organisationTarget = ({ id, name }: Pick<OrganisationRecord, 'id' | 'name'>): Target => ({
  kind: 'organisation',
  id,
  name,
})
