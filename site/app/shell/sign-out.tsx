import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import { useAppState } from '../app-state.ts'
import { ErrorNotice } from '../components/error-notice.tsx'
import { useWords } from '../words-context.tsx'
import { type Leaving, saveBeforeLeaving, Unsaved, UnsavedNotice } from './unsaved.tsx'

type SignOut = UseMutationResult<void, unknown, Leaving>

/**
 * Saves what is in the playground, signs out, and leaves with a new document, so that nothing of the account stays in memory. What
 * cannot be saved is not lost without a question.
 */
export const useSignOut = (): SignOut => {
  const app = useAppState()
  return useMutation({
    async mutationFn(how: Leaving) {
      const { playground, platform } = app
      await saveBeforeLeaving(app, how)
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
    <UnsavedNotice
      error={signOut.error}
      text={history.unsaved.text}
      anyway={history.unsaved.anyway}
      onRetry={() => signOut.mutate(undefined)}
      onAnyway={() => signOut.mutate('anyway')}
    />
  )
}
