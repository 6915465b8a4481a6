import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { usePlatform } from '../../app-state.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { momentText } from '../../time/moments.ts'
import { useLocale } from '../../words-context.tsx'
import { type Conversation, historyKey } from './history-query.ts'
import { RenamePrompt } from './rename-prompt.tsx'
import { usePlayground, usePlaygroundParts } from './use-playground.ts'

type HistoryRowProps = { conversation: Conversation; onOpen(): void; onRemoved(): void }

/** One conversation of the history. Deleting asks, because it is gone at once. */
export const HistoryRow = ({ conversation, onOpen, onRemoved }: HistoryRowProps) => {
  const platform = usePlatform()
  const { language, words } = useLocale()
  const { prompts, history, shell } = words
  const { store } = usePlaygroundParts()
  const isOpen = usePlayground().conversation?.id === conversation.id
  const queryClient = useQueryClient()
  const [mode, setMode] = useState<'shown' | 'renaming' | 'deleting'>('shown')
  const { id, title, isPinned, savedAt, shares } = conversation
  const change = useMutation({
    async mutationFn(act: 'remove' | { title: string } | { isPinned: boolean }) {
      const params = { conversation: id }
      if (act === 'remove') await platform.removeConversation({ params })
      else await platform.changeConversation({ params, body: act })
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: historyKey }),
  })
  const rename = async (next: string): Promise<void> => {
    await change.mutateAsync({ title: next })
    const open = store.read().conversation
    if (open?.id === id) store.change({ conversation: { ...open, title: next } })
    setMode('shown')
  }
  const remove = async (): Promise<void> => {
    await change.mutateAsync('remove')
    onRemoved()
  }
  const pinWord = isPinned ? prompts.unpin : prompts.pin
  const facts = [
    momentText(savedAt, language),
    ...(isOpen ? [history.isOpen] : []),
    ...(isPinned ? [history.pinned] : []),
    ...(shares === 0 ? [] : [history.shared(shares)]),
  ]
  return (
    <li className="prompt">
      {mode === 'renaming' ? (
        <RenamePrompt
          name={title}
          busy={change.isPending}
          onRename={(next) => void rename(next).catch(() => {})}
          onCancel={() => setMode('shown')}
        />
      ) : (
        <p>
          <b>{title}</b>
          <span className="subtext">{facts.join(' · ')}</span>
        </p>
      )}
      {mode === 'deleting' ? (
        <div role="alertdialog" aria-label={prompts.removeOf(title)} className="stack tight">
          <p>{history.deleteQuestion(title)}</p>
          <span className="button-row">
            <Button autoFocus onClick={() => setMode('shown')}>
              {shell.cancel}
            </Button>
            <Button look="danger" busy={change.isPending} onClick={() => void remove().catch(() => {})}>
              {prompts.remove}
            </Button>
          </span>
        </div>
      ) : (
        <span className="row-actions">
          <Button aria-label={prompts.openOf(title)} onClick={onOpen}>
            {prompts.open}
          </Button>
          <Button
            look="plain"
            aria-label={`${pinWord}: ${title}`}
            onClick={() => change.mutate({ isPinned: !isPinned })}
          >
            {pinWord}
          </Button>
          {mode === 'renaming' ? null : (
            <Button look="plain" aria-label={prompts.renameOf(title)} onClick={() => setMode('renaming')}>
              {prompts.rename}
            </Button>
          )}
          <Button look="plain" aria-label={prompts.removeOf(title)} onClick={() => setMode('deleting')}>
            {prompts.remove}
          </Button>
        </span>
      )}
      {change.isError ? <ErrorNotice error={change.error} title={history.notChanged} /> : null}
    </li>
  )
}
