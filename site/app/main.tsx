import { createFirstAnswers } from './first-sight/first-answers.ts'
import { showFirstSight } from './first-sight/show-first-sight.ts'
import { leaveWhenSignedOut } from './leave-when-signed-out.ts'

/** The script of the app's own document. What the page says first needs little of the app, so it does not wait for it. */
// Before anything of an account is shown.
leaveWhenSignedOut()
const { early, later } = createFirstAnswers(
  (url, init) => fetch(url, init),
  () => performance.now(),
)
const shown = showFirstSight(early)

/** The script of the app is on its way already, and keeps the browser busy when it runs: so long it waits for the first words. */
const waitMs = 100
void Promise.race([shown, new Promise((resolve) => setTimeout(resolve, waitMs))])
  .then(() => import('./start-app.tsx'))
  .then(({ startApp }) => startApp(null, { fetchUrl: later, shown }))
