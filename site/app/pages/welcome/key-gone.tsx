import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { NewKey } from '../../../platform/types.ts'
import { usePlatform } from '../../app-state.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { useWords } from '../../words-context.tsx'
import { WelcomeTop } from './welcome-top.tsx'

/** After a reload: the key cannot be shown again, but another can be created at once. */
export const KeyGone = ({ onCreated }: { onCreated(newKey: NewKey): void }) => {
  const platform = usePlatform()
  const { welcome, shell } = useWords()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const create = useMutation({
    mutationFn: () => platform.createKey({ body: { name: welcome.anotherName, expiresAt: null } }),
    // The secret is kept nowhere but on the page.
    gcTime: 0,
    onSuccess(newKey) {
      void queryClient.invalidateQueries({ queryKey: ['keys'] })
      onCreated(newKey)
    },
  })
  return (
    <>
      <WelcomeTop />
      <main className="key-gone">
        <h1>{welcome.goneHead}</h1>
        <p className="secondary">{welcome.goneText}</p>
        {create.isError ? <ErrorNotice error={create.error} title={shell.keyNotCreated} /> : null}
        <div className="button-row">
          <Button look="primary" busy={create.isPending} onClick={() => create.mutate()}>
            {welcome.createAnother}
          </Button>
          <Button onClick={() => navigate({ to: '/keys' })}>{shell.toKeys}</Button>
        </div>
      </main>
    </>
  )
}
