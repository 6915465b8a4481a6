import type { RequestEndpoint } from '../../../../src/platform/contract/request-kinds.ts'
import { useWords } from '../../words-context.tsx'
import { endpointText } from './endpoint-text.ts'

export const EndpointName = ({ endpoint }: { endpoint: RequestEndpoint }) => {
  const { shell } = useWords()
  const text = endpointText(endpoint, shell.playground)
  if (endpoint === 'playground') return text
  return (
    <span className="mono" translate="no">
      {text}
    </span>
  )
}
