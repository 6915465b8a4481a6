import type { Platform } from '../../../platform/platform.ts'

/** Fills in the reader's own model where the examples have placeholders. The key is only named: its secret is not known here. */
export const startOwnValues = async (platform: Platform): Promise<void> => {
  if (document.documentElement.dataset.signedIn === undefined) return
  const note = document.querySelector<HTMLElement>('[data-your-key]')
  try {
    const session = await platform.showSession()
    if (session.account === null) return
    const modelOf = (kind: string): string | undefined => session.models.find((each) => each.kind === kind)?.id
    fill('model', modelOf('chat'))
    fill('embeddingModel', modelOf('embedding'))
    fill('rerankModel', modelOf('rerank'))
    const { data } = await platform.listKeys()
    const key =
      data.find(({ state, createdBy }) => state === 'active' && createdBy === session.account?.email) ??
      // Not one that somebody else made: these are of the command line.
      data.find(({ state, createdBy }) => state === 'active' && createdBy === null)
    if (key === undefined) return
    const shown = `${key.prefix}…${key.lastFour}`
    if (note === null) return
    note.querySelector('b')?.replaceChildren(key.name)
    note.querySelector('code')?.replaceChildren(shown)
    note.querySelector('a')?.setAttribute('href', `/keys/${encodeURIComponent(key.id)}`)
    note.hidden = false
  } catch {
    // The examples stay as they are for everybody.
  }
}

const fill = (name: string, value: string | undefined): void => {
  if (value === undefined) return
  for (const part of document.querySelectorAll(`[data-own="${name}"]`)) part.textContent = value
}
