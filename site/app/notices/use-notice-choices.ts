import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { NoticeChange, NoticeChoices } from '../../../src/platform/contract/notices.ts'
import { platformPost } from '../../platform/platform.ts'
import { useToast } from '../components/toasts.tsx'
import { useSession } from '../session.ts'
import { useWords } from '../words-context.tsx'
import { changedChoices } from './changed-choices.ts'
import { type NoticeList, noticesQuery } from './notices-query.ts'

/**
 * What the account has hidden; null until it is known. A change shows at once, above the page and in the settings. If it
 * cannot be saved, it is taken back.
 */
export const useNoticeChoices = (): [NoticeChoices | null, (change: NoticeChange) => void] => {
  const { organisation } = useSession()
  const { notices } = useWords()
  const toast = useToast()
  const queryClient = useQueryClient()
  const query = noticesQuery(organisation.id)
  const { data } = useQuery(query)
  const become = (next: (choices: NoticeChoices) => NoticeChoices): void => {
    queryClient.setQueriesData<NoticeList>({ queryKey: ['notices'] }, (last) =>
      last === undefined ? undefined : { ...last, choices: next(last.choices) },
    )
  }
  const { mutate } = useMutation({
    mutationFn: (change: NoticeChange) => platformPost<NoticeChoices>('/notices/choices', change),
    async onMutate(change) {
      // An answer from before the change would undo it.
      await queryClient.cancelQueries({ queryKey: ['notices'] })
      become((choices) => changedChoices(choices, change))
    },
    onError(_, change) {
      become((choices) => changedChoices(choices, { ...change, isHidden: !change.isHidden }))
      toast(notices.notSaved)
    },
  })
  return [data?.choices ?? null, mutate]
}
