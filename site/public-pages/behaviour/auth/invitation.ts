import type { OfferedInvitation } from '../../../../src/platform/contract/organisation.ts'
import { fetchSession, platformPost } from '../../../platform/platform.ts'
import type { Session } from '../../../platform/types.ts'
import { errorText } from '../../../words/error-text.ts'
import { authWords, errorWords } from './auth-words.ts'
import { dropFragment, fragmentToken } from './fragment-token.ts'
import { openForm } from './open-form.ts'
import { setViewText, setViewTitle, showView } from './views.ts'

/** People who are signed in accept with one click; others sign in or sign up first, and the invitation is passed along. */
export const startInvitation = async (): Promise<void> => {
  const token = fragmentToken(null)
  if (token === null) return showView('over')
  openForm('invitation', async () => {
    await platformPost('/invitations/accept', { token })
    dropFragment()
    location.replace('/team')
  })
  try {
    const invitation = await platformPost<OfferedInvitation>('/invitations/look', { token })
    show(invitation, await fetchSession(), token)
  } catch (error) {
    setViewText('over', errorText(error, errorWords))
    showView('over')
  }
}

const show = (
  { organisationName, role, invitedBy }: OfferedInvitation,
  { account, signUp }: Session,
  token: string,
): void => {
  const view = account === null ? 'choose' : 'accept'
  const text = authWords.invited(invitedBy, authWords.roles[role])
  setViewTitle(view, authWords.joinTitle(organisationName))
  setViewText(view, account === null ? text : `${text} ${authWords.signedInAs(account.email)}`)
  for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-join]')) {
    const isSignUp = link.dataset.join === 'sign-up'
    link.href = isSignUp ? `/signup#join=${token}` : `/signin?next=/invitation#${token}`
    // If sign-up is closed, only signing in remains.
    if (isSignUp) link.hidden = signUp === 'closed'
    else if (signUp === 'closed') link.classList.add('primary')
  }
  showView(view)
}
