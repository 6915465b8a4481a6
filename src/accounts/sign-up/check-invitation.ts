import type { Clock } from '../../base/clock.ts'
import type { Store } from '../../store/contract.ts'
import { invitationEnd } from '../../store/invitation-end.ts'
import type { ShownInvitation } from '../../store/team-contract.ts'
import { hashToken } from '../secrets/secret-token.ts'
import { invitationError } from '../teams/invitations.ts'

/** To the server, from its owner; or to an existing organisation. */
export type SentInvitation = { to: 'server' | 'organisation'; token: string }

export type AcceptedInvitation = { to: SentInvitation['to']; hash: Uint8Array; shown: ShownInvitation | null }

type CheckInvitationDependencies = { store: Pick<Store, 'links' | 'invitations'>; clock: Clock }

/** Refuses an invalid invitation before a password is hashed for it. It is used up later, together with the account. */
export const createCheckInvitation =
  ({ store, clock }: CheckInvitationDependencies) =>
  async (sent: SentInvitation | null): Promise<AcceptedInvitation | null> => {
    if (sent === null) return null
    const { to } = sent
    const hash = hashToken(sent.token)
    if (to === 'server') {
      if ((await store.links.find('invitation', hash, clock.now())) === null) throw invitationError('unknown')
      return { to, hash, shown: null }
    }
    const shown = await store.invitations.find(hash)
    const end = shown === null ? 'unknown' : invitationEnd(shown, clock.now())
    if (end !== null) throw invitationError(end)
    return { to, hash, shown }
  }
