import type { Session } from '../../../platform/types.ts'

/** Whoever is signed in has no business at the gate. */
export const leaveIfSignedIn = ({ account }: Session): boolean => {
  if (account === null) return false
  location.replace(nextPage())
  return true
}

/** Where somebody wanted to go before they were asked to sign in: a page of our own, or the keys. */
export const nextPage = (): string => ownPage(new URLSearchParams(location.search).get('next') ?? '')

export const ownPage = (path: string): string => (/^\/\w[\w/-]*$/.test(path) ? path : '/keys')
