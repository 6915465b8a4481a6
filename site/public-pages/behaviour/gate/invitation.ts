import type { Role } from '../../../../src/store/team-contract.ts'
import { fetchSession, platformPost } from '../../../platform/platform.ts'
import type { Session } from '../../../platform/types.ts'
import { faultText } from '../../../words/fault-text.ts'
import { dropFragment, fragmentToken } from './fragment-token.ts'
import { faultWords, gateWords } from './gate-words.ts'
import { openForm } from './open-form.ts'
import { headView, showView, tellView } from './views.ts'

type Invitation = { organisation: string; role: Role; invitedBy: string | null }

/** Accepted with one press by whoever is signed in; the others sign in or up first, and the invitation goes along. */
export const startInvitation = async (): Promise<void> => {
  const token = fragmentToken(null)
  if (token === null) return showView('over')
  openForm('invitation', async () => {
    await platformPost('/invitations/accept', { token })
    dropFragment()
    location.replace('/team')
  })
  try {
    const invitation = await platformPost<Invitation>('/invitations/look', { token })
    show(invitation, await fetchSession(), token)
  } catch (error) {
    tellView('over', faultText(error, faultWords))
    showView('over')
  }
}

const show = ({ organisation, role, invitedBy }: Invitation, { account, signUp }: Session, token: string): void => {
  const view = account === null ? 'choose' : 'accept'
  const told = gateWords.invited(invitedBy, gateWords.roles[role])
  headView(view, gateWords.joinTitle(organisation))
  tellView(view, account === null ? told : `${told} ${gateWords.signedInAs(account.email)}`)
  for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-join]')) {
    const isSignUp = link.dataset.join === 'sign-up'
    link.href = isSignUp ? `/signup#join=${token}` : `/signin?next=/invitation#${token}`
    // Where nobody new may come there is one way only.
    if (isSignUp) link.hidden = signUp === 'closed'
    else if (signUp === 'closed') link.classList.add('primary')
  }
  showView(view)
}
