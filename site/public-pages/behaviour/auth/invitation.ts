import type { AuthWords } from '../../../../languages/words.ts'
import type { OfferedInvitation } from '../../../../src/platform/contract/organisation.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { Session } from '../../../platform/types.ts'
import { errorText } from '../../../words/error-text.ts'
import { dropFragment, fragmentToken } from './fragment-token.ts'
import { openForm } from './open-form.ts'
import { setViewText, setViewTitle, showView } from './views.ts'

/** People who are signed in accept with one click; others sign in or sign up first, and the invitation is passed along. */
export const startInvitation = async (words: AuthWords, platform: Platform): Promise<void> => {
  const token = fragmentToken(null)
  if (token === null) return showView('over')
  openForm('invitation', words, async () => {
    await platform.acceptInvitation({ body: { token } })
    dropFragment()
    location.replace('/team')
  })
  try {
    const invitation = await platform.showInvitation({ body: { token } })
    show(invitation, await platform.showSession(), token, words)
  } catch (error) {
    setViewText('over', errorText(error, words.errors))
    showView('over')
  }
}

const show = (
  { organisationName, role, invitedBy }: OfferedInvitation,
  { account, signUp }: Session,
  token: string,
  words: AuthWords,
): void => {
  const view = account === null ? 'choose' : 'accept'
  const text = words.invited(invitedBy, words.roles[role])
  setViewTitle(view, words.joinTitle(organisationName))
  setViewText(view, account === null ? text : `${text} ${words.signedInAs(account.email)}`)
  for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-join]')) {
    const isSignUp = link.dataset.join === 'sign-up'
    link.href = isSignUp ? `/signup#join=${token}` : `/signin?next=/invitation#${token}`
    // If sign-up is closed, only signing in remains.
    if (isSignUp) link.hidden = signUp === 'closed'
    else if (signUp === 'closed') link.classList.add('primary')
  }
  showView(view)
}
