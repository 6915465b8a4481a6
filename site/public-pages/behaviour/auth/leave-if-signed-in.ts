import type { Session } from '../../../platform/types.ts'

/** People who are signed in do not need these pages. */
export const leaveIfSignedIn = ({ account }: Session): boolean => {
  if (account === null) return false
  location.replace(nextPage())
  return true
}

/**
 * The page that was requested before the sign-in, if it is ours; otherwise the keys. An invitation is passed along
 * in the fragment.
 */
export const nextPage = (): string => {
  const next = new URLSearchParams(location.search).get('next') ?? ''
  return next === '/invitation' ? next + location.hash : ownPage(next)
}

/** With what its address says of the view: filters, an open dialog. */
export const ownPage = (path: string): string =>
  /^\/\w[\w/-]*(\?[\w=&%+.*~-]*)?(#[\w-]+)?$/.test(path) ? path : '/keys'
