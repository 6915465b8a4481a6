import type { ShownRequest } from '../../../../src/platform/contract/requests.ts'
import { wholeText } from '../../figures.ts'
import { useLocale } from '../../words-context.tsx'
import { Fact } from './facts-list.tsx'

/** The unknown fields of the request; nothing if there were none. */
export const IgnoredFieldsFact = ({ ignoredFields }: Pick<ShownRequest, 'ignoredFields'>) => {
  const { language, words } = useLocale()
  const { requests } = words
  if (ignoredFields === null) return null
  const { names, more } = ignoredFields
  return (
    <Fact name={requests.ignoredFields}>
      <span className="mono">{names.join(', ')}</span>
      {more > 0 ? ` ${requests.ignoredMore(wholeText(more, language))}` : null}
      <span className="subtext">{requests.ignoredFieldsText}</span>
    </Fact>
  )
}
