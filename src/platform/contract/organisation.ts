import { abilities } from '../../accounts/teams/roles.ts'
import { ApiError } from '../../base/api-error.ts'
import { array, nullable, object, optional } from '../../http/schema/containers.ts'
import { Problem } from '../../http/schema/problem.ts'
import { boolean, oneOf, string } from '../../http/schema/scalars.ts'
import { described, named, type Schema, schema } from '../../http/schema/schema.ts'
import type { Shape } from '../../operations/shape.ts'
import { type BodyDays, bodyDays } from '../../store/body-contract.ts'
import { get, member, post, session, visitor } from './operation.ts'
import { count, language, role, time } from './scalars.ts'

/** In every answer that has an organisation. */
export const organisationFields = { id: string({ pattern: '^org_' }), name: string(), createdAt: time }
export const organisation = named('Organisation', object(organisationFields))

export const ownFields = { ...organisationFields, role, members: count, suspendedAt: nullable(time) }
/** One that the person belongs to. */
export const ownOrganisation = named('OwnOrganisation', object(ownFields))
export type OwnOrganisation = Shape<typeof ownOrganisation>

/** The one that the session is for. */
export const activeOrganisation = named(
  'ActiveOrganisation',
  object({
    ...ownFields,
    needsSecondFactor: described('It requires a second factor, and the session was opened without one.', boolean),
  }),
)
export type ActiveOrganisation = Shape<typeof activeOrganisation>

export const teamMember = named(
  'Member',
  object({
    id: described('ID of the account.', string()),
    email: string(),
    role,
    joinedAt: time,
    lastSeenAt: nullable(time),
    suspendedAt: nullable(time),
  }),
)
export type TeamMember = Shape<typeof teamMember>

const invitation = named(
  'Invitation',
  object({
    id: string(),
    role,
    email: nullable(string()),
    invitedBy: described('Email address; null if that account was deleted.', nullable(string())),
    createdAt: time,
    expiresAt: time,
    acceptedAt: nullable(time),
    withdrawnAt: nullable(time),
  }),
)
export type Invitation = Shape<typeof invitation>

const newInvitation = object({
  id: string(),
  expiresAt: time,
  url: described('Returned only here, and null if it was sent by mail.', nullable(string())),
})
export type NewInvitation = Shape<typeof newInvitation>

const offeredInvitation = object({
  organisationName: string(),
  role,
  invitedBy: nullable(string()),
  email: nullable(string()),
  expiresAt: time,
})
export type OfferedInvitation = Shape<typeof offeredInvitation>

const rules = object({ secondFactorRequired: boolean, membersWithout: count })

const storageDays: Schema<BodyDays> = schema({ type: 'integer', enum: bodyDays }, (value) => {
  const days = bodyDays.find((known) => known === value)
  if (days !== undefined) return days
  const reason = `it must be ${bodyDays.join(', ')} or null`
  throw new Problem((path) => ApiError.of('refused_value', { path, reason }, { param: path }))
})
export const bodyStorageFields = { days: described('Null: they are not stored.', nullable(storageDays)) }
const bodyStorage = object(bodyStorageFields)

const invitationToken = object({ token: string() })

export const organisationOperations = {
  listOrganisations: get('/organisations', session, 'Lists the organisations that you belong to.', {
    answer: object({ data: array(ownOrganisation) }),
  }),
  createOrganisation: post('/organisations', session, 'Creates an organisation that you own.', {
    body: object({ name: string() }),
    answer: ownOrganisation,
    status: 201,
  }),
  switchOrganisation: post(
    '/organisations/{organisation}/switch',
    session,
    'Switches the session to another of your organisations.',
    {},
  ),

  renameOrganisation: post('/organisation/rename', member(abilities.changeOrganisation), 'Renames the organisation.', {
    body: object({ name: string(), was: string() }),
  }),
  leaveOrganisation: post('/organisation/leave', member(abilities.leave), 'Leaves the organisation.', {}),
  transferOwnership: post('/organisation/hand-over', member(abilities.handOver), 'Makes another member the owner.', {
    body: object({ accountId: string() }),
  }),
  deleteOrganisation: post(
    '/organisation/delete',
    member(abilities.handOver),
    'Deletes the organisation. Its name confirms the deletion.',
    { body: object({ name: string() }) },
  ),
  showRules: get('/organisation/rules', member(abilities.see), 'Shows whether a second factor is required.', {
    answer: rules,
  }),
  changeRules: post('/organisation/rules', member(abilities.changeRules), 'Requires a second factor, or no longer.', {
    body: object({ secondFactorRequired: boolean }),
  }),
  showBodyStorage: get(
    '/organisation/bodies',
    member(abilities.see),
    'Shows for how many days prompts and answers are stored.',
    { answer: bodyStorage },
  ),
  setBodyStorage: post(
    '/organisation/bodies',
    member(abilities.changeOrganisation),
    'Sets for how many days prompts and answers are stored. Null deletes those that are stored now.',
    { body: bodyStorage },
  ),

  listMembers: get('/organisation/members', member(abilities.see), 'Lists the members.', {
    answer: object({ data: array(teamMember) }),
  }),
  // Everybody may step down: whether the role suffices is decided together with the change.
  changeRole: post('/organisation/members/{account}/role', member(abilities.leave), 'Changes the role of a member.', {
    body: object({ role, was: role }),
  }),
  removeMember: post('/organisation/members/{account}/remove', member(abilities.manageMembers), 'Removes a member.', {
    body: object({ revokeKeys: boolean }),
  }),

  listInvitations: get('/organisation/invitations', member(abilities.manageMembers), 'Lists the invitations.', {
    answer: object({ data: array(invitation) }),
  }),
  invite: post('/organisation/invitations', member(abilities.manageMembers), 'Invites somebody, by link or by mail.', {
    body: object({
      role,
      email: optional(nullable(string())),
      send: oneOf('link', 'mail'),
      language: optional(language),
    }),
    answer: newInvitation,
    status: 201,
  }),
  withdrawInvitation: post(
    '/organisation/invitations/{invitation}/withdraw',
    member(abilities.manageMembers),
    'Withdraws an invitation.',
    {},
  ),
  showInvitation: post('/invitations/look', visitor, 'Shows the invitation that a token belongs to.', {
    body: invitationToken,
    answer: offeredInvitation,
  }),
  acceptInvitation: post(
    '/invitations/accept',
    session,
    'Accepts an invitation and switches the session to its organisation.',
    { body: invitationToken, answer: object({ organisationId: string() }) },
  ),
}
