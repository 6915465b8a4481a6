import { CodeTabs } from '../../components/code-tabs.tsx'
import { Section } from '../../components/section.tsx'
import { useSession } from '../../session.ts'
import { useWords } from '../../words-context.tsx'
import { codeSamples } from '../welcome/code-samples.ts'
import type { KeyDetails } from './key-query.ts'

/** The first call with this key, of which only the first and last characters are known here. */
export const KeyCode = ({ apiKey }: { apiKey: KeyDetails }) => {
  const { keys, welcome } = useWords()
  const { model } = useSession()
  const tabs = codeSamples({
    baseUrl: `${location.origin}/v1`,
    key: { yours: `${apiKey.prefix}…${apiKey.lastFour}` },
    model: apiKey.models?.[0] ?? model,
    question: welcome.question,
    environmentName: welcome.environment,
  })
  return (
    <Section title={keys.codeTitle} text={keys.codeText}>
      <CodeTabs tabs={tabs} label={keys.codeTitle} />
    </Section>
  )
}
