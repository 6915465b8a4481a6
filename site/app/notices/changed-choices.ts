import type { NoticeChange, NoticeChoices } from '../../../src/platform/contract/notices.ts'

export const changedChoices = (choices: NoticeChoices, change: NoticeChange): NoticeChoices => {
  switch (change.what) {
    case 'kind':
      return { ...choices, off: changed(choices.off, change.kind, change.isHidden) }
    case 'notice':
      return { ...choices, dismissed: changed(choices.dismissed, change.id, change.isHidden) }
    case 'checklist':
      return { ...choices, hidesChecklist: change.isHidden }
  }
}

const changed = <Name>(names: readonly Name[], name: Name, isIn: boolean): Name[] => {
  const others = names.filter((each) => each !== name)
  return isIn ? [...others, name] : others
}
