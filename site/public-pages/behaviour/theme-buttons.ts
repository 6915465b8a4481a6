import { chooseTheme, chosenTheme, themes } from '../../preferences/theme.ts'

/** Light, dark, or as the system has it. */
export const startThemeButtons = (): void => {
  const group = document.querySelector<HTMLElement>('[data-themes]')
  if (group === null) return
  const buttons = [...group.querySelectorAll<HTMLButtonElement>('[data-theme-choice]')]
  const show = (): void => {
    for (const button of buttons)
      button.setAttribute('aria-pressed', String(button.dataset.themeChoice === chosenTheme()))
  }
  for (const button of buttons)
    button.addEventListener('click', () => {
      chooseTheme(themes.find((theme) => theme === button.dataset.themeChoice) ?? 'system')
      show()
    })
  show()
  group.hidden = false
}
