import { chosenCodeTab, rememberCodeTab } from '../../preferences/code-tab.ts'

/** Tabs that share one choice on the whole page, and copy buttons. */
export const startCodeBlocks = (): void => {
  const blocks = [...document.querySelectorAll<HTMLElement>('[data-code]')]
  const chooseEverywhere = (id: string): void => {
    for (const block of blocks) chooseTab(block, id)
  }
  for (const [index, block] of blocks.entries()) {
    joinTabs(block, index)
    startCopy(block)
    for (const tab of listTabs(block)) {
      tab.addEventListener('click', () => {
        rememberCodeTab(tab.dataset.tab ?? '')
        chooseEverywhere(tab.dataset.tab ?? '')
      })
      tab.addEventListener('keydown', (event) => moveByKey(event, block))
    }
  }
  chooseEverywhere(chosenCodeTab() ?? 'curl')
}

const listTabs = (block: HTMLElement): HTMLButtonElement[] => [
  ...block.querySelectorAll<HTMLButtonElement>('[data-tab]'),
]
const listPanels = (block: HTMLElement): HTMLElement[] => [...block.querySelectorAll<HTMLElement>('[data-panel]')]

/** Screen readers want to know which tab shows which panel. */
const joinTabs = (block: HTMLElement, index: number): void => {
  for (const tab of listTabs(block)) {
    const panel = listPanels(block).find(({ dataset }) => dataset.panel === tab.dataset.tab)
    if (panel === undefined) continue
    panel.id = `code-${index}-${tab.dataset.tab}`
    tab.id = `${panel.id}-tab`
    tab.setAttribute('aria-controls', panel.id)
    panel.setAttribute('aria-labelledby', tab.id)
  }
}

const chooseTab = (block: HTMLElement, id: string): void => {
  if (!listTabs(block).some(({ dataset }) => dataset.tab === id)) return
  for (const tab of listTabs(block)) {
    tab.setAttribute('aria-selected', String(tab.dataset.tab === id))
    tab.tabIndex = tab.dataset.tab === id ? 0 : -1
  }
  for (const panel of listPanels(block)) panel.hidden = panel.dataset.panel !== id
}

const moveByKey = (event: KeyboardEvent, block: HTMLElement): void => {
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
  if (step === 0) return
  const tabs = listTabs(block)
  const at = tabs.findIndex((tab) => tab.getAttribute('aria-selected') === 'true')
  const next = tabs.at((at + step) % tabs.length)
  event.preventDefault()
  next?.click()
  next?.focus()
}

const shownMs = 2000

const startCopy = (block: HTMLElement): void => {
  const button = block.querySelector<HTMLButtonElement>('[data-copy]')
  const word = button?.querySelector('span')
  if (!button || !word) return
  const usual = word.textContent
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(copyText(block))
    } catch {
      return selectText(block)
    }
    word.textContent = button.dataset.copied ?? ''
    setTimeout(() => {
      word.textContent = usual
    }, shownMs)
  })
}

const shownPanel = (block: HTMLElement): HTMLElement | undefined => listPanels(block).find((panel) => !panel.hidden)

/** Without prompts and answers, which are not to be typed. */
const copyText = (block: HTMLElement): string => {
  const copy = shownPanel(block)?.cloneNode(true)
  if (!(copy instanceof HTMLElement)) return ''
  for (const part of copy.querySelectorAll('[data-not-copied]')) part.remove()
  return `${(copy.textContent ?? '').trim()}\n`
}

/** If the clipboard is not available, the text is selected for copying by hand. */
const selectText = (block: HTMLElement): void => {
  const panel = shownPanel(block)
  if (panel !== undefined) getSelection()?.selectAllChildren(panel)
}
