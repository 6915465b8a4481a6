import type { AuthWords } from '../../../../languages/words.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { Entered } from '../../../platform/types.ts'
import { openForm } from './open-form.ts'
import { showView } from './views.ts'

/**
 * The second step of a sign-in. Returns a function that handles the server's response: on to the console, or to the view
 * that asks for a code and then to the console.
 */
export const openSecondStep = (
  goOn: () => void,
  words: AuthWords,
  platform: Platform,
): ((entered: Entered) => void) => {
  let token = ''
  openForm(
    'code',
    words,
    async ({ code }) => {
      await platform.finishSignIn({ body: { token, code } })
      goOn()
    },
    { second_step_expired: words.secondStepExpired },
  )
  return ({ secondStep }) => {
    if (secondStep === undefined) return goOn()
    token = secondStep.token
    showView('code')
    document.querySelector<HTMLInputElement>('[data-view="code"] input[name="code"]')?.focus()
    for (const part of document.querySelectorAll<HTMLElement>('[data-view="code"] [data-passkey]'))
      part.hidden = !secondStep.hasPasskeys
  }
}
