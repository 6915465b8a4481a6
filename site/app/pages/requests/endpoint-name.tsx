import { Fragment } from 'react'
import type { RequestEndpoint } from '../../../../src/platform/contract/request-kinds.ts'
import { useWords } from '../../words-context.tsx'
import { endpointText } from './endpoint-text.ts'

/** A path, which a narrow column breaks between its parts. */
export const EndpointName = ({ endpoint }: { endpoint: RequestEndpoint }) => {
  const { shell } = useWords()
  const text = endpointText(endpoint, shell.playground)
  if (endpoint === 'playground') return text
  return (
    <span className="mono" translate="no">
      {text.split(/(?<=\/)/).map((part, index) => (
        <Fragment key={part}>
          {index === 0 ? null : <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  )
}
