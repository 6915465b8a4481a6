import type { Words } from '../../../../languages/words.ts'
import type { Key, Scope } from '../../../platform/types.ts'
import { useWords } from '../../words-context.tsx'
import { usualScopes } from './key-draft.ts'

/** What a key may do, and which models and networks it is restricted to. */
export const ScopeChips = ({ apiKey }: { apiKey: Key }) => {
  const { keys } = useWords()
  const { scopes, models, networks } = apiKey
  const shown = scopes.length === usualScopes.length ? [keys.scopeAll] : scopes.map((scope) => scopeText(scope, keys))
  const narrowed = [
    ...(models === null ? [] : [keys.onlyModels(models.length)]),
    ...(networks === null ? [] : [keys.onlyNetworks(networks.length)]),
  ]
  return (
    <>
      <span className="chips">
        {shown.map((text) => (
          <span key={text} className="chip">
            {text}
          </span>
        ))}
      </span>
      {narrowed.length === 0 ? null : <span className="subtext">{narrowed.join(' · ')}</span>}
    </>
  )
}

const scopeText = (scope: Scope, keys: Words['keys']): string =>
  ({
    chat: keys.scopeChat,
    models: keys.scopeModels,
    'completions.read': keys.scopeRead,
    'completions.write': keys.scopeWrite,
    manage: keys.scopeManage,
    metrics: keys.scopeMetrics,
  })[scope]
