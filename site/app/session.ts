import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { fetchSession } from '../platform/platform.ts'
import type { Account, ActiveOrganisation, Session } from '../platform/types.ts'
import { announceSessionEnd } from './session-end.ts'

export const sessionQuery = queryOptions({ queryKey: ['session'], queryFn: fetchSession, staleTime: 60_000 })

export type SignedInSession = Session & { account: Account; organisation: ActiveOrganisation }

export const isSignedIn = (session: Session): session is SignedInSession =>
  session.account !== null && session.organisation !== null

let lastSignedIn: SignedInSession | null = null

/**
 * For pages inside the shell, which is shown only when signed in. When the session ends while the page is open, the
 * page stays as it is, with what was typed, and asks to sign in again.
 */
export const useSession = (): SignedInSession => {
  const { data } = useSuspenseQuery(sessionQuery)
  const isOver = !isSignedIn(data) && !data.suspended
  useEffect(() => {
    if (isOver) announceSessionEnd()
  }, [isOver])
  if (isSignedIn(data)) lastSignedIn = data
  if (lastSignedIn === null) throw new Error('nobody is signed in')
  return lastSignedIn
}
