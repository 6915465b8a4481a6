import type { ShownRequest } from '../../../../src/platform/contract/requests.ts'
import { wholeText } from '../../figures.ts'
import { useLocale } from '../../words-context.tsx'
import { Fact } from './facts-list.tsx'

/** What the policies of the server did; nothing if they did nothing. */
export const HooksFact = ({ hooks }: Pick<ShownRequest, 'hooks'>) => {
  const { language, words } = useLocale()
  const { requests } = words
  if (hooks.length === 0) return null
  return (
    <Fact name={requests.hooks}>
      {hooks.map(({ hook, action, count }) => (
        <div key={`${hook} ${action}`}>{requests.hookActions[action](hook, wholeText(count, language))}</div>
      ))}
    </Fact>
  )
}
