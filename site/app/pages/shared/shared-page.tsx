import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import type { SharedConversation } from '../../../../src/platform/contract/conversations.ts'
import type { Platform } from '../../../platform/platform.ts'
import { PlatformError } from '../../../platform/platform-error.ts'
import { AnswerText } from '../../answer/answer-text.tsx'
import { ThoughtView } from '../../answer/thought-view.tsx'
import { usePlatform } from '../../app-state.ts'
import { Button } from '../../components/button.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { MemberPage } from '../../components/member-page.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { useToast } from '../../components/toasts.tsx'
import { momentText } from '../../time/moments.ts'
import { usePageTitle } from '../../use-page-title.ts'
import { useLocale, useWords } from '../../words-context.tsx'
import { readContent } from '../playground/draft-content.ts'
import { replaceContent } from '../playground/replace-content.ts'
import type { Turn } from '../playground/turns.ts'
import { useDraftState } from '../playground/use-draft-state.ts'
import { usePlaygroundParts } from '../playground/use-playground.ts'
import '../../../styles/conversation-turns.css'
import '../../../styles/shared.css'

const shareQuery = (platform: Platform, share: string) =>
  queryOptions({
    queryKey: ['shared', share],
    queryFn: ({ signal }) => platform.showShare({ params: { share }, signal }),
    retry: (count, error) => count < 2 && !(error instanceof PlatformError && error.status === 404),
  })

/** What another member shared: to be read, and to be continued as one's own copy. */
export const SharedPage = () => (
  <MemberPage title={useWords().history.sharedPage.title}>
    <SharedConversationPage />
  </MemberPage>
)

const SharedConversationPage = () => {
  const platform = usePlatform()
  const { share } = useParams({ from: '/signed-in/shell/playground/shared/$share' })
  const { language, words } = useLocale()
  const { sharedPage } = words.history
  const query = useQuery(shareQuery(platform, share))
  usePageTitle(query.data?.title ?? sharedPage.title)
  const isGone = query.error instanceof PlatformError && query.error.status === 404
  const { data } = query
  return (
    <div className="page">
      <PageHead
        title={sharedPage.title}
        lede={data?.title ?? (isGone ? sharedPage.notFound : '')}
        action={
          data === undefined ? (
            <Link className="button" to="/playground">
              {words.shell.playground}
            </Link>
          ) : (
            <ContinueButton shared={data} />
          )
        }
      />
      {isGone ? null : (
        <Loaded query={query} errorTitle={words.errors.title} lines={4}>
          {({ createdBy, share: { createdAt }, content }) => (
            <>
              <p className="secondary">{sharedPage.about(createdBy, momentText(createdAt, language))}</p>
              <ReadOnlyTurns content={content} author={createdBy} />
            </>
          )}
        </Loaded>
      )}
    </div>
  )
}

const ContinueButton = ({ shared }: { shared: SharedConversation }) => {
  const { history, playground } = useWords()
  const { sharedPage } = history
  const parts = usePlaygroundParts()
  const navigate = useNavigate()
  const toast = useToast()
  // What is in the playground is known only then, and can be brought back.
  const isReady = useDraftState() !== 'loading'
  const proceed = (): void => {
    const content = readContent(shared.content)
    if (content === null || !isReady) return
    // What is replaced is kept: nothing else on this page asks for the history.
    if (parts.store.read().turns.length > 0) void parts.openHistory()
    toast(playground.opened(shared.title), replaceContent(parts, { ...content, saved: null, conversation: null }))
    void navigate({ to: '/playground' })
  }
  return (
    <Button look="primary" aria-disabled={isReady ? undefined : true} onClick={proceed}>
      {sharedPage.continue}
    </Button>
  )
}

const ReadOnlyTurns = ({ content, author }: { content: string; author: string }) => {
  const { playground } = useWords()
  const read = readContent(content)
  if (read === null) return null
  return (
    <section className="shared-conversation" aria-label={playground.conversation}>
      {read.system === '' ? null : (
        <article className="exchange sent">
          <h2 className="who">{playground.system}</h2>
          <p className="turn text">{read.system}</p>
        </article>
      )}
      {read.turns.map((turn) => (
        <ReadOnlyTurn key={turn.id} turn={turn} author={author} />
      ))}
    </section>
  )
}

const ReadOnlyTurn = ({ turn, author }: { turn: Turn; author: string }) => {
  const { playground } = useWords()
  if (turn.kind === 'sent')
    return (
      <article className="exchange sent">
        <h2 className="who" title={author} data-cut>
          {author}
        </h2>
        <div className="turn sent stack tight">
          <p className="text">{turn.text}</p>
        </div>
      </article>
    )
  return (
    <article className="exchange received">
      <h2 className="who">{turn.model}</h2>
      <div className="turn received stack tight">
        {turn.row === undefined ? null : (
          <p className="small secondary row-of-answer">{playground.variables.ofRow(turn.row.number, turn.row.text)}</p>
        )}
        <ThoughtView thought={turn.thought} isRunning={false} />
        <AnswerText text={turn.text} isRunning={false} isRaw={false} isJson={turn.isJson} />
        {turn.calls.map(({ id, name, arguments: given, result }) => (
          <div key={id} className="call">
            <p className="name">{playground.calls.title(name)}</p>
            <pre className="raw-text" translate="no">
              {given}
            </pre>
            {result === '' ? null : (
              <pre className="raw-text" translate="no">
                {result}
              </pre>
            )}
          </div>
        ))}
      </div>
    </article>
  )
}
