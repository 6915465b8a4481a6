/**
 * The secret of a link stands behind the #, where no server and no log sees it. `#token` or, with a name, `#name=token`.
 */
export const fragmentToken = (name: string | null): string | null => {
  const fragment = location.hash.slice(1)
  const token = name === null ? fragment : (new URLSearchParams(fragment).get(name) ?? '')
  return token === '' ? null : token
}

/** Once it was used it must not stay in the history. */
export const dropFragment = (): void => history.replaceState(null, '', location.pathname)
