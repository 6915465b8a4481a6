import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { usePlatform } from '../../app-state.ts'
import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { momentText } from '../../time/moments.ts'
import { useLocale } from '../../words-context.tsx'
import { type Prompt, promptsQuery } from './prompts-query.ts'
import { RenamePrompt } from './rename-prompt.tsx'
import { usePlaygroundParts } from './use-playground.ts'

type PromptRowProps = {
  prompt: Prompt
  isPinned: boolean
  onPin(isPinned: boolean): void
  onOpen(): void
  onRemoved(prompt: Prompt): void
}

/** One saved prompt. Its creator can rename, share and delete it. */
export const PromptRow = ({ prompt, isPinned, onPin, onOpen, onRemoved }: PromptRowProps) => {
  const platform = usePlatform()
  const { language, words } = useLocale()
  const { prompts } = words
  const { store } = usePlaygroundParts()
  const queryClient = useQueryClient()
  const pinWord = isPinned ? prompts.unpin : prompts.pin
  const [isRenaming, setRenaming] = useState(false)
  const { id, name, isOwn, isShared, createdBy, savedAt, version } = prompt
  const change = useMutation({
    async mutationFn(act: 'share' | 'unshare' | 'remove' | { name: string }) {
      const params = { prompt: id }
      if (act === 'remove') await platform.removePrompt({ params })
      else await platform.changePrompt({ params, body: typeof act === 'object' ? act : { isShared: act === 'share' } })
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: promptsQuery(platform).queryKey }),
  })
  const rename = async (next: string): Promise<void> => {
    await change.mutateAsync({ name: next })
    const { saved } = store.read()
    if (saved?.id === id) store.change({ saved: { ...saved, name: next } })
    setRenaming(false)
  }
  const remove = async (): Promise<void> => {
    await change.mutateAsync('remove')
    // What is open is a prompt without a name from now on.
    if (store.read().saved?.id === id) store.change({ saved: null })
    onRemoved(prompt)
  }
  return (
    <li className="prompt">
      {isRenaming ? (
        <RenamePrompt
          name={name}
          busy={change.isPending}
          onRename={(next) => void rename(next).catch(() => {})}
          onCancel={() => setRenaming(false)}
        />
      ) : (
        <p>
          <b>{name}</b>
          <span className="subtext">
            {prompts.about(prompts.version(version), momentText(savedAt, language))}
            {isOwn ? null : ` · ${createdBy}`}
          </span>
        </p>
      )}
      <span className="row-actions">
        <Button aria-label={prompts.openOf(name)} onClick={onOpen}>
          {prompts.open}
        </Button>
        <CopyButton text={`${location.origin}/playground?prompt=${id}`} aria-label={prompts.copyLinkOf(name)}>
          {prompts.copyLink}
        </CopyButton>
        <Button look="plain" aria-label={`${pinWord}: ${name}`} onClick={() => onPin(!isPinned)}>
          {pinWord}
        </Button>
        {isOwn ? (
          <>
            {isRenaming ? null : (
              <Button look="plain" aria-label={prompts.renameOf(name)} onClick={() => setRenaming(true)}>
                {prompts.rename}
              </Button>
            )}
            <label className="switch">
              <input
                type="checkbox"
                aria-label={prompts.shareOf(name)}
                checked={isShared}
                disabled={change.isPending}
                onChange={(event) => change.mutate(event.target.checked ? 'share' : 'unshare')}
              />
              {prompts.shared}
            </label>
            <Button look="plain" aria-label={prompts.removeOf(name)} onClick={() => void remove().catch(() => {})}>
              {prompts.remove}
            </Button>
          </>
        ) : null}
      </span>
      {change.isError ? <ErrorNotice error={change.error} title={prompts.notChanged} /> : null}
    </li>
  )
}
