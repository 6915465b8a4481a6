/**
 * The secret of a link is in the fragment, which no server or log sees. `#token` or, with a name, `#name=token`.
 */
export const fragmentToken = (name: string | null): string | null => {
  const fragment = location.hash.slice(1)
  const token = name === null ? fragment : (new URLSearchParams(fragment).get(name) ?? '')
  return token === '' ? null : token
}

/** Once it was used it must not stay in the history. */
export const dropFragment = (): void => history.replaceState(null, '', location.pathname)
