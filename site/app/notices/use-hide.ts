import { useQueryClient } from '@tanstack/react-query'
import type { NoticeChange, NoticeChoices } from '../../../src/platform/contract/notices.ts'
import { usePlatform } from '../app-state.ts'
import { useToast } from '../components/toasts.tsx'
import { useSession } from '../session.ts'
import { noticesQuery } from './notices-query.ts'
import { useNoticeChoices } from './use-notice-choices.ts'

type Hidden = Exclude<NoticeChange, { what: 'kind' }>

/** Hides something, and offers to undo that for as long as it is hidden. */
export const useHide = () => {
  const platform = usePlatform()
  const { organisation } = useSession()
  const [, change] = useNoticeChoices()
  const toast = useToast()
  const queryClient = useQueryClient()
  const { queryKey } = noticesQuery(platform, organisation.id)
  return (what: Hidden, text: string): void => {
    change({ ...what, isHidden: true })
    // The change shows a moment later.
    let wasHidden = false
    const isHidden = (): boolean => {
      const choices = queryClient.getQueryData(queryKey)?.choices
      return choices !== undefined && hides(choices, what)
    }
    toast(text, {
      run: () => change({ ...what, isHidden: false }),
      applies() {
        const isNow = isHidden()
        wasHidden ||= isNow
        return isNow || !wasHidden
      },
      subscribe: (listener) => queryClient.getQueryCache().subscribe(listener),
    })
  }
}

const hides = (choices: NoticeChoices, what: Hidden): boolean =>
  what.what === 'checklist' ? choices.hidesChecklist : choices.dismissed.includes(what.id)
