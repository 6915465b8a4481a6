import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import type { Config } from '../../config/settings.ts'
import type { Target } from '../../store/audit-contract.ts'
import type { Store } from '../../store/contract.ts'
import type { OrganisationRecord } from '../../store/organisation-record.ts'
import type { RemovalOutcome, Role } from '../../store/team-contract.ts'
import type { Actor, MemberActor } from '../actor.ts'
import { accountTarget, memberEvent } from '../audit-event.ts'
import type { Removed } from '../removed.ts'
import { requireName } from '../require-name.ts'
import { teamChangeError } from './team-change-error.ts'

type TeamsDependencies = {
  store: Pick<Store, 'teams'>
  clock: Clock
  settings: Pick<Config, 'organisationsPerAccount'>
  /** Called once the removal is durable. */
  onRemoved(removed: Removed): void
}

/** Organisations and their members. Refusals are thrown; the store checks roles in the transaction of the change. */
export const createTeams = (dependencies: TeamsDependencies) => {
  const { clock, settings, onRemoved } = dependencies
  const { teams } = dependencies.store

  const finishRemoval = (removal: RemovalOutcome, { organisationId }: MemberActor, accountId: string | null): void => {
    if (removal.outcome !== 'removed') throw teamChangeError(removal, accountId ?? organisationId)
    onRemoved({ keyIds: removal.keyIds, accountId, organisationId })
  }

  return {
    organisations: (accountId: string) => teams.organisations(accountId),
    members: (organisationId: string) => teams.members(organisationId),
    /** By account id. */
    async memberEmails(organisationId: string): Promise<ReadonlyMap<string, string>> {
      const members = await teams.members(organisationId)
      return new Map(members.map(({ accountId, email }) => [accountId, email]))
    },
    /** The session switches to the new organisation. */
    async create(by: Actor, text: string): Promise<OrganisationRecord> {
      const organisation = { id: newId('org'), name: requireName(text), createdAt: clock.now() }
      const owner = { ...by, organisationId: organisation.id }
      const event = memberEvent('organisation.created', owner, clock.now(), organisationTarget(organisation))
      const { organisationsPerAccount } = settings
      if (!(await teams.create(organisation, by.accountId, organisationsPerAccount, event)))
        throw ApiError.of('too_many_organisations', { limit: organisationsPerAccount })
      await teams.switchTo(by.sessionId, organisation.id)
      return organisation
    },
    async switchTo(by: Actor, organisationId: string): Promise<void> {
      if (!(await teams.switchTo(by.sessionId, organisationId)))
        throw ApiError.of('organisation_not_found', { id: organisationId.slice(0, 64) })
    },
    /** `was`: the name that the page displayed. */
    async rename(by: MemberActor, text: string, was: string): Promise<void> {
      const name = requireName(text)
      const target = organisationTarget({ id: by.organisationId, name })
      const event = memberEvent('organisation.renamed', by, clock.now(), target, { from: was, to: name })
      const result = await teams.rename(by, name, was, event)
      if (result.outcome !== 'renamed') throw teamChangeError(result, by.organisationId)
    },
    async changeRole(by: MemberActor, accountId: string, role: Role, was: Role): Promise<void> {
      const event = memberEvent('member.role_changed', by, clock.now(), accountTarget(accountId), {
        from: was,
        to: role,
      })
      const result = await teams.changeRole(by, { accountId, role, was }, event)
      if (result.outcome !== 'changed') throw teamChangeError(result, accountId)
    },
    async handOver(by: MemberActor, accountId: string): Promise<void> {
      const event = memberEvent('organisation.handed_over', by, clock.now(), accountTarget(accountId))
      const result = await teams.handOver(by, accountId, event)
      if (result.outcome !== 'handed_over') throw teamChangeError(result, accountId)
    },
    async leave(by: MemberActor): Promise<void> {
      const { accountId } = by
      const event = memberEvent('member.left', by, clock.now(), accountTarget(accountId))
      finishRemoval(await teams.removeMember(by, { accountId, revokeKeys: false }, event), by, accountId)
    },
    async removeMember(by: MemberActor, accountId: string, revokeKeys: boolean): Promise<void> {
      const event = memberEvent('member.removed', by, clock.now(), accountTarget(accountId), { revokeKeys })
      finishRemoval(await teams.removeMember(by, { accountId, revokeKeys }, event), by, accountId)
    },
    /** The name is typed as a confirmation, so that nobody deletes the wrong organisation. The audit log forgets it, as everything else does. */
    async remove(by: MemberActor, typed: string): Promise<void> {
      const own = (await teams.organisations(by.accountId)).find(({ id }) => id === by.organisationId)
      if (own?.name !== typed.trim()) throw ApiError.of('confirmation_mismatch', {}, { param: 'name' })
      const event = memberEvent('organisation.deleted', by, clock.now(), {
        kind: 'organisation',
        id: own.id,
        name: null,
      })
      finishRemoval(await teams.remove(by, event), by, null)
    },
  }
}

const organisationTarget = ({ id, name }: Pick<OrganisationRecord, 'id' | 'name'>): Target => ({
  kind: 'organisation',
  id,
  name,
})
