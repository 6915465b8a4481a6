import { useEffect, useState } from 'react'
import { useAppState } from '../../app-state.ts'
import { useSession } from '../../session.ts'
import { SessionEndDialog } from '../../shell/session-end-dialog.tsx'
import { usePageTitle } from '../../use-page-title.ts'
import { useWords } from '../../words-context.tsx'
import { KeyGone } from './key-gone.tsx'
import { KeyShown } from './key-shown.tsx'

/** After sign-up: the key, shown once, and what to do with it. There is no navigation, so that nothing distracts from it. */
export const WelcomePage = () => {
  const { shell } = useWords()
  const app = useAppState()
  const { account } = useSession()
  const [newKey, setNewKey] = useState(app.firstKey)
  usePageTitle(shell.welcome)
  useEffect(
    () => () => {
      app.firstKey = null
    },
    [app],
  )
  return (
    <div className="welcome">
      {newKey === null ? <KeyGone onCreated={setNewKey} /> : <KeyShown newKey={newKey} />}
      <SessionEndDialog email={account.email} />
    </div>
  )
}
