/** Light, dark, or as the system has it. Remembered in this browser; `before-paint.ts` reads it before the first painting. */
export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const name = 'helix-theme'

export const chosenTheme = (): Theme =>
  themes.find((theme) => theme === document.documentElement.dataset.theme) ?? 'system'

export const chooseTheme = (theme: Theme): void => {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  try {
    if (theme === 'system') localStorage.removeItem(name)
    else localStorage.setItem(name, theme)
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
}
