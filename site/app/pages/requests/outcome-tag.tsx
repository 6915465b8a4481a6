import type { RequestOutcome } from '../../../../src/platform/contract/requests.ts'
import { Tag } from '../../components/tag.tsx'
import { useWords } from '../../words-context.tsx'

const shapes = {
  running: 'off',
  completed: 'ok',
  failed: 'bad',
  client_closed: 'warn',
  server_died: 'bad',
  refused: 'warn',
} as const satisfies Record<RequestOutcome, string>

export const OutcomeTag = ({ outcome }: { outcome: RequestOutcome }) => {
  const { requests } = useWords()
  return <Tag state={shapes[outcome]}>{requests.outcomes[outcome]}</Tag>
}
