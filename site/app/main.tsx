import { createFirstAnswers } from './first-sight/first-answers.ts'
import { showFirstSight } from './first-sight/show-first-sight.ts'
import { leaveWhenSignedOut } from './leave-when-signed-out.ts'

/** The script of the app's own document. What the page says first needs little of the app, so it does not wait for it. */
const { early, later } = createFirstAnswers(
  (url, init) => fetch(url, init),
  () => performance.now(),
)
leaveWhenSignedOut()
const shown = showFirstSight(early)
void import('./start-app.tsx').then(({ startApp }) => startApp(null, { fetchUrl: later, shown }))
