import { expect, test } from 'vitest'
import type { Store } from '../../../src/store/contract.ts'
import type { InvitationRecord } from '../../../src/store/team-contract.ts'
import {
  accountOf,
  byPassword,
  claimServer,
  eventOf,
  hashOf,
  joinTeam,
  sessionOf,
  signUp,
} from '../../harness/account-records.ts'
import { keyRecordOf } from '../../harness/key-record.ts'
import { eachStore } from './each-store.ts'

/** Ann owns an organisation to which Ben belongs as an admin and Cid as a member; each has one of their own. */
const openTeam = async (store: Store) => {
  await claimServer(store)
  const [ann, ben, cid] = [
    await signUp(store, 'ann@x.y'),
    await signUp(store, 'ben@x.y'),
    await signUp(store, 'cid@x.y'),
  ]
  const organisationId = ann.organisationId
  const by = (account: { id: string }) => ({ organisationId, accountId: account.id })
  await joinTeam(store, by(ann), ben.id, 'admin')
  await joinTeam(store, by(ann), cid.id, 'member')
  return { organisationId, by, ann, ben, cid }
}

const roleEvent = eventOf('member.role_changed', { at: 2_000 })

eachStore((create) => {
  test('members and organisations are listed in the order in which they joined', async () => {
    await using data = await create()
    await using store = await data.open()
    const { organisationId, ann, ben, cid } = await openTeam(store)
    const members = await store.teams.members(organisationId)
    expect(members.map(({ accountId, role }) => [accountId, role])).toEqual([
      [ann.id, 'owner'],
      [ben.id, 'admin'],
      [cid.id, 'member'],
    ])
    expect(await store.teams.organisations(cid.id)).toMatchObject([
      { id: cid.organisationId, role: 'owner', members: 1 },
      { id: organisationId, role: 'member', members: 3, suspendedAt: null },
    ])
    const third = { id: 'org_third', name: 'Third', createdAt: 2_000 }
    expect(await store.teams.create(third, cid.id, 1, eventOf('organisation.created'))).toBe(false)
    expect(await store.teams.create(third, cid.id, 2, eventOf('organisation.created'))).toBe(true)
    expect((await store.teams.organisations(cid.id)).map(({ id }) => id)).toContain('org_third')
  })

  test('a role counts as it is at the moment of the change, and nothing changes under somebody else', async () => {
    await using data = await create()
    await using store = await data.open()
    const { by, organisationId, ann, ben, cid } = await openTeam(store)
    const change = (
      actor: { id: string },
      member: { id: string },
      was: 'admin' | 'member' | 'owner',
      role: 'admin' | 'viewer',
    ) => store.teams.changeRole(by(actor), { accountId: member.id, role, was }, roleEvent)
    expect(await change(cid, ben, 'admin', 'viewer')).toEqual({ outcome: 'role_too_low', needed: 'admin' })
    expect(await change(ben, ann, 'owner', 'viewer')).toEqual({ outcome: 'role_too_low', needed: 'owner' })
    expect(await change(ann, ann, 'owner', 'viewer')).toEqual({ outcome: 'last_owner' })
    expect(await change(ann, { id: 'usr_gone' }, 'member', 'viewer')).toEqual({ outcome: 'not_found' })
    expect(await change(ann, cid, 'admin', 'viewer')).toEqual({ outcome: 'changed_meanwhile', now: 'member' })
    expect(await change(ben, cid, 'member', 'viewer')).toEqual({ outcome: 'changed' })
    expect(await change(ann, ben, 'admin', 'viewer')).toEqual({ outcome: 'changed' })
    expect(await store.teams.rename(by(ben), 'Mine', 'Their own', eventOf('organisation.renamed'))).toEqual({
      ...{ outcome: 'role_too_low', needed: 'admin' },
    })
    const rename = (was: string) => store.teams.rename(by(ann), 'Ours', was, eventOf('organisation.renamed'))
    expect(await rename('Elsewhere')).toEqual({ outcome: 'changed_meanwhile', now: 'Their own' })
    expect(await rename('Their own')).toEqual({ outcome: 'renamed' })
    expect(await store.teams.organisations(ann.id)).toMatchObject([{ id: organisationId, name: 'Ours' }])
  })

  test('an organisation never loses its last owner, not even when both step down at once', async () => {
    await using data = await create()
    await using store = await data.open()
    const { by, organisationId, ann, ben } = await openTeam(store)
    const promoted = { accountId: ben.id, role: 'owner', was: 'admin' } as const
    expect(await store.teams.changeRole(by(ann), promoted, roleEvent)).toEqual({ outcome: 'changed' })
    const leave = (account: { id: string }) =>
      store.teams.removeMember(by(account), { accountId: account.id, revokeKeys: false }, eventOf('member.left'))
    const outcomes = (await Promise.all([leave(ann), leave(ben)])).map(({ outcome }) => outcome)
    expect(outcomes.sort()).toEqual(['last_owner', 'removed'])
    const owners = (await store.teams.members(organisationId)).filter(({ role }) => role === 'owner')
    expect(owners).toHaveLength(1)
  })

  test('a hand-over swaps two roles, and withdraws what the former owner prepared', async () => {
    await using data = await create()
    await using store = await data.open()
    const { by, organisationId, ann, cid } = await openTeam(store)
    const invitation = invitationOf(organisationId, ann.id, { role: 'owner' })
    await store.invitations.insert(by(ann), invitation, hashOf('back'), 9, eventOf('invitation.made'))
    const event = eventOf('organisation.handed_over', { at: 2_000 })
    expect(await store.teams.handOver(by(cid), ann.id, event)).toEqual({ outcome: 'role_too_low', needed: 'owner' })
    expect(await store.teams.handOver(by(ann), ann.id, event)).toEqual({ outcome: 'not_found' })
    expect(await store.teams.handOver(by(ann), cid.id, event)).toEqual({ outcome: 'handed_over' })
    expect((await store.teams.members(organisationId)).map(({ role }) => role)).toEqual(['admin', 'admin', 'owner'])
    expect(await store.invitations.find(hashOf('back'))).toMatchObject({ withdrawnAt: 2_000 })
  })

  test('the owner of a key or session is the account that has owned its organisation for longest, from the next look on', async () => {
    await using data = await create()
    await using store = await data.open()
    const unclaimed = (await store.organisations.first()).id
    await store.keys.insert(keyRecordOf(unclaimed, { id: 'key_first' }), hashOf('first'))
    const ownerOf = async (key: string) => (await store.keys.findByHash(hashOf(key)))?.ownerId
    // Nobody owns it yet.
    expect(await ownerOf('first')).toBe(unclaimed)
    const { by, organisationId, ann, ben, cid } = await openTeam(store)
    const { accountId: claimant } = (await store.teams.members(unclaimed))[0] ?? {}
    expect(await ownerOf('first')).toBe(claimant)
    const second = { id: 'org_second', name: 'Second', createdAt: 2_000 }
    expect(await store.teams.create(second, ann.id, 9, eventOf('organisation.created'))).toBe(true)
    await store.keys.insert(keyRecordOf(organisationId, { id: 'key_1', createdBy: cid.id }), hashOf('1'))
    await store.keys.insert(keyRecordOf('org_second', { id: 'key_2' }), hashOf('2'))
    await store.sessions.open(await sessionOf(store, cid.id, { organisationId }), hashOf('cid'), byPassword, null)
    const owners = async () => [
      ...[await ownerOf('1'), await ownerOf('2')],
      (await store.sessions.find(hashOf('cid')))?.ownerId,
    ]
    expect(await owners()).toEqual([ann.id, ann.id, ann.id])
    // A second owner changes nothing, until the first is none any more.
    const promoted = { accountId: ben.id, role: 'owner', was: 'admin' } as const
    expect(await store.teams.changeRole(by(ann), promoted, roleEvent)).toEqual({ outcome: 'changed' })
    expect(await owners()).toEqual([ann.id, ann.id, ann.id])
    const demoted = { accountId: ann.id, role: 'admin', was: 'owner' } as const
    expect(await store.teams.changeRole(by(ben), demoted, roleEvent)).toEqual({ outcome: 'changed' })
    expect(await owners()).toEqual([ben.id, ann.id, ben.id])
    await store.teams.handOver(by(ben), cid.id, eventOf('organisation.handed_over', { at: 2_000 }))
    expect(await owners()).toEqual([cid.id, ann.id, cid.id])
    // The other secret of a key that was rotated, too.
    const rotated = { secretHash: hashOf('new'), prefix: 'hx_live_2222', lastFour: '2222', previousUntil: 9_000 }
    await store.keys.rotate({ organisationId }, 'key_1', rotated)
    expect([await ownerOf('1'), await ownerOf('new')]).toEqual([cid.id, cid.id])
  })

  test('who leaves goes on in another organisation, and takes their keys along if so wished', async () => {
    await using data = await create()
    await using store = await data.open()
    const { by, organisationId, ann, ben, cid } = await openTeam(store)
    for (const [n, owner] of [ben, cid].entries())
      await store.keys.insert(keyRecordOf(organisationId, { id: `key_${n}`, createdBy: owner.id }), hashOf(`${n}`))
    const session = await sessionOf(store, cid.id, { organisationId })
    await store.sessions.open(session, hashOf('cid'), byPassword, null)
    const leaving = { accountId: cid.id, revokeKeys: true }
    expect(
      await store.teams.removeMember(by(cid), { ...leaving, accountId: ben.id }, eventOf('member.removed')),
    ).toEqual({
      ...{ outcome: 'role_too_low', needed: 'admin' },
    })
    const removed = await store.teams.removeMember(by(ben), leaving, eventOf('member.removed', { at: 3_000 }))
    expect(removed).toEqual({ outcome: 'removed', keyIds: ['key_1'] })
    expect(await store.keys.list({ organisationId })).toMatchObject([{ revokedAt: null }, { revokedAt: 3_000 }])
    expect(await store.sessions.find(hashOf('cid'))).toMatchObject({ organisation: { id: cid.organisationId } })
    expect(await store.teams.switchTo(session.id, organisationId)).toBe(false)
    expect(
      await store.teams.remove(
        { organisationId: cid.organisationId, accountId: cid.id },
        eventOf('organisation.deleted'),
      ),
    ).toEqual({ outcome: 'removed', keyIds: [] })
    // An account always has an organisation.
    expect(await store.teams.organisations(cid.id)).toMatchObject([{ name: 'cid', role: 'owner', members: 1 }])
    expect(await store.teams.remove(by(ben), eventOf('organisation.deleted'))).toEqual({
      ...{ outcome: 'role_too_low', needed: 'owner' },
    })
    expect(await store.teams.remove(by(ann), eventOf('organisation.deleted'))).toMatchObject({ outcome: 'removed' })
    expect(await store.teams.members(organisationId)).toEqual([])
    expect(await store.keys.list({ organisationId })).toEqual([])
  })

  test('an invitation is accepted once, while it lasts, by somebody who is no member', async () => {
    await using data = await create()
    await using store = await data.open()
    const { by, organisationId, ann, cid } = await openTeam(store)
    const invite = (token: string, changes: Partial<InvitationRecord> = {}, actor = ann) =>
      store.invitations.insert(
        ...([by(actor), invitationOf(organisationId, actor.id, changes), hashOf(token), 3] as const),
        eventOf('invitation.made'),
      )
    const accept = (token: string, accountId: string, now = 2_000) =>
      store.invitations.accept(hashOf(token), { accountId, sessionId: 'ses_none', now }, eventOf('member.joined'))
    expect(await invite('x', {}, cid)).toEqual({ outcome: 'role_too_low', needed: 'admin' })
    for (const token of ['a', 'b', 'c']) expect(await invite(token)).toEqual({ outcome: 'invited' })
    expect(await invite('d')).toEqual({ outcome: 'too_many' })
    const [dan, eva] = [await signUp(store, 'dan@x.y'), await signUp(store, 'eva@x.y')]
    expect(await accept('a', cid.id)).toEqual({ outcome: 'already_member', organisationId })
    const both = await Promise.all([accept('a', dan.id), accept('a', eva.id)])
    expect(both.map(({ outcome }) => outcome).sort()).toEqual(['accepted', 'used'])
    expect(await accept('b', eva.id, 9_000)).toMatchObject({
      outcome: both[1]?.outcome === 'accepted' ? 'already_member' : 'expired',
    })
    const { id = '' } = (await store.invitations.find(hashOf('c'))) ?? {}
    const withdraw = (organisation: string) =>
      store.invitations.withdraw(organisation, id, 2_000, eventOf('invitation.withdrawn'))
    expect(await withdraw('org_other')).toBe(false)
    expect([await withdraw(organisationId), await withdraw(organisationId)]).toEqual([true, false])
    const fay = await signUp(store, 'fay@x.y')
    expect(await accept('c', fay.id)).toEqual({ outcome: 'withdrawn' })
    expect(await accept('nothing', fay.id)).toEqual({ outcome: 'unknown' })
    // Newest first, with the two that ended.
    const listed = await store.invitations.list(organisationId, 1_500)
    expect(listed.map(({ acceptedAt, withdrawnAt, inviterEmail }) => [acceptedAt, withdrawnAt, inviterEmail])).toEqual([
      [null, 2_000, 'ann@x.y'],
      [null, null, 'ann@x.y'],
      [2_000, null, 'ann@x.y'],
    ])
    expect((await store.invitations.list(organisationId, 2_000)).map(({ acceptedAt }) => acceptedAt)).toEqual([null])
  })

  test('a new account joins by an invitation, with the role that it names', async () => {
    await using data = await create()
    await using store = await data.open()
    const { by, organisationId, ann } = await openTeam(store)
    const record = invitationOf(organisationId, ann.id, { role: 'viewer', email: 'new@x.y' })
    await store.invitations.insert(by(ann), record, hashOf('new'), 9, eventOf('invitation.made'))
    const shown = { ...record, organisationName: 'Their own', isOrganisationSuspended: false, inviterEmail: 'ann@x.y' }
    expect(await store.invitations.find(hashOf('new'))).toEqual(shown)
    const account = accountOf('new@x.y')
    const invitation = { to: 'organisation', hash: hashOf('new') } as const
    expect(await store.accounts.create(account, 'org_unused', invitation)).toBe('created')
    expect(await store.accounts.create(accountOf('late@x.y'), 'org_late', invitation)).toBe('used')
    expect(await store.teams.organisations(account.id)).toMatchObject([{ id: organisationId, role: 'viewer' }])
    expect(await store.accounts.findByEmail(['late@x.y'])).toBeNull()
  })
})

const invitationOf = (
  organisationId: string,
  invitedBy: string,
  changes: Partial<InvitationRecord> = {},
): InvitationRecord => ({
  ...{ id: `inv_${crypto.randomUUID()}`, organisationId, role: 'member', email: null, invitedBy },
  ...{ createdAt: 1_000, expiresAt: 9_000, acceptedAt: null, withdrawnAt: null },
  ...changes,
})
