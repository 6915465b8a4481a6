import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { NoticeChange, NoticeChoices, NoticeList } from '../../../src/platform/contract/notices.ts'
import { usePlatform } from '../app-state.ts'
import { useToast } from '../components/toasts.tsx'
import { useSession } from '../session.ts'
import { useWords } from '../words-context.tsx'
import { changedChoices } from './changed-choices.ts'
import { noticesQuery } from './notices-query.ts'

/**
 * What the account has hidden; null until it is known. A change shows at once, above the page and in the settings. If it
 * cannot be saved, it is taken back.
 */
export const useNoticeChoices = (): [NoticeChoices | null, (change: NoticeChange) => void] => {
  const platform = usePlatform()
  const { organisation } = useSession()
  const { notices } = useWords()
  const toast = useToast()
  const queryClient = useQueryClient()
  const query = noticesQuery(platform, organisation.id)
  const { data } = useQuery(query)
  const become = (next: (choices: NoticeChoices) => NoticeChoices): void => {
    queryClient.setQueriesData<NoticeList>({ queryKey: ['notices'] }, (last) =>
      last === undefined ? undefined : { ...last, choices: next(last.choices) },
    )
  }
  const { mutate } = useMutation({
    async mutationFn(change: NoticeChange) {
      // Sent before anything is waited for, and to its end: the reader may leave the page with the next click.
      const saving = platform.changeNotices({ body: change, keepalive: true })
      saving.catch(() => {})
      // An answer from before the change would undo it.
      await queryClient.cancelQueries({ queryKey: ['notices'] })
      become((choices) => changedChoices(choices, change))
      return saving
    },
    onError(_, change) {
      become((choices) => changedChoices(choices, { ...change, isHidden: !change.isHidden }))
      toast(notices.notSaved)
    },
  })
  return [data?.choices ?? null, mutate]
}
