import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import { useAppState } from '../app-state.ts'
import { Button } from '../components/button.tsx'
import { ErrorNotice } from '../components/error-notice.tsx'
import { useWords } from '../words-context.tsx'
import { savePlayground } from './save-playground.ts'

class Unsaved extends Error {}

type SignOut = UseMutationResult<void, unknown, 'anyway' | undefined>

/**
 * Saves what is in the playground, signs out, and leaves with a new document, so that nothing of the account stays in memory. What
 * cannot be saved is not lost without a question.
 */
export const useSignOut = (): SignOut => {
  const app = useAppState()
  return useMutation({
    async mutationFn(how: 'anyway' | undefined) {
      const { playground, platform } = app
      if (how !== 'anyway' && !(await savePlayground(app))) throw new Unsaved()
      await platform.signOut()
      playground?.drafts.forget()
    },
    onSuccess: () => location.assign('/signin'),
  })
}

export const SignOutError = ({ signOut }: { signOut: SignOut }) => {
  const { history } = useWords()
  if (!signOut.isError) return null
  if (!(signOut.error instanceof Unsaved))
    return <ErrorNotice error={signOut.error} onRetry={() => signOut.mutate(undefined)} />
  return (
    <ErrorNotice
      error={signOut.error}
      title={history.unsaved.title}
      text={history.unsaved.text}
      onRetry={() => signOut.mutate(undefined)}
      solution={<Button onClick={() => signOut.mutate('anyway')}>{history.unsaved.anyway}</Button>}
    />
  )
}
