import { useQuery, useQueryClient } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { usePlatform } from '../../../app-state.ts'
import { useSession } from '../../../session.ts'
import { useWords } from '../../../words-context.tsx'
import { methodsQuery } from './methods-query.ts'
import { PasskeyConfirm } from './passkey-confirm.tsx'

/** Shown at the top as long as the organisation requires a second factor that this session lacks. */
export const SecondFactorNotice = () => {
  const { signInMethods } = useWords()
  const { organisation } = useSession()
  const { data: methods } = useQuery(methodsQuery(usePlatform()))
  const queryClient = useQueryClient()
  if (!organisation.needsSecondFactor) return null
  return (
    <div className="error-notice second-factor-notice" role="alert">
      <TriangleAlert size={18} strokeWidth={1.5} aria-hidden />
      <div className="stack tight">
        <b>{signInMethods.neededTitle(organisation.name)}</b>
        <p>{signInMethods.neededText}</p>
        {(methods?.passkeys.length ?? 0) > 0 ? (
          <PasskeyConfirm onConfirmed={() => void queryClient.invalidateQueries()} />
        ) : null}
      </div>
    </div>
  )
}
