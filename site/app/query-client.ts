import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { PlatformError } from '../platform/platform-error.ts'
import type { SessionEnd } from './session-end.ts'

/** Errors after which the session is fetched again: it says which organisation is current, or that nobody is signed in. */
const sessionCodes = ['account_suspended', 'organisation_suspended', 'organisation_switched', 'role_too_low']

/** Refused requests are not retried; only requests that never reached the server are. */
const mayRetry = (count: number, error: unknown): boolean =>
  count < 2 && error instanceof PlatformError && (error.code === 'offline' || error.status >= 500)

export const createQueryClient = (sessionEnd: SessionEnd): QueryClient => {
  const onError = (error: unknown, isInBackground: boolean): void => {
    if (!(error instanceof PlatformError)) return
    if (error.code === 'not_signed_in') sessionEnd.announce()
    if (sessionCodes.includes(error.code) && !isInBackground) void client.invalidateQueries({ queryKey: ['session'] })
  }
  const client = new QueryClient({
    queryCache: new QueryCache({ onError: (error, { meta }) => onError(error, meta?.isInBackground === true) }),
    mutationCache: new MutationCache({ onError: (error) => onError(error, false) }),
    // Being offline is reported as an error instead of waiting silently.
    defaultOptions: {
      queries: { retry: mayRetry, staleTime: 10_000, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  return client
}
