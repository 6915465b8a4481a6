import type { AppState } from '../app-state.ts'
import { saveHistory } from '../pages/playground/save-history.ts'

/** Saves what is in the playground, before somebody leaves its organisation. False if something could not be saved. */
export const savePlayground = async ({ playground }: Pick<AppState, 'playground'>): Promise<boolean> => {
  if (playground === null) return true
  const isKept = await saveHistory(playground)
  return (await playground.drafts.flush()) && isKept
}
