import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decideMemberChange, reaches } from './decide-member-change.ts'
import { type Role, roles } from './team-contract.ts'

const role = fc.constantFrom(...roles)
const change = fc.record({
  actor: role,
  isSelf: fc.boolean(),
  target: role,
  next: fc.option(role),
  owners: fc.integer({ min: 1, max: 3 }),
})
type Wanted = Parameters<typeof decideMemberChange>[0] & { actor: Role }
const decide = (wanted: Wanted) => {
  const actor = wanted.isSelf ? wanted.target : wanted.actor
  return { actor, ...decideMemberChange({ ...wanted, actor }) }
}

test('nobody gives themselves more than they have', () => {
  fc.assert(
    fc.property(change, (wanted) => {
      const { outcome, actor } = decide({ ...wanted, isSelf: true })
      if (outcome === 'allowed' && wanted.next !== null) expect(reaches(actor, wanted.next)).toBe(true)
    }),
  )
})

test('whoever changes somebody else is an admin, and an owner where an owner is touched or made', () => {
  fc.assert(
    fc.property(change, (wanted) => {
      const { outcome, actor } = decide({ ...wanted, isSelf: false })
      if (outcome !== 'allowed') return
      expect(reaches(actor, 'admin')).toBe(true)
      if (wanted.target === 'owner' || wanted.next === 'owner') expect(actor).toBe('owner')
    }),
  )
})

test('the last owner stays', () => {
  fc.assert(
    fc.property(change, (wanted) => {
      const { outcome } = decide({ ...wanted, target: 'owner', owners: 1 })
      if (wanted.next !== 'owner') expect(outcome).not.toBe('allowed')
    }),
  )
})

test('everybody may step down or leave, but for the last owner', () => {
  fc.assert(
    fc.property(change, (wanted) => {
      const isDown = wanted.next === null || reaches(wanted.target, wanted.next)
      if (isDown) expect(decide({ ...wanted, isSelf: true, owners: 2 }).outcome).toBe('allowed')
    }),
  )
})

test('somebody who does not belong here changes nothing', () => {
  fc.assert(
    fc.property(change, (wanted) => {
      expect(decideMemberChange({ ...wanted, actor: null }).outcome).toBe('role_too_low')
    }),
  )
})
