/** Loaded as a plain script in the head: what the first painting depends on. */
try {
  const theme = localStorage.getItem('helix-theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage may be forbidden; then the system's theme is used.
}

/**
 * A hint that the server sets beside the session, which no script can read. It decides only which links a public page
 * shows, so that the page itself is the same for everybody.
 */
if (/(^|; )(__Host-)?helix_signed_in=1(;|$)/.test(document.cookie)) {
  document.documentElement.dataset.signedIn = ''
  askForUsage()
}

/** What the page asks for first, for days of the reader's calendar: the server that sent the page does not know their zone. */
function askForUsage(): void {
  const usage = document.querySelector<HTMLMetaElement>('meta[name="usage"]')?.content
  if (usage === undefined || location.search !== '') return
  const link = document.createElement('link')
  link.rel = 'preload'
  link.as = 'fetch'
  link.crossOrigin = 'anonymous'
  link.href = `${usage}&zone=${encodeURIComponent(new Intl.DateTimeFormat().resolvedOptions().timeZone)}`
  document.head.append(link)
}

export {}
