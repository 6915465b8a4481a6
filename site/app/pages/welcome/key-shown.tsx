import { ArrowRight, Lock } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { NewKey } from '../../../platform/types.ts'
import { sendWithKey } from '../../answer/send-with-key.ts'
import { Button } from '../../components/button.tsx'
import { CodeTabs } from '../../components/code-tabs.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Secret } from '../../components/secret.tsx'
import { UncopiedQuestion } from '../../components/uncopied-question.tsx'
import { triedModel } from '../../model-choices.ts'
import { useSession } from '../../session.ts'
import { useWords } from '../../words-context.tsx'
import { FirstRequest } from '../keys/first-request.tsx'
import { codeSamples } from './code-samples.ts'
import { LiveAnswer } from './live-answer.tsx'
import { useLeave } from './use-leave.ts'
import { WelcomeTop } from './welcome-top.tsx'

export const KeyShown = ({ newKey }: { newKey: NewKey }) => {
  const { welcome, keys } = useWords()
  const [isCopied, setCopied] = useState(false)
  const session = useSession()
  const model = triedModel(session, null) ?? session.model
  // With the key itself, so that what is shown is what the reader's own code will get.
  const send = useMemo(() => sendWithKey(newKey.key), [newKey.key])
  const { isAsking, goOn, goHome, stay, leave } = useLeave(!isCopied)
  const noteCopy = (): void => setCopied(true)
  return (
    <>
      <WelcomeTop
        onLeave={(event) => {
          event.preventDefault()
          goHome()
        }}
      />
      <main>
        <h1>{welcome.head}</h1>
        <section aria-label={welcome.secretLabel}>
          <Secret newKey={newKey} onCopied={noteCopy} />
          <p className="note">
            <Lock size={16} strokeWidth={1.5} aria-hidden />
            {welcome.note(newKey.lastFour)}
          </p>
        </section>
        <div className="first-call">
          <CodeForKey newKey={newKey} model={model} onCopied={noteCopy} />
          <LiveAnswer model={model} send={send} />
        </div>
        <FirstRequest keyId={newKey.id} />
      </main>
      <footer>
        <p className="secondary small" role="status">
          {isCopied ? welcome.copied : welcome.notCopied}
        </p>
        <Button onClick={goOn}>
          {welcome.goOn}
          <ArrowRight size={16} strokeWidth={1.5} aria-hidden />
        </Button>
      </footer>
      <Dialog isOpen={isAsking} title={keys.uncopiedTitle} onClose={stay}>
        <UncopiedQuestion secret={newKey.key} onStay={stay} onLeave={leave} />
      </Dialog>
    </>
  )
}

type CodeForKeyProps = { newKey: NewKey; model: string; onCopied(): void }

const CodeForKey = ({ newKey, model, onCopied }: CodeForKeyProps) => {
  const { welcome } = useWords()
  const { baseUrl } = useSession()
  const { key, prefix, lastFour } = newKey
  const tabs = codeSamples({
    baseUrl,
    model,
    key: { yours: key, shown: `${prefix}…${lastFour}` },
    question: welcome.question,
    environmentName: welcome.environment,
  })
  return (
    <section className="calls" aria-labelledby="calls-head">
      <h2 id="calls-head">{welcome.codeHead}</h2>
      <CodeTabs tabs={tabs} label={welcome.codeLabel} onCopied={onCopied} />
      <p className="small muted">{welcome.codeNote}</p>
    </section>
  )
}
