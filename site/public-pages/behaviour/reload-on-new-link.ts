/**
 * A link with its secret in the fragment, pasted into a tab that already shows the same page, changes the fragment and
 * loads nothing: the page has to start again by itself. Once the console has taken over the document (after a sign-up it
 * shows the new key, at another path) nothing is reloaded.
 */
export const reloadOnNewLink = (): void => {
  const { pathname } = location
  addEventListener('hashchange', () => {
    if (location.pathname === pathname) location.reload()
  })
}
