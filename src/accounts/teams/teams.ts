import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import type { AuditEvent } from '../../store/audit-contract.ts'
import type { OrganisationRecord, Store } from '../../store/contract.ts'
import type { MemberRecord, OwnOrganisation, RemovalOutcome, Role } from '../../store/team-contract.ts'
import { type Actor, auditActorOf, type MemberActor } from '../actor.ts'
import type { Removed } from '../removed.ts'
import { requireName } from '../require-name.ts'
import { refuseTeamChange } from './refuse-team-change.ts'

type TeamRooms = {
  store: Pick<Store, 'teams'>
  clock: Clock
  organisationsPerAccount: number
  onRemoved(removed: Removed): void
}

/** Organisations and their members. Refusals are thrown; who may do what is decided where it is done. */
export interface Teams {
  organisations(accountId: string): Promise<OwnOrganisation[]>
  members(organisationId: string): Promise<MemberRecord[]>
  /** The session goes on for the new one. */
  create(by: Actor, name: string): Promise<OrganisationRecord>
  switchTo(by: Actor, organisationId: string): Promise<void>
  /** `was`: the name that was shown to whoever chose the new one. */
  rename(by: MemberActor, name: string, was: string): Promise<void>
  changeRole(by: MemberActor, accountId: string, role: Role, was: Role): Promise<void>
  handOver(by: MemberActor, accountId: string): Promise<void>
  leave(by: MemberActor): Promise<void>
  removeMember(by: MemberActor, accountId: string, revokeKeys: boolean): Promise<void>
  /** `name`: typed, so that nobody deletes another one than they mean. */
  remove(by: MemberActor, name: string): Promise<void>
}

export const createTeams = ({ store, clock, organisationsPerAccount: most, onRemoved }: TeamRooms): Teams => {
  const { teams } = store

  const eventOf = (by: MemberActor, told: Pick<AuditEvent, 'action' | 'target' | 'details'>): AuditEvent => ({
    at: clock.now(),
    organisationId: by.organisationId,
    actor: auditActorOf(by),
    ...told,
  })
  const end = (removal: RemovalOutcome, by: MemberActor, accountId: string | null): void => {
    const { organisationId } = by
    if (removal.outcome !== 'removed') throw refuseTeamChange(removal, accountId ?? organisationId)
    onRemoved({ keyIds: removal.keyIds, accountId, organisationId })
  }
  const member = (id: string) => ({ kind: 'account', id, name: null }) as const

  return {
    organisations: (accountId) => teams.organisations(accountId),
    members: (organisationId) => teams.members(organisationId),
    async create(by, wanted) {
      const organisation = { id: newId('org'), name: requireName(wanted), createdAt: clock.now() }
      const target = { kind: 'organisation', id: organisation.id, name: organisation.name } as const
      const event = eventOf(
        { ...by, organisationId: organisation.id },
        { action: 'organisation.created', target, details: {} },
      )
      if (!(await teams.create(organisation, by.accountId, most, event)))
        throw ApiError.of('too_many_organisations', { limit: most })
      await teams.switchTo(by.sessionId, organisation.id)
      return organisation
    },
    async switchTo(by, organisationId) {
      if (!(await teams.switchTo(by.sessionId, organisationId)))
        throw ApiError.of('organisation_not_found', { id: organisationId.slice(0, 64) })
    },
    async rename(by, wanted, was) {
      const name = requireName(wanted)
      const target = { kind: 'organisation', id: by.organisationId, name } as const
      const event = eventOf(by, { action: 'organisation.renamed', target, details: { from: was, to: name } })
      const done = await teams.rename(by, name, was, event)
      if (done.outcome !== 'renamed') throw refuseTeamChange(done, by.organisationId)
    },
    async changeRole(by, accountId, role, was) {
      const details = { from: was, to: role }
      const event = eventOf(by, { action: 'member.role_changed', target: member(accountId), details })
      const done = await teams.changeRole(by, { accountId, role, was }, event)
      if (done.outcome !== 'changed') throw refuseTeamChange(done, accountId)
    },
    async handOver(by, accountId) {
      const event = eventOf(by, { action: 'organisation.handed_over', target: member(accountId), details: {} })
      const done = await teams.handOver(by, accountId, event)
      if (done.outcome !== 'handed_over') throw refuseTeamChange(done, accountId)
    },
    async leave(by) {
      const { accountId } = by
      const event = eventOf(by, { action: 'member.left', target: member(accountId), details: {} })
      end(await teams.removeMember(by, { accountId, revokeKeys: false }, event), by, accountId)
    },
    async removeMember(by, accountId, revokeKeys) {
      const event = eventOf(by, { action: 'member.removed', target: member(accountId), details: { revokeKeys } })
      end(await teams.removeMember(by, { accountId, revokeKeys }, event), by, accountId)
    },
    async remove(by, typed) {
      const mine = (await teams.organisations(by.accountId)).find(({ id }) => id === by.organisationId)
      if (mine?.name !== typed.trim()) throw ApiError.of('confirmation_mismatch', {}, { param: 'name' })
      const target = { kind: 'organisation', id: mine.id, name: mine.name } as const
      end(await teams.remove(by, eventOf(by, { action: 'organisation.deleted', target, details: {} })), by, null)
    },
  }
}
