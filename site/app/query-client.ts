import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { PlatformError } from '../platform/platform-error.ts'
import { announceSessionEnd } from './session-end.ts'

const onError = (error: unknown): void => {
  if (error instanceof PlatformError && error.code === 'not_signed_in') announceSessionEnd()
}

/** What was refused stays refused; only what never arrived is tried again. */
const mayRetry = (count: number, error: unknown): boolean =>
  count < 2 && error instanceof PlatformError && (error.code === 'offline' || error.status >= 500)

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    // Offline is a fault that is said, not a wait in silence.
    defaultOptions: {
      queries: { retry: mayRetry, staleTime: 10_000, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
