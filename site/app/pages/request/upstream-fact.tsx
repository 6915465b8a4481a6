import type { ShownRequest } from '../../../../src/platform/contract/requests.ts'
import { wholeText } from '../../figures.ts'
import { useLocale } from '../../words-context.tsx'
import { Fact } from './facts-list.tsx'

/** Which upstreams answered; nothing for a model on the server's own machine. */
export const UpstreamFact = ({ upstreams }: Pick<ShownRequest, 'upstreams'>) => {
  const { language, words } = useLocale()
  const { requests } = words
  if (upstreams === null) return null
  const { names, attempts, continued } = upstreams
  return (
    <Fact name={requests.upstream}>
      {names.length === 0 ? requests.noUpstream : <span className="mono">{names.join(', ')}</span>}
      {attempts > 1 ? <span className="subtext">{requests.attempts(wholeText(attempts, language))}</span> : null}
      {continued ? <span className="subtext">{requests.continued}</span> : null}
    </Fact>
  )
}
