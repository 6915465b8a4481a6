import type { ReactNode } from 'react'
import { ErrorNotice } from './error-notice.tsx'
import { Skeleton } from './skeleton.tsx'

type LoadedProps<Data> = {
  query: { data: Data | undefined; error: unknown; refetch(): unknown }
  /** What did not load, as a sentence. */
  errorTitle: string
  /** How many lines stand there in the meantime. */
  lines: number
  children(data: Data): ReactNode
}

/** What was loaded, even if it could not be loaded again; before that, placeholder lines or what failed. */
export const Loaded = <Data,>({ query, errorTitle, lines, children }: LoadedProps<Data>) => {
  const { data, error, refetch } = query
  if (data !== undefined) return children(data)
  return error === null ? (
    <Skeleton lines={lines} />
  ) : (
    <ErrorNotice error={error} title={errorTitle} onRetry={refetch} />
  )
}
