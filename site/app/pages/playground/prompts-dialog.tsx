import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { pinnedPrompts, rememberPinned } from '../../../preferences/pinned-prompts.ts'
import { usePlatform } from '../../app-state.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Field } from '../../components/field.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { useSession } from '../../session.ts'
import { useWords } from '../../words-context.tsx'
import { findPrompts } from './find-prompts.ts'
import { PromptRow } from './prompt-row.tsx'
import { PromptVersions } from './prompt-versions.tsx'
import { type Prompt, promptsQuery } from './prompts-query.ts'
import { SavePrompt } from './save-prompt.tsx'
import '../../../styles/settings.css'
import '../../../styles/prompts.css'

type PromptsDialogProps = { isOpen: boolean; onClose(): void; onOpen(id: string, version?: number): void }

/** Saves what is in the playground under a name, and opens what was saved before. */
export const PromptsDialog = ({ isOpen, onClose, onOpen }: PromptsDialogProps) => {
  const { prompts } = useWords()
  return (
    <Dialog isOpen={isOpen} title={prompts.title} onClose={onClose} wide>
      <SavePrompt onSaved={onClose} />
      <PromptVersions onOpen={onOpen} />
      <SavedPrompts onOpen={onOpen} onClose={onClose} />
    </Dialog>
  )
}

/** Fewer are seen at a glance. */
const leastToSearch = 5

/** The button that deleted the prompt goes with its row. */
const focus = (button: HTMLButtonElement | null): void => button?.focus()

const SavedPrompts = ({ onOpen, onClose }: Omit<PromptsDialogProps, 'isOpen'>) => {
  const platform = usePlatform()
  const { prompts, shell } = useWords()
  const query = useQuery(promptsQuery(platform))
  const queryClient = useQueryClient()
  // A toast cannot be reached while the dialog is open, so undo is offered here.
  const [removed, setRemoved] = useState<Prompt | null>(null)
  const [search, setSearch] = useState('')
  const { account } = useSession()
  const [pinned, setPinned] = useState(() => pinnedPrompts(account.id))
  const pin = (id: string, isPinned: boolean): void => {
    const others = [...pinned].filter((each) => each !== id)
    const next = new Set(isPinned ? [...others, id] : others)
    setPinned(next)
    rememberPinned(account.id, next)
  }
  const heading = useRef<HTMLHeadingElement>(null)
  const restore = useMutation({
    mutationFn: ({ id }: Prompt) => platform.restorePrompt({ params: { prompt: id } }),
    async onSuccess() {
      heading.current?.focus()
      setRemoved(null)
      await queryClient.invalidateQueries({ queryKey: promptsQuery(platform).queryKey })
    },
  })
  return (
    <>
      <h3 ref={heading} tabIndex={-1}>
        {prompts.listTitle}
      </h3>
      <p role="status">
        {removed === null ? null : (
          <>
            {prompts.removed(removed.name)}{' '}
            <button key={removed.id} ref={focus} type="button" className="link" onClick={() => restore.mutate(removed)}>
              {shell.undo}
            </button>
          </>
        )}
      </p>
      {restore.isError ? <ErrorNotice error={restore.error} title={prompts.notChanged} /> : null}
      <Loaded query={query} errorTitle={prompts.notLoaded} lines={2}>
        {(data) =>
          data.length === 0 ? (
            <p className="muted">{prompts.none}</p>
          ) : (
            <>
              {data.length < leastToSearch ? null : (
                <Field
                  label={prompts.search}
                  type="search"
                  value={search}
                  autoComplete="off"
                  onChange={(event) => setSearch(event.target.value)}
                />
              )}
              {findPrompts(data, search, pinned).length === 0 ? (
                <p className="muted" role="status">
                  {prompts.noneFound}
                </p>
              ) : null}
              <ul className="item-list">
                {findPrompts(data, search, pinned).map((prompt) => (
                  <PromptRow
                    key={prompt.id}
                    prompt={prompt}
                    isPinned={pinned.has(prompt.id)}
                    onPin={(isPinned) => pin(prompt.id, isPinned)}
                    onOpen={() => onOpen(prompt.id)}
                    onRemoved={setRemoved}
                  />
                ))}
              </ul>
            </>
          )
        }
      </Loaded>
      <div className="actions">
        <Button onClick={onClose}>{shell.close}</Button>
      </div>
    </>
  )
}
