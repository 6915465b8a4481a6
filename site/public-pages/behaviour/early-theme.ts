/** Loaded as a plain script in the head: the chosen theme has to be there before the first painting. */
try {
  const theme = localStorage.getItem('helix-theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage may be forbidden; then the system's theme it is.
}

export {}
