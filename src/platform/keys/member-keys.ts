import type { Accounts } from '../../accounts/accounts.ts'
import { auditActorOf } from '../../accounts/actor.ts'
import { abilities } from '../../accounts/teams/roles.ts'
import { ApiError } from '../../base/api-error.ts'
import type { Exchange } from '../../http/exchange.ts'
import { readJson } from '../../http/read-json.ts'
import { sendJson } from '../../http/respond.ts'
import type { Member } from '../../http/route.ts'
import { object } from '../../http/schema/containers.ts'
import { shorten, string } from '../../http/schema/scalars.ts'
import { keyError } from '../../keys/key-error.ts'
import type { KeyRegistry, ShownKey } from '../../keys/key-registry.ts'
import { reaches } from '../../store/decide-member-change.ts'
import { actorOf } from '../actor-of.ts'
import { bodyLimitBytes } from '../body-limit.ts'
import { keyChangesBody, newKeyBody, rotateBody } from './key-body.ts'
import { memberKeyJson } from './key-json.ts'

/** The keys of the organisation that somebody signed in for. Another organisation's do not exist here. */
type KeyRooms = { keys: KeyRegistry; accounts: Accounts }

type Handle = (exchange: Exchange, member: Member) => Promise<void>

/** `POST /platform/keys` */
export const createCreateMemberKey =
  ({ keys, accounts }: KeyRooms): Handle =>
  async (exchange, member) => {
    const { organisationId, accountId: createdBy } = member
    const wanted = await readJson(exchange, bodyLimitBytes, newKeyBody)
    // Whoever has such a key can do to the others what an admin can.
    if (wanted.scopes?.includes('manage')) requireManager(member)
    const created = await keys
      .by(auditActorOf(actorOf(exchange, member)))
      .create({ ...wanted, organisationId, createdBy })
    if (created.outcome !== 'created') throw keyError('', created)
    const emails = await accounts.teams.memberEmails(organisationId)
    sendJson(exchange, 201, { ...memberKeyJson(created.record, emails), key: created.key })
  }

const confirmation = object({ name: string() })

/** `POST /platform/keys/{key}/revoke` */
export const createRevokeMemberKey =
  ({ keys, accounts }: KeyRooms): Handle =>
  async (exchange, member) => {
    const { organisationId } = member
    const { key: id = '' } = exchange.params
    const { name } = await readJson(exchange, bodyLimitBytes, confirmation)
    const key = await requireKey(keys, organisationId, id)
    requireOwn(key, member)
    if (name !== key.name) throw ApiError.of('confirmation_mismatch', {}, { param: 'name' })
    await keys.by(auditActorOf(actorOf(exchange, member))).revoke({ organisationId }, id)
    const revoked = await requireKey(keys, organisationId, id)
    sendJson(exchange, 200, memberKeyJson(revoked, await accounts.teams.memberEmails(organisationId)))
  }

/** `POST /platform/keys/{key}/rotate` */
export const createRotateMemberKey =
  ({ keys, accounts }: KeyRooms): Handle =>
  async (exchange, member) => {
    const { organisationId } = member
    const { key: id = '' } = exchange.params
    const { graceMs } = await readJson(exchange, bodyLimitBytes, rotateBody)
    requireOwn(await requireKey(keys, organisationId, id), member)
    const rotated = await keys.by(auditActorOf(actorOf(exchange, member))).rotate({ organisationId }, id, graceMs)
    if (rotated.outcome !== 'rotated') throw keyError(id, rotated)
    const emails = await accounts.teams.memberEmails(organisationId)
    sendJson(exchange, 200, { ...memberKeyJson(rotated.record, emails), key: rotated.key })
  }

/** `POST /platform/keys/{key}` */
export const createChangeMemberKey =
  ({ keys, accounts }: KeyRooms): Handle =>
  async (exchange, member) => {
    const { organisationId } = member
    const { key: id = '' } = exchange.params
    const { was, ...changes } = await readJson(exchange, bodyLimitBytes, keyChangesBody)
    requireOwn(await requireKey(keys, organisationId, id), member)
    // A limit that an admin set is not for the one it limits to lift.
    if (changes.limits !== undefined) requireManager(member)
    const changed = await keys
      .by(auditActorOf(actorOf(exchange, member)))
      .change({ organisationId }, id, changes, was?.limits)
    if (changed.outcome !== 'changed') throw keyError(id, changed)
    sendJson(exchange, 200, memberKeyJson(changed.record, await accounts.teams.memberEmails(organisationId)))
  }

/** A member looks after the keys they made; an admin after all, and alone after those that manage others. */
const requireOwn = ({ createdBy, scopes }: ShownKey, member: Member): void => {
  if (createdBy !== member.accountId || scopes.includes('manage')) requireManager(member)
}

const requireManager = ({ role }: Member): void => {
  const { least } = abilities.manageKeys
  if (!reaches(role, least)) throw ApiError.of('role_too_low', { role: least })
}

const requireKey = async (keys: KeyRegistry, organisationId: string, id: string): Promise<ShownKey> => {
  const key = await keys.find({ organisationId }, id)
  if (key === null) throw ApiError.of('key_not_found', { id: shorten(id) })
  return key
}
