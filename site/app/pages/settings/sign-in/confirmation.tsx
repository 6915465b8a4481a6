import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'
import { PlatformError } from '../../../../platform/platform-error.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { useWords } from '../../../words-context.tsx'
import { ConfirmForm } from './confirm-form.tsx'

type Run = <Result>(work: () => Promise<Result>) => Promise<Result>

const ConfirmationContext = createContext<Run>((work) => work())

/** Runs an action that needs a recent proof of identity: asks for one if the last is too old, then continues. */
export const useConfirmed = (): Run => useContext(ConfirmationContext)

type Waiting = { resolve(): void; reject(reason: unknown): void }

export const Confirmation = ({ children }: { children: ReactNode }) => {
  const { signInMethods } = useWords()
  const [waiting, setWaiting] = useState<Waiting | null>(null)
  const run: Run = useCallback(async (work) => {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof PlatformError) || error.code !== 'confirmation_needed') throw error
    }
    await new Promise<void>((resolve, reject) => setWaiting({ resolve, reject }))
    return work()
  }, [])
  const close = (isConfirmed: boolean): void => {
    if (isConfirmed) waiting?.resolve()
    else waiting?.reject(new PlatformError({ status: 0, code: 'confirmation_cancelled', message: 'not confirmed' }))
    setWaiting(null)
  }
  return (
    <ConfirmationContext value={run}>
      {children}
      <Dialog isOpen={waiting !== null} title={signInMethods.confirmTitle} onClose={() => close(false)}>
        <ConfirmForm onConfirmed={() => close(true)} onCancel={() => close(false)} />
      </Dialog>
    </ConfirmationContext>
  )
}
