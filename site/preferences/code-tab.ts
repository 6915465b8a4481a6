/** The language in which somebody reads code, remembered in this browser for all pages. */
const name = 'helix-code'

export const chosenCodeTab = (): string | null => {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

export const rememberCodeTab = (id: string): void => {
  try {
    localStorage.setItem(name, id)
  } catch {
    // Storage may be forbidden; nothing is lost.
  }
}
