import { lazy, useEffect, useState } from 'react'
import { useAppState } from '../app-state.ts'
import { LazyDialog } from '../components/lazy-dialog.tsx'
import { WithAllWords } from '../words-context.tsx'

/** Loaded when it is needed: most sessions never end while a page is open. */
const SignInAgain = lazy(async () => ({ default: (await import('./sign-in-again.tsx')).SignInAgain }))

/** Waits for the end of the session, and then asks to sign in above the page. */
export const SessionEndDialog = ({ email }: { email: string }) => {
  const [isOpen, setOpen] = useState(false)
  const { sessionEnd } = useAppState()
  useEffect(() => sessionEnd.listen(() => setOpen(true)), [sessionEnd])
  return (
    <LazyDialog isOpen={isOpen}>
      <WithAllWords>
        <SignInAgain email={email} isOpen={isOpen} onClose={() => setOpen(false)} />
      </WithAllWords>
    </LazyDialog>
  )
}
