import { useSyncExternalStore } from 'react'
import { type NoticeChoices, readNoticeChoices, writeNoticeChoices } from '../../preferences/notice-choices.ts'

let current: NoticeChoices | null = null
const listeners = new Set<() => void>()

const read = (): NoticeChoices => {
  current ??= readNoticeChoices()
  return current
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** What is chosen in the settings counts at once for the notices above the page. */
export const useNoticeChoices = (): [NoticeChoices, (part: Partial<NoticeChoices>) => void] => {
  const choices = useSyncExternalStore(subscribe, read)
  const change = (part: Partial<NoticeChoices>): void => {
    current = { ...read(), ...part }
    writeNoticeChoices(current)
    for (const listener of listeners) listener()
  }
  return [choices, change]
}
