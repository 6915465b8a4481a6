import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Platform } from '../platform/platform.ts'
import { useAppState } from './app-state.ts'
import { isSignedIn, type SignedInSession } from './signed-in-session.ts'

export const sessionKey = ['session'] as const

export const sessionQuery = (platform: Platform) =>
  queryOptions({ queryKey: sessionKey, queryFn: ({ signal }) => platform.showSession({ signal }), staleTime: 60_000 })

/**
 * For pages inside the shell, which is shown only when signed in. When the session ends while the page is open, the
 * page stays as it is, with what was typed, and asks to sign in again.
 */
export const useSession = (): SignedInSession => {
  const app = useAppState()
  const { data } = useSuspenseQuery(sessionQuery(app.platform))
  const isOver = !isSignedIn(data) && !data.suspended
  useEffect(() => {
    if (isOver) app.sessionEnd.announce()
  }, [isOver, app])
  if (isSignedIn(data)) app.lastSignedIn = data
  if (app.lastSignedIn === null) throw new Error('nobody is signed in')
  return app.lastSignedIn
}
