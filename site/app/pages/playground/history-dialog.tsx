import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useRef, useState } from 'react'
import { usePlatform } from '../../app-state.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Field } from '../../components/field.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { useToast } from '../../components/toasts.tsx'
import { useWords } from '../../words-context.tsx'
import { readContent } from './draft-content.ts'
import { markOf, writeConversation } from './history-content.ts'
import { type Conversation, historyKey, historyQuery } from './history-query.ts'
import { HistoryRow } from './history-row.tsx'
import { emptyState } from './playground-store.ts'
import { replaceContent } from './replace-content.ts'
import { saveHistory } from './save-history.ts'
import { ShareConversation } from './share-conversation.tsx'
import { usePlaygroundParts } from './use-playground.ts'
import '../../../styles/settings.css'
import '../../../styles/prompts.css'

type HistoryDialogProps = { isOpen: boolean; onClose(): void }

/** The conversations of this member: search, open, rename, pin, delete; and links to the one that is open. */
export const HistoryDialog = ({ isOpen, onClose }: HistoryDialogProps) => {
  const { history } = useWords()
  return (
    <Dialog isOpen={isOpen} title={history.title} onClose={onClose} wide>
      <ShareConversation />
      <Conversations onClose={onClose} />
    </Dialog>
  )
}

const Conversations = ({ onClose }: { onClose(): void }) => {
  const platform = usePlatform()
  const { history, prompts, playground, shell } = useWords()
  const parts = usePlaygroundParts()
  const toast = useToast()
  const queryClient = useQueryClient()
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed.trim())
  const query = useQuery(historyQuery(platform, search))
  const [error, setError] = useState<unknown>(null)
  const [removed, setRemoved] = useState<string | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  // What is open is in the list with what was said last.
  useEffect(() => {
    void saveHistory(parts).then(() => queryClient.invalidateQueries({ queryKey: historyKey }))
  }, [parts, queryClient])
  const open = async ({ id }: Conversation): Promise<void> => {
    try {
      const { conversation, content } = await platform.showConversation({ params: { conversation: id } })
      const read = readContent(content)
      if (read === null) throw new Error(id)
      const mark = markOf(writeConversation(read))
      const { title, version } = conversation
      toast(
        playground.opened(title),
        replaceContent(parts, { ...read, conversation: { id, title, version, mark, sent: [] } }),
      )
      onClose()
    } catch (failure) {
      setError(failure)
    }
  }
  const startNew = (): void => {
    const { model, settings } = parts.store.read()
    toast(history.started, replaceContent(parts, { ...emptyState, model, settings }))
    onClose()
  }
  return (
    <>
      <h3 ref={heading} tabIndex={-1}>
        {history.listTitle}
      </h3>
      <p role="status">{removed === null ? null : prompts.removed(removed)}</p>
      {error === null ? null : <ErrorNotice error={error} title={history.notLoaded} />}
      <Field
        label={history.search}
        type="search"
        value={typed}
        maxLength={200}
        autoComplete="off"
        onChange={(event) => setTyped(event.target.value)}
      />
      <Loaded query={query} errorTitle={history.notLoaded} lines={3}>
        {({ data, keptDays, keepsPinned }) => (
          <>
            {data.length === 0 ? (
              <p className="muted" role="status">
                {search === '' ? history.none : history.noneFound}
              </p>
            ) : null}
            <ul className="item-list">
              {data.map((conversation) => (
                <HistoryRow
                  key={conversation.id}
                  conversation={conversation}
                  onOpen={() => void open(conversation)}
                  onRemoved={() => {
                    heading.current?.focus()
                    setRemoved(conversation.title)
                  }}
                />
              ))}
            </ul>
            <p className="small muted">{keepsPinned ? history.keptPinned(keptDays) : history.kept(keptDays)}</p>
          </>
        )}
      </Loaded>
      <div className="actions">
        <Button onClick={onClose}>{shell.close}</Button>
        <Button onClick={startNew}>{history.startNew}</Button>
      </div>
    </>
  )
}
