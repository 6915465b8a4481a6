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
    defaultOptions: { queries: { retry: mayRetry, staleTime: 10_000 }, mutations: { retry: false } },
  })
