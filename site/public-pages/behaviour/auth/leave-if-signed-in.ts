import type { Session } from '../../../platform/types.ts'

/** Whoever is signed in has no business at the auth. */
export const leaveIfSignedIn = ({ account }: Session): boolean => {
  if (account === null) return false
  location.replace(nextPage())
  return true
}

/**
 * Where somebody wanted to go before they were asked to sign in: a page of our own, or the keys. An invitation goes along
 * behind the #.
 */
export const nextPage = (): string => {
  const next = new URLSearchParams(location.search).get('next') ?? ''
  return next === '/invitation' ? next + location.hash : ownPage(next)
}

export const ownPage = (path: string): string => (/^\/\w[\w/-]*(#[\w-]+)?$/.test(path) ? path : '/keys')
