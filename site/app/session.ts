import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { fetchSession } from '../platform/platform.ts'
import type { Account, Organisation, Session } from '../platform/types.ts'

export const sessionQuery = queryOptions({ queryKey: ['session'], queryFn: fetchSession, staleTime: 60_000 })

export type SignedInSession = Session & { account: Account; organisation: Organisation }

export const isSignedIn = (session: Session): session is SignedInSession =>
  session.account !== null && session.organisation !== null

/** For pages inside the shell, which only opens for those who are signed in. */
export const useSession = (): SignedInSession => {
  const { data } = useSuspenseQuery(sessionQuery)
  if (!isSignedIn(data)) throw new Error('nobody is signed in')
  return data
}
