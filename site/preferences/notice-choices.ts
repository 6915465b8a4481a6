import { type NoticeKind, noticeKinds } from '../../src/platform/contract/notice-kinds.ts'

/** Which notices somebody wants to see. Remembered in this browser, like the theme; they contain no secrets. */
export type NoticeChoices = { off: readonly NoticeKind[]; dismissed: readonly string[]; hidesChecklist: boolean }

const name = 'helix-notices'
/** Notices that were dismissed longest ago are forgotten first. */
const mostDismissed = 100
const usual: NoticeChoices = { off: [], dismissed: [], hidesChecklist: false }

export const readNoticeChoices = (): NoticeChoices => {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(name) ?? '{}')
    return typeof stored === 'object' && stored !== null ? choicesOf({ ...stored }) : usual
  } catch {
    return usual
  }
}

export const writeNoticeChoices = (choices: NoticeChoices): void => {
  try {
    localStorage.setItem(name, JSON.stringify({ ...choices, dismissed: choices.dismissed.slice(-mostDismissed) }))
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
}

/** Another version of the site may have written it. */
const choicesOf = (stored: { off?: unknown; dismissed?: unknown; hidesChecklist?: unknown }): NoticeChoices => {
  const { off, dismissed, hidesChecklist } = stored
  const isId = (id: unknown): id is string => typeof id === 'string'
  return {
    off: Array.isArray(off) ? noticeKinds.filter((kind) => off.includes(kind)) : [],
    dismissed: Array.isArray(dismissed) ? dismissed.filter(isId) : [],
    hidesChecklist: hidesChecklist === true,
  }
}
