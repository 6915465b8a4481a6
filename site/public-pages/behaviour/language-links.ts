/** Links to the same page in the other language: the rest of the address stays, including the fragment. */
export const startLanguageLinks = (): void => {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-language]'))
    link.addEventListener('click', (event) => {
      event.preventDefault()
      const url = new URL(location.href)
      url.searchParams.set('lang', link.hreflang)
      // Replaced, so that Back does not lead through the other language.
      location.replace(url)
    })
  forgetAskedLanguage()
}

/** The cookie remembers it from here on; the address goes back to what people share. */
const forgetAskedLanguage = (): void => {
  const url = new URL(location.href)
  if (!url.searchParams.has('lang')) return
  url.searchParams.delete('lang')
  history.replaceState(history.state, '', url)
}
