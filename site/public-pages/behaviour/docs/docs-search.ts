import { isComposing } from '../../../words/is-composing.ts'
import type { DocsEntry, DocsIndex } from '../../docs-entry.ts'
import { createFinder, type Found } from './create-finder.ts'
import { excerpt, markWords } from './found-text.ts'
import { textElement } from './text-element.ts'

/** Shows the search. Its index is loaded when the field is used first. */
export const startDocsSearch = (): void => {
  const search = document.querySelector<HTMLElement>('[data-docs-search]')
  const input = search?.querySelector('input')
  const list = search?.querySelector('ol')
  const count = search?.querySelector<HTMLElement>('[data-count]')
  if (!search || !input || !list || !count) return
  search.hidden = false
  let loading: Promise<(typed: string) => Found> | null = null
  const load = (): Promise<(typed: string) => Found> => {
    loading ??= readIndex()
      .then(createFinder)
      .catch((error: unknown) => {
        loading = null
        throw error
      })
    return loading
  }
  const show = async (): Promise<void> => {
    const typed = input.value
    if (typed.trim() === '') return close()
    const found = await load().then(
      (find) => find(typed),
      () => null,
    )
    // More may have been typed in the meantime.
    if (typed !== input.value) return
    const { entries, words } = found ?? { entries: [], words: [] }
    list.replaceChildren(...entries.map((entry) => createItem(entry, words)))
    const said = found === null ? search.dataset.failed : search.dataset.none
    if (entries.length === 0) list.append(textElement('li', said ?? ''))
    count.textContent = entries.length === 0 ? (said ?? '') : `${count.dataset.count} ${entries.length}`
    list.hidden = false
  }
  const close = (): void => {
    list.hidden = true
    count.textContent = ''
  }
  input.addEventListener('focus', () => void load().catch(() => {}))
  input.addEventListener('input', () => void show())
  search.addEventListener('keydown', (event) => {
    if (isComposing(event)) return
    if (event.key === 'Escape') {
      close()
      input.focus()
    }
    if (event.key === 'Enter' && event.target === input) list.querySelector('a')?.click()
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') moveFocus(event, input, list)
  })
  search.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !search.contains(relatedTarget)) close()
  })
  list.addEventListener('click', close)
  // Text that is clicked takes no focus.
  addEventListener('pointerdown', ({ target }) => {
    if (target instanceof Node && !search.contains(target)) close()
  })
  addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select') !== null
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return
    event.preventDefault()
    input.focus()
  })
}

const readIndex = async (): Promise<DocsIndex> => {
  const response = await fetch(document.body.dataset.docsIndex ?? '')
  if (!response.ok) throw new Error(`status ${response.status}`)
  return asIndex(await response.json())
}

/** Written by the same build as this script. */
const asIndex = (value: unknown): DocsIndex => value as DocsIndex

const createItem = ({ id, heading, page, text, isName }: DocsEntry, words: readonly string[]): HTMLElement => {
  const link = document.createElement('a')
  link.href = id
  const name = textElement(isName === true ? 'code' : 'b', '')
  name.append(...markWords(heading, words))
  const around = textElement('span', '', 'found-text')
  around.append(...markWords(excerpt(text, words), words))
  link.append(name, textElement('span', ` ${page}`, 'muted'), around)
  const item = document.createElement('li')
  item.append(link)
  return item
}

const moveFocus = (event: KeyboardEvent, input: HTMLInputElement, list: HTMLElement): void => {
  const stops: HTMLElement[] = [input, ...list.querySelectorAll('a')]
  const at = document.activeElement instanceof HTMLElement ? stops.indexOf(document.activeElement) : 0
  event.preventDefault()
  stops.at((at + (event.key === 'ArrowDown' ? 1 : -1)) % stops.length)?.focus()
}
