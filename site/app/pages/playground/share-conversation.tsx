import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { usePlatform } from '../../app-state.ts'
import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { momentText } from '../../time/moments.ts'
import { useLocale } from '../../words-context.tsx'
import { writeContent } from './draft-content.ts'
import { historyKey, sharesQuery } from './history-query.ts'
import { noOtherRows } from './prompt-variables.ts'
import { saveHistory } from './save-history.ts'
import { isConversation } from './turns.ts'
import { usePlayground, usePlaygroundParts } from './use-playground.ts'

/** Links to copies of the conversation that is open: each has the branch that was shown when it was created. */
export const ShareConversation = () => {
  const platform = usePlatform()
  const { words } = useLocale()
  const { share } = words.history
  const state = usePlayground()
  const parts = usePlaygroundParts()
  const queryClient = useQueryClient()
  const status = useRef<HTMLParagraphElement>(null)
  const create = useMutation({
    async mutationFn() {
      // A link belongs to a conversation of the history.
      await saveHistory(parts)
      const { conversation, ...shown } = parts.store.read()
      if (conversation === null || conversation.version === 0) throw new Error('not in the history')
      // Other rows of values are not what was asked with, as other versions are not what is shown.
      const unshown = { draft: '', saved: null, conversation: null, otherRows: noOtherRows, leftOut: [] }
      const content = writeContent({ ...shown, ...unshown })
      await platform.shareConversation({ params: { conversation: conversation.id }, body: { content } })
      return conversation.id
    },
    async onSuccess(id) {
      const { queryKey } = sharesQuery(platform, id)
      // The first list may be on its way since before there was this link, and nothing asks again while it is.
      await queryClient.cancelQueries({ queryKey })
      await Promise.all([
        queryClient.invalidateQueries({ queryKey }),
        queryClient.invalidateQueries({ queryKey: historyKey }),
      ])
    },
  })
  const saved = state.conversation === null || state.conversation.version === 0 ? null : state.conversation
  if (saved === null && !isConversation(state)) return null
  return (
    <section className="save-prompt" aria-label={share.title}>
      <h3>{share.title}</h3>
      <p className="secondary">{share.text}</p>
      {isConversation(state) ? (
        <Button busy={create.isPending} onClick={() => create.mutate()}>
          {share.create}
        </Button>
      ) : null}
      <p ref={status} role="status" tabIndex={-1} className="small muted">
        {create.isSuccess ? words.shell.done : null}
      </p>
      {create.isError ? <ErrorNotice error={create.error} title={share.notCreated} /> : null}
      {saved === null ? null : <Links conversation={saved.id} onRevoked={() => status.current?.focus()} />}
    </section>
  )
}

const Links = ({ conversation, onRevoked }: { conversation: string; onRevoked(): void }) => {
  const platform = usePlatform()
  const { language, words } = useLocale()
  const { share } = words.history
  const queryClient = useQueryClient()
  const query = useQuery(sharesQuery(platform, conversation))
  const revoke = useMutation({
    mutationFn: (id: string) => platform.removeShare({ params: { share: id } }),
    async onSuccess() {
      onRevoked()
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: sharesQuery(platform, conversation).queryKey }),
        queryClient.invalidateQueries({ queryKey: historyKey }),
      ])
    },
  })
  return (
    <Loaded query={query} errorTitle={words.history.notLoaded} lines={1}>
      {(links) =>
        links.length === 0 ? null : (
          <>
            <ul className="item-list">
              {links.map(({ id, createdAt }) => (
                <li key={id} className="prompt">
                  <p>
                    <a className="link" href={`/playground/shared/${id}`}>
                      {share.link}
                    </a>
                    <span className="subtext">{share.createdAt(momentText(createdAt, language))}</span>
                  </p>
                  <span className="row-actions">
                    <CopyButton text={`${location.origin}/playground/shared/${id}`}>
                      {words.prompts.copyLink}
                    </CopyButton>
                    <Button look="plain" busy={revoke.isPending} onClick={() => revoke.mutate(id)}>
                      {share.revoke}
                    </Button>
                  </span>
                </li>
              ))}
            </ul>
            {revoke.isError ? <ErrorNotice error={revoke.error} title={words.history.notChanged} /> : null}
          </>
        )
      }
    </Loaded>
  )
}
