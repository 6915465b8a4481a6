import type { HiddenNotice } from '../../store/hidden-notice-contract.ts'
import { noticeKinds } from '../contract/notice-kinds.ts'
import type { NoticeChange, NoticeChoices } from '../contract/notices.ts'

/** What an account has hidden. Kinds that only a later version knows are left out. */
export const toNoticeChoices = (hidden: readonly HiddenNotice[]): NoticeChoices => {
  const hiddenNames = (wanted: HiddenNotice['what']): string[] =>
    hidden.flatMap(({ what, name }) => (what === wanted ? [name] : []))
  const kinds = hiddenNames('kind')
  return {
    off: noticeKinds.filter((kind) => kinds.includes(kind)),
    dismissed: hiddenNames('notice'),
    hidesChecklist: hiddenNames('checklist').length > 0,
  }
}

export const toHiddenNotice = (change: NoticeChange): HiddenNotice => {
  switch (change.what) {
    case 'kind':
      return { what: 'kind', name: change.kind }
    case 'notice':
      return { what: 'notice', name: change.id }
    case 'checklist':
      return { what: 'checklist', name: '' }
  }
}
