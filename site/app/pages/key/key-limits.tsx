import { Section } from '../../components/section.tsx'
import { useSession } from '../../session.ts'
import { useWords } from '../../words-context.tsx'
import { LimitUseList } from '../keys/limit-usage.tsx'
import type { KeyDetails } from './key-query.ts'

/** The limits of the key, and those of its organisation, which apply to it as well. */
export const KeyLimits = ({ apiKey, now }: { apiKey: KeyDetails; now: number }) => {
  const { keys, limits } = useWords()
  const { organisation } = useSession()
  const hasOwn = Object.keys(apiKey.uses).length > 0
  const isLimited = Object.keys(apiKey.organisation.uses).length > 0
  return (
    <>
      <Section title={keys.useOfLimits} text={hasOwn ? keys.limitsText : keys.noOwnLimits}>
        <LimitUseList uses={apiKey.uses} now={now} />
      </Section>
      <Section
        title={keys.organisationLimits(organisation.name)}
        text={isLimited ? limits.organisationText : limits.unlimitedLede}
      >
        <LimitUseList uses={apiKey.organisation.uses} now={now} />
      </Section>
    </>
  )
}
