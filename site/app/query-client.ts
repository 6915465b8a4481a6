import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { PlatformError } from '../platform/platform-error.ts'
import { announceSessionEnd } from './session-end.ts'

/** What the session has to be asked for anew: it says where somebody is by now, or that they are nowhere. */
const sessionCodes = ['account_suspended', 'organisation_suspended', 'organisation_switched', 'role_too_low']

/** What was refused stays refused; only what never arrived is tried again. */
const mayRetry = (count: number, error: unknown): boolean =>
  count < 2 && error instanceof PlatformError && (error.code === 'offline' || error.status >= 500)

export const createQueryClient = (): QueryClient => {
  const onError = (error: unknown): void => {
    if (!(error instanceof PlatformError)) return
    if (error.code === 'not_signed_in') announceSessionEnd()
    if (sessionCodes.includes(error.code)) void client.invalidateQueries({ queryKey: ['session'] })
  }
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    // Offline is a fault that is said, not a wait in silence.
    defaultOptions: {
      queries: { retry: mayRetry, staleTime: 10_000, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  return client
}
