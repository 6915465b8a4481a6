import { useMemo } from 'react'
import type { NewKey } from '../../../platform/types.ts'
import { sendWithKey } from '../../answer/send-with-key.ts'
import { CodeTabs } from '../../components/code-tabs.tsx'
import { triedModel } from '../../model-choices.ts'
import { useSession } from '../../session.ts'
import { useWords } from '../../words-context.tsx'
import { codeSamples } from '../welcome/code-samples.ts'
import { LiveAnswer } from '../welcome/live-answer.tsx'
import { FirstRequest } from './first-request.tsx'

/** What comes after a new key: code that uses it, a call from here with it, and whether the first request has arrived. */
export const FirstCall = ({ newKey, onCopied }: { newKey: NewKey; onCopied(): void }) => {
  const { welcome, keys } = useWords()
  const session = useSession()
  const { baseUrl } = session
  const { id, key, prefix, lastFour, models } = newKey
  const model = triedModel(session, models)
  const send = useMemo(() => sendWithKey(key), [key])
  if (model === null)
    return (
      <>
        <p className="small secondary">{keys.noChatModel}</p>
        <FirstRequest keyId={id} />
      </>
    )
  const tabs = codeSamples({
    ...{ baseUrl, model, key: { yours: key, shown: `${prefix}…${lastFour}` } },
    ...{ question: welcome.question, environmentName: welcome.environment },
  })
  return (
    <>
      <div className="first-call">
        <section className="calls" aria-label={welcome.codeHead}>
          <CodeTabs tabs={tabs} label={welcome.codeLabel} onCopied={onCopied} />
          <p className="small muted">{welcome.codeNote}</p>
        </section>
        <LiveAnswer model={model} send={send} />
      </div>
      <FirstRequest keyId={id} />
    </>
  )
}
