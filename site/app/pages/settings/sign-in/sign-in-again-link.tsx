import { useMutation } from '@tanstack/react-query'
import { usePlatform } from '../../../app-state.ts'
import { Button } from '../../../components/button.tsx'
import { useWords } from '../../../words-context.tsx'

/** For accounts without password, passkey or app: signing in with the provider is their only proof. */
export const SignInAgainLink = ({ onCancel }: { onCancel(): void }) => {
  const platform = usePlatform()
  const { signInMethods, shell } = useWords()
  const leave = useMutation({
    mutationFn: () => platform.signOut(),
    onSettled: () => location.assign('/signin?next=/settings'),
  })
  return (
    <>
      <p>{signInMethods.signInAgainText}</p>
      <div className="actions">
        <Button onClick={onCancel}>{shell.cancel}</Button>
        <Button look="primary" busy={leave.isPending} onClick={() => leave.mutate()}>
          {signInMethods.signInAgain}
        </Button>
      </div>
    </>
  )
}
